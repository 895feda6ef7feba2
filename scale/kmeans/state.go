package kmeans

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/shard"
)

// phase is what a round is for.
type phase string

const (
	phaseDraw   phase = "draw"   // draws a sample, and from it the centres
	phaseAssign phase = "assign" // labels the rows and sums up the clusters
	phaseFar    phase = "far"    // looks for the rows furthest from their centres
	phaseLabel  phase = "label"  // labels the rows for good
)

// state is what one round leaves to the next.
type state struct {
	Phase   phase
	Centers floats

	// Of the iterations.
	// moves that are small enough; nil: the variance is not known yet
	Enough   *float64 `json:",omitempty"`
	Squares  float64  // Σ‖x − origin‖² of all rows, known when Enough is
	Close    bool     // rows lie so close to their centres that their distances must be added up
	Trace    []float64
	Shifts   []float64
	Digest   uint64 // of the labels of the pass before
	Changed  bool   // labels changed in this iteration
	Repaired int
	Stopped  fit.Reason

	// Of one assignment, which repairs empty clusters and labels anew until none is left, or none
	// is filled.
	Repairs int
	Empty   []int  // clusters found empty by the pass before
	Found   *found `json:",omitempty"` // by the last pass
	Back    phase  // what to go on with after a repair
	Base    floats // the centres that the labels are by while others move
	Moved   floats // rows that centres were moved to, in order

	// Of the labels.
	Settled   bool  // empty clusters stay
	Fixed     bool  // ClusterOf was given
	ClusterOf []int // number of each centre's cluster, from 1
}

// found is what a pass comes to.
type found struct {
	Counts  []int64
	Means   floats `json:",omitempty"` // of the clusters, their centre where empty
	Inertia float64
	Medoids []Medoid `json:",omitempty"`
}

// judge decides what follows a pass: another after a repair of the empty clusters, or what follows
// an assignment that is done. Clusters that a repair left empty stay so: scores cannot separate the
// row that they took from another centre.
func (w *work) judge(s *state) (done bool) {
	var empty []int
	for c, m := range s.Found.Counts {
		if m == 0 {
			empty = append(empty, c)
		}
	}
	// rounding might go in circles
	if s.Settled || slices.Equal(empty, s.Empty) || s.Repairs > w.Clusters {
		return w.settle(s)
	}
	s.Empty, s.Back, s.Base, s.Moved = empty, s.Phase, slices.Clone(s.Centers), nil
	s.Repairs++
	s.Phase = phaseFar
	return false
}

// settle ends an assignment.
func (w *work) settle(s *state) (done bool) {
	if s.Phase == phaseFar {
		s.Phase = s.Back
	}
	s.Repairs, s.Empty, s.Base, s.Moved = 0, nil, nil, nil
	if s.Phase == phaseLabel {
		return w.numbered(s)
	}
	s.Trace = append(s.Trace, s.Found.Inertia)
	if !s.Changed && len(s.Trace) > 1 {
		return w.stop(s, fit.Converged)
	}
	s.Changed = false
	moved := 0.0
	for i, v := range s.Found.Means {
		step := v - s.Centers[i]
		moved += float64(step * step)
	}
	s.Centers, s.Found.Means = s.Found.Means, nil
	s.Shifts = append(s.Shifts, moved)
	switch {
	case moved <= *s.Enough:
		return w.stop(s, fit.Tolerance)
	case len(s.Trace) >= w.Iterations:
		return w.stop(s, fit.IterationLimit)
	}
	s.Found = nil
	return false
}

// stop ends the iterations. The clusters are numbered by what is known of their sizes.
func (w *work) stop(s *state, why fit.Reason) (done bool) {
	s.Stopped, s.Settled = why, why == fit.Converged
	s.Phase, s.ClusterOf, s.Found = phaseLabel, Ranks(s.Found.Counts), nil
	return true
}

// numbered reports whether the labels that were written have the right numbers. Where not, they are
// written again.
func (w *work) numbered(s *state) (done bool) {
	if s.Fixed {
		return true
	}
	was := s.ClusterOf
	s.ClusterOf = Ranks(s.Found.Counts)
	return w.Out == "" || slices.Equal(was, s.ClusterOf)
}

// Ranks numbers clusters from 1 by their rows, the largest first, equals in order.
func Ranks(counts []int64) []int {
	order := make([]int, len(counts))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	of := make([]int, len(counts))
	for rank, c := range order {
		of[c] = rank + 1
	}
	return of
}

// means returns those of the clusters, from sums about the origin.
func (w *work) means(s *state, counts []int64, sums []float64) floats {
	out := slices.Clone(s.Centers)
	for c, m := range counts {
		if m == 0 {
			continue
		}
		for j := range w.Cols {
			out[c*w.Cols+j] = w.Origin[j] + sums[c*w.Cols+j]/float64(m)
		}
	}
	return out
}

// variance returns the mean variance of the columns, from the sums of all rows and of their
// squares, both about the origin.
func (w *work) variance(rows int64, sums []float64, squares float64) float64 {
	whole := make([]float64, w.Cols)
	for i, v := range sums {
		whole[i%w.Cols] += v / float64(rows)
	}
	off := simd.SquaredDistance(whole, make([]float64, w.Cols))
	return max(0, squares/float64(rows)-off) / float64(w.Cols)
}

func (s *state) result(d int, tally shard.Tally) *Result {
	return &Result{
		Centers:   dataset.Matrix{Rows: len(s.Centers) / d, Cols: d, F64: s.Centers},
		ClusterOf: s.ClusterOf, Sizes: s.Found.Counts,
		Inertia: s.Found.Inertia, Medoids: s.Found.Medoids,
		Iterations: len(s.Trace), Stopped: s.Stopped, Converged: s.Stopped != fit.IterationLimit,
		Trace: s.Trace, Shifts: s.Shifts, EmptyRepaired: s.Repaired, Tally: tally,
	}
}

// floats are written as their bytes.
type floats = competitive.Floats
