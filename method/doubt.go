package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// Certainty is how sure an outcome is of each row. Slices have one entry a row. Rows in no
// cluster have zeros.
type Certainty struct {
	Certainty []float32 // in [0, 1]
	Other     []int32   // the cluster that it may belong to else, from 1; 0: none
	// of a credal partition: the clusters that no other dominates (see [credal.Rough]); else nil
	May []belief.Set

	Fuzzy bool // its masses are memberships, which add up to one over single clusters

	out   *Outcome
	rough *credal.Rough
}

// Fuzzy reports whether a credal partition is a fuzzy one: no set of more or less than one cluster
// has any mass.
func Fuzzy(p *credal.Partition) bool {
	for j, s := range p.Focal {
		for at := j; s.Len() != 1 && at < len(p.Mass); at += len(p.Focal) {
			if p.Mass[at] > 0 {
				return false
			}
		}
	}
	return true
}

// Doubts reports how certain each row of the problem is of its cluster in the outcome.
//
// In a credal partition the certainty is by how much the cluster's part of the mass (BetP, not
// normalised) exceeds the largest other one: an object between clusters has none, nor has an
// outlier. Else it is 1 − own/other, at least 0, of the distances to the nearest representative of
// its own cluster and to the nearest of the others: medoids of super-instances where there are any,
// else the means, or the rows that the model keeps, the row itself aside; of a method that has
// strengths of membership and no masses it is the strength. It is ½ where the others
// are twice as far, and 1 where there are none.
//
// It fails when ctx ends, and for an outcome of several clusters without masses or representatives.
// threads ≤ 0 means one per processor; it never changes the result.
func Doubts(ctx context.Context, p Problem, o *Outcome, threads int) (*Certainty, error) {
	n := len(o.Labels)
	c := &Certainty{Certainty: make([]float32, n), Other: make([]int32, n), out: o}
	if o.Credal != nil {
		return c, c.byMass(ctx, threads)
	}
	if o.Strength != nil {
		for i, label := range o.Labels {
			if label > 0 {
				c.Certainty[i] = float32(o.Strength[i])
			}
		}
		return c, ctx.Err()
	}
	// no row can be in another cluster
	if o.Clusters < 2 || !slices.ContainsFunc(o.Labels, func(label int) bool { return label > 0 }) {
		for i, label := range o.Labels {
			if label > 0 {
				c.Certainty[i] = 1
			}
		}
		return c, ctx.Err()
	}
	if o.Medoids == nil && o.Model != nil && o.Model.Exemplars != nil {
		return c, c.byExemplars(ctx, p, threads)
	}
	x, of, err := representatives(p, o)
	if err != nil {
		return nil, err
	}
	if p.Data.Single() {
		return c, byDistance(ctx, c, p.Data.F32, x.F32, of, threads)
	}
	return c, byDistance(ctx, c, p.Data.F64, x.F64, of, threads)
}

// plainly is the [Certainty] by distances from which on a row is plainly of its cluster: the others
// are a quarter farther away. In many dimensions few are ever twice as far.
const plainly = 0.2

// Sure returns the certainty of each row in the one scale that people are shown, in [0, 1]: below
// ½ it is doubtful, between clusters or like none.
func (c *Certainty) Sure() []float32 {
	sure := make([]float32, len(c.Certainty))
	var outlier []bool
	if c.out.Credal != nil && !c.Fuzzy {
		outlier = c.out.Credal.Outliers()
	}
	for i, v := range c.Certainty {
		switch {
		case c.out.Credal == nil && c.out.Strength == nil:
			sure[i] = min(1, v/plainly)
		case outlier == nil:
			sure[i] = v
		case c.May[i].Len() != 1 || outlier[i]:
			sure[i] = v / 2 // less than any that is plainly of one cluster
		default:
			sure[i] = (1 + v) / 2
		}
	}
	return sure
}

// byExemplars sets the certainty of each row by the nearest of the rows that the model keeps, in
// the dissimilarities of the problem.
func (c *Certainty) byExemplars(ctx context.Context, p Problem, threads int) error {
	e := c.out.Model.Exemplars
	src, _, err := p.Compared()
	if err != nil {
		return err
	}
	return parallel.Blocks(ctx, len(c.out.Labels), 256, threads, func(_, lo, hi int) {
		far := make([]float32, len(e.Which))
		for i := lo; i < hi; i++ {
			label := c.out.Labels[i]
			if label == 0 {
				continue
			}
			src.Row(far, i, e.Which)
			own, other, at := float32(math.Inf(1)), float32(math.Inf(1)), 0
			for j, v := range far {
				switch cluster := e.ClusterOf[j]; {
				case cluster == label && int(e.Which[j]) != i:
					own = min(own, v)
				case cluster != label && (at == 0 || v < other):
					other, at = v, cluster
				}
			}
			c.Other[i] = int32(at)
			switch {
			case at == 0, math.IsInf(float64(own), 1):
				// no other cluster, or the only one kept of its own
				c.Certainty[i] = 1
			case own < other:
				c.Certainty[i] = 1 - own/other
			}
		}
	})
}

// byMass sets the certainty of each object of a credal partition.
func (c *Certainty) byMass(ctx context.Context, threads int) error {
	p := c.out.Credal
	c.rough, c.Fuzzy = p.Rough(), Fuzzy(p)
	c.May = make([]belief.Set, p.Len())
	return parallel.Blocks(ctx, p.Len(), 8192, threads, func(_, lo, hi int) {
		part := make([]float64, p.Clusters)
		for i := lo; i < hi; i++ {
			label := c.out.Labels[i]
			if label == 0 {
				continue
			}
			c.May[i] = c.rough.May(i)
			clear(part)
			for j, m := range p.Row(i) {
				share := m / float64(max(1, p.Focal[j].Len()))
				for k := range p.Focal[j].All() {
					part[k] += share
				}
			}
			own := part[label-1]
			part[label-1] = -1
			other := linalg.ArgMax(part)
			if part[other] > 0 && !c.rough.Weak(i) {
				c.Other[i] = int32(other + 1)
			}
			c.Certainty[i] = float32(min(1, max(0, own-max(0, part[other]))))
		}
	})
}

// Words returns where a row belongs and how surely, in words, as in "group 1 or 3, not 2: 0.71",
// which is the belief that it is in one of them, or "between groups 2 and 5: 1.1 times as far from
// 5".
func (c *Certainty) Words(row int) string {
	label := c.out.Labels[row]
	switch {
	case c.out.LeftOut(row):
		return "left out as bad data"
	case c.rough != nil:
		return c.masses(row)
	case label == 0:
		return "in no group"
	case c.out.Strength != nil:
		return fmt.Sprintf("group %d: %.0f %%", label, 100*c.Certainty[row])
	case c.Other[row] == 0:
		return fmt.Sprintf("group %d, the only one", label)
	}
	other, sure := c.Other[row], float64(c.Certainty[row])
	ratio := math.Round(10/(1-sure)) / 10
	switch {
	case sure == 0:
		return fmt.Sprintf("between groups %d and %d: as near to both", label, other)
	case ratio == 1:
		return fmt.Sprintf("between groups %d and %d: hardly nearer to %d", label, other, label)
	case ratio < 2:
		return fmt.Sprintf("between groups %d and %d: %.1f times as far from %d", label, other,
			ratio, other)
	case ratio < 10:
		return fmt.Sprintf("group %d: %.1f times as far from group %d", label, ratio, other)
	}
	return fmt.Sprintf("group %d: over %d times as far from group %d", label,
		int(min(100, math.Floor(ratio/10)*10)), other)
}

// masses returns in words where the masses of an object are.
func (c *Certainty) masses(row int) string {
	p := c.out.Credal
	may, within := c.May[row], 0.0 // how much is believed to be in may, or in no cluster
	if c.rough.Outlier[row] {
		may = 0
	}
	for j, m := range p.Row(row) {
		if s := p.Focal[j]; s == may || s != 0 && s.Within(may) {
			within += m
		}
	}
	if may == 0 {
		return fmt.Sprintf("like no group: %.0f %%", 100*within)
	}
	const few = 3
	all := belief.Omega(p.Clusters)
	rest := all &^ may
	where := "group " + Either(may)
	switch {
	case rest == 0 && all.Len() > few:
		where = "any group"
	case rest != 0 && rest.Len() <= few && may.Len() > few:
		where = "any group but " + words.List(names(rest), "and")
	case rest != 0 && rest.Len() <= few && may.Len() > 1:
		where += ", not " + Either(rest)
	}
	return fmt.Sprintf("%s: %.0f %%", where, 100*within)
}

// Either lists the clusters of a set, as in "1, 2 or 3".
func Either(s belief.Set) string {
	return words.List(names(s), "or")
}

func names(s belief.Set) []string {
	var names []string
	for _, k := range s.Clusters() {
		names = append(names, fmt.Sprint(k))
	}
	return names
}
