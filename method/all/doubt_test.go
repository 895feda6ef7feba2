package all_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// TestDoubtfulRowsAreBetweenGroups, by every method that looks for no gaps: among the least certain
// rows of two groups that meet are some that lie where they do.
func TestDoubtfulRowsAreBetweenGroups(t *testing.T) {
	x := dataset.Matrix{Cols: 1}
	for i := range 61 {
		x.F64 = append(x.F64, float64(i)/10+4*float64(i/30)*float64(i%30)/30) // denser on the left
	}
	x.Rows = len(x.F64)
	classes := make([]int32, x.Rows)
	for i, v := range x.F64 {
		if v > 4 {
			classes[i] = 1
		}
	}
	for _, m := range all.List() {
		if m.Takes("min-points") {
			continue
		}
		o, err := answered(t.Context(), m, method.Problem{Data: x, Classes: classes},
			valuesFor(m, values{"clusters": "2", "super-instances": "12"}), 20)
		if err != nil {
			t.Fatal(err)
		}
		c, err := method.Doubts(t.Context(), method.Problem{Data: x}, o, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, sure := range c.Certainty {
			if !(sure >= 0 && sure <= 1) || c.Other[i] == int32(o.Labels[i]) || c.Words(i) == "" {
				t.Errorf("%s: row %d of %d is %v certain beside %d: %q", m.Name, i, o.Labels[i],
					sure, c.Other[i], c.Words(i))
			}
		}
		order := make([]int, x.Rows)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order,
			func(a, b int) int { return cmp.Compare(c.Certainty[a], c.Certainty[b]) })
		if !slices.ContainsFunc(order[:6], func(row int) bool {
			return o.Labels[max(0, row-6)] != o.Labels[min(x.Rows-1, row+6)]
		}) {
			t.Errorf("%s: rows %v are the least certain, and none of them is where the groups meet",
				m.Name, order[:6])
		}
	}
}
