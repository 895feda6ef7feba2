package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/belief"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/evclus"
	"github.com/kindred-go/kindred/fault"
)

// DefaultPartners is how many partners kevclus draws for each row when nobody says: 100.
const DefaultPartners = 100

// Evidential are the parameters of the evidential methods. Zero values are as in [evclus.Config], unless said
// otherwise.
type Evidential struct {
	MostClusters int // above Settings.Clusters: try each number up to it, and keep the one of lowest nonspecificity of those that leave no cluster empty
	Partners     int // 0: [DefaultPartners] for kevclus, all pairs for the others
	D0           evclus.D0
	Tail         float64
	Transform    evclus.Transform
	Stress       *evclus.Stress    // nil: Sammon for cevclus, Conflict for the others
	Optimizer    *evclus.Optimizer // nil: Gradient for cevclus, IRQP for the others
	Pairs        int
	Xi           float64
	Constraints  *evclus.Constraints // nil: Penalty for cevclus, Choose for the others

	// Focal gives the focal sets for a number of clusters; nil: all of them for cevclus, ∅, singletons and Ω
	// for the others.
	Focal func(clusters int) ([]belief.Set, error)

	Landmarks int // L > 0: fit L rows drawn at random, and place the others by them; 0: fit all
	ModelRows int // rows that a model keeps to place new ones by; 0: [DefaultModelRows]

	Consume bool // a *dissim.Dense of the problem may be overwritten
}

// ScanStep is what a number of clusters came to.
type ScanStep struct {
	Clusters       int     `json:"clusters"`
	Stress         float64 `json:"stress"`
	Nonspecificity float64 `json:"nonspecificity"`  // N*, in [0, 1]
	Empty          int     `json:"empty,omitempty"` // clusters that are no object's most plausible one
}

// better tells whether a number of clusters suits the data more than another: one that leaves no cluster empty before
// one that does, then the lower nonspecificity. (The nonspecificity of clusters that are there is only diluted by those that are not.)
func (s ScanStep) better(than ScanStep) bool {
	if (s.Empty == 0) != (than.Empty == 0) {
		return s.Empty == 0
	}
	return s.Nonspecificity < than.Nonspecificity
}

// asking are the flags of evidential methods that ask.
var asking = append(slices.Clone(evidentialTakes), "oracle", "budget")

// evidentialTakes are the flags that all evidential methods share.
var evidentialTakes = []string{
	"clusters", "partners", "d0", "tail", "transform", "stress", "optimizer", "focal", "pairs", "tolerance", "max-iterations",
	"xi", "constraints", "starts", "seed", "links", "random-links", "labelled-per-class", "deduce", "contradictions",
	"metric", "dissimilarity", "labels", "text", "series", "band", "edit-cost",
	"landmarks", "model-rows",
}

func evclusMethod() Method {
	return Method{
		Name:          "evclus",
		Title:         "EVCLUS: a credal partition from all dissimilarities, which tells doubtful objects and outliers",
		Source:        "Denœux and Masson 2004; Denœux, Sriboonchitta and Kanjanatarakul, Knowledge-Based Systems 2016",
		NeedsClusters: true,
		Dissimilarity: true,
		Takes:         asking,
		Default:       "all pairs, conflict stress, row programmes (IRQP), the empty set, singletons and the frame as focal sets, d0 at the 0.9 quantile, ξ 1, tail 0.05, tolerance 1e-5",
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			return fitOrAsk(ctx, p, s, evclus.Config{})
		},
		Begin: func(ctx context.Context, p Problem, s Settings) (Session, error) {
			return beginEvidential(ctx, p, s, evclus.Config{})
		},
	}
}

func kevclusMethod() Method {
	return Method{
		Name:          "kevclus",
		Title:         "k-EVCLUS: EVCLUS on random partners of each object, for many of them",
		Source:        "Denœux, Sriboonchitta and Kanjanatarakul, Knowledge-Based Systems 2016",
		NeedsClusters: true,
		Dissimilarity: true,
		Takes:         asking,
		Default:       fmt.Sprintf("%d random partners an object, else as evclus", DefaultPartners),
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			return fitOrAsk(ctx, p, s, evclus.Config{Partners: DefaultPartners})
		},
		Begin: func(ctx context.Context, p Problem, s Settings) (Session, error) {
			return beginEvidential(ctx, p, s, evclus.Config{Partners: DefaultPartners})
		},
	}
}

func cevclusMethod() Method {
	return Method{
		Name:          "cevclus",
		Title:         "CEVCLUS: EVCLUS under must-links and cannot-links, as first published",
		Source:        "Antoine, Quost, Masson and Denœux, Soft Computing 2014",
		NeedsClusters: true,
		Dissimilarity: true,
		Takes:         evidentialTakes,
		Default:       "all pairs, the Sammon stress (Antoine et al. 2014, equation 13), gradient descent, all focal sets, ξ 1",
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			if s.Evidential.Focal == nil {
				s.Evidential.Focal = belief.Full
			}
			return fitEvidential(ctx, p, s, evclus.Config{Stress: evclus.Sammon, Optimizer: evclus.Gradient, Constraints: evclus.Penalty})
		},
	}
}

// Sammon tells whether a method minimises the Sammon stress under these settings: its outcome has no model then.
func (m Method) Sammon(s Settings) bool {
	if s.Evidential.Stress != nil {
		return m.Dissimilarity && *s.Evidential.Stress == evclus.Sammon
	}
	return m.Name == "cevclus"
}

// evidentialConfig puts the settings over what the method is, for Settings.Clusters clusters.
func evidentialConfig(p Problem, s Settings, cfg evclus.Config) (evclus.Config, error) {
	e := s.Evidential
	cfg.Pairs, cfg.D0, cfg.Tail, cfg.Transform, cfg.Xi = e.Pairs, e.D0, e.Tail, e.Transform, e.Xi
	cfg.Clusters, cfg.Links, cfg.Contradictions = s.Clusters, p.Links, s.Contradictions
	cfg.Starts, cfg.Tolerance, cfg.MaxSweeps = s.Starts, s.Tolerance, s.MaxIterations
	cfg.Seed, cfg.Threads, cfg.Consume = s.Seed, s.Threads, e.Consume
	if e.Partners > 0 {
		cfg.Partners = e.Partners
	}
	if e.Stress != nil {
		cfg.Stress = *e.Stress
	}
	if e.Optimizer != nil {
		cfg.Optimizer = *e.Optimizer
	}
	if e.Constraints != nil {
		cfg.Constraints = *e.Constraints
	}
	var err error
	if e.Focal != nil {
		cfg.Focal, err = e.Focal(cfg.Clusters)
	}
	return cfg, err
}

// fitOrAsk fits, or asks the classes and fits under the answers.
func fitOrAsk(ctx context.Context, p Problem, s Settings, cfg evclus.Config) (*Outcome, error) {
	if !s.AskLabels {
		return fitEvidential(ctx, p, s, cfg)
	}
	session, err := beginEvidential(ctx, p, s, cfg)
	if err != nil {
		return nil, err
	}
	out, err := answered(ctx, session, p, s.Budget)
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.Notes(), out.Notes...)
	return out, nil
}

// compared gives the dissimilarities of a problem, and what they are computed from.
func compared(p Problem) (dissim.Source, Objects, error) {
	src, objects := p.Dissim, p.Objects
	if src == nil && objects.None() {
		objects = Objects{Metric: dissim.Euclidean, Rows: p.Data}
	}
	if src != nil {
		return src, objects, nil
	}
	src, err := objects.Source()
	return src, objects, err
}

// clusters refuses to go on without their number.
func (s Settings) clusters() error {
	if s.Clusters > 0 {
		return nil
	}
	return &fault.Input{Problem: "an evidential partition needs the number of clusters", Mend: "give it with --clusters, or a range to choose from, as in 2..8"}
}

// fitEvidential fits once, or once for each number of clusters of a scan. When ctx ends, the best partition so far
// comes with the error.
func fitEvidential(ctx context.Context, p Problem, s Settings, cfg evclus.Config) (*Outcome, error) {
	if err := s.clusters(); err != nil {
		return nil, err
	}
	src, objects, err := compared(p)
	if err != nil {
		return nil, err
	}
	if cfg, err = evidentialConfig(p, s, cfg); err != nil {
		return nil, err
	}
	e := s.Evidential
	vain := cfg.Stress == evclus.Sammon && (e.D0 != evclus.D0{} || e.Tail != 0 || e.Transform != evclus.Exponential)
	last := max(s.Clusters, e.MostClusters)
	tries := last - s.Clusters + 1
	if tries > 1 {
		if err := scannable(src.Len(), last, e); err != nil {
			return nil, err
		}
		cfg.Consume = false
		if _, isDense := src.(*dissim.Dense); cfg.Partners == 0 && s.Evidential.Landmarks == 0 && !isDense {
			if src, err = dissim.NewDense(ctx, src, s.Threads, nil); err != nil { // once for all numbers of clusters
				return nil, err
			}
		}
	}
	var best *evclus.Result
	var chosen ScanStep
	var scan []ScanStep
	for c := s.Clusters; c <= last && err == nil; c++ {
		cfg.Clusters = c
		if c > s.Clusters && e.Focal != nil {
			if cfg.Focal, err = e.Focal(c); err != nil {
				return nil, err
			}
		}
		if s.Progress != nil {
			cfg.Progress = func(q evclus.Progress) { s.Progress((float64(c-s.Clusters) + q.Share) / float64(tries)) }
		}
		var got *evclus.Result
		if s.Evidential.Landmarks > 0 {
			got, err = evclus.FitLandmarks(ctx, src, s.Evidential.Landmarks, cfg)
		} else {
			got, err = evclus.Fit(ctx, src, cfg)
		}
		if got == nil {
			break
		}
		step := ScanStep{c, got.Stress, got.Credal.Nonspecificity(), emptyClusters(got.Credal.Hard(belief.MaxPlausibility), c)}
		scan = append(scan, step)
		if best == nil || step.better(chosen) {
			best, chosen = got, step
		}
	}
	if best == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	out, fault := evidentialOutcome(best, objects, cfg.Optimizer, s)
	if fault != nil {
		return nil, fault
	}
	if vain {
		out.Notes = append(out.Notes, "The Sammon stress takes dissimilarities as they are: d0, the tail and the transform mean nothing to it.")
	}
	if tries > 1 {
		out.Scan = scan
		what := ""
		if slices.ContainsFunc(scan, func(s ScanStep) bool { return s.Empty > 0 }) && chosen.Empty == 0 {
			what = " among those of which none is empty"
		}
		out.Notes = append(out.Notes, fmt.Sprintf("Of %d to %d clusters, %d have the lowest nonspecificity%s, %.4g.", s.Clusters, scan[len(scan)-1].Clusters, chosen.Clusters, what, chosen.Nonspecificity))
	}
	return out, err
}

// scannable refuses numbers of clusters of which the last could not be fitted, before the first is.
func scannable(n, last int, e Evidential) error {
	if last > n {
		return &fault.Input{Problem: fmt.Sprintf("%d clusters cannot be found among %d objects", last, n), Mend: fmt.Sprintf("let the range end at %d or before", n)}
	}
	if last > belief.MaxClusters {
		return &fault.Input{Problem: fmt.Sprintf("%d clusters are too many", last), Mend: fmt.Sprintf("let the range end at %d or before", belief.MaxClusters)}
	}
	if e.Focal == nil {
		return nil
	}
	_, err := e.Focal(last)
	return err
}

// evidentialOutcome gives the outcome of a fit, the largest cluster first.
func evidentialOutcome(r *evclus.Result, o Objects, by evclus.Optimizer, s Settings) (*Outcome, error) {
	order := r.Credal.BySize()
	if err := r.Credal.Relabel(order); err != nil {
		return nil, err
	}
	for i, pair := range r.Pairs {
		var moved belief.Set
		for k, was := range order {
			if pair.Has(was) {
				moved |= belief.Singleton(k)
			}
		}
		r.Pairs[i] = moved
	}
	slices.Sort(r.Pairs)
	out := &Outcome{
		Labels: r.Credal.Hard(belief.MaxPlausibility), Clusters: r.Credal.Clusters, Evidential: r,
		Objective: r.Objective, Iterations: r.Sweeps, Unit: "sweep", Stopped: "converged", Notes: slices.Clone(r.Notes),
	}
	if by == evclus.Gradient {
		out.Unit = "step"
	}
	if !r.Converged {
		out.Stopped = fmt.Sprintf("stopped after %d %s", r.Sweeps, out.Unit)
		if r.Sweeps != 1 {
			out.Stopped += "s"
		}
	}
	if r.Links > 0 {
		out.Constraints = [...]string{evclus.Choose: "", evclus.Anchor: "anchor", evclus.Propagate: "propagate", evclus.Penalty: "penalty"}[r.Used]
	}
	if out.Constraints != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("Links enter by %s; the fit without them violates %d of %d.", out.Constraints, r.Violated, r.Links))
	}
	if l := landmarksOf(r, o, s); l != nil {
		out.Model = &Model{Landmarks: l}
	}
	if empty := emptyClusters(out.Labels, out.Clusters); empty > 0 {
		out.Notes = append(out.Notes, are(empty, "cluster")+" no object's most plausible one: fewer may do")
	}
	return out, nil
}

// emptyClusters counts the clusters, from 1, that no label names.
func emptyClusters(labels []int, clusters int) int {
	size := make([]int, clusters+1)
	for _, l := range labels {
		size[l]++
	}
	empty := 0
	for _, n := range size[1:] {
		if n == 0 {
			empty++
		}
	}
	return empty
}
