package kmeans

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/scale/fold"
)

// The rows that empty clusters take are those that a search of all rows finds, one after the other,
// however few are kept of each split; where those kept cannot show it, nothing is taken that would
// be wrong.
func TestRepairTakesTheFurthestRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, empty := rapid.IntRange(1, 40).Draw(r, "n"), rapid.IntRange(1, 6).Draw(r, "empty")
		most := rapid.IntRange(1, 8).Draw(r, "kept")
		rows := rapid.SliceOfN(rapid.IntRange(-9, 9), 2*n, 2*n).Draw(r, "rows")
		row := func(i int) []float64 { return []float64{float64(rows[2*i]), float64(rows[2*i+1])} }
		w := &work{Clusters: 1 + empty, Cols: 2} // cluster 0 lies at the origin and has all rows

		squared := make([]float64, n)
		for i := range squared {
			squared[i] = w.squared(row(i), []float64{0, 0})
		}
		var want []float64
		for range empty {
			far := 0
			for i, v := range squared {
				if v > squared[far] {
					far = i
				}
			}
			if squared[far] == 0 {
				break
			}
			want = append(want, row(far)...)
			for i := range squared {
				squared[i] = math.Min(squared[i], w.squared(row(i), row(far)))
			}
		}

		s := &state{Phase: phaseFar, Back: phaseAssign, Centers: make(floats, 2*w.Clusters),
			Found: &found{Counts: make([]int64, w.Clusters), Means: make(floats, 2*w.Clusters)}}
		for c := range empty {
			s.Empty = append(s.Empty, 1+c)
		}
		enough := 0.0
		s.Enough = &enough
		w.Iterations = 1
		for rounds := 0; s.Phase == phaseFar; rounds++ {
			if rounds > empty {
				r.Fatalf("%d rounds for %d empty clusters", rounds, empty)
			}
			var parts []fold.Part
			for split := range 3 {
				far := farRows{most: most}
				for i := n * split / 3; i < n*(split+1)/3; i++ {
					v := w.squared(row(i), []float64{0, 0})
					for at := range slices.Chunk(s.Moved, 2) {
						v = math.Min(v, w.squared(row(i), at))
					}
					far.add(farRow{squared: v, split: split, number: int64(i), values: row(i)})
				}
				parts = append(parts, fold.Part{Split: split, Data: far.encode()})
			}
			data, err := mergeFar(parts, 2, most)
			if err != nil {
				r.Fatal(err)
			}
			moved := len(s.Moved)
			if _, err := w.repair(s, []fold.Merged{{Data: data}}); err != nil {
				r.Fatal(err)
			}
			if s.Phase == phaseFar && len(s.Moved) == moved {
				r.Fatal("a round of search moved no centre")
			}
		}
		if got := s.Centers[2 : 2+len(want)]; !slices.Equal([]float64(got), want) {
			r.Errorf("centres %v, want %v", got, want)
		}
		if s.Repaired != len(want)/2 {
			r.Errorf("%d repaired, want %d", s.Repaired, len(want)/2)
		}
	})
}
