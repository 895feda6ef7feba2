package input

import (
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Scene returns what is drawn of an outcome with links. A table of one or two features lies in the
// plane in its own units.
func (d *Data) Scene(out *method.Outcome, links ...[]link.Link) *method.Scene {
	s := &method.Scene{Problem: d.Problem(), Outcome: out, Name: d.Name(), ID: d.ID,
		Links: slices.Concat(links...)}
	if d.Ready != nil {
		s.Columns = d.Ready.Names
		if d.Ready.X.Cols <= 2 {
			s.Units = d.unscaled()
		}
	}
	return s
}

// unscaled returns the prepared rows in the units of the file.
func (d *Data) unscaled() dataset.Matrix {
	x := d.Ready.X
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F64: make([]float64, 0, x.Rows*x.Cols)}
	for i := range x.Rows {
		for j := range x.Cols {
			out.F64 = append(out.F64, d.Ready.Encoding.Original(j, x.At(i, j)))
		}
	}
	return out
}
