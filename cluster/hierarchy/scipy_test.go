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
// heights, and of heights times sizes, and the last height. Left out are sets whose tree is
// another in SciPy after a shuffle of the rows and changes of one in 10¹³, as distances are equal.
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
		{"news_different3_lsi10", hierarchy.Single, 117.652873226568, 104336.826503698, 0.282439840280542},
		{"news_different3_lsi10", hierarchy.Complete, 205.602478058727, 21430.4895747037, 1.0603010184389},
		{"news_different3_lsi10", hierarchy.Average, 163.972431443713, 20342.6750584954, 0.570194017096748},
		{"news_different3_lsi10", hierarchy.Weighted, 169.621015949871, 15135.3593070599, 0.776173107864544},
		{"news_different3_lsi10", hierarchy.Ward, 303.675361069581, 77026.71596359, 5.66373159710397},
		{"ionosphere_dedup", hierarchy.Single, 503.654735517325, 119133.072678431, 5.29150262212918},
		{"ionosphere_dedup", hierarchy.Average, 659.986004309173, 67835.3022690768, 6.72674789079613},
		{"ionosphere_dedup", hierarchy.Ward, 915.579890516596, 37878.6759685317, 40.1734500418052},
		{"ecoli", hierarchy.Average, 53.1797266669726, 1725.87512143883, 0.777698918367516},
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
		{"sipu_jain", hierarchy.Average, 477.985262124075, 22866.6536935813, 21.3288058052771},
		{"sipu_jain", hierarchy.Ward, 1436.43095316222, 170612.729149972, 241.667878632837},
		{"sipu_compound", hierarchy.Average, 552.217829565539, 23042.8749658489, 20.1239042363398},
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
