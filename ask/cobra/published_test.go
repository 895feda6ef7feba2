package cobra_test

import (
	"github.com/kindred-go/kindred/fit"

	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
)

// published reads a set of the papers, scaled to 0..1 with duplicates removed.
func published(t testing.TB, name string) (dataset.Matrix, []int32) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, name+".csv"),
		dataset.ReadOptions{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	classes, _, _ := table.Labels()
	return p.X, classes
}

func askAll(t testing.TB, x dataset.Matrix, classes []int32, cfg cobra.Config) *cobra.Result {
	t.Helper()
	run, err := cobra.New(t.Context(), x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.Drive(t.Context(), run.Session, ask.Labels(classes), 0, nil); err != nil {
		t.Fatal(err)
	}
	return run.Result()
}

func adjustedRand(t testing.TB, labels []int, classes []int32) float64 {
	t.Helper()
	truth := make([]int, len(classes))
	for i, c := range classes {
		truth[i] = int(c) + 1
	}
	r, err := eval.Compare(labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// TestTable1 reproduces the column "closest pairs first" of the paper's Table 1: the number of
// questions when every row is its own super-instance. The result is then the true clustering.
func TestTable1(t *testing.T) {
	for name, want := range map[string]int{"wine": 187, "dermatology_complete": 379,
		"hepatitis_112": 140, "ecoli": 440} {
		t.Run(name, func(t *testing.T) {
			x, classes := published(t, name)
			res := askAll(t, x, classes, cobra.Config{SuperInstances: x.Rows})
			if len(res.Answers) != want {
				t.Errorf("%d questions, the paper has %d", len(res.Answers), want)
			}
			if ari := adjustedRand(t, res.Labels, classes); ari != 1 {
				t.Errorf("adjusted Rand index %v, want 1", ari)
			}
		})
	}
}

// figure is a mean and a standard deviation over seeds: 5 for the reference.
type figure struct{ mean, sd float64 }

// TestQuestionsAndQuality compares the number of questions and the adjusted Rand index with those
// of the authors' program at 25, 50 and 100 super-instances, K-means with ten starts. One figure is
// of another origin: iris with 100 super-instances, where that program asked 107.6±0.5 questions,
// while scikit-learn 1.9's K-means with ten starts and the rest of the method written out in Python
// asked 109.7±0.6 over 30 seeds, with an index of 1.
func TestQuestionsAndQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	const seeds = 10
	sizes := []int{25, 50, 100}
	for name, want := range map[string][3][2]figure{
		"iris_dedup": {{{27.0, 0}, {.890, .030}}, {{52.8, 1}, {.928, .020}},
			{{109.7, .6}, {1, 0}}},
		"wine": {{{27.8, .7}, {.878, .029}}, {{54.6, .8}, {.943, .008}},
			{{108, 0}, {1, 0}}},
		"dermatology_complete": {{{34, 0}, {.928, .013}}, {{60, .9}, {.933, .004}},
			{{112.4, 1.6}, {.943, .006}}},
		"hepatitis_112": {{{28.4, 1.4}, {.393, .057}}, {{63.6, 2.9}, {.709, .032}},
			{{128, 0}, {1, 0}}},
		"ecoli": {{{45.6, 1.6}, {.737, .050}}, {{83.6, 5.5}, {.740, .024}},
			{{137, 4.2}, {.803, .018}}},
		"optdigits389": {{{25.4, .8}, {.923, .016}}, {{50.4, .5}, {.946, .007}},
			{{101, 1.1}, {.955, .010}}},
		"glass_dedup": {{{58.6, 2.9}, {.304, .069}}, {{102, 2.7}, {.446, .030}},
			{{183.4, 2.7}, {.649, .026}}},
		"ionosphere_dedup": {{{28.4, 2}, {.536, .086}}, {{59.4, 3}, {.615, .084}},
			{{116.8, 2}, {.797, .021}}},
		"breast_cancer_wisconsin_dedup": {{{25.8, 1.3}, {.762, .060}}, {{53.6, 1.4}, {.766, .036}},
			{{108.2, 2.2}, {.836, .019}}},
		"column_2C": {{{27.4, 1}, {.286, .044}}, {{56.8, 1.3}, {.286, .059}},
			{{119, 4.6}, {.384, .028}}},
	} {
		t.Run(name, func(t *testing.T) {
			x, classes := published(t, name)
			for i, size := range sizes {
				var queries, quality []float64
				for seed := range uint64(seeds) {
					res := askAll(t, x, classes,
						cobra.Config{SuperInstances: size, Limits: fit.Limits{Starts: 10},
							Options: fit.Options{Seed: seed}})
					queries = append(queries, float64(len(res.Answers)))
					quality = append(quality, adjustedRand(t, res.Labels, classes))
				}
				q, a := summary(queries), summary(quality)
				t.Logf("%3d super-instances: %6.1f±%.1f / %.3f±%.3f, reference %.1f±%.1f / "+
					"%.3f±%.3f", size,
					q.mean, q.sd, a.mean, a.sd, want[i][0].mean, want[i][0].sd, want[i][1].mean,
					want[i][1].sd)
				agree(t, "questions", size, q, want[i][0])
				agree(t, "adjusted Rand index", size, a, want[i][1])
			}
		})
	}
}

// agree wants two means within twice the spread over seeds. Where the reference's five seeds happen
// to agree, ours tells how much seeds matter.
func agree(t *testing.T, what string, size int, got, want figure) {
	t.Helper()
	if spread := math.Hypot(got.sd, want.sd); math.Abs(got.mean-want.mean) > 2*spread+1e-9 {
		t.Errorf("%s at %d super-instances: %.3f±%.3f, reference %.3f±%.3f", what, size, got.mean,
			got.sd, want.mean, want.sd)
	}
}

func summary(v []float64) figure {
	var f figure
	for _, x := range v {
		f.mean += x / float64(len(v))
	}
	for _, x := range v {
		f.sd += (x - f.mean) * (x - f.mean) / float64(len(v))
	}
	f.sd = math.Sqrt(f.sd)
	return f
}
