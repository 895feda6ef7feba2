package bayes_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// TestUnlabelledWeightIsChosen: rows of unknown class count where they are drawn as classes are,
// and for little where a class is of two clumps and what lies between them is the other.
func TestUnlabelledWeightIsChosen(t *testing.T) {
	const n, labelled = 300, 10
	draw := func(place func(class, i int) float64) (dataset.Matrix, []int32, []int32) {
		rng := rand.New(rand.NewPCG(5, 6))
		m := dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)}
		truth, known := make([]int32, n), make([]int32, n)
		for i := range n {
			class := i % 2
			truth[i], known[i] = int32(class), -1
			if i < 2*labelled {
				known[i] = int32(class)
			}
			m.F64[2*i] = place(class, i/2) + rng.NormFloat64()
			m.F64[2*i+1] = rng.NormFloat64()
		}
		return m, truth, known
	}
	right := func(m dataset.Matrix, truth, known []int32, weight float64) (int, float64) {
		r, err := bayes.Fit(t.Context(), m, bayes.Config{Clusters: 2, UnlabelledWeight: weight,
			Knowledge: fit.Knowledge{Known: known}})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for i, l := range r.Labels {
			if l == truth[i] {
				count++
			}
		}
		return count, r.UnlabelledWeight
	}
	for name, c := range map[string]struct {
		place       func(class, i int) float64
		least, most float64
	}{
		"as drawn": {func(class, _ int) float64 { return 3 * float64(class) }, 0.01, 1},
		"clumps": {func(class, i int) float64 {
			if class == 0 {
				return 0
			}
			return []float64{-3, 9, 9, 9}[i%4]
		}, 1e-6, 0.1},
	} {
		m, truth, known := draw(c.place)
		chosen, weight := right(m, truth, known, 0)
		if weight < c.least || weight > c.most {
			t.Errorf("%s: weight %v, want from %v to %v", name, weight, c.least, c.most)
		}
		one, _ := right(m, truth, known, 1)
		none, _ := right(m, truth, known, 1e-6)
		if chosen < max(one, none)-n/20 {
			t.Errorf("%s: %d rows are right, with weight 1 %d, with none %d", name, chosen, one,
				none)
		}
		if given, weight := right(m, truth, known, 0.3); weight != 0.3 || given == 0 {
			t.Errorf("%s: weight %v where .3 was given", name, weight)
		}
	}
}

// TestWeightWithoutEvidenceIsOne: where no class is known of two rows, or one of none.
func TestWeightWithoutEvidenceIsOne(t *testing.T) {
	m := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 7, 8, 9}}
	for _, known := range [][]int32{{0, -1, -1, -1, -1, 1}, {0, 0, -1, -1, -1, -1},
		slices.Repeat([]int32{-1}, 6)} {
		r, err := bayes.Fit(t.Context(), m, bayes.Config{Clusters: 2,
			Knowledge: fit.Knowledge{Known: known}})
		if err != nil {
			t.Fatal(err)
		}
		if r.UnlabelledWeight != 1 {
			t.Errorf("known %v: weight %v", known, r.UnlabelledWeight)
		}
	}
}

// TestChoosingAWeightReportsProgress: it may take longer than the fit does.
func TestChoosingAWeightReportsProgress(t *testing.T) {
	m := dataset.Matrix{Rows: 8, Cols: 1, F64: []float64{0, 1, 2, 3, 7, 8, 9, 10}}
	var shares []float64
	_, err := bayes.Fit(t.Context(), m, bayes.Config{Clusters: 2,
		Options:   fit.Options{Progress: func(p fit.Progress) { shares = append(shares, p.Share) }},
		Knowledge: fit.Knowledge{Known: []int32{0, 0, -1, -1, -1, -1, 1, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	choosing := slices.IndexFunc(shares, func(s float64) bool { return s > 0.5 })
	if choosing < 70 || !slices.IsSorted(shares) {
		t.Errorf("%d reports before the fit, shares %v", choosing, shares)
	}
}
