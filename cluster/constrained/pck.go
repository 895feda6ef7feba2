package constrained

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// PCKConfig holds the parameters of [FitPCK].
type PCKConfig struct {
	Config

	// LinkWeight is what a violated link costs, in squared units of the data. 0: the mean squared
	// distance of the rows from their mean (ours), so that the partition does not depend on the
	// units.
	LinkWeight float64
}

// FitPCK partitions the rows of data, which it does not change, under must-links and cannot-links
// by PCK-means (Basu, Banerjee and Mooney, SDM 2004, figure 2). It minimises
//
//	½ Σ ‖x − μ‖² + w · (the violated links, each by its confidence)
//
// Links are as given, each once: one given twice counts twice, and one that follows from others
// costs nothing more (ours). Unknown links mean nothing.
//
// The first start begins at the means of neighbourhoods, the rows that must-links join and those
// that cannot-links keep apart from them: with more of them than clusters by weighted
// farthest-first traversal (Basu, Bilenko and Mooney, KDD 2004, §4.2), which takes the largest and
// then those of greatest size times distance from the ones taken; with fewer the other centres are
// drawn by [kmeans.Draw] (ours). Further starts draw all of them so (ours). In an iteration each
// row goes to its nearest centre, a linked row to the cluster where distance and links cost least,
// given the other rows, one after the other in random order until none moves; rows that must-links
// join move as one, too, where that costs less (ours). Neither this nor the new means ever raise
// the objective. A cluster without rows keeps its centre.
//
// When ctx is done it returns an error that wraps ctx's. Input that cannot be fitted is a
// [*fault.Input], and links that contradict each other are a [*link.Contradiction] where they are
// refused; where they are kept all of them weigh.
func FitPCK(ctx context.Context, data dataset.Matrix, cfg PCKConfig) (*Result, error) {
	if err := checkWeight(cfg.LinkWeight); err != nil {
		return nil, err
	}
	p, err := prepare(ctx, data, cfg.Config)
	if err != nil {
		return nil, err
	}
	l := newLinked(data, cfg.Links, cfg.Clusters)
	groups := l.components(p.set)
	weight := cfg.LinkWeight
	if weight == 0 {
		if weight, err = p.spread(ctx); err != nil {
			return nil, err
		}
	}
	return p.fit(ctx, func(start int, rng *rand.Rand) (*Result, error) {
		centers, err := p.starting(ctx, start, l, groups, rng)
		if err != nil {
			return nil, err
		}
		return p.pck(ctx, start, centers, newField(l, groups), weight, rng)
	})
}

// checkWeight refuses a weight of links that is none.
func checkWeight(w float64) error {
	if !(w >= 0) || w-w != 0 {
		return fault.Inputf("give a number above 0, or 0 for the default",
			"the weight of a link is %g", w)
	}
	return nil
}

// pck is one start.
func (p *problem) pck(ctx context.Context, start int, centers []float64, f *field, weight float64,
	rng *rand.Rand) (*Result, error) {
	for n, given := range f.pairs {
		for c := range p.k {
			f.ends[n*p.k+c] = weight * given.p
			if given.must {
				f.ends[n*p.k+c] /= 2
			}
		}
	}
	return p.lloyd(ctx, start, centers, additions{
		settle: func(labels []int32, centers []float64) error {
			f.distances(f.alone, centers)
			linalg.Divide(f.alone, 2)
			if err := f.settle(ctx, rng); err != nil {
				return err
			}
			f.put(labels, f.now)
			return nil
		},
		cost:  f.penalty,
		scale: .5,
	})
}

// spread returns the mean squared distance of the rows from their mean.
func (t *table) spread(ctx context.Context) (float64, error) {
	labels := make([]int32, t.n)
	whole := *t
	whole.k = 1
	sums, counts, err := whole.sums(ctx, labels)
	if err != nil {
		return 0, err
	}
	mean := make([]float64, t.d)
	whole.update(mean, sums, counts)
	sum, err := whole.distortion(ctx, labels, mean)
	return sum / float64(t.n), err
}
