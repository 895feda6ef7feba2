package cobra2017

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/method"
)

// registered are methods of the registry that stand beside COBRAS.
func registered() (names []string) {
	for _, name := range []string{"kin"} {
		if _, err := method.Find(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// session runs a method of the registry that asks questions of its own, and gives what it comes to after so many, which rise. Rows set aside are
// left out of the questions; where the method then leaves them out of its clusters, too, they go with their super-instance, or else
// with the nearest row.
func (f fold) session(ctx context.Context, name string, budgets []int) ([]outcome, error) {
	m, err := method.Find(name)
	if err != nil {
		return nil, err
	}
	s, err := m.Begin(ctx, method.Problem{Data: f.x}, method.Settings{Seed: f.derive("session", 0), Threads: 1})
	if err != nil {
		return nil, err
	}
	s.Exclude(f.test)
	var out []outcome
	for _, budget := range budgets {
		if err := active.Drive(ctx, s, active.Labels(f.truth), budget, nil); err != nil {
			return nil, err
		}
		o, err := s.OutcomeContext(ctx)
		if err != nil {
			return nil, err
		}
		labels := settle(f.x, o.Labels, o.Of)
		out = append(out, outcome{labels: labels, clusters: o.Clusters, asked: o.Asked})
	}
	return out, nil
}

// settle gives rows without a cluster that of their super-instance, where of has it, or else of the nearest row that has one.
func settle(x dataset.Matrix, labels []int, of []int32) []int {
	cluster := make(map[int32]int)
	var placed []int
	for row, l := range labels {
		if l > 0 {
			placed = append(placed, row)
			if of != nil {
				cluster[of[row]] = l
			}
		}
	}
	out := make([]int, len(labels))
	var a, b []float64
	for row, l := range labels {
		if l == 0 && of != nil {
			l = cluster[of[row]]
		}
		if l == 0 {
			a = x.AppendRow(a[:0], row)
			least := math.Inf(1)
			for _, other := range placed {
				b = x.AppendRow(b[:0], other)
				if d := squared(a, b); d < least {
					least, l = d, labels[other]
				}
			}
		}
		out[row] = l
	}
	return out
}

func squared(a, b []float64) (sum float64) {
	for i, v := range a {
		d := v - b[i]
		sum = math.FMA(d, d, sum)
	}
	return sum
}
