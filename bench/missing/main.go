// Command missing measures treatments of missing values: it knocks values out of published data
// sets and prints, as Markdown, how well the groups are found again. docs/decisions has the table.
//
// usage: missing [SEEDS]
//
// The folder of the data sets is KINDRED_DATASETS.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// sets are data sets of numbers with true classes.
var sets = []string{"iris", "wine", "breast_cancer_wisconsin_683", "ecoli", "glass",
	"dermatology_complete", "ionosphere", "column_3C", "parkinsons", "letterIJL_227",
	"hepatitis_112", "pima"}

// answers is how many questions the true classes answer.
const answers = 30

func main() {
	seeds, err := 5, error(nil)
	if len(os.Args) == 2 {
		seeds, err = strconv.Atoi(os.Args[1])
	}
	if len(os.Args) > 2 || err != nil || seeds < 1 {
		err = errors.New("usage: missing [SEEDS]")
	} else {
		err = run(context.Background(), seeds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "missing:", err)
		os.Exit(1)
	}
}

// shares are how many values are knocked out.
var shares = []float64{0.05, 0.2, 0.4}

func run(ctx context.Context, seeds int) error {
	var tables []*table
	for _, name := range sets {
		t, err := read(ctx, name)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	type cell struct{ how, share, filling int }
	type job struct {
		cell
		t    *table
		seed int
		sum  scores
	}
	var jobs []*job
	for _, t := range tables {
		for seed := range seeds {
			for how := range mechanisms {
				for share := range shares {
					for filling := range fillings {
						jobs = append(jobs, &job{cell: cell{how, share, filling}, t: t, seed: seed})
					}
				}
			}
		}
	}
	whole := make([]scores, len(tables))
	var mu sync.Mutex
	var failed error
	done := 0
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = errors.Join(failed, err)
	}
	err := parallel.Blocks(ctx, len(tables), 1, 0, func(_, lo, _ int) {
		t := tables[lo]
		var err error
		if whole[lo], err = judge(ctx, t, scaled(t.x, t.d, 0, t.d), nil); err != nil {
			fail(err)
		}
	})
	if err == nil {
		err = parallel.Blocks(ctx, len(jobs), 1, 0, func(_, lo, _ int) {
			j := jobs[lo]
			rng := rand.New(rand.NewPCG(uint64(j.seed), uint64(100*j.how+j.share)))
			x := mechanisms[j.how].knock(j.t, shares[j.share], rng)
			f := fillings[j.filling]
			m, src, err := f.fill(j.t, x)
			if err == nil {
				j.sum, err = judge(ctx, j.t, m, src)
			}
			if err != nil {
				fail(fmt.Errorf("%s, %s: %w", j.t.name, f.name, err))
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; done%100 == 0 {
				fmt.Fprintf(os.Stderr, "%d of %d\n", done, len(jobs))
			}
		})
	}
	if err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	mean := map[cell]scores{}
	for _, j := range jobs {
		s := mean[j.cell]
		for k := range s {
			s[k] += j.sum[k] / float64(len(tables)*seeds)
		}
		mean[j.cell] = s
	}
	var all scores
	for _, w := range whole {
		for k := range all {
			all[k] += w[k] / float64(len(tables))
		}
	}
	for k, title := range []string{"k-means with the true number of groups",
		fmt.Sprintf("kin after %d answers", answers), "average linkage"} {
		fmt.Printf("\n**%s** (nothing missing: %.3f)\n\n| treatment |", title, all[k])
		line := "\n|---|"
		for _, how := range mechanisms {
			for _, share := range shares {
				fmt.Printf(" %s, %g %% |", how.name, 100*share)
				line += "---|"
			}
		}
		fmt.Print(" mean |" + line + "---|\n")
		for f := range fillings {
			if fillings[f].name == "Gower" && k < 2 { // which take rows alone
				continue
			}
			fmt.Printf("| %s |", fillings[f].name)
			sum := 0.0
			for how := range mechanisms {
				for share := range shares {
					v := mean[cell{how, share, f}][k]
					sum += v
					fmt.Printf(" %.3f |", v)
				}
			}
			fmt.Printf(" %.3f |\n", sum/float64(len(mechanisms)*len(shares)))
		}
	}
	return nil
}

// scores are adjusted Rand indices: of k-means, of kin and of average linkage.
type scores [3]float64

// table is a data set: n rows of d values and their classes.
type table struct {
	name    string
	n, d    int
	x       []float64
	classes []int32
	truth   []int
	groups  int
}

func read(ctx context.Context, name string) (*table, error) {
	path := filepath.Join(os.Getenv("KINDRED_DATASETS"), name+".csv")
	t, err := dataset.Read(ctx, path, dataset.ReadOptions{Label: "class"})
	if err != nil {
		return nil, err
	}
	p, err := t.Prepare(ctx, dataset.Preparation{Scale: dataset.ScaleNone})
	if err != nil {
		return nil, err
	}
	out := &table{name: name, n: p.X.Rows, d: p.X.Cols, x: p.X.F64}
	out.classes, _, _ = t.Labels()
	for _, c := range out.classes {
		out.truth = append(out.truth, int(c))
		out.groups = max(out.groups, int(c)+1)
	}
	return out, nil
}

// judge clusters a matrix; src, unless nil, are dissimilarities instead, for those methods alone
// that take them.
func judge(ctx context.Context, t *table, x dataset.Matrix, src dissim.Source) (s scores,
	err error) {
	fit := func(name string, params map[string]string, p method.Problem) (float64, error) {
		p.Threads = 1
		m, err := all.Find(name)
		if err != nil {
			return 0, err
		}
		c, err := m.With(params)
		if err != nil {
			return 0, err
		}
		var out *method.Outcome
		if m.Asks() {
			p.Classes = t.classes
			out, err = c.Answered(ctx, p, ask.Labels(t.classes), answers)
		} else {
			out, err = c.Fit(ctx, p)
		}
		if err != nil {
			return 0, err
		}
		r, err := eval.Compare(out.Labels, t.truth)
		return r.AdjustedRand, err
	}
	k := strconv.Itoa(t.groups)
	if src == nil {
		p := method.Problem{Data: x}
		if s[0], err = fit("kmeans", map[string]string{"clusters": k, "starts": "5"}, p); err != nil {
			return s, err
		}
		if s[1], err = fit("kin", nil, p); err != nil {
			return s, err
		}
		o := method.Objects{Comparison: method.Comparison{Metric: dissim.Manhattan}, Rows: x}
		if src, err = o.Source(); err != nil {
			return s, err
		}
	}
	dense, err := dissim.NewDense(ctx, src, 1, nil)
	if err != nil {
		return s, err
	}
	s[2], err = fit("agglomerative", map[string]string{"clusters": k, "linkage": "average"},
		method.Problem{Dissim: dense})
	return s, err
}

// mechanism is a way in which values come to be missing.
type mechanism struct {
	name  string
	knock func(t *table, share float64, rng *rand.Rand) []float64
}

var mechanisms = []mechanism{
	{"at random", func(t *table, share float64, rng *rand.Rand) []float64 {
		return knock(t, rng, func(_, _ int) float64 { return share })
	}},
	{"given a column", func(t *table, share float64, rng *rand.Rand) []float64 {
		driver := rng.IntN(t.d)
		rank := ranks(t, driver)
		return knock(t, rng, func(i, j int) float64 {
			if j == driver {
				return 0
			}
			return 2 * share * rank[i]
		})
	}},
	{"large ones", func(t *table, share float64, rng *rand.Rand) []float64 {
		rank := make([][]float64, t.d)
		for j := range rank {
			rank[j] = ranks(t, j)
		}
		return knock(t, rng, func(i, j int) float64 { return 2 * share * rank[j][i] })
	}},
}

// knock returns the values with some made NaN, by their probability.
func knock(t *table, rng *rand.Rand, p func(i, j int) float64) []float64 {
	x := append([]float64(nil), t.x...)
	for i := range t.n {
		for j := range t.d {
			if rng.Float64() < p(i, j) {
				x[i*t.d+j] = math.NaN()
			}
		}
	}
	return x
}
