package kin_test

import (
	"github.com/kindred-go/kindred/fit"

	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// curveSets are those of the curves of package cobras.
var curveSets = []string{
	"iris_dedup", "wine", "dermatology_complete", "hepatitis_112", "ecoli", "optdigits389",
	"glass_dedup", "ionosphere_dedup",
	"breast_cancer_wisconsin_dedup", "column_2C", "column_3C", "pendigits389", "letterIJL_227",
	"spambase_dedup",
}

// BenchmarkCurves returns the adjusted Rand index before the first answer and after 10, 25, 50 and
// 100, and its mean over the answers from 1 to 100 (area), by the protocol of BenchmarkCurves in
// package cobras: five seeds, and somebody who is wrong about a share of all pairs, always about
// the same. With wrong answers ErrorRate is 0.1.
//
//	KINDRED_DATASETS=… go test -run ^$ -bench Curves -benchtime 1x ./kin
func BenchmarkCurves(b *testing.B) {
	const seeds, budget = 5, 100
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		b.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	for _, set := range curveSets {
		table, err := dataset.Read(b.Context(), filepath.Join(folder, set+".csv"),
			dataset.ReadOptions{Label: "class"})
		if err != nil {
			b.Fatal(err)
		}
		prepared, err := table.Prepare(b.Context(), dataset.Preparation{})
		if err != nil {
			b.Fatal(err)
		}
		classes, _, _ := table.Labels()
		for _, wrong := range []float64{0, 0.05, 0.1} {
			b.Run(fmt.Sprintf("%s/wrong=%g", set, wrong), func(b *testing.B) {
				for range b.N {
					var curve [budget + 1]float64
					for seed := range uint64(seeds) {
						cfg := kin.Config{Options: fit.Options{Seed: seed}}
						if wrong > 0 {
							cfg.ErrorRate = 0.1
						}
						run := begin(b, prepared.X, cfg)
						for i := range curve {
							if i > 0 {
								answer(b, run, 1, func(p, q int) link.Kind {
									kind := truly(classes, p, q)
									if rand.New(rand.NewPCG(seed,
										uint64(min(p, q))<<32|uint64(max(p, q)))).
										Float64() < wrong {
										return same + different - kind
									}
									return kind
								})
							}
							curve[i] += ari(b, result(b, run).Labels, classes) / seeds
						}
					}
					area := 0.0
					for _, v := range curve[1:] {
						area += v / budget
					}
					b.ReportMetric(area, "area")
					for _, at := range []int{0, 10, 25, 50, 100} {
						b.ReportMetric(curve[at], fmt.Sprintf("ari@%d", at))
					}
				}
			})
		}
	}
}
