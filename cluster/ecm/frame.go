package ecm

import (
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// frame is the focal sets, and what the objective makes of each: q being a mass to the power β, an
// object at x costs q·cost·(squared distance to the set), where the squared distance is a quadratic
// form in the centres.
type frame struct {
	c       int
	sets    []belief.Set // as a partition has them; the empty set, where it is one, comes first
	noise   int          // 1 where the empty set is focal, else 0: the first set with members
	members [][]int      // clusters of each set, of those with members
	single  []bool       // whether a set with members has one
	size    []float64    // number of clusters
	cost    []float64    // that the squared distance is multiplied by: |A|^α; 1 in CCM

	// The normal equations of the centres: for each k of A the sum of q·diag, for each k, l of A
	// that of q·cross, and on the right side that of q·line·x.
	diag, cross, line []float64
}

// newFrame settles the focal sets for the objective of Masson and Denœux 2008.
func newFrame(cfg Config) (*frame, error) {
	sets := cfg.Focal
	var err error
	switch {
	case sets != nil:
		sets, err = belief.Sort(cfg.Clusters, sets)
	case cfg.Clusters <= pairsUpTo:
		sets, err = belief.Pairs(cfg.Clusters)
	default:
		sets, err = belief.Simple(cfg.Clusters)
	}
	if err != nil {
		return nil, err
	}
	fr := &frame{c: cfg.Clusters, sets: sets}
	var seen belief.Set
	for _, s := range sets {
		if s == 0 {
			fr.noise = 1
			continue
		}
		members := slices.Collect(s.All())
		seen |= s
		size := float64(len(members))
		fr.members, fr.single, fr.size = append(fr.members, members),
			append(fr.single, len(members) == 1), append(fr.size, size)
		cost := elementary.Power(size, cfg.SetPenalty)
		fr.cost = append(fr.cost, cost)
		fr.diag, fr.cross, fr.line = append(fr.diag, 0), append(fr.cross, cost/(size*size)),
			append(fr.line, cost/size)
	}
	if lacking := belief.Omega(cfg.Clusters) &^ seen; lacking != 0 {
		return nil, fault.Inputf("give each cluster a set, such as the cluster alone",
			"cluster %d is in no focal set", lacking.Clusters()[0])
	}
	return fr, nil
}

// partition returns a partition of n objects without masses.
func (fr *frame) partition(n int) *credal.Partition {
	return &credal.Partition{Clusters: fr.c, Focal: fr.sets, Mass: make([]float64, n*len(fr.sets))}
}

// credal turns the costs into those of CCM, γ being the weight of the barycentre.
func (fr *frame) credal(gamma float64) {
	for s, size := range fr.size {
		fr.cost[s] = 1
		if fr.single[s] {
			fr.diag[s], fr.cross[s], fr.line[s] = 0, 1, 1
			continue
		}
		fr.diag[s] = 1 / (size + gamma)
		fr.cross[s] = gamma / ((size + gamma) * (size * size))
		fr.line[s] = (1 + gamma/size) / (size + gamma)
	}
}

// barycentres sets to to the mean of the rows of from, c×d, over the members of each set.
func (fr *frame) barycentres(to, from []float64, d int) {
	for s, members := range fr.members {
		row := to[s*d : (s+1)*d]
		clear(row)
		for _, k := range members {
			linalg.Add(row, from[k*d:(k+1)*d])
		}
		if !fr.single[s] {
			linalg.Divide(row, fr.size[s])
		}
	}
}
