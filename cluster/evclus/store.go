package evclus

import (
	"context"

	"github.com/kindred-go/kindred/data/dissim"
)

// store holds the pairs that a fit uses, all or sampled, with their dissimilarities and later, in
// the same place, with their δ.
type store struct {
	n       int
	dense   []float32       // n×n; nil where pairs are sampled
	sampled *dissim.Sampled // nil where all pairs are used
}

// newStore looks the dissimilarities up. partners 0: all pairs.
func newStore(ctx context.Context, src dissim.Source, partners int, cfg Config,
	progress func(float64)) (*store, error) {
	s := &store{n: src.Len()}
	var err error
	if partners > 0 {
		s.sampled, err = dissim.Sample(ctx, src, partners, cfg.Seed, cfg.Threads, progress)
		return s, err
	}
	if have, ok := src.(*dissim.Dense); ok {
		s.dense = have.D
		if !cfg.Consume {
			s.dense = append([]float32(nil), have.D...)
		}
		return s, nil
	}
	m, err := dissim.NewDense(ctx, src, cfg.Threads,
		func(done, total int64) { progress(float64(done) / float64(total)) })
	if err != nil {
		return nil, err
	}
	s.dense = m.D
	return s, nil
}

// pairs counts the pairs in use.
func (s *store) pairs() int64 {
	if s.dense != nil {
		return int64(s.n) * int64(s.n-1) / 2
	}
	return int64(s.n) * int64(s.sampled.K)
}

// runs returns the dissimilarities of the pairs in use in runs, each pair once: right of the
// diagonal, or those of each shift.
func (s *store) runs() [][]float32 {
	var out [][]float32
	if s.sampled != nil {
		for r := range s.sampled.K {
			out = append(out, s.sampled.D[r*s.sampled.Stride:r*s.sampled.Stride+s.n])
		}
		return out
	}
	for i := range s.n {
		out = append(out, s.dense[i*s.n+i+1:(i+1)*s.n])
	}
	return out
}

// conflicts reports whether any δ is above 0.
func (s *store) conflicts() bool {
	for _, run := range s.runs() {
		for _, v := range run {
			if v > 0 {
				return true
			}
		}
	}
	return false
}

// sample returns the dissimilarities of up to about most pairs, evenly spaced among those in use.
func (s *store) sample(most int) []float32 {
	step := max(1, int(s.pairs()/int64(most)))
	var out []float32
	next := 0
	for _, run := range s.runs() {
		for next < len(run) {
			out = append(out, run[next])
			next += step
		}
		next -= len(run)
	}
	return out
}

// transform replaces the dissimilarities by their δ.
func (s *store) transform(ctx context.Context, c *scale, threads int) error {
	if s.sampled != nil {
		return c.applyAll(ctx, s.sampled.D, threads)
	}
	if err := c.applyAll(ctx, s.dense, threads); err != nil {
		return err
	}
	for i := range s.n {
		s.dense[i*s.n+i] = 0
	}
	return nil
}
