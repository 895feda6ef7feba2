package density_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// BenchmarkAskingCurves returns the adjusted Rand index of hdbscan after 0, 10, 25 and 50 answers
// that are right, asked about the merges of its condensed tree and by strategies.
//
//	KINDRED_DATASETS=… go test -run ^$ -bench AskingCurves -benchtime 1x ./cluster/density
func BenchmarkAskingCurves(b *testing.B) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		b.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	for _, set := range []string{"iris_dedup", "wine", "dermatology_complete", "ecoli", "optdigits389",
		"glass_dedup", "breast_cancer_wisconsin_dedup", "pendigits389", "letterIJL_227",
		"sipu_aggregation", "sipu_compound", "sipu_jain", "sipu_d31", "sipu_s2", "segmentation",
		"banking77", "clinc150"} {
		x, classes := curveSet(b, folder, set)
		for _, by := range []string{"merges", "random-order", "farthest-first", "minmax", "density"} {
			b.Run(set+"/"+by, func(b *testing.B) {
				for range b.N {
					for _, answers := range []int{0, 10, 25, 50} {
						b.ReportMetric(asked(b, x, classes, by, answers),
							fmt.Sprintf("ARI@%d", answers))
					}
				}
			})
		}
	}
}

// curveSet reads a set with its classes.
func curveSet(b *testing.B, folder, name string) (dataset.Matrix, []int32) {
	path := filepath.Join(folder, name+".csv")
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	label := "class"
	if name == "banking77" || name == "clinc150" {
		label = "intent"
	}
	table, err := dataset.Read(b.Context(), path, dataset.ReadOptions{Label: label})
	if err != nil {
		b.Fatal(err)
	}
	if name == "banking77" || name == "clinc150" {
		codes, _, _ := table.Labels()
		table, err = dataset.Read(b.Context(), filepath.Join(folder, name+"_minilm384.npy.gz"),
			dataset.ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		p, err := table.Prepare(b.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil {
			b.Fatal(err)
		}
		return p.X, codes
	}
	p, err := table.Prepare(b.Context(), dataset.Preparation{})
	if err != nil {
		b.Fatal(err)
	}
	codes, _, _ := table.Labels()
	return p.X, codes
}

// asked returns the adjusted Rand index after so many answers.
func asked(b *testing.B, x dataset.Matrix, classes []int32, by string, answers int) float64 {
	var m method.Method
	for _, m = range density.Methods() {
		if m.Name == "hdbscan" {
			break
		}
	}
	c, err := m.With(nil)
	if err != nil {
		b.Fatal(err)
	}
	p := method.Problem{Data: x}
	truth := make([]int, len(classes))
	k := 0
	for i, class := range classes {
		truth[i] = int(class)
		k = max(k, int(class)+1)
	}
	if by != "merges" && answers > 0 {
		chooser, err := strategy.New(by, strategy.Config{Data: x, Clusters: k})
		if err != nil {
			b.Fatal(err)
		}
		run, err := ask.Begin(b.Context(), x.Rows, nil, link.Refuse, chooser)
		if err != nil {
			b.Fatal(err)
		}
		if err := ask.Drive(b.Context(), run, ask.Labels(classes), answers, nil); err != nil {
			b.Fatal(err)
		}
		p.Knowledge = fit.Knowledge{Links: run.Facts()}
	}
	var out *method.Outcome
	if by == "merges" && answers > 0 {
		out, err = c.Answered(context.Background(), p, ask.Labels(classes), answers)
	} else {
		out, err = c.Fit(context.Background(), p)
	}
	if err != nil {
		b.Fatal(err)
	}
	r, err := eval.Compare(out.Labels, truth)
	if err != nil {
		b.Fatal(err)
	}
	return r.AdjustedRand
}
