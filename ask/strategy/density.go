package strategy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// share of all rows that a row has within the cutoff on average: Rodriguez and Laio advise 1 to
	// 2 %
	densityShare  = 0.02
	densityLeast  = 4   // and at least so many, or a sixth of few rows
	densitySample = 256 // rows from which the cutoff is estimated, at most
)

// peaks puts rows in the order of density peaks (Rodriguez and Laio, Science 344, 2014): the
// density ρ of a row is the number of rows within a cutoff distance, δ is its distance to the
// nearest row of higher density (of the densest row: to the farthest row), and rows come by falling
// γ = ρ·δ. So the centres of clusters come first. Of two rows of one density the earlier counts as
// the denser, and of two of one γ the earlier comes first. A [tour] compares each with the
// neighbourhoods so far.
//
// Ours: the cutoff is estimated from at most 256 rows, spread evenly over the data. All distances
// are computed twice, before the first question.
type peaks struct {
	distances
	all   []int // rows by falling γ; nil: not known yet
	order []int // start, and then the rows of all that may be asked about
	start []int
	out   []bool
}

func newDensity(cfg Config) (ask.Chooser, error) {
	d := distances{cfg: cfg}
	return &tour{distances: d, order: &peaks{distances: d}}, nil
}

func (p *peaks) why() string {
	return "the first is in the midst of rows that are alike, or far from all that are denser"
}

func (p *peaks) begin(start []int, out []bool) {
	if p.order != nil && (!slices.Equal(start, p.start) || !slices.Equal(out, p.out)) {
		p.order = nil
	}
	p.start, p.out = start, out
}

func (p *peaks) at(ctx context.Context, place int) (row int, ok bool, err error) {
	if p.all == nil {
		if p.all, err = p.byGamma(ctx); err != nil {
			return 0, false, err
		}
	}
	if p.order == nil {
		there := slices.Clone(p.out)
		for _, row := range p.start {
			there[row] = true
		}
		p.order = slices.Clone(p.start)
		for _, row := range p.all {
			if !there[row] {
				p.order = append(p.order, row)
			}
		}
	}
	if place >= len(p.order) {
		return 0, false, nil
	}
	return p.order[place], true, nil
}

// byGamma returns the rows by falling γ.
func (p *peaks) byGamma(ctx context.Context) ([]int, error) {
	n := p.cfg.n()
	far := make([]float64, n)
	cutoff, err := p.cutoff(ctx, far)
	if err != nil {
		return nil, err
	}
	rho := make([]int, n)
	if err := p.each(ctx, func(i int, far []float64) {
		for j, d := range far {
			if j != i && d <= cutoff {
				rho[i]++
			}
		}
	}); err != nil {
		return nil, err
	}
	gamma := make([]float64, n)
	if err := p.each(ctx, func(i int, far []float64) {
		least, most := math.Inf(1), 0.0
		for j, d := range far {
			if most = max(most, d); rho[j] > rho[i] || rho[j] == rho[i] && j < i {
				least = min(least, d)
			}
		}
		if math.IsInf(least, 1) {
			least = most
		}
		if gamma[i] = float64(float64(rho[i]) * p.length(least)); math.IsNaN(gamma[i]) {
			gamma[i] = 0
		}
	}); err != nil {
		return nil, err
	}
	return linalg.Order(n, func(a, b int) int { return cmp.Compare(gamma[b], gamma[a]) }), nil
}

// each calls do with every row and its distances to all, several at the same time.
func (p *peaks) each(ctx context.Context, do func(i int, far []float64)) error {
	const block = 64
	n := p.cfg.n()
	return parallel.Blocks(ctx, n, block, p.cfg.Threads, func(_, lo, hi int) {
		own, far := distances{cfg: p.cfg}, make([]float64, n)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			own.to(far, i, nil)
			do(i, far)
		}
	})
}

// cutoff returns the distance, as [distances] has it, up to which rows count for a density; far is
// memory.
func (p *peaks) cutoff(ctx context.Context, far []float64) (float64, error) {
	n := len(far)
	var sample []float64
	for s := range min(n, densitySample) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		i := s * n / min(n, densitySample)
		p.to(far, i, nil)
		sample = append(append(sample, far[:i]...), far[i+1:]...)
	}
	if len(sample) == 0 {
		return 0, nil
	}
	slices.Sort(sample)
	near := max(densityShare*float64(n), min(densityLeast, float64(n)/6))
	return sample[int(near/float64(n-1)*float64(len(sample)))], nil
}

// length returns a distance as the problem has it: the root of what distances has for vectors.
func (p *peaks) length(d float64) float64 {
	if p.cfg.Dissim != nil {
		return d
	}
	return math.Sqrt(d)
}
