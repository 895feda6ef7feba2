package ecm

import (
	"math"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

// Two centres, 0 and 4, whose barycentre is 2, and δ = 3: a row at 1 has the squared distances 1, 9
// and 1, and by Masson and Denœux 2008, equation 15, with α = 1 and β = 2 its masses on ∅, {1}, {2}
// and {1, 2} are as 1/9, 1, 1/9 and 1/(2·1). With α = 0, almost, and β = 3 they are as the square
// roots of 1/9, 1, 1/9 and 1. In CCM with γ = 2 the pair is at (1 + 9 + 2·1)/(2 + 2) = 3.
func TestPlacedByHand(t *testing.T) {
	for name, test := range map[string]struct {
		cfg   Config
		gamma float64
		at    float64
		want  []float64 // in proportion
	}{
		"by distances":        {Config{}, 0, 1, []float64{1. / 9, 1, 1. / 9, 1. / 2}},
		"without penalty":     {Config{SetPenalty: 1e-12, Fuzziness: 3}, 0, 1, []float64{1, 3, 1, 3}},
		"credal c-means":      {Config{}, 2, 1, []float64{1. / 9, 1, 1. / 9, 1. / 3}},
		"on a centre":         {Config{}, 0, 4, []float64{0, 0, 1, 0}},
		"on the barycentre":   {Config{}, 0, 2, []float64{0, 0, 0, 1}},
		"far off":             {Config{}, 0, 1e300, []float64{1, 0, 0, 0}},
		"far off, no outlier": {Config{Focal: []belief.Set{1, 2, 3}}, 0, -1e300, []float64{2, 2, 1}},
	} {
		test.cfg.Clusters = 2
		r := &Result{Centers: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 4}},
			NoiseDistance: 3, Barycentre: test.gamma}
		p, err := r.Place(t.Context(), dataset.Matrix{Rows: 2, Cols: 1,
			F64: []float64{7, test.at}}, test.cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sum := 0.0
		for _, v := range test.want {
			sum += v
		}
		for s, v := range p.Row(1) {
			if math.Abs(v-test.want[s]/sum) > 1e-12 {
				t.Errorf("%s: masses %v, and should be as %v", name, p.Row(1), test.want)
				break
			}
		}
	}
}

// One row far from all others does not change how these are placed.
func TestPlacedAlone(t *testing.T) {
	data, _ := bars()
	cfg := Config{Clusters: 2, Metric: 2}
	r, err := Fit(t.Context(), data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Place(t.Context(), data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	data.F64[0], cfg.Threads = 1e200, 1
	for _, rows := range [][]int{{0, 5}, {5}} {
		some, err := r.Place(t.Context(), data.Subset(rows), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for s, v := range some.Row(len(rows) - 1) {
			if v != all.Row(5)[s] {
				t.Errorf("masses %v, and beside others %v", some.Row(0), all.Row(5))
			}
		}
		if err := some.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatCannotBePlaced(t *testing.T) {
	two := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 4}}
	for name, test := range map[string]struct {
		r    Result
		cfg  Config
		cols int
	}{
		"columns":     {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: 2}, 2},
		"clusters":    {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: 1}, 1},
		"no clusters": {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: -1}, 1},
		"metric": {Result{Centers: two, NoiseDistance: 1, Barycentre: 1, Metric: 1,
			Roots: []float64{1, 1}}, Config{Clusters: 2}, 1},
		"no noise":   {Result{Centers: two}, Config{Clusters: 2}, 1},
		"no set":     {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: 2, Focal: []belief.Set{1}}, 1},
		"other sets": {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: 2, Focal: []belief.Set{4}}, 1},
		"fuzziness":  {Result{Centers: two, NoiseDistance: 1}, Config{Clusters: 2, Fuzziness: 1}, 1},
	} {
		if _, err := test.r.Place(t.Context(), dataset.Matrix{Cols: test.cols},
			test.cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
