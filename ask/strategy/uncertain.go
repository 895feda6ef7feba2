package strategy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// ErrHard is the error of nonspecificity where [Config].Partition has no masses.
var ErrHard = errors.New("strategy: the partition has no masses")

// uncertain asks about the object that the partition under the links so far is least certain of,
// beside the most certain object of each cluster, the nearest first (Antoine, Quost, Masson and
// Denœux 2014, Algorithm 3). How uncertain an object is, is its nonspecificity Σ m(A) log2|A|, with
// log2 c for ∅, and then, for Bayesian masses have none, the entropy of its pignistic
// probabilities. Ours, as in EVCLUS: objects that are nearest to several clusters come before
// outliers, whose mass is on ∅, and those before the rest. Objects that answers were about stand
// for clusters as others do.
type uncertain struct{ distances }

func newUncertain(cfg Config) (ask.Chooser, error) { return &uncertain{distances{cfg: cfg}}, nil }

func (s *uncertain) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	part, err := s.cfg.Partition(ctx, known.Facts())
	if err != nil {
		return nil, err
	}
	if part.Credal == nil {
		return nil, ErrHard
	}
	doubt, surest := doubtful(part.Credal, known)
	order := make([]int, 0, len(doubt))
	for row := range doubt {
		if known.Askable(row) {
			order = append(order, row)
		}
	}
	rough := part.Credal.Rough()
	rank := func(row int) int {
		switch {
		case rough.Ambiguous(row) || rough.Weak(row):
			return 0
		case rough.Outlier[row]:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(doubt[b][0], doubt[a][0]),
			cmp.Compare(doubt[b][1], doubt[a][1]))
	})
	aside := doubts(known)
	asked := make(map[[2]int]bool)
	var found []ask.Prompt
	for i, row := range order {
		if len(found) == most {
			break
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if aside[row] >= 2 {
			continue
		}
		if q, ok := s.ask(row, surest, known); ok && !asked[[2]int{min(q.A, q.B), max(q.A, q.B)}] {
			asked[[2]int{min(q.A, q.B), max(q.A, q.B)}] = true
			found = append(found, ask.Prompt{Question: q})
		}
	}
	return found, nil
}

// ask compares an object with the nearest object that stands for a cluster and that nothing is
// known of beside it.
func (s *uncertain) ask(row int, surest []int, known *ask.Ledger) (q link.Question, ok bool) {
	var others []int32
	var cluster []int
	for k, other := range surest {
		if other >= 0 && other != row && open(known, row, other) {
			others, cluster = append(others, int32(other)), append(cluster, k)
		}
	}
	if others == nil {
		return q, false
	}
	best := linalg.ArgMin(s.among(row, others))
	why := fmt.Sprintf("the groups so far are least certain of the first of all that is left to "+
		"ask; the second stands for group %d", cluster[best]+1)
	return link.Question{A: row, B: int(others[best]), Why: why}, true
}

// doubtful returns the nonspecificity and the entropy of each object, and the most certain object
// of each cluster that may be asked about, −1 where there is none.
func doubtful(p *credal.Partition, known *ask.Ledger) (doubt [][2]float64, surest []int) {
	pignistic := p.Pignistic()
	labels := p.ArgMax(belief.MaxPignistic)
	doubt, surest = make([][2]float64, p.Len()), slices.Repeat([]int{-1}, p.Clusters)
	for row, n := range p.Nonspecificities() {
		doubt[row] = [2]float64{rounded(n),
			rounded(entropy(pignistic[row*p.Clusters : (row+1)*p.Clusters]))}
		k := labels[row] - 1
		if k < 0 || !known.Askable(row) {
			continue
		}
		if best := surest[k]; best < 0 ||
			cmp.Or(cmp.Compare(doubt[row][0], doubt[best][0]),
				cmp.Compare(doubt[row][1], doubt[best][1])) < 0 {
			surest[k] = row
		}
	}
	return doubt, surest
}

func entropy(p []float64) (h float64) {
	for _, v := range p {
		if v > 0 {
			h -= float64(v * math.Log2(v))
		}
	}
	return h
}

func (s *uncertain) Remaining(known *ask.Ledger) (likely, most int) { return unplaced(known) }
