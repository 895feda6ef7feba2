package evclus

import (
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
)

// Result is a fit. Slices belong to it.
type Result struct {
	Credal *credal.Partition
	// eq. 12 (or 22, or 13 of cevclus-2013) on the final masses, without links
	Stress    float64
	Objective float64 // Stress plus the penalty of the links, as it was minimised last
	// objective before the first sweep and after each, of the winning start; with links, of the
	// last sweeps under them
	Trace       []float64
	StartValues []float64 // final objective of each start; without links, unless by gradients
	Winner      int       // the start that won
	Iterations  int       // sweeps or gradient steps: those of Trace
	Stopped     fit.Reason
	D0, Gamma   float64
	A, B        float64 // the affine coefficients of the Sammon stress; 0 otherwise
	Partners    int     // k as used; 0: all pairs
	Used        Constraints
	Links       int          // links that weigh in the fit: those of a known kind
	Violated    int          // links that the fit without links violates; 0 without links
	Pairs       []belief.Set // pairs added by the second step
	Notes       []string     // what a person should know, a sentence each

	scale *scale
	auto  bool // D0 is that of D0.Auto
}

// renumber numbers the clusters by size, the largest first, in Credal and Pairs. It returns the
// order: what is cluster k now, from 0, was cluster order[k] before.
func (r *Result) renumber() (order []int) {
	order = r.Credal.BySize()
	if err := r.Credal.Relabel(order); err != nil {
		panic(err) // BySize names every cluster once
	}
	for t, s := range r.Pairs {
		r.Pairs[t] = 0
		for k, was := range order {
			if s.Has(was) {
				r.Pairs[t] |= belief.Singleton(k)
			}
		}
	}
	return order
}
