package hierarchy_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
)

// updated joins the nearest pair of clusters until one is left, by the formula of Lance and
// Williams on a matrix of all pairs.
func updated(src dissim.Source, l hierarchy.Linkage) []dendrogram.Merge {
	n := src.Len()
	far := make([][]float64, n)
	node, size := make([]int, n), make([]float64, n)
	row := make([]float32, n)
	var left []int
	for i := range n {
		src.Row(row, i, nil)
		for _, v := range row {
			far[i] = append(far[i], float64(v))
		}
		node[i], size[i], left = i, 1, append(left, i)
	}
	var out []dendrogram.Merge
	for len(left) > 1 {
		p, q := left[0], left[1]
		for at, i := range left {
			for _, j := range left[:at] {
				if far[i][j] < far[p][q] {
					p, q = j, i
				}
			}
		}
		h := far[p][q]
		for _, i := range left {
			a, b, na, nb := far[p][i], far[q][i], size[p], size[q]
			v := max(a, b)
			switch l {
			case hierarchy.Average:
				v = (na*a + nb*b) / (na + nb)
			case hierarchy.Weighted:
				v = (a + b) / 2
			case hierarchy.Ward:
				v = math.Sqrt(((na+size[i])*a*a + (nb+size[i])*b*b - size[i]*h*h) /
					(na + nb + size[i]))
			}
			if i != p {
				far[p][i], far[i][p] = v, v
			}
		}
		out = append(out, dendrogram.Merge{A: min(node[p], node[q]), B: max(node[p], node[q]),
			Height: h, Size: int(size[p] + size[q])})
		node[p], size[p] = n+len(out)-1, size[p]+size[q]
		left = slices.DeleteFunc(left, func(i int) bool { return i == q })
	}
	return out
}

var reducible = []hierarchy.Linkage{hierarchy.Complete, hierarchy.Average, hierarchy.Weighted,
	hierarchy.Ward}

// Hundreds of objects are joined in rounds, in several blocks and runs of rows; ever growing gaps
// leave one pair a round, and chains.
func TestManyAndFewPairsAtATime(t *testing.T) {
	gaps := dataset.Matrix{Rows: 90, Cols: 1}
	for i := range 90 {
		gaps.F64 = append(gaps.F64, math.Pow(1.25, float64(i)))
	}
	for name, data := range map[string]dataset.Matrix{"scattered": scattered(500, 6, 3),
		"growing gaps": gaps} {
		src, err := dissim.Vectors(data, dissim.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range reducible {
			tree, err := hierarchy.FitSource(context.Background(), src,
				hierarchy.Config{Linkage: l})
			if err != nil {
				t.Fatal(err)
			}
			agree(t, name+", "+l.String(), tree.Merges, updated(src, l), 1e-5)
		}
	}
}

func TestNeitherThreadsNorTheOrderOfManyObjectsMatter(t *testing.T) {
	data := scattered(700, 4, 8)
	perm := rand.New(rand.NewPCG(5, 5)).Perm(700)
	fit := func(m dataset.Matrix, l hierarchy.Linkage, threads int) []dendrogram.Merge {
		src, err := dissim.Vectors(m, dissim.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := hierarchy.FitSource(context.Background(), src,
			hierarchy.Config{Linkage: l, Options: fit.Options{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		return tree.Merges
	}
	for _, l := range reducible {
		want := fit(data, l, 1)
		for _, threads := range []int{2, 5} {
			if !slices.Equal(fit(data, l, threads), want) {
				t.Errorf("%v: %d threads give another tree", l, threads)
			}
		}
		for i, m := range fit(data.Subset(perm), l, 2) {
			if m.Height != want[i].Height || m.Size != want[i].Size {
				t.Fatalf("%v: merge %d of shuffled rows is %v, and %v", l, i, m, want[i])
			}
		}
	}
}

func TestRoundsAreInterrupted(t *testing.T) {
	src, err := dissim.Vectors(scattered(1500, 3, 1), dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.1, 0.5, 0.8} {
		ctx, cancel := context.WithCancel(context.Background())
		last := 0.0
		_, err = hierarchy.FitSource(ctx, src,
			hierarchy.Config{
				Linkage: hierarchy.Complete,
				Options: fit.Options{Progress: func(p fit.Progress) {
					v := p.Share
					if v < last || v > 1 {
						t.Errorf("progress is %v after %v", v, last)
					}
					if last = v; v >= share {
						cancel()
					}
				}},
			})
		cancel()
		if err == nil {
			t.Errorf("cancelled at %v, and it went on", share)
		}
	}
}
