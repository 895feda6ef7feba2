package evclus

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestDrawnAreTheSmallestKeys: sorting all rows of the table by their keys has the same, however
// the table is cut, whichever rows preparation leaves out, and with every row that a link names.
func TestDrawnAreTheSmallestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "rows")
		x, labels := blobs(n, 2, 3, 1)
		m := inMemory{x: x, labels: labels, split: rapid.IntRange(1, 500).Draw(t, "split"),
			blocks: rapid.IntRange(1, 100).Draw(t, "block")}
		for i := range n {
			m.ids = append(m.ids, fmt.Sprintf("row %d", i))
		}
		if rapid.Bool().Draw(t, "leave out") {
			m.gone = map[int]bool{}
			for _, i := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, n/2).Draw(t, "gone") {
				m.gone[i] = true
			}
		}
		s := sampling{Count: rapid.IntRange(3, 60).Draw(t, "landmarks"),
			Seed: rapid.Uint64().Draw(t, "seed")}
		var named []int
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 80),
			rapid.ID).Draw(t, "named") {
			s.Linked = append(s.Linked, m.ids[i])
			if !m.gone[i] {
				named = append(named, i)
			}
		}

		var others []int
		for i := range n {
			if !m.gone[i] && !slices.Contains(named, i) {
				others = append(others, i)
			}
		}
		slices.SortFunc(others, func(a, b int) int {
			if sample.Key(s.Seed, int64(a)) < sample.Key(s.Seed, int64(b)) {
				return -1
			}
			return 1
		})
		want := slices.Concat(named, others[:min(len(others), max(0, s.Count-len(s.Linked)))])
		slices.Sort(want)

		got, err := draw(t.Context(), m, shard.Source{}, m.survey(), s)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int
		for _, d := range got {
			i := int(d.Number)
			numbers = append(numbers, i)
			if d.ID != m.ids[i] || d.Label != labels[i] ||
				!slices.Equal(d.X, x.AppendRow(nil, i)) || d.Linked != slices.Contains(named, i) {
				t.Fatalf("row %d is drawn as %+v", i, d)
			}
		}
		if !slices.Equal(numbers, want) {
			t.Fatalf("%d of %d rows, of %d named: drawn %v, want %v", s.Count, n, len(s.Linked),
				numbers, want)
		}
	})
}

// TestTooLowABoundIsRaised until there are rows enough; the rows are those of any other bound.
func TestTooLowABoundIsRaised(t *testing.T) {
	x, _ := blobs(20_000, 2, 3, 1)
	m := inMemory{x: x, split: 3000, blocks: 1000, rounds: new(int)}
	s := sampling{Count: 50, Seed: 3}
	want, err := draw(t.Context(), m, shard.Source{}, m.survey(), s)
	if err != nil {
		t.Fatal(err)
	}
	if *m.rounds != 1 {
		t.Errorf("one round is meant to do, and %d were run", *m.rounds)
	}
	few := m.survey()
	few.Rows = 1 << 40 // so the bound is far too low
	got, err := draw(t.Context(), m, shard.Source{}, few, s)
	if err != nil {
		t.Fatal(err)
	}
	if *m.rounds < 3 {
		t.Errorf("a bound for 2⁴⁰ rows was not raised: %d rounds", *m.rounds)
	}
	if !slices.EqualFunc(got, want,
		func(a, b drawnRow) bool { return a.Row == b.Row && slices.Equal(a.X, b.X) }) {
		t.Error("another bound draws other rows")
	}
}

// TestRowsLeftOutAreNotCountedOn: where most rows lack values, a round still does.
func TestRowsLeftOutAreNotCountedOn(t *testing.T) {
	x, _ := blobs(5000, 2, 3, 1)
	m := inMemory{x: x, split: 900, blocks: 100, rounds: new(int), gone: map[int]bool{}}
	for i := range x.Rows {
		if i%4 != 0 || i >= 900 && i < 1800 { // all of a split
			m.gone[i] = true
		}
	}
	sv := m.survey()
	sv.Whole = int64(x.Rows - len(m.gone))
	got, err := draw(t.Context(), m,
		shard.Source{Prepare: shard.Preparation{Missing: shard.MissingDrop}}, sv,
		sampling{Count: 200, Seed: 1})
	if err != nil || len(got) != 200 || *m.rounds != 1 {
		t.Errorf("%d rows in %d rounds: %v", len(got), *m.rounds, err)
	}
}

// TestBound: it leaves about as many keys as are wanted and a few more, and all of them where there
// are not many.
func TestBound(t *testing.T) {
	for _, n := range []int64{1, 100, 2288} {
		if bound(2000, n) != math.MaxUint64 {
			t.Errorf("%d rows of which 2000 are wanted are under a bound", n)
		}
	}
	for _, n := range []int64{2289, 1e5, 1e9, 1e12} {
		expected := float64(bound(2000, n)) / (1 << 63) / 2 * float64(n)
		if expected < 2200 || expected > 2300 {
			t.Errorf("of %d rows %g are expected under the bound", n, expected)
		}
	}
}
