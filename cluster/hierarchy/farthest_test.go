package hierarchy_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/fit"
)

// Each height of complete linkage is the greatest distance of two members in float64, whatever
// pairs are left out.
func TestHeightsOfCompleteLinkageAreThoseOfAllPairs(t *testing.T) {
	for _, single := range []bool{false, true} {
		for _, shape := range [][2]int{{500, 1}, {700, 3}, {600, 20}, {300, 60}} {
			m := clustered(shape[0], shape[1], 9)
			name := fmt.Sprintf("%dx%d, single %v", m.Rows, m.Cols, single)
			if single {
				for _, v := range m.F64 {
					m.F32 = append(m.F32, float32(v))
				}
				m.F64 = nil
			}
			tree, err := hierarchy.Fit(context.Background(), m, hierarchy.Config{
				Linkage: hierarchy.Complete, Options: fit.Options{Threads: 2}})
			if err != nil {
				t.Fatal(err)
			}
			members := make([][]int, m.Rows, 2*m.Rows)
			heights := make([]float64, m.Rows, 2*m.Rows)
			for i := range members {
				members[i] = []int{i}
			}
			var x, y []float64
			for k, e := range tree.Merges {
				most := 0.0
				for _, a := range members[e.A] {
					x = m.AppendRow(x[:0], a)
					for _, b := range members[e.B] {
						y = m.AppendRow(y[:0], b)
						square := 0.0
						for j, v := range x {
							square = math.FMA(v-y[j], v-y[j], square)
						}
						most = max(most, math.Sqrt(square))
					}
				}
				most = max(most, heights[e.A], heights[e.B])
				if math.Abs(e.Height-most) > 1e-15*most {
					t.Fatalf("%s: merge %d is at %v, want %v", name, k, e.Height, most)
				}
				members = append(members, slices.Concat(members[e.A], members[e.B]))
				heights = append(heights, most)
			}
		}
	}
}
