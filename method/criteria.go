package method

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

const (
	// scored is the most rows that silhouettes are of when numbers of clusters are compared.
	scored = 4000

	// refitted is the most rows that are fitted again and again for gaps and stabilities.
	refitted = 2000

	references = 10 // data sets that a gap compares with
	pairs      = 10 // pairs of subsamples that a stability is of
)

// silhouette sets the mean silhouette of an outcome, where it has two clusters with rows. A row in no
// cluster counts as 0, so that nothing is gained by leaving rows out, and a fit that leaves clusters empty has
// none: it is of fewer clusters.
func (s *scan) silhouette(ctx context.Context, out *Outcome, t *Trial) error {
	if EmptyClusters(out.Labels, max(t.Clusters, out.Clusters)) > 0 {
		return nil
	}
	cfg := eval.SilhouetteConfig{Sample: scored, Seed: s.seed, Threads: s.problem.Threads}
	var scores *eval.Silhouettes
	var err error
	if s.problem.Vectors() {
		scores, err = eval.Silhouette(ctx, s.problem.Data, out.Labels, cfg)
	} else {
		var src dissim.Source
		if src, _, err = s.problem.Compared(); err == nil {
			scores, err = eval.SilhouetteAmong(ctx, src, out.Labels, cfg)
		}
	}
	switch {
	case fault.IsInput(err):
	case err != nil:
		return err
	default:
		t.Criteria[bySilhouette] = scores.Mean * float64(scores.Of) / float64(len(out.Labels))
		if scores.Sampled() {
			s.choice.Sample = scores.Objects
		}
	}
	return nil
}

// sample returns the rows that are fitted again and again: all, or as many as refitted.
func (s *scan) sample() Problem {
	n := s.problem.n()
	if n <= refitted {
		return s.problem
	}
	s.choice.Subsample = refitted
	rows := draw.Rising(rand.New(rand.NewPCG(s.seed, 0x73616d706c65)), 0, n-1, refitted)
	return s.problem.subset(rows)
}

// subset returns the problem of some rows, rising, without links and classes.
func (p Problem) subset(rows []int32) Problem {
	some := make([]int, len(rows))
	for i, r := range rows {
		some[i] = int(r)
	}
	q := p
	if p.Data.Rows > 0 {
		q.Data = p.Data.Subset(some)
	}
	if !p.Objects.None() {
		q.Objects = p.Objects.Subset(rows)
	}
	if p.Dissim != nil {
		q.Dissim = dissim.Among(p.Dissim, rows)
	}
	q.Classes, q.Known, q.Links = nil, nil, nil
	return q
}

// gaps sets the gap statistic of each number of clusters (Tibshirani, Walther and Hastie, JRSS B
// 2001): by how much ln W is below its mean over data sets of rows that are uniform in a box along
// the principal axes of the data, W being the sum of squares within clusters.
func (s *scan) gaps(ctx context.Context) error {
	p := s.sample()
	axes, err := principal(ctx, p.Data, p.Threads)
	if err != nil {
		return err
	}
	own := make([]float64, len(s.choice.Tried))
	sum, squares := make([]float64, len(own)), make([]float64, len(own))
	for b := range references + 1 {
		q := p
		if b > 0 {
			rng := rand.New(rand.NewPCG(s.seed, uint64(b)<<32|0x676170))
			if q.Data, err = axes.uniform(ctx, p.Data, p.Unit, rng, p.Threads); err != nil {
				return err
			}
			q.Dissim, q.Objects.Rows = nil, dataset.Matrix{}
			if !p.Objects.None() {
				q.Objects.Rows = q.Data
			}
		}
		for i, t := range s.choice.Tried {
			out, err := s.fit(ctx, t.Clusters, q)
			if fault.IsInput(err) {
				own[i] = math.NaN()
				continue
			}
			if err != nil {
				return err
			}
			w := elementary.Log(within(q.Data, out.Labels))
			if b == 0 {
				own[i] = w
			} else {
				sum[i] += w / references
				squares[i] += float64(w * w)
			}
		}
	}
	for i := range s.choice.Tried {
		t := &s.choice.Tried[i]
		if gap := sum[i] - own[i]; gap-gap == 0 {
			t.Criteria[byGap] = gap
			spread := max(0, squares[i]/references-float64(sum[i]*sum[i]))
			t.Error = math.Sqrt(float64(spread * (1 + 1.0/references)))
		}
	}
	return nil
}

// within returns the sum of the squared distances of rows from the mean of their cluster.
func within(x dataset.Matrix, labels []int) (total float64) {
	most := 0
	for _, l := range labels {
		most = max(most, l)
	}
	d := x.Cols
	means, sizes := make([]float64, (most+1)*d), make([]float64, most+1)
	row := make([]float64, 0, d)
	for i, l := range labels {
		row = x.AppendRow(row[:0], i)
		sizes[l]++
		for j, v := range row {
			means[l*d+j] += v
		}
	}
	for i := range means {
		means[i] /= float64(max(1, sizes[i/d]))
	}
	for i, l := range labels {
		if l > 0 {
			total += linalg.SquaredDistance(x.AppendRow(row[:0], i), means[l*d:(l+1)*d])
		}
	}
	return total
}

// stabilities sets the stability of each number of clusters: the mean adjusted Rand index, on the
// rows that both have, of partitions of two random four fifths of the rows (after Ben-Hur,
// Elisseeff and Guyon, PSB 2002).
func (s *scan) stabilities(ctx context.Context) error {
	p := s.sample()
	n := p.n()
	m := max(2, n*4/5)
	values := make([][]float64, len(s.choice.Tried))
	for b := range pairs {
		rng := rand.New(rand.NewPCG(s.seed, uint64(b)<<32|0x737461626c65))
		var rows [2][]int32
		var some [2]Problem
		for side := range rows {
			rows[side] = draw.Rising(rng, 0, n-1, m)
			some[side] = p.subset(rows[side])
		}
		for i, t := range s.choice.Tried {
			var outs [2]*Outcome
			var err error
			for side := range outs {
				if outs[side], err = s.fit(ctx, t.Clusters, some[side]); err != nil {
					break
				}
			}
			if fault.IsInput(err) {
				continue
			}
			if err != nil {
				return err
			}
			if v, ok := agreement(rows, outs); ok {
				values[i] = append(values[i], v)
			}
		}
	}
	for i, v := range values {
		if len(v) < pairs || s.choice.Tried[i].Clusters < 2 {
			continue
		}
		mean, spread := linalg.Sum(v)/pairs, 0.0
		for _, w := range v {
			spread += float64((w - mean) * (w - mean))
		}
		s.choice.Tried[i].Criteria[byStability] = mean
		s.choice.Tried[i].Error = math.Sqrt(spread / (pairs - 1) / pairs)
	}
	return nil
}

// agreement returns the adjusted Rand index of two outcomes on the rows, rising, that both are of.
func agreement(rows [2][]int32, outs [2]*Outcome) (float64, bool) {
	var labels [2][]int
	for a, b := 0, 0; a < len(rows[0]) && b < len(rows[1]); {
		switch x, y := rows[0][a], rows[1][b]; {
		case x < y:
			a++
		case y < x:
			b++
		default:
			labels[0] = append(labels[0], outs[0].Labels[a])
			labels[1] = append(labels[1], outs[1].Labels[b])
			a, b = a+1, b+1
		}
	}
	r, err := eval.Compare(labels[0], labels[1])
	return r.AdjustedRand, err == nil
}
