package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/belief"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// looksSquare tells whether the features of a table are symmetric with zeros on the diagonal, as
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

// notBinary says that a metric of what is there and what is not compares other numbers than 0 and 1.
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
	return fmt.Sprintf("jaccard tells only 0 from what is not 0, and %s hold other numbers than 0 and 1 (scaled by %s): --metric tanimoto compares such numbers", count(columns, "feature"), scale)
}

// limits refuses numbers of clusters that no evidential fit can have, before anything is read.
func (f *fitting) limits(m method.Method, s method.Settings) error {
	if last := max(s.Clusters, s.Evidential.MostClusters); m.Dissimilarity && s.Clusters > 0 && (s.Clusters < 2 || last > belief.MaxClusters) {
		return usage{fmt.Sprintf("--clusters is %s: give 2 to %d, and at most as many as there are rows", f.clusters, belief.MaxClusters)}
	}
	return nil
}

// among refuses more clusters than there are rows.
func (f *fitting) among(n int, m method.Method, s method.Settings) error {
	last := max(s.Clusters, s.Evidential.MostClusters)
	if !m.Dissimilarity || n < 3 || last <= n {
		return nil
	}
	return &fault.Input{Problem: fmt.Sprintf("--clusters is %s, and there are %d rows", f.clusters, n), Mend: fmt.Sprintf("give 2 to %d", min(n, belief.MaxClusters))}
}

// vain names the flags that were given and mean nothing to what is compared.
func (f *fitting) vain(cmd *cobra.Command, data *prepared) []string {
	var what string
	names := []string{"scale", "duplicates"}
	switch {
	case data.isMatrix():
		what, names = "a matrix of dissimilarities", append(names, "features", "drop", "missing")
	case f.source.text != "":
		what, names = "texts", append(names, "features", "drop")
	case f.source.series != "":
		what, names = "series", append(names, "features", "drop")
	case data.objects.Gower != nil:
		what = "gower"
	}
	var notes []string
	for _, name := range names {
		if what != "" && cmd.Flags().Changed(name) {
			notes = append(notes, fmt.Sprintf("--%s means nothing to %s", name, what))
		}
	}
	if l := f.evidential.landmarks; l >= data.n() && data.src != nil {
		notes = append(notes, fmt.Sprintf("--landmarks %d means nothing, as there are %d rows: all are fitted", l, data.n()))
	}
	return notes
}
