package density_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
)

// prim returns the sorted lengths of the edges of a minimum spanning tree.
func prim(m dataset.Matrix) (out []float64) {
	in, best := make([]bool, m.Rows), slices.Repeat([]float64{math.Inf(1)}, m.Rows)
	for at := 0; len(out) < m.Rows-1; {
		in[at] = true
		next := -1
		for j := range in {
			s := 0.0
			for c := range m.Cols {
				v := m.F64[at*m.Cols+c] - m.F64[j*m.Cols+c]
				s += v * v
			}
			best[j] = min(best[j], math.Sqrt(s))
			if !in[j] && (next < 0 || best[j] < best[next]) {
				next = j
			}
		}
		out, at = append(out, best[next]), next
	}
	slices.Sort(out)
	return out
}

func TestSpanIsAMinimumSpanningTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, shape := range [][2]int{{1, 2}, {2, 1}, {300, 2}, {700, 14}} {
		for _, coarse := range []bool{false, true} {
			m := dataset.Matrix{Rows: shape[0], Cols: shape[1]}
			for range m.Rows * m.Cols {
				v := rng.NormFloat64()
				if coarse { // many are equal, and many distances
					v = math.Round(v)
				}
				m.F64 = append(m.F64, v)
			}
			last := 0.0
			edges, err := density.Span(context.Background(), m, 2, func(share float64) {
				if share < last || share > 1 {
					t.Errorf("progress is %v after %v", share, last)
				}
				last = share
			})
			if err != nil {
				t.Fatal(err)
			}
			want := prim(m)
			if len(edges) != len(want) {
				t.Fatalf("%v: %d edges", shape, len(edges))
			}
			for i, e := range edges {
				if math.Abs(e.Distance-want[i]) > 1e-12 {
					t.Fatalf("%v: edge %d is %v, want %v", shape, i, e, want[i])
				}
			}
		}
	}
}
