package input

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

// looksSquare reports whether the features of a table are symmetric with zeros on the diagonal, as
// dissimilarities are.
func looksSquare(ctx context.Context, t *dataset.Table) bool {
	var columns []int
	for i := range t.Columns {
		if t.HasValues(i) && t.Columns[i].Type == dataset.Number {
			columns = append(columns, i)
		}
	}
	if len(columns) != t.Rows || t.Rows < 3 {
		return false
	}
	positive := false
	for i := range columns {
		if ctx.Err() != nil || t.Value(i, columns[i]) != 0 {
			return false
		}
		for j := range i {
			a, b := t.Value(i, columns[j]), t.Value(j, columns[i])
			if !(a >= 0 && math.Abs(a-b) <= 1e-6*max(a, b)) { // as written with few digits
				return false
			}
			positive = positive || a > 0
		}
	}
	return positive
}

// notBinary says that a metric of what is there and what is not compares other numbers than 0 and
// 1.
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

// limits refuses numbers of clusters that no evidential fit can have, before anything is read.
func (r *Recipe) limits(m method.Method, s method.Settings) error {
	if last := max(s.Clusters, s.Evidential.MostClusters); m.Evidential && s.Clusters > 0 &&
		(s.Clusters < 2 || last > belief.MaxClusters) {
		return fault.Settingf(
			"--clusters is %s: give 2 to %d, and at most as many as there are rows", r.Clusters,
			belief.MaxClusters)
	}
	return nil
}

// Among refuses more clusters than there are rows.
func (r *Recipe) Among(n int, m method.Method, s method.Settings) error {
	last := max(s.Clusters, s.Evidential.MostClusters)
	if !m.Evidential || n < 3 || last <= n {
		return nil
	}
	return &fault.Input{Problem: fmt.Sprintf("--clusters is %s, and there are %d rows", r.Clusters,
		n), Fix: fmt.Sprintf("give 2 to %d", min(n, belief.MaxClusters))}
}

// Vain names the flags that were given and mean nothing to what is compared.
func (r *Recipe) Vain(d *Data) []string {
	var what string
	names := []string{"scale", "duplicates"}
	switch {
	case d.IsMatrix():
		what, names = "a matrix of dissimilarities",
			append(names, "features", "drop", "missing", "embedding", "images", "dimensions")
	case d.opaque:
		what, names = "vectors", []string{"features", "drop"}
		if r.Embedding != "" {
			names = append(names, "dimensions")
		}
	case r.Text != "":
		what, names = "texts", append(names, "features", "drop", "dimensions")
	case r.Series != "":
		what, names = "series", append(names, "features", "drop", "dimensions")
	case d.Objects.Gower != nil:
		what, names = "gower", append(names, "dimensions")
	default:
		what, names = "rows of features", []string{"dimensions"}
	}
	var notes []string
	for _, name := range names {
		if r.set.Changed(name) {
			notes = append(notes, fmt.Sprintf("--%s means nothing to %s", name, what))
		}
	}
	if l := r.Evidential.Landmarks; l >= d.N() && d.Dissim != nil {
		notes = append(notes,
			fmt.Sprintf("--landmarks %d means nothing, as there are %d rows: all are fitted", l,
				d.N()))
	}
	return notes
}

// Useless names the flags of fs that were given and mean nothing to the method. Texts are taken by
// all, as vectors or not.
func Useless(fs *pflag.FlagSet, m method.Method) []string {
	var notes []string
	for _, other := range method.List() {
		for _, name := range other.Takes {
			if name == "text" {
				continue
			}
			note := fmt.Sprintf("--%s means nothing to %s", name, m.Name)
			if fs.Changed(name) && !slices.Contains(m.Takes, name) &&
				!slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}
