package kevclus2016

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// tracePoints are the points that are kept of a descent, the first before it and the last at its
// end. They are the starts of the raw runs.
const tracePoints = 33

// descents are how section 3.2 minimises the stress, and how we do.
var descents = []string{gradient, irqp, ourIRQP}

// descend minimises the stress in each of the ways, the first two from the same random masses, and
// keeps points of the way down. The last point has all measures.
func (o objects) descend(ctx context.Context, seed uint64) ([]frame.Values, error) {
	traces := make([][]frame.Values, len(descents))
	for i, method := range descents {
		var err error
		if traces[i], err = o.trace(ctx, o.config(method, 0, seed)); err != nil {
			return nil, err
		}
	}
	var all []frame.Values
	for p := range tracePoints {
		for _, points := range traces {
			all = append(all, points[p])
		}
	}
	return all, nil
}

// trace fits, and returns seconds since the first sweep began, stress and sweeps at points of the
// way, closer to each other where it begins.
func (o objects) trace(ctx context.Context, cfg evclus.Config) ([]frame.Values, error) {
	var began time.Time
	var at []float64
	cfg.Progress = func(p fit.Progress) {
		if p.Iteration == 0 { // not begun
			began = time.Now()
			return
		}
		at = append(at, time.Since(began).Seconds())
	}
	values, r, err := o.evclus(ctx, cfg)
	if err != nil {
		return nil, err
	}
	at = append([]float64{0}, at...)
	if len(at) != len(r.Trace) {
		return nil, fmt.Errorf("kevclus2016: %d points of a way of %d", len(at), len(r.Trace))
	}
	points := make([]frame.Values, tracePoints)
	last := len(at) - 1
	for p := range points {
		share := float64(p) / (tracePoints - 1)
		t := int(math.Round(share * share * float64(last)))
		points[p] = frame.Values{}
		if p == tracePoints-1 {
			points[p], t = values, last
		}
		points[p]["seconds"], points[p]["stress"] = at[t], r.Trace[t]
		points[p]["sweeps"] = float64(t)
	}
	return points, nil
}
