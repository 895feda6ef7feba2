package plot

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
)

// View is data brought into the plane, ready for [ScatterConfig].
type View struct {
	Points         dataset.Matrix // n×2
	XLabel, YLabel string
	Projection     *Projection // nil when the axes are no principal components

	Note       string // on how the points were placed; "": nothing
	EqualScale bool   // a unit is as long on both axes, as points made from distances want it
}

// Plane returns the rows of x two coordinates: the columns themselves when there are one or two
// (the second is 0 where there is none), and otherwise the first two principal components. Names
// are those of the columns; a missing or empty one is x1, x2, …. It fails like
// [PrincipalComponents].
func Plane(ctx context.Context, x dataset.Matrix, names []string, threads int) (View, error) {
	name := func(j int) string {
		if j < len(names) && names[j] != "" {
			return names[j]
		}
		return fmt.Sprintf("x%d", j+1)
	}
	switch x.Cols {
	case 1:
		points := make([]float64, 2*x.Rows)
		for i := range x.Rows {
			points[2*i] = x.At(i, 0)
		}
		return View{Points: dataset.Matrix{Rows: x.Rows, Cols: 2, F64: points}, XLabel: name(0)},
			nil
	case 2:
		return View{Points: x, XLabel: name(0), YLabel: name(1)}, nil
	}
	p, err := PrincipalComponents(ctx, x, 2, threads)
	if err != nil {
		return View{}, err
	}
	points, err := p.Apply(ctx, x, threads)
	if err != nil {
		return View{}, err
	}
	return View{Points: points, XLabel: p.Label(0), YLabel: p.Label(1), Projection: &p}, nil
}

// Label names the axis of component i, from 0: "PC 1 (38 % of variance)".
func (p Projection) Label(i int) string {
	percent := 100 * p.Share[i]
	switch {
	case percent == 0:
		return fmt.Sprintf("PC %d (no variance)", i+1)
	case percent < 0.95:
		return fmt.Sprintf("PC %d (%.1f %% of variance)", i+1, max(0.1, percent))
	}
	return fmt.Sprintf("PC %d (%.0f %% of variance)", i+1, math.Round(percent))
}
