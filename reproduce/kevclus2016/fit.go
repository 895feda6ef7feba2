package kevclus2016

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/kindred-go/kindred/cluster/ecm"
	"github.com/kindred-go/kindred/cluster/eknn"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
)

// The methods. EVCLUS starts from random masses as in the paper, or from medoids, which is ours.
const (
	gradient  = "gradient"
	irqp      = "IRQP"
	kevclus   = "k-EVCLUS"
	recm      = "RECM"
	mecm      = "MECM"
	eknnclus  = "EK-NNclus"
	ourStart  = ", from medoids"
	ourIRQP   = irqp + ourStart
	ourEvclus = kevclus + ourStart
)

// measures are what runs measure.
var measures = []string{
	"seconds",        // from the objects to the partition, on one thread
	"stress",         // equation 12, or 22
	"ari",            // of the clusters of maximum plausibility against the true classes
	"nonspecificity", // equation 24
	"wrong",          // objects that are not of their cluster's commonest class
	"ambiguous",      // objects of several clusters by interval dominance
	"outliers",       // objects of largest mass on the empty set
	"clusters",       // that have objects
	"sweeps",         // over all objects, or steps of the gradient
	"rises",          // sweeps that raised the stress
	"pairs",          // of clusters that are mutual nearest neighbours
	"similarity",     // equation 25
	"m(∅)", "m(ω1)", "m(ω2)", "m(Ω)",
}

// blank returns values of nothing measured.
func blank() []float64 {
	v := make([]float64, len(measures))
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// put sets a measure among values.
func put(values []float64, measure string, v float64) {
	values[slices.Index(measures, measure)] = v
}

// tolerance is ε of section 3.2.
const tolerance = 1e-5

// simple reports how to fit as the paper does: the empty set, singletons and the frame, from random
// masses, on one thread.
func (o objects) simple(seed uint64) evclus.Config {
	return evclus.Config{
		Clusters: o.clusters,
		D0:       evclus.D0{Quantile: o.d0},
		Limits:   fit.Limits{Tolerance: tolerance, MaxIterations: 20_000},
		Start:    evclus.Random,
		Options:  fit.Options{Seed: seed, Threads: 1},
	}
}

// evclus fits EVCLUS, or k-EVCLUS, and measures it.
func (o objects) evclus(ctx context.Context, cfg evclus.Config) ([]float64, *evclus.Result, error) {
	began := time.Now()
	r, err := evclus.Fit(ctx, o.Source, cfg)
	if err != nil {
		return nil, nil, err
	}
	values := o.judge(began, r.Credal)
	put(values, "stress", r.Stress)
	put(values, "sweeps", float64(r.Iterations))
	return values, r, nil
}

// judge measures a credal partition, and the seconds since a fit began.
func (o objects) judge(began time.Time, p *credal.Partition) []float64 {
	values := blank()
	put(values, "seconds", time.Since(began).Seconds())
	put(values, "nonspecificity", p.Nonspecificity())
	rough := p.Rough()
	ambiguous, outliers := 0, 0
	for i := range p.Len() {
		if rough.Ambiguous(i) {
			ambiguous++
		}
		if rough.Outlier[i] {
			outliers++
		}
	}
	put(values, "ambiguous", float64(ambiguous))
	put(values, "outliers", float64(outliers))
	o.compare(values, p.ArgMax(belief.MaxPlausibility))
	return values
}

// compare measures clusters, counted from 1, against the true classes.
func (o objects) compare(values []float64, labels []int) {
	put(values, "clusters", float64(len(slices.Compact(slices.Sorted(slices.Values(labels))))))
	if o.truth == nil {
		return
	}
	truth := make([]int, len(o.truth))
	for i, t := range o.truth {
		truth[i] = int(t)
	}
	r, err := eval.Compare(labels, truth)
	if err != nil {
		panic(err) // both have a label an object
	}
	put(values, "ari", r.AdjustedRand)
	put(values, "wrong", math.Round((1-r.Purity)*float64(len(labels))))
}

// evidentialMeans reports how sections 3.2 and 4.1 set RECM up. noise is δ; 0: that of section 4.1,
// from the .95 quantile.
func (o objects) evidentialMeans(noise float64, seed uint64) (ecm.Config, error) {
	focal, err := belief.Simple(o.clusters)
	return ecm.Config{
		Clusters:      o.clusters,
		Focal:         focal,
		SetPenalty:    1,
		Fuzziness:     1.5,
		NoiseDistance: noise,
		Limits:        fit.Limits{Starts: 1, Tolerance: tolerance},
		Options:       fit.Options{Seed: seed, Threads: 1},
	}, err
}

// recm fits RECM and measures it.
func (o objects) recm(ctx context.Context, noise float64, seed uint64) ([]float64, error) {
	cfg, err := o.evidentialMeans(noise, seed)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	r, err := ecm.FitRelational(ctx, o.Source, cfg)
	if err != nil {
		return nil, err
	}
	values := o.judge(began, r.Credal)
	put(values, "sweeps", float64(r.Iterations))
	return values, nil
}

// mecm fits MECM and measures it.
func (o objects) mecm(ctx context.Context, seed uint64) ([]float64, error) {
	cfg, err := o.evidentialMeans(0, seed)
	if err != nil {
		return nil, err
	}
	cfg.Fuzziness = 0 // its own default
	began := time.Now()
	r, err := ecm.FitMedian(ctx, o.Source, cfg)
	if err != nil {
		return nil, err
	}
	values := o.judge(began, r.Credal)
	put(values, "sweeps", float64(r.Iterations))
	return values, nil
}

// eknn fits EK-NNclus, from 1000 clusters at random, and measures it.
func (o objects) eknn(ctx context.Context, neighbours int, quantile float64,
	seed uint64) ([]float64, error) {
	began := time.Now()
	r, err := eknn.FitSource(ctx, o.Source, eknn.Config{
		Options: fit.Options{Seed: seed, Threads: 1}, Limits: fit.Limits{Starts: 1},
		Neighbours: neighbours, Quantile: quantile, Initial: 1000,
	})
	if err != nil {
		return nil, err
	}
	labels := make([]int, len(r.Labels))
	for i, l := range r.Labels {
		labels[i] = int(l) + 1
	}
	if r.Credal == nil { // more clusters than a frame has
		values := blank()
		put(values, "seconds", time.Since(began).Seconds())
		o.compare(values, labels)
		return values, nil
	}
	values := o.judge(began, r.Credal)
	o.compare(values, labels)
	put(values, "sweeps", float64(r.Iterations))
	return values, nil
}
