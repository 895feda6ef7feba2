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

// What scipy.cluster.hierarchy.linkage (SciPy 1.17) returns for published sets: the sums of the
// heights, and of heights times sizes, and the last height. Left out are sets whose tree SciPy has
// otherwise after a shuffle of the rows, as distances are equal.
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
		{"wine", hierarchy.Single, 2558.45562986937, 106331.512976158, 133.222155815015},
		{"wine", hierarchy.Complete, 8818.27583707264, 498485.832243729, 1402.19186508124},
		{"wine", hierarchy.Average, 5429.55647001246, 232560.077389115, 606.9690304813},
		{"wine", hierarchy.Weighted, 5912.59450080483, 329802.926204819, 792.674563363159},
		{"wine", hierarchy.Ward, 17366.9347595396, 1472578.74593435, 5078.32710056466},
		{"glass_dedup", hierarchy.Single, 126.236713054484, 12701.9740524332, 5.93895646729289},
		{"glass_dedup", hierarchy.Complete, 233.531424452949, 11285.0674195289, 12.0369688430435},
		{"glass_dedup", hierarchy.Average, 185.11464148484, 10901.7416511363, 7.56351904474527},
		{"glass_dedup", hierarchy.Weighted, 192.985975447849, 11395.7287012787, 9.13977695796908},
		{"glass_dedup", hierarchy.Ward, 320.682983678375, 14211.769528871, 30.660060730538},
		{"news_similar3_lsi10", hierarchy.Single, 137.29869985729, 153110.777533017, 0.90018675463164},
		{"news_similar3_lsi10", hierarchy.Complete, 229.267252141161, 28344.7759070298, 1.38730025640782},
		{"news_similar3_lsi10", hierarchy.Average, 187.193432330624, 24343.1713534803, 1.01960487001568},
		{"news_similar3_lsi10", hierarchy.Weighted, 191.720859756319, 17917.8989849564, 1.13302095857021},
		{"news_similar3_lsi10", hierarchy.Ward, 323.280167526192, 79456.8569177232, 5.25712545731239},
		{"news_different3_lsi10", hierarchy.Single, 117.652873226568, 104336.826503698, 0.282439840280542},
		{"news_different3_lsi10", hierarchy.Complete, 205.602478058727, 21430.4895747037, 1.0603010184389},
		{"news_different3_lsi10", hierarchy.Average, 163.972431443713, 20342.6750584954, 0.570194017096748},
		{"news_different3_lsi10", hierarchy.Weighted, 169.621015949871, 15135.3593070599, 0.776173107864544},
		{"news_different3_lsi10", hierarchy.Ward, 303.675361069581, 77026.71596359, 5.66373159710397},
		{"ionosphere_dedup", hierarchy.Single, 503.654735517325, 119133.072678431, 5.29150262212918},
		{"ionosphere_dedup", hierarchy.Average, 659.986004309173, 67835.3022690768, 6.72674789079613},
		{"ionosphere_dedup", hierarchy.Weighted, 695.474430506592, 27259.8236442, 7.70398390399372},
		{"ionosphere_dedup", hierarchy.Ward, 915.579890516596, 37878.6759685317, 40.1734500418052},
		{"ecoli", hierarchy.Average, 53.1797266669726, 1725.87512143883, 0.777698918367516},
		{"ecoli", hierarchy.Weighted, 55.0210029505901, 1669.08325871943, 0.904014666563329},
		{"ecoli", hierarchy.Ward, 92.0873625974207, 5324.85829683627, 6.77919517394366},
		{"sipu_s1", hierarchy.Single, 23430489.9470701, 4771443345.69735, 54659.1784881551},
		{"sipu_s1", hierarchy.Complete, 71671845.4214514, 19120850977.2082, 1098116.08934985},
		{"sipu_s1", hierarchy.Average, 46564232.0104187, 10122616912.6081, 544022.684840365},
		{"sipu_s1", hierarchy.Weighted, 48945709.2030631, 12086485865.0851, 643594.0506483},
		{"sipu_s1", hierarchy.Ward, 202426370.298781, 246966339995.089, 21602209.3129543},
		{"sipu_r15", hierarchy.Average, 188.64115504342, 20467.6586184095, 7.94999187636315},
		{"sipu_r15", hierarchy.Weighted, 195.119089955835, 18632.8883936802, 9.71191597914613},
		{"sipu_r15", hierarchy.Ward, 710.931085968952, 167897.852208427, 78.8780369327327},
		{"sipu_d31", hierarchy.Average, 1292.15023795722, 178734.336109334, 15.8209998538549},
		{"sipu_d31", hierarchy.Weighted, 1347.434181953, 194759.114191514, 18.454160311807},
		{"sipu_d31", hierarchy.Ward, 5109.68882739746, 3598584.87102166, 466.682929645414},
		{"sipu_a1", hierarchy.Average, 1958709.88039639, 290903706.905264, 32778.0004194838},
		{"sipu_a1", hierarchy.Weighted, 2053680.94324974, 325053342.255517, 36819.0242450299},
		{"sipu_a1", hierarchy.Ward, 7887174.73507729, 6371747290.39455, 1144900.90902099},
		{"sipu_pathbased", hierarchy.Average, 468.738689859124, 18942.2879729418, 16.8492505113386},
		{"sipu_pathbased", hierarchy.Ward, 1260.18487152001, 105455.374160551, 177.860832445322},
		{"column_3C", hierarchy.Single, 4065.87990901587, 545362.167531987, 298.803564570438},
		{"column_3C", hierarchy.Complete, 7348.44443308943, 354909.669679591, 455.205288853282},
		{"column_3C", hierarchy.Average, 5859.21311417142, 302656.767388289, 408.751483648136},
		{"column_3C", hierarchy.Weighted, 6015.5559864644, 264706.065413286, 375.742095191043},
		{"column_3C", hierarchy.Ward, 9681.70658765586, 563170.514269879, 767.624817537062},
		{"pima", hierarchy.Single, 11904.9399147394, 2546084.32715535, 108.001336848208},
		{"pima", hierarchy.Complete, 22808.2980872876, 2056588.66584673, 867.765872848777},
		{"pima", hierarchy.Average, 17780.0739024297, 1355069.73637062, 684.381836956621},
		{"pima", hierarchy.Weighted, 18104.6329787324, 1089124.78215701, 501.765474102514},
		{"pima", hierarchy.Ward, 35202.1036383675, 5311614.42079854, 3570.85030068809},
		{"spambase_dedup", hierarchy.Average, 103018.097777588, 121950971.356748, 14753.0205251097},
		{"spambase_dedup", hierarchy.Weighted, 100307.117476908, 140949684.198413, 11523.1510171965},
		{"sipu_jain", hierarchy.Average, 477.985262124075, 22866.6536935813, 21.3288058052771},
		{"sipu_jain", hierarchy.Weighted, 487.679595544774, 22582.3621510403, 22.2008580568647},
		{"sipu_jain", hierarchy.Ward, 1436.43095316222, 170612.729149972, 241.667878632837},
		{"sipu_compound", hierarchy.Average, 552.217829565539, 23042.8749658489, 20.1239042363398},
		{"sipu_compound", hierarchy.Weighted, 560.530476807483, 22498.2816783056, 21.0615860845883},
		{"iris_dedup", hierarchy.Average, 64.9273213834516, 1587.54511316923, 4.05994094130608},
		{"iris_dedup", hierarchy.Weighted, 67.6943131336844, 1687.95643060274, 4.53208231561964},
		{"iris_dedup", hierarchy.Ward, 136.834919883791, 7463.54823600375, 31.9209336720201},
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
		tree, err := hierarchy.Fit(context.Background(), p.X,
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
