package strategy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

func line(values ...float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
}

func start(t *testing.T, name string, cfg Config) ask.Chooser {
	t.Helper()
	s, err := New(name, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play answers the questions of a strategy by classes, and returns them as text.
func play(t *testing.T, s ask.Chooser, classes []int, given []link.Link) (asked []string,
	run *ask.Session) {
	t.Helper()
	run, err := ask.Begin(t.Context(), len(classes), given, link.Refuse, s)
	if err != nil {
		t.Fatal(err)
	}
	for q, ok := run.Next(); ok; q, ok = run.Next() {
		kind := link.CannotLink
		if classes[q.A] == classes[q.B] {
			kind = link.MustLink
		}
		asked = append(asked, fmt.Sprintf("%d-%d %v", q.A, q.B, kind))
		if err := run.Answer(kind); err != nil {
			t.Fatal(err)
		}
	}
	if run.Err() != nil {
		t.Fatal(run.Err())
	}
	return asked, run
}

// TestMinMaxByHand: rows at 0, 1, 4, 10, 11, the first two and the one at 4 being one class, and
// links that say that 0 and 1 (rows 0 and 1) are. From row 0 the farthest is row 4, at 11: it
// differs, so both neighbourhoods are there. Of the rest, the row at 4 is 4 away from 0, that at 10
// is 1 away from 11: row 2 comes first and is the same as row 1, the nearest. Then row 3, at 10, is
// compared with row 4, and not with the others.
func TestMinMaxByHand(t *testing.T) {
	given := []link.Link{{A: 0, B: 1, Kind: link.MustLink}}
	s := start(t, MinMax, Config{Data: line(0, 1, 4, 10, 11), Clusters: 2})
	asked, run := play(t, s, []int{0, 0, 0, 1, 1}, given)
	if want := []string{"4-1 different", "2-1 same", "3-4 same"}; !slices.Equal(asked, want) {
		t.Errorf("it asks %v, want %v", asked, want)
	}
	if links, err := Links(t.Context(), s, run.Ledger); err != nil || len(links) != 4 {
		t.Errorf("links %v (%v)", links, err)
	}
}

// TestTheLastIsImplied: as above, but the row at 4 is of the class of 10 and 11. It is not the same
// as its nearest, so it must be in the other of two neighbourhoods; with farthest-first, which
// knows no number of them, that is asked.
func TestTheLastIsImplied(t *testing.T) {
	given := []link.Link{{A: 0, B: 1, Kind: link.MustLink}}
	cfg := Config{Data: line(0, 1, 4, 10, 11), Clusters: 2}
	s := start(t, MinMax, cfg)
	asked, run := play(t, s, []int{0, 0, 1, 1, 1}, given)
	if want := []string{"4-1 different", "2-1 different", "3-4 same"}; !slices.Equal(asked, want) {
		t.Errorf("it asks %v, want %v", asked, want)
	}
	links, err := Links(t.Context(), s, run.Ledger)
	if err != nil || len(links) != 5 ||
		links[4] != (link.Link{A: 2, B: 4, Kind: link.MustLink, Source: "implied"}) {
		t.Errorf("links %v (%v)", links, err)
	}
	asked, _ = play(t, start(t, FarthestFirst, cfg), []int{0, 0, 1, 1, 1}, given)
	if want := []string{"4-1 different", "2-1 different", "2-4 same",
		"3-4 same"}; !slices.Equal(asked, want) {
		t.Errorf("farthest-first asks %v, want %v", asked, want)
	}
}

// TestUnknownsLeaveAside an object after two of them, and what is known of it by others is not
// forgotten.
func TestUnknownsLeaveAside(t *testing.T) {
	s := start(t, FarthestFirst, Config{Data: line(0, 10, 20, 30)})
	run, err := ask.Begin(t.Context(), 4, nil, link.Refuse, s)
	if err != nil {
		t.Fatal(err)
	}
	about := map[int]int{}
	for i := 0; ; i++ {
		q, ok := run.Next()
		if !ok {
			break
		}
		kind := link.CannotLink
		if i >= 3 { // three neighbourhoods are there
			kind, about[q.A] = link.Unknown, about[q.A]+1
		}
		run.Answer(kind)
	}
	if len(about) != 1 {
		t.Errorf("unknown answers about %v, want one object", about)
	}
	for row, n := range about {
		if n != 2 {
			t.Errorf("row %d was asked about %d times, want twice", row, n)
		}
	}
}

// TestUncertaintyByHand: p = (½, ¼, ¼) has an entropy of 1.5 bits and 1·½ + 2·¼ + 3·¼ = 1.75
// expected answers; p = (½, ½) has 1 and 1.5; one neighbourhood has none and one. Nothing alike at
// all is alike to all.
func TestUncertaintyByHand(t *testing.T) {
	for _, c := range []struct {
		similarity []float64
		order      []int
		value      float64
	}{
		{[]float64{0.2, 0.4, 0.2}, []int{1, 0, 2}, 1.5 / 1.75},
		{[]float64{0.3, 0.3}, []int{0, 1}, 1 / 1.5},
		{[]float64{0.7}, []int{0}, 0},
		{[]float64{0, 0}, []int{0, 1}, 1 / 1.5},
		{[]float64{0, 0.9}, []int{1, 0}, 0},
	} {
		u := candidate{p: slices.Clone(c.similarity)}
		for g, v := range c.similarity {
			u.order, u.likest = append(u.order, g), u.likest+v
		}
		if u.weigh(); math.Abs(u.value-c.value) > 1e-9 || !slices.Equal(u.order, c.order) {
			t.Errorf("%v: %g by %v, want %g by %v", c.similarity, u.value, u.order, c.value,
				c.order)
		}
	}
}

// TestNPUGoesOnWithAnObject until its neighbourhood is found, the likeliest first.
func TestNPUGoesOnWithAnObject(t *testing.T) {
	x := line(0, 1, 10, 11, 20, 21, 15)
	truth := []int{1, 1, 2, 2, 3, 3, 2}
	s := start(t, NPU, Config{Data: x, Seed: 3,
		Partition: func(context.Context, []link.Link) (Partition, error) {
			return Partition{Labels: truth}, nil
		}})
	asked, run := play(t, s, truth, []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 3, Kind: link.MustLink},
		{A: 4, B: 5, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}, {A: 2, B: 4, Kind: link.CannotLink},
		{A: 0, B: 4, Kind: link.CannotLink},
	})
	if len(asked) == 0 || len(asked) > 3 || asked[len(asked)-1] != "6-2 same" {
		t.Errorf("it asks %v, want row 6 until row 2 is the same", asked)
	}
	if run.Set().Relation(6, 3) != link.MustLink {
		t.Error("row 6 is in no neighbourhood")
	}
}

// TestNPUAsksForThoseWithARowLeftOut: rows 2 and 3 are on their way to a neighbourhood; as row 2 is
// left out, row 3 speaks for them.
func TestNPUAsksForThoseWithARowLeftOut(t *testing.T) {
	truth := []int{1, 1, 1, 1, 2, 2, 2}
	s := start(t, NPU, Config{Data: line(0, 1, 2, 3, 20, 21, 22),
		Partition: func(context.Context, []link.Link) (Partition, error) {
			return Partition{Labels: truth}, nil
		}})
	k, err := ask.NewLedger(7, []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 3, Kind: link.MustLink},
		{A: 4, B: 5, Kind: link.MustLink}, {A: 5, B: 6, Kind: link.MustLink},
		{A: 0, B: 4, Kind: link.CannotLink},
	}, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	k.Exclude([]int{2})
	found, err := s.Questions(t.Context(), k, 1)
	if err != nil || len(found) != 1 || found[0].A != 3 || found[0].B != 0 {
		t.Errorf("it asks %v (%v), want rows 3 and 0", found, err)
	}
}

// TestOutliersComeAfterTheAmbiguous: row 2 is between clusters 1 and 2, all of row 3 is on ∅, whose
// nonspecificity is the greatest, and row 4 is rather certain.
func TestOutliersComeAfterTheAmbiguous(t *testing.T) {
	p := &credal.Partition{Clusters: 3, Focal: []belief.Set{0, 1, 2, 4, 3, 7}, Mass: []float64{
		0, 1, 0, 0, 0, 0,
		0, 0, 1, 0, 0, 0,
		0, 0.2, 0.2, 0, 0.6, 0,
		1, 0, 0, 0, 0, 0,
		0, 0, 0.8, 0, 0, 0.2,
		0, 0, 0, 1, 0, 0,
	}}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	s := start(t, Nonspecificity, Config{Data: line(0, 10, 5, 50, 9, 20),
		Partition: func(context.Context, []link.Link) (Partition, error) {
			return Partition{Credal: p}, nil
		}})
	k, _ := ask.NewLedger(6, nil, link.Refuse)
	found, err := s.Questions(t.Context(), k, 3)
	if err != nil || len(found) != 3 || found[0].A != 2 || found[1].A != 3 || found[2].A != 4 {
		t.Errorf("it asks %v (%v), want rows 2, 3 and 4 in turn", found, err)
	}
}

// TestForest tells rows of separate classes apart: rows of one class share leaves, of two share
// none, as every leaf is pure of what was drawn; and threads play no part.
func TestForest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 90
	x := dataset.Matrix{Rows: n, Cols: 4, F64: make([]float64, 4*n)}
	labels := make([]int, n)
	for i := range n {
		labels[i] = 1 + i%3
		for j := range 3 {
			x.F64[4*i+j] = float64(5*(i%3)) + rng.Float64() // column 3 is constant
		}
	}
	one, err := grow(t.Context(), x, labels, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	four, _ := grow(t.Context(), x, labels, 5, 4)
	if !slices.Equal(one.leaf, four.leaf) {
		t.Error("threads change the forest")
	}
	for i := range n {
		for j := range i {
			if got := one.alike([]int{i}, [][]int{{j}})[0]; (got == 1) !=
				(labels[i] == labels[j]) || got > 0 && got < 1 {
				t.Fatalf("rows %d and %d share %g of the leaves", i, j, got)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := grow(ctx, x, labels, 5, 2); err == nil {
		t.Error("a forest grows on after the end")
	}
}

// TestAlike against the leaves of each pair of rows.
func TestAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 40
	f := &forest{rows: n}
	for range forestTrees * n {
		f.leaf = append(f.leaf, rng.Int32N(7))
	}
	groups, rows := make([][]int, 4), rng.Perm(n)[:30]
	for _, row := range rng.Perm(n)[:20] {
		g := rng.IntN(len(groups))
		groups[g] = append(groups[g], row)
	}
	got := f.alike(rows, groups)
	for i, row := range rows {
		for g, members := range groups {
			together := 0
			for _, other := range members {
				for t := range forestTrees {
					if f.leaf[t*n+row] == f.leaf[t*n+other] {
						together++
					}
				}
			}
			if want := float64(together) / forestTrees; got[i*len(groups)+g] != want {
				t.Errorf("row %d and group %d: %g, not %g", row, g, got[i*len(groups)+g], want)
			}
		}
	}
}

// TestBestCut against all cuts tried one by one, with the Gini index as it is defined.
func TestBestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + rng.IntN(9)
		x := dataset.Matrix{Rows: n, Cols: 1, F64: make([]float64, n)}
		labels := make([]int, n)
		g := &grower{x: x, labels: labels, left: make([]int, 4), right: make([]int, 4)}
		for i := range n {
			x.F64[i], labels[i] = float64(rng.IntN(6)), 1+rng.IntN(3)
			g.rows = append(g.rows, int32(i))
		}
		gini := func(in func(i int) bool) float64 {
			var count [4]float64
			size := 0.0
			for i := range n {
				if in(i) {
					count[labels[i]]++
					size++
				}
			}
			impurity := 1.0
			for _, c := range count {
				impurity -= c / size * c / size
			}
			return impurity * size
		}
		best := math.Inf(1)
		for cut := 0.5; cut < 6; cut++ {
			if low, high := slices.Min(x.F64), slices.Max(x.F64); cut > low && cut < high {
				best = min(best, gini(func(i int) bool { return x.F64[i] < cut })+
					gini(func(i int) bool { return x.F64[i] > cut }))
			}
		}
		_, cut, ok := g.best(0, n, 0)
		if ok != !math.IsInf(best, 1) {
			t.Fatalf("%v: a cut is found: %t", x.F64, ok)
		}
		if !ok {
			continue
		}
		got := gini(func(i int) bool { return x.F64[i] <= cut }) +
			gini(func(i int) bool { return x.F64[i] > cut })
		if math.Abs(got-best) > 1e-9 {
			t.Fatalf("%v with %v: the cut at %g has %g, the best %g", x.F64, labels, cut, got, best)
		}
	}
}

// TestShuffledIsAPermutation of all pairs, whatever their number, and each pair is as likely to
// come early.
func TestShuffledIsAPermutation(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, 40, 129} {
		s := newShuffled(Config{Data: dataset.Matrix{Rows: n}, Seed: uint64(n)}, true)
		seen := map[[2]int]bool{}
		for place := range s.total {
			a, b := s.pair(place)
			if a < 0 || a >= b || b >= n || seen[[2]int{a, b}] {
				t.Fatalf("%d rows: pair %d is %d and %d", n, place, a, b)
			}
			seen[[2]int{a, b}] = true
		}
		if len(seen) != n*(n-1)/2 {
			t.Errorf("%d rows: %d pairs", n, len(seen))
		}
	}
	const n, runs = 8, 2800 // 28 pairs: each is first about a hundred times
	first := map[[2]int]int{}
	for seed := range uint64(runs) {
		a, b := newShuffled(Config{Data: dataset.Matrix{Rows: n}, Seed: seed}, true).pair(0)
		first[[2]int{a, b}]++
	}
	for p, count := range first {
		if count < 60 || count > 140 || len(first) != 28 {
			t.Errorf("%v is first %d times of %d", p, count, runs)
		}
	}
	// Pairs beyond the numbers that float64 has exactly.
	big := newShuffled(Config{Data: dataset.Matrix{Rows: 1 << 30}}, true)
	for place := range uint64(1000) {
		if a, b := big.pair(place); a < 0 || a >= b || b >= 1<<30 {
			t.Fatalf("pair %d of 2^30 rows is %d and %d", place, a, b)
		}
	}
}

// TestWindowsAreTheSortedList of pairs, however small they are, and after going back.
func TestWindowsAreTheSortedList(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := dataset.Matrix{Rows: 40, Cols: 2, F64: make([]float64, 80)}
	for i := range x.F64 {
		x.F64[i] = float64(rng.IntN(6)) // with ties
	}
	whole := start(t, ClosestPairs, Config{Data: x})
	k, _ := ask.NewLedger(x.Rows, nil, link.Refuse)
	want, _ := whole.Questions(t.Context(), k, 9999)
	// by threes, more pairs are at one distance than a window holds
	for _, target := range []int{50, 3} {
		parts := start(t, ClosestPairs, Config{Data: x}).(*closest)
		parts.walk.Target = target
		for range 2 {
			got, err := parts.Questions(t.Context(), k, 9999)
			if err != nil || !slices.Equal(got, want) || len(got) != 780 {
				t.Fatalf("%d questions by windows, %d by one (%v)", len(got), len(want), err)
			}
		}
	}
}
