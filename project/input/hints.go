package input

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
)

// looksSquare reports whether the features of a table are symmetric with zeros on the diagonal, as
// dissimilarities are.
func looksSquare(ctx context.Context, t *dataset.Table) bool {
	diagonal, high, ok := symmetric(ctx, t)
	return ok && diagonal == 0 && high > 0
}

// looksAlike reports whether the features of a table are symmetric, and largest on the diagonal,
// as similarities are.
func looksAlike(ctx context.Context, t *dataset.Table) bool {
	diagonal, high, ok := symmetric(ctx, t)
	return ok && diagonal > 0 && high <= diagonal
}

// symmetric returns the one value on the diagonal of the features of a table, and the largest
// beside it; ok is false where they are no symmetric matrix of numbers of at least 0 with one.
func symmetric(ctx context.Context, t *dataset.Table) (diagonal, high float64, ok bool) {
	var columns []int
	for i := range t.Columns {
		if t.HasValues(i) && t.Columns[i].Type == dataset.Number {
			columns = append(columns, i)
		}
	}
	if len(columns) != t.Rows || t.Rows < 3 {
		return 0, 0, false
	}
	diagonal = t.Value(0, columns[0])
	for i := range columns {
		if ctx.Err() != nil || t.Value(i, columns[i]) != diagonal {
			return 0, 0, false
		}
		for j := range i {
			a, b := t.Value(i, columns[j]), t.Value(j, columns[i])
			if !(a >= 0 && math.Abs(a-b) <= 1e-6*max(a, b)) { // as written with few digits
				return 0, 0, false
			}
			high = max(high, a)
		}
	}
	return diagonal, high, true
}

// notBinary returns a note where a metric of what is there and what is not compares other numbers
// than 0 and 1.
func notBinary(m dissim.Metric, p *dataset.Prepared, scale string) string {
	if m != dissim.Jaccard {
		return ""
	}
	columns := 0
	for j := range p.X.Cols {
		for i := range p.X.Rows {
			if v := p.X.At(i, j); v != 0 && v != 1 {
				columns++
				break
			}
		}
	}
	if columns == 0 {
		return ""
	}
	return fmt.Sprintf("jaccard tells only 0 from what is not 0, and %s hold other numbers than "+
		"0 and 1 (scaled by %s): --metric tanimoto compares such numbers",
		words.Count(columns, "feature"), scale)
}

// Vain names the flags that were given and mean nothing to what is compared, as far as only the data
// show it; [Recipe.Compared] refuses others.
func (r *Recipe) Vain(d *Data) []string {
	var what string
	names := []string{"duplicates"}
	switch {
	case d.IsMatrix():
		what, names = "a matrix of dissimilarities",
			append(names, "missing", "embedding", "images", "dimensions")
	case d.opaque:
		what, names = "vectors", []string{"features", "drop"}
		if r.Embedding != "" {
			names = append(names, "dimensions")
		}
	case r.Text != "":
		what, names = "texts", append(names, "scale", "drop", "dimensions")
	case r.Series != "":
		what, names = "series", append(names, "drop", "dimensions")
	case d.Objects.Gower != nil:
		what, names = "gower", append(names, "scale", "dimensions")
	default:
		what, names = "rows of features", []string{"dimensions"}
	}
	if !d.Encoded() {
		names = append(names, "encoder")
	}
	if d.album == nil || !d.opaque || r.Embedding != "" || d.IsMatrix() {
		names = append(names, "image-features")
	}
	var notes []string
	for _, name := range names {
		if r.Given(name) {
			notes = append(notes, fmt.Sprintf("--%s means nothing to %s", name, what))
		}
	}
	if l, _ := strconv.Atoi(r.params["landmarks"]); l >= d.N() && d.Dissim != nil {
		notes = append(notes,
			fmt.Sprintf("--landmarks %d means nothing, as there are %d rows: all are fitted", l,
				d.N()))
	}
	return notes
}
