// Package credal holds credal partitions, the views that sum them up (hard, fuzzy, possibilistic,
// rough), and how they are read and written.
//
// An object that is certainly in no cluster, m(∅) = 1, never makes a NaN: its plausibilities and
// beliefs are 0, its pignistic probabilities and fuzzy memberships 1/c, its Ω* is the frame, and it
// is an outlier. Ties go to the lowest cluster, and among focal sets to the smallest, then to the
// lowest mask.
package credal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Partition is a credal partition: a mass function for each of n objects (cevclus-2013 §2.2,
// kevclus-2016 §2.2).
type Partition struct {
	Clusters int          // c, the size of the frame
	Focal    []belief.Set // f focal sets, in the order of belief.Sort
	// n×f, row-major: row i is the mass function of object i; each row ≥ 0 and sums to 1
	Mass []float64
	// Unverified means that the partition was read from a Parquet file without a digest, as the
	// first edition wrote them, so that damage to it may not be noticed.
	Unverified bool
}

// Len returns the number of objects.
func (p *Partition) Len() int {
	if len(p.Focal) == 0 {
		return 0
	}
	return len(p.Mass) / len(p.Focal)
}

// Row returns the masses of object i, in the order of Focal. It is a view, not a copy.
func (p *Partition) Row(i int) []float64 {
	f := len(p.Focal)
	return p.Mass[i*f : (i+1)*f : (i+1)*f]
}

// sumTolerance is how far from 1 the masses of a row may sum.
const sumTolerance = 1e-6

// Check returns what is wrong with a partition that was made elsewhere: focal sets that are not
// sorted or beyond the frame, masses that are not finite, negative, or do not sum to 1 within 10⁻⁶.
// The error names the row.
func (p *Partition) Check() error {
	sorted, err := belief.Sort(p.Clusters, p.Focal)
	if err != nil {
		return err
	}
	if len(p.Focal) == 0 || !slices.Equal(sorted, p.Focal) {
		return fault.Inputf("sort them with belief.Sort",
			"the focal sets are not a sorted list without repeats")
	}
	f := len(p.Focal)
	if len(p.Mass)%f != 0 {
		return fault.Inputf("give one mass a focal set and object",
			"%d masses cannot fill rows of %d focal sets", len(p.Mass), f)
	}
	n := p.Len()
	faults := make([]error, parallel.Count(n, blockRows))
	parallel.Blocks(context.Background(), n, blockRows, 0, func(block, lo, hi int) {
		for i := lo; i < hi && faults[block] == nil; i++ {
			faults[block] = p.checkRow(i)
		}
	})
	return cmp.Or(faults...)
}

func (p *Partition) checkRow(i int) error {
	sum := 0.0
	for j, m := range p.Row(i) {
		if !(m >= 0) || math.IsInf(m, 1) {
			return &fault.Input{Row: i + 1, Column: massColumn(p.Focal[j]),
				Problem: fmt.Sprintf("%v is no mass", m), Fix: "give a number from 0 to 1"}
		}
		sum += m
	}
	if math.Abs(sum-1) > sumTolerance {
		return &fault.Input{Row: i + 1, Problem: fmt.Sprintf("the masses sum to %v", sum),
			Fix: "make them sum to 1"}
	}
	return nil
}

// massColumn names the column of a focal set's masses.
func massColumn(s belief.Set) string { return "m_" + s.String() }

// blockRows is how many rows a thread takes at a time.
const blockRows = 8192

// blocks calls do for ranges of objects, some side by side.
func (p *Partition) blocks(do func(lo, hi int)) {
	parallel.Blocks(context.Background(), p.Len(), blockRows, 0, func(_, lo, hi int) { do(lo, hi) })
}

// rows calls do(i, row, scratch) for each object, some side by side; scratch has length 2c.
func (p *Partition) rows(do func(i int, row, scratch []float64)) {
	p.blocks(func(lo, hi int) {
		scratch := make([]float64, 2*p.Clusters)
		for i := lo; i < hi; i++ {
			do(i, p.Row(i), scratch)
		}
	})
}
