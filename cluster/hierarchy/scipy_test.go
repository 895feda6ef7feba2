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
// two distances are equal: the sums of the heights, and of heights times sizes, and the last one.
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
		{"wine", hierarchy.Single, 2605.34954968, 112514.791564, 133.434602341},
		{"wine", hierarchy.Complete, 8873.972144, 509746.175645, 1401.962264},
		{"wine", hierarchy.Average, 5366.03730726, 210961.643877, 567.784432565},
		{"wine", hierarchy.Weighted, 6068.72101123, 355087.143443, 860.588772748},
		{"wine", hierarchy.Ward, 17408.7607793, 1472850.90452, 5077.98793862},
		{"glass_dedup", hierarchy.Single, 128.094907378, 13200.2767629, 5.92161268205},
		{"glass_dedup", hierarchy.Complete, 238.463274456, 11043.9024079, 12.0647862998},
		{"glass_dedup", hierarchy.Average, 187.292689576, 10813.3680597, 7.57028368249},
		{"glass_dedup", hierarchy.Weighted, 195.988878626, 11471.9851037, 9.14808436858},
		{"glass_dedup", hierarchy.Ward, 323.564659194, 14502.9343132, 30.7286907534},
		{"ecoli", hierarchy.Single, 36.6687826555, 4228.16796353, 0.537873094184},
		{"ecoli", hierarchy.Complete, 68.0850375046, 2126.78416869, 1.37023291398},
		{"ecoli", hierarchy.Average, 53.2212892014, 1729.18175284, 0.777666279351},
		{"ecoli", hierarchy.Weighted, 54.78170644, 1482.2092615, 0.851245572661},
		{"ecoli", hierarchy.Ward, 92.0965718414, 5325.07177269, 6.77971572968},
		{"column_3C", hierarchy.Single, 4064.30400523, 548187.189859, 298.411570855},
		{"column_3C", hierarchy.Complete, 7372.51490229, 353604.380616, 455.223387808},
		{"column_3C", hierarchy.Average, 5825.69191792, 277489.12384, 408.612104327},
		{"column_3C", hierarchy.Weighted, 5993.83541106, 286742.283677, 371.394370948},
		{"column_3C", hierarchy.Ward, 9664.5928604, 562206.846957, 775.340257078},
		{"pima", hierarchy.Single, 11924.8320125, 2566237.61561, 107.940605791},
		{"pima", hierarchy.Complete, 22693.0601411, 1750446.47204, 868.080678798},
		{"pima", hierarchy.Average, 17784.8448422, 1320112.73365, 684.266775045},
		{"pima", hierarchy.Weighted, 18170.9878068, 1083533.94705, 550.477620336},
		{"pima", hierarchy.Ward, 35337.2915615, 4967646.09043, 3506.3803081},
		{"iris_dedup", hierarchy.Single, 43.3472593295, 1444.1821411, 1.63634232914},
		{"iris_dedup", hierarchy.Complete, 87.1576630188, 2482.06770258, 7.08065878008},
		{"iris_dedup", hierarchy.Average, 65.0848406403, 1588.60503469, 4.05992939258},
		{"iris_dedup", hierarchy.Weighted, 68.2287288114, 1750.57916523, 4.37181337154},
		{"iris_dedup", hierarchy.Ward, 136.818649413, 7462.98842767, 31.9210642372},
		{"sipu_pathbased", hierarchy.Single, 239.414449764, 8997.06914477, 2.50021646978},
		{"sipu_pathbased", hierarchy.Complete, 697.24760961, 31088.3032311, 29.3061832062},
		{"sipu_pathbased", hierarchy.Average, 468.764081895, 18944.0359174, 16.8492996665},
		{"sipu_pathbased", hierarchy.Weighted, 476.012189186, 19917.0239236, 20.4221962429},
		{"sipu_pathbased", hierarchy.Ward, 1260.37432832, 105444.971266, 177.86503566},
		{"sipu_aggregation", hierarchy.Single, 502.860416732, 22270.0786122, 4.65480016642},
		{"sipu_aggregation", hierarchy.Complete, 1349.66972792, 95539.2529087, 38.8256057749},
		{"sipu_aggregation", hierarchy.Average, 920.969712795, 54228.6660305, 21.6098713672},
		{"sipu_aggregation", hierarchy.Weighted, 941.989653334, 56256.1090505, 21.954172472},
		{"sipu_aggregation", hierarchy.Ward, 2799.77367383, 586703.291135, 347.662455888},
		{"sipu_jain", hierarchy.Single, 247.85950009, 7313.59467219, 2.61205236881},
		{"sipu_jain", hierarchy.Complete, 707.873108352, 41903.1169272, 40.5527576918},
		{"sipu_jain", hierarchy.Average, 477.686544562, 22849.7488731, 21.329029375},
		{"sipu_jain", hierarchy.Weighted, 492.208652617, 26360.3182957, 25.264749173},
		{"sipu_jain", hierarchy.Ward, 1436.17440371, 170590.724173, 241.673166644},
		{"sipu_compound", hierarchy.Single, 325.687852079, 15098.9600843, 4.78936797787},
		{"sipu_compound", hierarchy.Complete, 791.709689524, 39797.0478141, 36.7593688357},
		{"sipu_compound", hierarchy.Average, 551.260700996, 22643.314476, 20.1239567244},
		{"sipu_compound", hierarchy.Weighted, 558.247963031, 22427.6064905, 19.2872183877},
		{"sipu_compound", hierarchy.Ward, 1409.69417398, 171693.424749, 259.615937287},
		{"sipu_r15", hierarchy.Single, 101.313655044, 12738.9043, 3.38226819396},
		{"sipu_r15", hierarchy.Complete, 271.583404718, 32647.7058752, 13.9335924772},
		{"sipu_r15", hierarchy.Average, 187.593538612, 20373.4990908, 7.94974846775},
		{"sipu_r15", hierarchy.Weighted, 196.412551731, 18812.6464992, 9.74331353343},
		{"sipu_r15", hierarchy.Ward, 710.691213304, 167931.341321, 78.8751970703},
		{"sipu_flame", hierarchy.Single, 148.87261126, 5872.92516519, 2.64498060139},
		{"sipu_flame", hierarchy.Complete, 369.046666866, 12371.891367, 14.7379619947},
		{"sipu_flame", hierarchy.Average, 259.097938261, 8395.80359489, 9.25304378709},
		{"sipu_flame", hierarchy.Weighted, 260.951632814, 7732.34100907, 8.15783319377},
		{"sipu_flame", hierarchy.Ward, 581.170948778, 35178.5391245, 59.4177044599},
		{"sipu_spiral", hierarchy.Single, 188.697263631, 4700.5412521, 3.82654531835},
		{"sipu_spiral", hierarchy.Complete, 786.481943466, 33790.0254848, 30.3292712956},
		{"sipu_spiral", hierarchy.Average, 504.429907889, 18563.8738355, 15.5945196758},
		{"sipu_spiral", hierarchy.Weighted, 513.390826173, 20414.6196507, 19.8236942388},
		{"sipu_spiral", hierarchy.Ward, 1425.3357376, 110422.740718, 142.573742862},
		{"news_different3_lsi10", hierarchy.Single, 117.655654996, 105002.310338, 0.282467740968},
		{"news_different3_lsi10", hierarchy.Complete, 205.31747096, 25337.5101862, 1.0601365789},
		{"news_different3_lsi10", hierarchy.Average, 163.82094738, 20122.5598654, 0.573394910156},
		{"news_different3_lsi10", hierarchy.Weighted, 169.394118589, 14524.2718721, 0.762541739866},
		{"news_different3_lsi10", hierarchy.Ward, 303.952688183, 68440.3497448, 5.64538381695},
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
