package hierarchy_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
)

// What scipy.cluster.hierarchy.linkage (SciPy 1.17) returns for published sets, changed so that no
// two distances are equal: the sums of the heights, and of heights times sizes, and the last height.
func TestHeightsAreThoseOfSciPy(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" || testing.Short() {
		t.Skip("slow, and needs the data sets: name their folder in KINDRED_DATASETS")
	}
	for _, c := range []struct {
		set                 string
		linkage             hierarchy.Linkage
		sum, weighted, last float64
	}{
		{"wine", hierarchy.Single, 2605.34954968063, 112514.791563559, 133.434602340684},
		{"wine", hierarchy.Complete, 8873.97214399656, 509746.175644827, 1401.9622639996},
		{"wine", hierarchy.Average, 5366.03730725742, 210961.643877236, 567.784432565356},
		{"wine", hierarchy.Weighted, 6068.72101123076, 355087.143442767, 860.58877274823},
		{"wine", hierarchy.Ward, 17408.7607792977, 1472850.90451909, 5077.98793861672},
		{"glass_dedup", hierarchy.Single, 128.09490737813, 13200.2767628806, 5.92161268205112},
		{"glass_dedup", hierarchy.Complete, 238.463274456215, 11043.9024078571, 12.0647862997541},
		{"glass_dedup", hierarchy.Average, 187.292689575747, 10813.3680597173, 7.57028368248697},
		{"glass_dedup", hierarchy.Weighted, 195.988878625916, 11471.9851036924, 9.14808436857518},
		{"glass_dedup", hierarchy.Ward, 323.564659193574, 14502.9343132345, 30.7286907533646},
		{"ecoli", hierarchy.Single, 36.6687826554682, 4228.16796353302, 0.537873094184031},
		{"ecoli", hierarchy.Complete, 68.085037504644, 2126.78416869057, 1.37023291398439},
		{"ecoli", hierarchy.Average, 53.2212892013822, 1729.18175283531, 0.777666279350728},
		{"ecoli", hierarchy.Weighted, 54.781706439987, 1482.209261502, 0.851245572661265},
		{"ecoli", hierarchy.Ward, 92.0965718413512, 5325.07177268607, 6.77971572968354},
		{"column_3C", hierarchy.Single, 4064.30400522949, 548187.189858698, 298.411570854886},
		{"column_3C", hierarchy.Complete, 7372.51490229122, 353604.380616446, 455.223387807759},
		{"column_3C", hierarchy.Average, 5825.69191791878, 277489.123840147, 408.612104327298},
		{"column_3C", hierarchy.Weighted, 5993.83541105594, 286742.283677211, 371.394370947938},
		{"column_3C", hierarchy.Ward, 9664.59286039968, 562206.84695741, 775.340257078347},
		{"pima", hierarchy.Single, 11924.8320125237, 2566237.61560598, 107.940605790818},
		{"pima", hierarchy.Complete, 22693.0601410897, 1750446.47203611, 868.080678797807},
		{"pima", hierarchy.Average, 17784.844842186, 1320112.73364618, 684.266775044719},
		{"pima", hierarchy.Weighted, 18170.9878068292, 1083533.94705111, 550.477620336227},
		{"pima", hierarchy.Ward, 35337.2915614736, 4967646.09042704, 3506.38030810462},
		{"iris_dedup", hierarchy.Single, 43.3472593294994, 1444.18214109601, 1.63634232913909},
		{"iris_dedup", hierarchy.Complete, 87.1576630187563, 2482.06770257573, 7.08065878007999},
		{"iris_dedup", hierarchy.Average, 65.0848406403349, 1588.60503469329, 4.05992939258108},
		{"iris_dedup", hierarchy.Weighted, 68.2287288113636, 1750.57916522706, 4.37181337154381},
		{"iris_dedup", hierarchy.Ward, 136.818649413114, 7462.98842767448, 31.9210642372416},
		{"sipu_pathbased", hierarchy.Single, 239.414449763823, 8997.0691447651, 2.50021646978349},
		{"sipu_pathbased", hierarchy.Complete, 697.247609610468, 31088.3032311018, 29.3061832061591},
		{"sipu_pathbased", hierarchy.Average, 468.76408189541, 18944.0359174353, 16.8492996665178},
		{"sipu_pathbased", hierarchy.Weighted, 476.012189186419, 19917.0239236361, 20.4221962429081},
		{"sipu_pathbased", hierarchy.Ward, 1260.37432831917, 105444.971265982, 177.865035660398},
		{"sipu_aggregation", hierarchy.Single, 502.860416732288, 22270.0786122272, 4.65480016641521},
		{"sipu_aggregation", hierarchy.Complete, 1349.6697279238, 95539.2529086742, 38.8256057748655},
		{"sipu_aggregation", hierarchy.Average, 920.96971279539, 54228.6660305469, 21.6098713672122},
		{"sipu_aggregation", hierarchy.Weighted, 941.989653334223, 56256.109050534, 21.9541724720238},
		{"sipu_aggregation", hierarchy.Ward, 2799.77367382581, 586703.291134918, 347.662455887836},
		{"sipu_jain", hierarchy.Single, 247.859500090211, 7313.5946721917, 2.6120523688085},
		{"sipu_jain", hierarchy.Complete, 707.873108351911, 41903.1169271752, 40.5527576917949},
		{"sipu_jain", hierarchy.Average, 477.686544561769, 22849.7488731368, 21.3290293750207},
		{"sipu_jain", hierarchy.Weighted, 492.208652616973, 26360.3182957253, 25.2647491729514},
		{"sipu_jain", hierarchy.Ward, 1436.1744037091, 170590.724172914, 241.673166644407},
		{"sipu_compound", hierarchy.Single, 325.687852078719, 15098.9600842814, 4.78936797787208},
		{"sipu_compound", hierarchy.Complete, 791.709689524023, 39797.0478141182, 36.7593688357263},
		{"sipu_compound", hierarchy.Average, 551.26070099562, 22643.314475952, 20.1239567244104},
		{"sipu_compound", hierarchy.Weighted, 558.247963030986, 22427.6064905495, 19.287218387697},
		{"sipu_compound", hierarchy.Ward, 1409.69417398243, 171693.424749396, 259.615937287101},
		{"sipu_r15", hierarchy.Single, 101.313655043794, 12738.9042999607, 3.38226819395712},
		{"sipu_r15", hierarchy.Complete, 271.583404718387, 32647.7058752419, 13.9335924771845},
		{"sipu_r15", hierarchy.Average, 187.593538612287, 20373.4990908288, 7.94974846775456},
		{"sipu_r15", hierarchy.Weighted, 196.412551731085, 18812.6464992251, 9.74331353343483},
		{"sipu_r15", hierarchy.Ward, 710.69121330354, 167931.341321488, 78.8751970702697},
		{"sipu_flame", hierarchy.Single, 148.872611259969, 5872.92516519479, 2.64498060138828},
		{"sipu_flame", hierarchy.Complete, 369.046666865923, 12371.8913670367, 14.7379619946991},
		{"sipu_flame", hierarchy.Average, 259.097938261188, 8395.80359488991, 9.25304378708678},
		{"sipu_flame", hierarchy.Weighted, 260.951632813609, 7732.34100906859, 8.15783319377178},
		{"sipu_flame", hierarchy.Ward, 581.170948778223, 35178.5391245487, 59.4177044599361},
		{"sipu_spiral", hierarchy.Single, 188.697263631384, 4700.54125210036, 3.82654531834604},
		{"sipu_spiral", hierarchy.Complete, 786.481943465553, 33790.0254848097, 30.3292712956453},
		{"sipu_spiral", hierarchy.Average, 504.429907889231, 18563.8738354862, 15.5945196757995},
		{"sipu_spiral", hierarchy.Weighted, 513.390826173321, 20414.6196506845, 19.823694238813},
		{"sipu_spiral", hierarchy.Ward, 1425.3357375985, 110422.740718396, 142.573742862107},
		{"news_different3_lsi10", hierarchy.Single, 117.655654995596, 105002.310338306, 0.282467740967715},
		{"news_different3_lsi10", hierarchy.Complete, 205.317470960183, 25337.5101861559, 1.06013657889645},
		{"news_different3_lsi10", hierarchy.Average, 163.820947380269, 20122.5598654416, 0.57339491015609},
		{"news_different3_lsi10", hierarchy.Weighted, 169.394118588972, 14524.2718720519, 0.762541739866367},
		{"news_different3_lsi10", hierarchy.Ward, 303.952688182877, 68440.3497448455, 5.64538381695228},
	} {
		table, err := dataset.Read(t.Context(), filepath.Join(folder, c.set+".csv"),
			dataset.ReadOptions{Label: "class"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil {
			t.Fatal(err)
		}
		x, most := p.X, 0.0
		for _, v := range x.F64 {
			most = max(most, math.Abs(v))
		}
		for i := range x.F64 {
			_, part := math.Modf(float64(i+1) * 0.6180339887498949)
			x.F64[i] += float64((1e-3 * most) * part)
		}
		tree, err := hierarchy.Fit(context.Background(), x,
			hierarchy.Config{Linkage: c.linkage})
		if err != nil {
			t.Fatal(err)
		}
		sum, weighted, last := 0.0, 0.0, 0.0
		for _, e := range tree.Merges {
			sum, weighted, last = sum+e.Height, weighted+e.Height*float64(e.Size), e.Height
		}
		for _, pair := range [][2]float64{{sum, c.sum}, {weighted, c.weighted}, {last, c.last}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*pair[1] {
				t.Errorf("%s, %v: %.15g, want %.15g", c.set, c.linkage, pair[0], pair[1])
			}
		}
	}
}
