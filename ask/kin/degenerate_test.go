package kin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// TestDegenerateRows: whatever the rows, questions end, masses sum to 1 and agree with the labels,
// and the bytes are those of any number of threads.
func TestDegenerateRows(t *testing.T) {
	const many = 48
	rows := map[string]func(rng *rand.Rand, i int) []float64{
		"normal": func(rng *rand.Rand, i int) []float64 {
			return []float64{rng.NormFloat64(), rng.NormFloat64()}
		},
		"constant": func(rng *rand.Rand, i int) []float64 {
			return []float64{7, rng.NormFloat64()}
		},
		"equal": func(*rand.Rand, int) []float64 { return []float64{3, -1} },
		"two":   func(_ *rand.Rand, i int) []float64 { return []float64{float64(i % 2), 1} },
		"outlier": func(_ *rand.Rand, i int) []float64 {
			return []float64{float64(1 / (1 + i)), 0}
		},
	}
	for name, row := range rows {
		for n := range many + 1 {
			for _, scale := range []float64{1, 1e-300, 1e-155, 1e100} {
				if n == 0 || n > 20 && n < many || scale != 1 && n%6 != 0 ||
					testing.Short() && n > 12 {
					continue
				}
				t.Run(fmt.Sprintf("%s rows, %d times %g", name, n, scale), func(t *testing.T) {
					degenerate(t, n, scale, row)
				})
			}
		}
	}
}

func degenerate(t *testing.T, n int, scale float64, row func(rng *rand.Rand, i int) []float64) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	x, classes := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
	for i := range n {
		for _, v := range row(rng, i) {
			x.F64 = append(x.F64, v*scale)
		}
		classes[i] = int32(i % 3)
	}
	var first *kin.Result
	for _, threads := range []int{1, 2, 7} {
		cfg := kin.Config{Options: fit.Options{Threads: threads}}
		switch n % 3 {
		case 1:
			cfg.Contradictions = link.Keep
		case 2:
			cfg.ErrorRate = 0.1
		}
		if n > 5 {
			cfg.Askable = make([]bool, n)
			for i := range n {
				cfg.Askable[i] = i%3 < 2 || n%2 == 1
			}
		}
		run := begin(t, x, cfg)
		if n > 3 {
			run.Exclude([]int{0, n - 1})
		}
		answer(t, run, 5, func(a, b int) link.Kind { return truly(classes, a, b) })
		run.Queue(5)
		run.Settled()
		if likely, most := run.Remaining(); most < likely {
			t.Errorf("remaining %d, at most %d", likely, most)
		}
		asked := answer(t, run, 3000, func(a, b int) link.Kind { return truly(classes, a, b) })
		if len(asked) == 3000 {
			t.Error("no end of questions")
		}
		res := result(t, run)
		if first == nil {
			first = res
			likeliest(t, res)
		} else if !reflect.DeepEqual(first, res) {
			t.Errorf("%d threads: another result", threads)
		}
	}
}

// likeliest checks that rows are in the cluster of most mass.
func likeliest(t *testing.T, res *kin.Result) {
	t.Helper()
	if res.Fewest > res.Most || res.Clusters < res.Fewest || res.Clusters > res.Most {
		t.Errorf("%d clusters, from %d to %d", res.Clusters, res.Fewest, res.Most)
	}
	if res.Credal == nil {
		return
	}
	for row, label := range res.Labels {
		masses := res.Credal.Row(row)
		own := masses[slices.Index(res.Credal.Focal, 0)]
		if label > 0 {
			own = masses[slices.Index(res.Credal.Focal, belief.Singleton(label-1))]
		}
		sum := 0.0
		for k, v := range masses {
			sum += v
			if res.Credal.Focal[k] != belief.Omega(res.Clusters) && v > own+1e-12 {
				t.Errorf("row %d: label %d, masses %v", row, label, masses)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("row %d: masses %v", row, masses)
		}
	}
}
