package competitive2013

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// reading is a way to read the protocol of tables I to III.
type reading struct {
	name    string
	scale   dataset.Scale
	inOrder bool // rows as they lie in every epoch, not permuted afresh
	again   bool // the runs are those of the first reading, with other labels:
	// LCVQE's by the nearest prototype, where ours are those that its links have moved
	nearest   bool
	frequency bool // C-RPCL's by its competition, where ours are those of the nearest prototype
}

// readings are ours, and those that might explain where we and the paper differ.
var readings = []reading{
	{name: "as in tables I to III", scale: dataset.ScaleNone},
	{name: "rows as they lie", scale: dataset.ScaleNone, inOrder: true},
	{name: "features min–max", scale: dataset.ScaleMinMax},
	{name: "features z-score", scale: dataset.ScaleZScore},
	{name: "LCVQE's clusters by nearest prototype", again: true, nearest: true},
	{name: "C-RPCL's clusters by winning frequency", again: true, frequency: true},
}

// place returns the part that the runs of readings[i] belong to, and what their settings begin
// with.
func place(i int) (part, prefix string) {
	if i == 0 || readings[i].again {
		return "tables", ""
	}
	return "readings", readings[i].name + ", "
}

// nmi names the measure that a reading takes for the NMI of a method.
func (r reading) nmi(method string) string {
	if r.nearest && method == lcvqe || r.frequency && method == crpcl {
		return "other_nmi"
	}
	return "nmi"
}

// run returns the work of one draw: the three methods from the same prototypes, five times (section
// IV).
func (r reading) run(n int) func(ctx context.Context, d drawn) ([]frame.Values, error) {
	return func(ctx context.Context, d drawn) ([]frame.Values, error) {
		links, err := d.links(n, false)
		if err != nil {
			return nil, err
		}
		return d.fromEach(ctx, scaled(d.set.X, r.scale), startsEach,
			func(first dataset.Matrix) (fits []trial) {
				for _, method := range methods {
					fits = append(fits, trial{method: method, name: method, links: links,
						first: first, inOrder: r.inOrder})
				}
				return fits
			})
	}
}
