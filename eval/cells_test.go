package eval

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// TestCellsAreLabels: counting first makes no difference, to the bit, in whatever order and pieces
// the cells come.
func TestCellsAreLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.IntRange(-1, 5)
		var pred, truth []int
		var cells []Cell
		for range rapid.IntRange(0, 12).Draw(t, "cells") {
			c := Cell{labels.Draw(t, "cluster"), labels.Draw(t, "class"),
				int64(rapid.IntRange(0, 9).Draw(t, "objects"))}
			cells = append(cells, c)
			for range c.Count {
				pred, truth = append(pred, c.Cluster), append(truth, c.Class)
			}
		}
		want, failed := Compare(pred, truth)
		got, err := CompareCells(cells)
		if (err != nil) != (failed != nil) || got != want {
			t.Fatalf("%+v (%v), want %+v (%v)", got, err, want, failed)
		}
	})
}

// TestNoiseApart: noise that is only counted compares like noise whose every object has a label of
// its own.
func TestNoiseApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pred, truth []int
		var cells []Cell
		for range rapid.IntRange(1, 9).Draw(t, "cells") {
			c := Cell{rapid.IntRange(0, 3).Draw(t, "cluster"),
				rapid.IntRange(0, 3).Draw(t, "class"),
				int64(rapid.IntRange(1, 4).Draw(t, "objects"))}
			cells = append(cells, c)
			for range c.Count {
				pred, truth = append(pred, c.Cluster), append(truth, c.Class)
			}
		}
		want, err := Compare(Singletons(pred), truth)
		if err != nil {
			t.Fatal(err)
		}
		got, err := CompareCellsApart(cells)
		if err != nil {
			t.Fatal(err)
		}
		// which are sums in another order
		for _, v := range [][2]*float64{{&got.NMI, &want.NMI},
			{&got.NMIArithmetic, &want.NMIArithmetic}} {
			if math.Abs(*v[0]-*v[1]) > 1e-12 {
				t.Fatalf("%+v, want %+v", got, want)
			}
			*v[0] = *v[1]
		}
		if got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// TestTenBillionObjects is worked by hand. Cluster 1 has 6·10⁹ of class 1; cluster 2 has 10⁹ of
// class 1 and 3·10⁹ of class 2. In units of 10¹⁸, to a part in 10⁹: 18 + 0.5 + 4.5 = 23 pairs are
// together in both, 18 + 8 = 26 in clusters, 24.5 + 4.5 = 29 in classes, of 50. So the Rand index
// is (50 − 26 − 29 + 46)/50 = 0.82, and the adjusted one is (23 − 26·29/50) / (27.5 − 26·29/50) =
// 7.92/12.42.
func TestTenBillionObjects(t *testing.T) {
	r, err := CompareCells([]Cell{{1, 1, 6e9}, {2, 1, 1e9}, {2, 2, 3e9}})
	if err != nil {
		t.Fatal(err)
	}
	entropy := func(p ...float64) (h float64) {
		for _, v := range p {
			h -= v * math.Log(v)
		}
		return h
	}
	h, g, joint := entropy(.6, .4), entropy(.7, .3), entropy(.6, .1, .3)
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"n", float64(r.N), 1e10}, {"ri", r.Rand, 0.82}, {"ari", r.AdjustedRand, 7.92 / 12.42},
		{"precision", r.PairPrecision, 23. / 26}, {"recall", r.PairRecall, 23. / 29},
		{"f1", r.PairF1, 46. / 55},
		{"purity", r.Purity, .9}, {"nmi", r.NMI, (h + g - joint) / math.Sqrt(h*g)},
		{"arithmetic", r.NMIArithmetic, 2 * (h + g - joint) / (h + g)},
	} {
		if math.Abs(v.got-v.want) > 1e-8*v.want {
			t.Errorf("%s: %v, want %v", v.name, v.got, v.want)
		}
	}
}

// TestManyObjectsAreFewMultiplied: indices of a table times 10⁹ are near those of the table times
// 10⁶, which fits 64 bits.
func TestManyObjectsAreFewMultiplied(t *testing.T) {
	table := []Cell{{0, 3, 2}, {1, 1, 5}, {1, 2, 1}, {2, 2, 7}, {2, 3, 4}}
	times := func(by int64) Report {
		cells := append([]Cell(nil), table...)
		for i := range cells {
			cells[i].Count *= by
		}
		r, err := CompareCells(cells)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	small, large := times(1e6), times(1e9)
	for _, v := range [][2]float64{{small.Rand, large.Rand},
		{small.AdjustedRand, large.AdjustedRand}, {small.NMI, large.NMI},
		{small.Purity, large.Purity}, {small.PairF1, large.PairF1}} {
		if math.Abs(v[0]-v[1]) > 1e-6 {
			t.Errorf("%v of few, %v of many", v[0], v[1])
		}
	}
	if large.Noise != 2e9 || large.Clusters != 2 {
		t.Errorf("%d noise in %d clusters", large.Noise, large.Clusters)
	}
}

func TestBadCells(t *testing.T) {
	for _, cells := range [][]Cell{nil, {{1, 1, 0}}, {{1, 1, -1}},
		{{1, 1, math.MaxInt64}, {1, 2, 1}}} {
		if _, err := CompareCells(cells); !fault.IsInput(err) {
			t.Errorf("%v: %v", cells, err)
		}
	}
}
