package evclus

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// plainPairs follows kevclus-2016 §5 word by word: similarities, the k nearest of each, those that
// are mutual.
func plainPairs(p *credal.Partition, k int) []belief.Set {
	c := p.Clusters
	var contours [][]float64
	for i := range p.Len() {
		contour, empty := make([]float64, c), 0.0
		for l, s := range p.Focal {
			for j := range c {
				if s.Has(j) {
					contour[j] += p.Row(i)[l]
				}
			}
			if s == 0 {
				empty = p.Row(i)[l]
			}
		}
		if empty == 1 {
			continue
		}
		for j := range contour {
			contour[j] /= 1 - empty
		}
		contours = append(contours, contour)
	}
	near := make([][]int, c)
	for j := range c {
		similar := make([]float64, c)
		for l := range c {
			for _, contour := range contours {
				similar[l] += contour[j] * contour[l]
			}
			if l != j {
				near[j] = append(near[j], l)
			}
		}
		slices.SortStableFunc(near[j], func(a, b int) int {
			switch d := similar[b] - similar[a]; {
			case d > 1e-9:
				return 1
			case d < -1e-9:
				return -1
			}
			return 0
		})
		near[j] = near[j][:min(k, c-1)]
	}
	var pairs []belief.Set
	for j := range c {
		for l := range j {
			if slices.Contains(near[j], l) && slices.Contains(near[l], j) {
				pairs = append(pairs, belief.Singleton(j)|belief.Singleton(l))
			}
		}
	}
	return pairs
}

func TestSimilarPairsArePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom([]string{"simple 2", "simple 5", "pairs 4",
			"without ∅"}).Draw(t, "family")
		p := newProblem(family, rapid.IntRange(1, 30).Draw(t, "n"), 0,
			rapid.Uint64().Draw(t, "seed"))
		part := &credal.Partition{Clusters: p.clusters, Focal: p.focal, Mass: p.mass}
		for i := range p.n {
			if rapid.IntRange(0, 3).Draw(t, "certain") == 0 { // m(∅) = 1 where there is ∅
				clear(part.Row(i))
				part.Row(i)[0] = 1
			}
		}
		k := rapid.IntRange(1, 6).Draw(t, "k")
		if got, want := similarPairs(part, k), plainPairs(part, k); !slices.Equal(got, want) {
			t.Fatalf("pairs %v, want %v", got, want)
		}
	})
}

// TestPairsOfOverlap: groups on a line overlap with those beside them, and only such pairs are
// added.
func TestPairsOfOverlap(t *testing.T) {
	src := blobs(400, 4, 2) // at 0–4, 10–14, 20–24 and 30–34
	r, err := Fit(t.Context(), src, Config{Clusters: 4, Pairs: 2, D0: D0{Value: 25}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) == 0 || len(r.Credal.Focal) != 6+len(r.Pairs) {
		t.Fatalf("pairs %v, focal sets %v", r.Pairs, r.Credal.Focal)
	}
	labels := r.Credal.ArgMax(0)
	group := make([]int, 4) // of each cluster
	for i, l := range labels[:4] {
		group[l-1] = i
	}
	for _, s := range r.Pairs {
		if !slices.Contains(r.Credal.Focal, s) {
			t.Errorf("%v was added, and is not in %v", s, r.Credal.Focal)
		}
		for a := range 4 {
			for b := range a {
				if s.Has(a) && s.Has(b) && max(group[a], group[b])-min(group[a], group[b]) != 1 {
					t.Errorf("%v joins groups %d and %d, which are not neighbours", s, group[a],
						group[b])
				}
			}
		}
	}
}

func TestWidenKeepsMasses(t *testing.T) {
	got := widen([]float64{0.2, 0.8, 1, 0}, []belief.Set{1, 3}, []belief.Set{0, 1, 2, 3})
	if !slices.Equal(got, []float64{0, 0.2, 0, 0.8, 0, 1, 0, 0}) {
		t.Errorf("got %v", got)
	}
}

// TestClustersAreNumberedBySize, and added pairs with them.
func TestClustersAreNumberedBySize(t *testing.T) {
	f := &fitter{res: &Result{
		Credal: &credal.Partition{Clusters: 3, Focal: []belief.Set{0, 1, 2, 4, 3, 6, 7},
			Mass: []float64{
				0, 1, 0, 0, 0, 0, 0,
				0, 0, 0, 1, 0, 0, 0,
				0, 0, 0, 1, 0, 0, 0,
				0, 0, 0, 1, 0, 0, 0,
				0, 0, 1, 0, 0, 0, 0,
				0, 0, 0.6, 0, 0, 0.4, 0,
			}},
		Pairs: []belief.Set{3, 6},
	}}
	f.res.renumber()
	// Cluster 3 becomes 1, cluster 2 stays 2, cluster 1 becomes 3.
	if got := f.res.Credal.ArgMax(0); !slices.Equal(got, []int{3, 1, 1, 1, 2, 2}) {
		t.Errorf("labels %v", got)
	}
	if !slices.Equal(f.res.Pairs, []belief.Set{6, 3}) {
		t.Errorf("pairs %v", f.res.Pairs)
	}
	if err := f.res.Credal.Check(); err != nil {
		t.Error(err)
	}
}
