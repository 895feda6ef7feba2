//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

// DefaultPartners is how many partners kevclus draws for each row when nobody says: 100.
const DefaultPartners = 100

// Evidential are the parameters of the evidential methods. Zero values are as in [evclus.Config],
// unless said otherwise.
type Evidential struct {
	// above Settings.Clusters: try each number up to it, and keep the one of lowest nonspecificity
	// of those that leave no cluster empty
	MostClusters int
	Partners     int // 0: [DefaultPartners] for kevclus, all pairs for the others
	D0           evclus.D0
	Tail         float64
	Transform    evclus.Transform
	Stress       *evclus.Stress    // nil: Sammon for cevclus, Conflict for the others
	Optimizer    *evclus.Optimizer // nil: Gradient for cevclus, IRQP for the others
	Pairs        int
	Xi           float64
	Constraints  *evclus.Constraints // nil: Penalty for cevclus, Choose for the others

	// Focal returns the focal sets for a number of clusters; nil: all of them for cevclus, ∅,
	// singletons and Ω for the others.
	Focal func(clusters int) ([]belief.Set, error)

	Landmarks int // L > 0: fit L rows drawn at random, and place the others by them; 0: fit all
	ModelRows int // rows that a model keeps to place new ones by; 0: [DefaultModelRows]

	Consume bool // a *dissim.Dense of the problem may be overwritten
}

// asking are the flags of evidential methods that ask.
var asking = append(slices.Clone(evidentialTakes), "oracle", "oracle-errors", "oracle-unknowns",
	"budget")

// evidentialTakes are the flags that all evidential methods share.
var evidentialTakes = []string{
	"clusters", "partners", "d0", "tail", "transform", "stress", "optimizer", "focal", "pairs",
	"tolerance", "max-iterations",
	"xi", "constraints", "starts", "seed", "links", "random-links", "labelled-per-class",
	"labelled-share", "deduce", "contradictions",
	"metric", "dissimilarity", "labels", "text", "series", "band", "edit-cost",
	"landmarks", "model-rows",
}

func evclusMethod() Method {
	return Method{
		Name: "evclus",
		Title: "EVCLUS: a credal partition from all dissimilarities, which tells " +
			"doubtful objects and outliers",
		Source: "Denœux and Masson 2004; Denœux, Sriboonchitta and Kanjanatarakul, " +
			"Knowledge-Based Systems 2016",
		NeedsClusters: true,
		Dissimilarity: true,
		Evidential:    true,
		Masses:        true,
		Links:         true,
		Draws:         true,
		Invariant:     ToFactor,
		Takes:         asking,
		Default: "all pairs, conflict stress, row programmes (IRQP), the empty set, " +
			"singletons and the frame as focal sets, d0 at the 0.9 quantile, ξ 1, tail 0.05, " +
			"tolerance 1e-5",
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			return fitOrAsk(ctx, p, s, evclus.Config{})
		},
		Begin: func(ctx context.Context, p Problem, s Settings) (*Session, error) {
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
		Evidential:    true,
		Masses:        true,
		Links:         true,
		Draws:         true,
		Invariant:     ToFactor,
		Takes:         asking,
		Default:       fmt.Sprintf("%d random partners an object, else as evclus", DefaultPartners),
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			return fitOrAsk(ctx, p, s, evclus.Config{Partners: DefaultPartners})
		},
		Begin: func(ctx context.Context, p Problem, s Settings) (*Session, error) {
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
		Evidential:    true,
		Masses:        true,
		Links:         true,
		Draws:         true,
		Invariant:     ToFactor,
		Takes:         evidentialTakes,
		Default: "all pairs, the Sammon stress (Antoine et al. 2014, equation 13), " +
			"gradient descent, all focal sets, ξ 1",
		Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
			if s.Evidential.Focal == nil {
				s.Evidential.Focal = belief.Full
			}
			return fitEvidential(ctx, p, s,
				evclus.Config{Stress: evclus.Sammon, Optimizer: evclus.Gradient,
					Constraints: evclus.Penalty})
		},
	}
}

// Sammon reports whether a method minimises the Sammon stress under these settings: its outcome has
// no model then.
func (m Method) Sammon(s Settings) bool {
	if s.Evidential.Stress != nil {
		return m.Evidential && *s.Evidential.Stress == evclus.Sammon
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

// manyRows is the number of rows above which all pairs are slow to look at again after each answer.
const manyRows = 20_000

func beginEvidential(ctx context.Context, p Problem, s Settings, cfg evclus.Config) (*Session,
	error) {
	if err := s.clusters(); err != nil {
		return nil, err
	}
	switch e := s.Evidential; {
	case e.MostClusters > s.Clusters:
		return nil, &fault.Input{Problem: "questions are about one number of clusters",
			Fix: "find it first with kindred cluster, and give that one"}
	case e.Landmarks > 0:
		return nil, &fault.Input{Problem: "questions need a fit of all rows",
			Fix: "leave out --landmarks; kevclus with few --partners is quick"}
	}
	src, objects, err := compared(p)
	if err != nil {
		return nil, err
	}
	cfg, err = evidentialConfig(p, s, cfg)
	if err != nil {
		return nil, err
	}
	cfg.Consume = false // questions look at dissimilarities again
	if s.Progress != nil {
		cfg.Progress = func(q evclus.Progress) { s.Progress(q.Share) }
	}
	var notes []string
	if n := src.Len(); cfg.Partners == 0 && n > manyRows {
		notes = append(notes,
			fmt.Sprintf("all pairs of %d rows are compared again after each answer: --method "+
				"kevclus is much quicker", n))
	}
	run, err := evclus.NewRun(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	outcome := func(ctx context.Context) (*Outcome, error) {
		return evidentialSoFar(ctx, run, objects, s)
	}
	return &Session{run.Session, outcome, notes}, nil
}

// evidentialSoFar returns what the answers so far amount to.
func evidentialSoFar(ctx context.Context, run *evclus.Run, o Objects, s Settings) (*Outcome,
	error) {
	r, err := run.Result(ctx)
	if err != nil {
		return nil, err
	}
	asked := run.Answers()
	out, order := evidentialOutcome(r, o, run.Excluded(), evclus.IRQP, s)
	out.Asked, out.Queries, out.Was = asked, len(asked), order
	if len(asked) > 0 && run.Settled() {
		out.Notes = append(out.Notes,
			fmt.Sprintf("The last %d answers changed nothing: more are unlikely to change the "+
				"groups.", evclus.SettledAfter))
	}
	return out, nil
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
	out, err := answered(ctx, session, p, s)
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.Notes, out.Notes...)
	return out, nil
}

// compared returns the dissimilarities of a problem, and what they are computed from.
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

// evidentialOutcome returns the outcome of a fit, the largest cluster first, and the order of
// Renumber. Excluded objects, which rise, are in no cluster and place no others.
func evidentialOutcome(r *evclus.Result, o Objects, excluded []int, by evclus.Optimizer,
	s Settings) (out *Outcome, order []int) {
	order = r.Renumber()
	slices.Sort(r.Pairs)
	out = &Outcome{
		Labels: r.Credal.Hard(belief.MaxPlausibility), Clusters: r.Credal.Clusters,
		Credal: r.Credal, Evidential: r,
		Objective: r.Objective, Iterations: r.Sweeps, Unit: "sweep", Stopped: "converged",
		Notes:    slices.Clone(r.Notes),
		Excluded: excluded,
	}
	for _, i := range excluded {
		out.Labels[i] = 0
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
		out.Constraints = [...]string{evclus.Choose: "", evclus.Anchor: "anchor",
			evclus.Propagate: "propagate", evclus.Penalty: "penalty"}[r.Used]
	}
	if out.Constraints != "" {
		out.Notes = append(out.Notes,
			fmt.Sprintf("Links enter by %s: %s; the fit without them violates %d of %d.",
				out.Constraints, reach[r.Used], r.Violated, r.Links))
	}
	if n := len(excluded); n > 0 {
		out.Notes = append(out.Notes,
			are(n, "row")+" left out as bad data: in no cluster, but in the fit of the others")
	}
	if l := landmarksOf(r, o, excluded, s); l != nil {
		out.Model = &Model{Landmarks: l}
	}
	out.Notes = append(out.Notes, advice(out, s.Evidential)...)
	return out, order
}
