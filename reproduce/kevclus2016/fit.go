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
	"github.com/kindred-go/kindred/reproduce/frame"
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

// tolerance is ε of section 3.2.
const tolerance = 1e-5

// settings are those of the fits of a piece of work, beside what the methods fix.
type settings struct {
	seed       uint64
	partners   int // of k-EVCLUS; 0: all
	neighbours int // of EK-NNclus
	quantile   float64
	noise      float64 // δ of RECM; 0: that of section 4.1, from the .95 quantile
	carried    bool    // δ is d0 of the EVCLUS fitted before
}

// fit fits by a method and measures it.
func (o objects) fit(ctx context.Context, method string, s *settings) (frame.Values, error) {
	switch method {
	case recm, mecm:
		return o.evidentialMeans(ctx, method, s)
	case eknnclus:
		return o.eknn(ctx, s)
	case sides[0], sides[1]:
		return o.plainly(ctx, s.partners, method == sides[1], s.seed)
	}
	values, r, err := o.evclus(ctx, o.config(method, s.partners, s.seed))
	if err == nil && s.carried {
		s.noise = r.D0
	}
	return values, err
}

// config returns how to fit EVCLUS, or k-EVCLUS with partners: as the paper does, with the empty
// set, singletons and the frame, from random masses; or as we do, from medoids.
func (o objects) config(method string, partners int, seed uint64) evclus.Config {
	cfg := evclus.Config{
		Clusters: o.clusters,
		D0:       evclus.D0{Quantile: o.d0},
		Limits:   fit.Limits{Tolerance: tolerance, MaxIterations: 20_000},
		Start:    evclus.Random,
		Options:  fit.Options{Seed: seed, Threads: 1},
		Partners: partners,
	}
	switch method {
	case gradient:
		cfg.Optimizer = evclus.Gradient
	case ourIRQP, ourEvclus:
		cfg.Start = evclus.Medoids
	}
	return cfg
}

// evclus fits EVCLUS, or k-EVCLUS, and measures it.
func (o objects) evclus(ctx context.Context, cfg evclus.Config) (frame.Values, *evclus.Result,
	error) {
	began := time.Now()
	r, err := evclus.Fit(ctx, o.Source, cfg)
	if err != nil {
		return nil, nil, err
	}
	values := o.judge(began, r.Credal)
	values["stress"] = r.Stress
	values["sweeps"] = float64(r.Iterations)
	return values, r, nil
}

// judge measures a credal partition, and the seconds since a fit began.
func (o objects) judge(began time.Time, p *credal.Partition) frame.Values {
	values := frame.Values{"seconds": time.Since(began).Seconds(),
		"nonspecificity": p.Nonspecificity()}
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
	values["ambiguous"] = float64(ambiguous)
	values["outliers"] = float64(outliers)
	o.compare(values, p.ArgMax(belief.MaxPlausibility))
	return values
}

// compare measures clusters, counted from 1, against the true classes.
func (o objects) compare(values frame.Values, labels []int) {
	values["clusters"] = float64(len(slices.Compact(slices.Sorted(slices.Values(labels)))))
	if o.truth == nil {
		return
	}
	r, err := eval.Compare(labels, frame.FromOne(o.truth))
	if err != nil {
		panic(err) // both have a label an object
	}
	values["ari"] = r.AdjustedRand
	values["wrong"] = math.Round((1 - r.Purity) * float64(len(labels)))
}

// evidentialMeans fits RECM, or MECM, as sections 3.2 and 4.1 set it up, and measures it.
func (o objects) evidentialMeans(ctx context.Context, method string,
	s *settings) (frame.Values, error) {
	focal, err := belief.Simple(o.clusters)
	if err != nil {
		return nil, err
	}
	cfg := ecm.Config{
		Clusters:      o.clusters,
		Focal:         focal,
		SetPenalty:    1,
		Fuzziness:     1.5,
		NoiseDistance: s.noise,
		Limits:        fit.Limits{Starts: 1, Tolerance: tolerance},
		Options:       fit.Options{Seed: s.seed, Threads: 1},
	}
	run := ecm.FitRelational
	if method == mecm {
		cfg.Fuzziness, cfg.NoiseDistance = 0, 0 // its own defaults
		run = ecm.FitMedian
	}
	began := time.Now()
	r, err := run(ctx, o.Source, cfg)
	if err != nil {
		return nil, err
	}
	values := o.judge(began, r.Credal)
	values["sweeps"] = float64(r.Iterations)
	return values, nil
}

// eknn fits EK-NNclus, from 1000 clusters at random, and measures it.
func (o objects) eknn(ctx context.Context, s *settings) (frame.Values, error) {
	began := time.Now()
	r, err := eknn.FitSource(ctx, o.Source, eknn.Config{
		Options: fit.Options{Seed: s.seed, Threads: 1}, Limits: fit.Limits{Starts: 1},
		Neighbours: s.neighbours, Quantile: s.quantile, Initial: 1000,
	})
	if err != nil {
		return nil, err
	}
	labels := frame.FromOne(r.Labels)
	if r.Credal == nil { // more clusters than a frame has
		values := frame.Values{"seconds": time.Since(began).Seconds()}
		o.compare(values, labels)
		return values, nil
	}
	values := o.judge(began, r.Credal)
	o.compare(values, labels)
	values["sweeps"] = float64(r.Iterations)
	return values, nil
}
