package evclus

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/scale/fold"
)

// TestSummaryByHand sums five objects up.
func TestSummaryByHand(t *testing.T) {
	p := &credal.Partition{Clusters: 2, Focal: []belief.Set{0, 1, 2, 3}, Mass: []float64{
		0, 1, 0, 0, // surely in 1
		0, 0.75, 0, 0.25, // Bel(1) is above Pl(2), so 2 is dominated
		0, 0.25, 0.25, 0.5, // between both
		0.75, 0.25, 0, 0, // an outlier, nearest to 1
		1, 0, 0, 0, // near nothing
	}}
	s := newTally(2, 5)
	s.add(p, func(i int) (int64, string) { return int64(i), fmt.Sprint("r", i) })
	got := finish(s.Summary)
	if got.Rows != 5 || got.Outliers != 2 || got.Nowhere != 1 || got.Ambiguous != 1 {
		t.Errorf("%d rows, %d outliers, %d nowhere, %d ambiguous", got.Rows, got.Outliers,
			got.Nowhere, got.Ambiguous)
	}
	// N is 0, ¼, ½, ¾ and 1 bit.
	if math.Abs(got.Nonspecificity-2.5/5) > 1e-15 {
		t.Errorf("N* = %v", got.Nonspecificity)
	}
	histogram := make([]int64, Bins)
	histogram[0], histogram[5], histogram[10], histogram[15], histogram[19] = 1, 1, 1, 1, 1
	if !slices.Equal(got.Histogram, histogram) {
		t.Errorf("histogram %v", got.Histogram)
	}
	first := got.Clusters[0]
	if first.Size != 4 || first.Outliers != 1 || first.Ambiguous != 1 ||
		first.Nonspecificity != (0+0.25+0.5+0.75)/4 || first.Empty != 0.75/4 {
		t.Errorf("cluster 1: %+v", first)
	}
	// of m(∅) = 1 no cluster is dominated
	if first.Lower != 2 || first.Upper != 5 || got.Clusters[1].Upper != 2 {
		t.Errorf("%+v", got.Clusters)
	}
	if len(got.Doubtful) != 1 || got.Doubtful[0].ID != "r2" ||
		got.Doubtful[0].Nonspecificity != 0.5 || !slices.Equal(got.Doubtful[0].May, []int{1, 2}) ||
		!slices.Equal(got.Doubtful[0].Masses, p.Row(2)) {
		t.Errorf("doubtful: %+v", got.Doubtful)
	}
}

// TestSummariesJoin: rows summed up in pieces, joined in order under any keys, come to what a look
// at all of them at once finds.
func TestSummariesJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 4).Draw(t, "clusters")
		focal, err := belief.Full(c)
		if err != nil {
			t.Fatal(err)
		}
		n, most := rapid.IntRange(0, 120).Draw(t, "rows"), rapid.IntRange(0, 12).Draw(t, "most")
		p := &credal.Partition{Clusters: c, Focal: focal}
		for range n {
			p.Mass = append(p.Mass, coarse(t, len(focal))...)
		}
		job := &placing{Output: Output{Doubtful: most}}
		job.Landmarks = landmarksOf(p)
		summed := fold.Summed{Summing: job}
		var merged []fold.Merged
		for lo := 0; lo < n; {
			var parts []fold.Part
			for range rapid.IntRange(1, 3).Draw(t, "splits of a key") {
				hi := min(n, lo+rapid.IntRange(0, 50).Draw(t, "rows of a split"))
				part := newTally(c, most)
				for at := lo; at < hi; {
					next := min(hi, at+rapid.IntRange(1, 20).Draw(t, "rows of a block"))
					piece := &credal.Partition{Clusters: c, Focal: focal,
						Mass: p.Mass[at*len(focal) : next*len(focal)]}
					part.add(piece, func(i int) (int64,
						string) {
						return int64(at + i), fmt.Sprint(at + i)
					})
					at = next
				}
				data, err := part.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				parts, lo = append(parts, fold.Part{Split: len(parts), Data: data}), hi
			}
			data, err := summed.Merge(nil, 0, parts)
			if err != nil {
				t.Fatal(err)
			}
			merged = append(merged, fold.Merged{Key: int64(len(merged)), Data: data})
		}
		state, done, err := summed.Next(nil, merged)
		if err != nil || !done {
			t.Fatal(done, err)
		}
		var s Summary
		if err := json.Unmarshal(state, &s); err != nil {
			t.Fatal(err)
		}
		agree(t, finish(s), brute(t, p, func(i int) string { return fmt.Sprint(i) }, most))
	})
}

// coarse draws a mass function of few values, so that there are ties.
func coarse(t *rapid.T, f int) []float64 {
	m := make([]float64, f)
	for range 4 {
		m[rapid.IntRange(0, f-1).Draw(t, "focal set")] += 0.25
	}
	return m
}

// weak reports whether one cluster has mass, and nothing else but the empty set and the frame.
func weak(m belief.Mass, c int) bool {
	one, rest := 0, 1-m.Of(0)-m.Of(belief.Omega(c))
	for k := range c {
		if v := m.Of(belief.Singleton(k)); v > 0 {
			one++
			rest -= v
		}
	}
	return one == 1 && math.Abs(rest) < 1e-9
}

// brute sums a partition up one object at a time, by the mass functions of package belief.
func brute(t interface{ Fatal(...any) }, p *credal.Partition, id func(i int) string,
	most int) *Summary {
	c := p.Clusters
	s := &Summary{Rows: int64(p.Len()), Histogram: make([]int64, Bins),
		Clusters: make([]Cluster, c), Doubtful: []Doubt{}}
	for i := range p.Len() {
		m, err := belief.New(c, p.Focal, p.Row(i))
		if err != nil {
			t.Fatal(err)
		}
		n := m.Nonspecificity()
		share := 0.0
		if c > 1 {
			share = n / math.Log2(float64(c))
		}
		s.Nonspecificity += share / float64(p.Len())
		s.Histogram[max(0, min(Bins-1, int(share*Bins)))]++
		may := m.Undominated()
		outlier := true
		for j, f := range p.Focal {
			if f != 0 && p.Row(i)[j] >= m.Of(0) {
				outlier = false
			}
		}
		if outlier {
			s.Outliers++
		}
		for k := range c {
			if may.Has(k) {
				s.Clusters[k].Upper++
				if may.Len() == 1 && !outlier {
					s.Clusters[k].Lower++
				}
			}
		}
		if m.Of(0) == 1 {
			s.Nowhere++
			continue
		}
		best := linalg.ArgMax(m.Contour())
		of := &s.Clusters[best]
		of.Size++
		of.Nonspecificity += n
		of.Empty += m.Of(0)
		if outlier {
			of.Outliers++
		}
		if may.Len() > 1 && !outlier && !weak(m, c) {
			s.Ambiguous++
			of.Ambiguous++
			d := Doubt{Number: int64(i), ID: id(i), Cluster: best + 1, Nonspecificity: n,
				Masses: p.Row(i)}
			for k := range c {
				if may.Has(k) {
					d.May = append(d.May, k+1)
				}
			}
			s.Doubtful = append(s.Doubtful, d)
		}
	}
	for k := range s.Clusters {
		if of := &s.Clusters[k]; of.Size > 0 {
			of.Nonspecificity /= float64(of.Size)
			of.Empty /= float64(of.Size)
		}
	}
	slices.SortStableFunc(s.Doubtful, func(a, b Doubt) int {
		switch {
		case a.Nonspecificity > b.Nonspecificity:
			return -1
		case a.Nonspecificity < b.Nonspecificity:
			return 1
		}
		return 0
	})
	s.Doubtful = s.Doubtful[:min(most, len(s.Doubtful))]
	return s
}

// agree compares two summaries, sums of floating-point numbers but for rounding.
func agree(t interface{ Fatalf(string, ...any) }, got, want *Summary) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }
	counts := func(s *Summary) [5]int64 {
		return [5]int64{s.Rows, s.Ambiguous, s.Outliers, s.Nowhere}
	}
	if counts(got) != counts(want) || !near(got.Nonspecificity, want.Nonspecificity) ||
		!slices.Equal(got.Histogram, want.Histogram) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for k, w := range want.Clusters {
		g := got.Clusters[k]
		if g.Size != w.Size || g.Lower != w.Lower || g.Upper != w.Upper ||
			g.Ambiguous != w.Ambiguous || g.Outliers != w.Outliers ||
			!near(g.Nonspecificity, w.Nonspecificity) || !near(g.Empty, w.Empty) {
			t.Fatalf("cluster %d: got %+v, want %+v", k+1, g, w)
		}
	}
	if len(got.Doubtful) != len(want.Doubtful) {
		t.Fatalf("%d doubtful rows, want %d", len(got.Doubtful), len(want.Doubtful))
	}
	for i, w := range want.Doubtful {
		g := got.Doubtful[i]
		if g.Number != w.Number || g.ID != w.ID || g.Cluster != w.Cluster ||
			!slices.Equal(g.May, w.May) || !near(g.Nonspecificity, w.Nonspecificity) ||
			!slices.Equal(g.Masses, w.Masses) {
			t.Fatalf("doubtful row %d: got %+v, want %+v", i, g, w)
		}
	}
}
