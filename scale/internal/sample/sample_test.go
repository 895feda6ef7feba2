package sample

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSampleOfPiecesIsThatOfAll: cutting the table, in whatever way, changes nothing.
func TestSampleOfPiecesIsThatOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "rows")
		seed := rapid.Uint64().Draw(t, "seed")
		blank := Set{Below: Below(int64(rapid.IntRange(0, 20).Draw(t, "want")), int64(n)),
			Least: rapid.IntRange(0, 5).Draw(t, "least")}
		pieces := make([]Set, rapid.IntRange(1, 5).Draw(t, "pieces"))
		for i := range pieces {
			pieces[i] = blank
		}
		var all []Row
		for i := range n {
			r := Row{Key: Key(seed, int64(i)), Number: int64(i), Values: []float64{float64(i)}}
			all = append(all, r)
			pieces[rapid.IntRange(0, len(pieces)-1).Draw(t, "piece")].Add(r)
		}
		whole := blank
		for _, p := range pieces {
			for _, r := range p.Sorted() {
				whole.Add(r)
			}
		}
		var got, want []int64
		for _, r := range whole.Sorted() {
			got = append(got, r.Number)
			if r.Values[0] != float64(r.Number) {
				t.Fatalf("row %d has the values %v", r.Number, r.Values)
			}
		}
		slices.SortFunc(all, before)
		for i, r := range all {
			if i < blank.Least || r.Key <= blank.Below {
				want = append(want, r.Number)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("drew %v, want %v", got, want)
		}
	})
}

// TestKeysAreUniform: of 10⁵ rows, sixteenths of the range hold about as many each, whether
// consecutive rows or seeds are taken; and about as many lie below a key as were asked for.
func TestKeysAreUniform(t *testing.T) {
	const n = 100_000
	for name, key := range map[string]func(i int) uint64{
		"rows":  func(i int) uint64 { return Key(3, int64(i)) },
		"seeds": func(i int) uint64 { return Key(uint64(i), 3) },
	} {
		var count [16]float64
		below := 0.0
		for i := range n {
			count[key(i)>>60]++
			if key(i) <= Below(2000, n) {
				below++
			}
		}
		chi := 0.0
		for _, c := range count {
			chi += (c - n/16) * (c - n/16) / (n / 16)
		}
		if chi > 40 { // of 15 degrees of freedom: less than one time in 2000
			t.Errorf("%s: χ² %v", name, chi)
		}
		if math.Abs(below-2000) > 4*math.Sqrt(2000) {
			t.Errorf("%s: %v keys below, want about 2000", name, below)
		}
	}
}
