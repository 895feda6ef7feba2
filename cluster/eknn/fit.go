package eknn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
)

// FitSource partitions the objects of src by EK-NNclus. A neighbour j at dissimilarity d_ij is
// evidence of mass α_ij = exp(−γ d_ij) that object i is of its cluster (equation 12 of the paper;
// the exponent of d is 1 as in kevclus-2016, and Config.Power another), and weighs v_ij = −log(1 −
// α_ij). From an initial partition objects are looked at one by one, in a new random order each
// sweep, and put into the cluster that their neighbours' weights add up to most for, until a sweep
// changes nothing. An object stays where its cluster is among the best.
//
// The paper adds over the K nearest neighbours of the object. That need not end, as it is no
// descent where j is a neighbour of i and i none of j. So sweeps of the paper's kind come first,
// and then (ours) ones by symmetric weights, w_ij = ½(v_ij + v_ji) with v_ij = 0 where j is no
// neighbour of i: each of their steps lowers the energy −Σ w_ij over pairs of one cluster, which is
// that of a Hopfield network, and they end. By symmetric weights alone more clusters are left over.
// Neighbours nearer than 0.05 of the scale weigh as if at that distance (ours), by which no mass is
// above 0.95 as in the evidential nearest-neighbour rule (Denœux 1995): else rows that are there
// twice or thrice vote for each other alone.
//
// At the end the mass function of each object is that of its K neighbours by Dempster's rule:
// m({k}) ∝ exp(Σ_{j in k} v_ij) − 1, m(Ω) ∝ 1. An object with large m(Ω) is far from its
// neighbours, an outlier.
//
// Time is n² dissimilarities and n·K a sweep; memory 44·n·K bytes, which must be free. Bad input is
// a [*fault.Input]; when ctx is done FitSource returns its error.
func FitSource(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults(n)
	// bytes of a neighbour: its number, dissimilarity and weight, as it is and in both directions
	const each = 44
	if err := memory.Check(each*float64(n)*float64(cfg.Neighbours),
		fmt.Sprintf("%d neighbours of each of %d objects", cfg.Neighbours, n),
		"ask for fewer neighbours (--neighbours)"); err != nil {
		return nil, err
	}
	w, err := neighbours(ctx, src, cfg.Neighbours, cfg.Threads, fit.Share(cfg.Progress))
	if err != nil {
		return nil, err
	}
	scale := quantile(w, cfg.Quantile, cfg.Power)
	if math.IsInf(scale, 1) {
		return nil, fault.Inputf("scale them, to 0..1 say, or give a smaller power",
			"dissimilarities to the power %g overflow", cfg.Power)
	}
	v := make([]int64, len(w.Dist))
	err = parallel.Blocks(ctx, len(w.Dist), 1<<14, cfg.Threads, func(_, lo, hi int) {
		for t, d := range w.Dist[lo:hi] {
			v[lo+t] = weigh(float64(d), scale, cfg.Power)
		}
	})
	if err != nil {
		return nil, err
	}
	g := join(w, v, n)
	var best *Result
	starts := make([]float64, cfg.Starts)
	results := make([]*Result, cfg.Starts)
	err = parallel.Blocks(ctx, cfg.Starts, 1, cfg.Threads, func(start, _, _ int) {
		results[start] = g.run(ctx, cfg, start)
	})
	if err != nil {
		return nil, err
	}
	for start, r := range results {
		starts[start] = r.Objective
		if best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	best.Starts, best.Neighbours, best.Scale = starts, cfg.Neighbours, scale
	best.number()
	if best.Clusters <= belief.MaxClusters {
		best.Credal, err = masses(ctx, best, w, v, cfg.Threads)
	}
	return best, err
}

// one is the weight 1. Weights are whole numbers, whose sums are the same in any order.
const one = 1 << 32

// closest is the least part of the scale that a dissimilarity counts as: a mass of 0.95 at most.
const closest = 0.05

// weigh returns −log(1 − exp(−d^power/scale)) in units of one.
func weigh(d, scale, power float64) int64 {
	if power != 1 {
		d = elementary.Power(d, power)
	}
	t := max(d/scale, closest)
	if t > 40 {
		return 0
	}
	return int64(math.Round(-elementary.Log(1-elementary.Exp(-t)) * one))
}

// graph holds the weights v of the neighbours of each object, and those of the neighbours in either
// direction: object i has from[i] up to from[i+1], and a neighbour in both directions twice.
type graph struct {
	near *nearest.Neighbours
	v    []int64
	from []int
	to   []int32
	w    []int64
}

func join(w *nearest.Neighbours, v []int64, n int) *graph {
	g := &graph{near: w, v: v, from: make([]int, n+1), to: make([]int32, 2*len(v)),
		w: make([]int64, 2*len(v))}
	for t, j := range w.Index {
		g.from[t/w.K+1]++
		g.from[j+1]++
	}
	for i := range n {
		g.from[i+1] += g.from[i]
	}
	next := append([]int(nil), g.from[:n]...)
	put := func(i, j int32, v int64) {
		g.to[next[i]], g.w[next[i]] = j, v
		next[i]++
	}
	for t, j := range w.Index {
		i := int32(t / w.K)
		put(i, j, v[t])
		put(j, i, v[t])
	}
	return g
}

// own returns the neighbours of object i and what each weighs; both returns those in either
// direction.
func (g *graph) own(i int) ([]int32, []int64) {
	lo, hi := i*g.near.K, (i+1)*g.near.K
	return g.near.Index[lo:hi], g.v[lo:hi]
}

func (g *graph) both(i int) ([]int32, []int64) {
	lo, hi := g.from[i], g.from[i+1]
	return g.to[lo:hi], g.w[lo:hi]
}

// energy returns Σ v_ij over neighbours in one cluster, half of it for each direction that they are
// neighbours in: −1 times twice the energy, in units of one.
func (g *graph) energy(labels []int32) int64 {
	var sum int64
	for t, j := range g.near.Index {
		if labels[t/g.near.K] == labels[j] {
			sum += g.v[t]
		}
	}
	return sum
}

// run goes from an initial partition until no label changes.
func (g *graph) run(ctx context.Context, cfg Config, start int) *Result {
	n := len(g.from) - 1
	rng := rand.New(rand.NewPCG(cfg.Seed, uint64(start)))
	r := &Result{Labels: make([]int32, n), Start: start}
	s := &sweeper{graph: g, rng: rng, order: rng.Perm(n), labels: r.Labels,
		votes: make([]int64, cfg.Initial), stale: make([]bool, n)}
	for t, i := range s.order {
		r.Labels[i] = int32(t % cfg.Initial)
	}
	r.Iterations, _ = s.settle(ctx, cfg.MaxIterations, g.own, nil)
	energy := g.energy(r.Labels)
	more, converged := s.settle(ctx, cfg.MaxIterations, g.both, func(gain int64) {
		r.Trace = append(r.Trace, float64(energy)/-2/one)
		energy += gain
	})
	r.Trace = append(r.Trace, float64(energy)/-2/one)
	r.Iterations += more
	if r.Objective = r.Trace[len(r.Trace)-1]; !converged {
		r.Stopped = fit.IterationLimit
	}
	return r
}

// sweeper looks at objects again and again.
type sweeper struct {
	*graph
	rng    *rand.Rand
	order  []int
	labels []int32
	votes  []int64 // of each cluster; 0 between objects
	stale  []bool  // objects that a neighbour of changed its label since they were looked at
}

// settle makes sweeps until one changes no label, and reports whether one did before the limit.
// Voters returns the objects that vote for the cluster of an object, and the weights of their
// votes. After each sweep it calls swept, unless nil, with the growth of the votes for the clusters
// that objects are in.
func (s *sweeper) settle(ctx context.Context, limit int, voters func(i int) ([]int32, []int64),
	swept func(gain int64)) (sweeps int, ended bool) {
	for i := range s.stale {
		s.stale[i] = true
	}
	var met []int32
	for sweeps < limit && !ended {
		s.rng.Shuffle(len(s.order),
			func(a, b int) { s.order[a], s.order[b] = s.order[b], s.order[a] })
		gain := int64(0)
		ended = true
		for t, i := range s.order {
			if t%256 == 0 && ctx.Err() != nil {
				return sweeps, false
			}
			if !s.stale[i] {
				continue
			}
			s.stale[i] = false
			met = met[:0]
			to, w := voters(i)
			for t, j := range to {
				label := s.labels[j]
				if s.votes[label] == 0 {
					met = append(met, label)
				}
				s.votes[label] += w[t]
			}
			now := s.labels[i]
			best := now
			for _, label := range met {
				if s.votes[label] > s.votes[best] {
					best = label
				}
			}
			gain += s.votes[best] - s.votes[now]
			for _, label := range met {
				s.votes[label] = 0
			}
			if best == now {
				continue
			}
			s.labels[i], ended = best, false
			for _, j := range s.to[s.from[i]:s.from[i+1]] {
				s.stale[j] = true
			}
		}
		sweeps++
		if swept != nil {
			swept(gain)
		}
	}
	return sweeps, ended
}

// number numbers the clusters without gaps, in the order of their first objects.
func (r *Result) number() {
	numbers := make(map[int32]int32)
	for i, label := range r.Labels {
		k, ok := numbers[label]
		if !ok {
			k = int32(len(numbers))
			numbers[label] = k
		}
		r.Labels[i] = k
	}
	r.Clusters = len(numbers)
}

// masses makes the mass functions of the objects.
func masses(ctx context.Context, r *Result, w *nearest.Neighbours, v []int64,
	threads int) (*credal.Partition, error) {
	c, n, k := r.Clusters, len(r.Labels), w.K
	focal, err := belief.Simple(c)
	if err != nil {
		return nil, err
	}
	f := len(focal)
	p := &credal.Partition{Clusters: c, Focal: focal, Mass: make([]float64, n*f)}
	err = parallel.Blocks(ctx, n, 1024, threads, func(_, lo, hi int) {
		votes := make([]int64, c)
		for i := lo; i < hi; i++ {
			clear(votes)
			most := int64(0)
			for t := i * k; t < (i+1)*k; t++ {
				label := r.Labels[w.Index[t]]
				votes[label] += v[t]
				most = max(most, votes[label])
			}
			row := p.Row(i)
			rest := elementary.Exp(-float64(most) / one)
			row[f-1] = rest // with one cluster Ω is that cluster
			sum := rest
			for label, vote := range votes {
				if vote == 0 {
					continue
				}
				m := elementary.Exp(float64(vote-most)/one) - rest
				row[1+label] += m
				sum += m
			}
			linalg.Divide(row, sum)
		}
	})
	return p, err
}
