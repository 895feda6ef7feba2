//go:build ignore

package method

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/kin"
)

func kinMethod() Method {
	return Method{
		Name:   "kin",
		Title:  "asks what puts most rows right, and spreads each answer to the rows around",
		Source: "ours; on harmonic functions (Zhu, Ghahramani and Lafferty, ICML 2003)",
		Takes: []string{"super-instances", "error-rate", "starts", "max-iterations", "seed",
			"links", "random-links", "labelled-per-class", "labelled-share", "deduce",
			"contradictions", "oracle", "oracle-errors", "oracle-unknowns", "budget"},
		Default: fmt.Sprintf("%d super-instances, one k-means start, answers that are right, "+
			"questions as long as a super-instance is left", kin.DefaultSuperInstances),
		Fit:   fitKin,
		Begin: beginKin,

		NeedsAnswers: true,
		Masses:       true,
		Links:        true,
		Draws:        true,
		Invariant:    ToFactor,
	}
}

func beginKin(ctx context.Context, p Problem, s Settings) (*Session, error) {
	session, err := newKin(ctx, p, s)
	if err != nil {
		return nil, err
	}
	return session, session.Look(ctx)
}

func newKin(ctx context.Context, p Problem, s Settings) (*Session, error) {
	cfg := kin.Config{
		SuperInstances: s.SuperInstances, ErrorRate: s.Tuning.ErrorRate, Starts: s.Starts,
		MaxIterations: s.MaxIterations, Seed: s.Seed, Threads: s.Threads,
		Given: p.Links, Contradictions: s.Contradictions,
	}
	if s.Progress != nil {
		cfg.Progress = func(done, most int) { s.Progress(float64(done) / float64(most)) }
	}
	run, err := kin.New(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	var notes []string
	if s.SuperInstances > p.Data.Rows {
		notes = append(notes,
			fmt.Sprintf("%d super-instances were asked for and there are %d rows: each row is "+
				"its own", s.SuperInstances, p.Data.Rows))
	}
	outcome := func(ctx context.Context) (*Outcome, error) { return kinOutcome(ctx, run) }
	return &Session{run.Session, outcome, notes}, nil
}

func kinOutcome(ctx context.Context, run *kin.Run) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res, err := run.Result(ctx)
	if err != nil {
		return nil, err
	}
	out := &Outcome{
		Labels: res.Labels, Clusters: res.Clusters, Queries: len(res.Answers), Asked: res.Answers,
		Unmet:   res.Unmet,
		Medoids: res.Medoids, Of: res.Of, Credal: res.Credal, Excluded: run.Excluded(),
		Model:   meansOf(&cobra.SuperInstances{Means: res.Means}, res.ClusterOf),
		Stopped: "nothing is left to ask",
	}
	if !res.Complete {
		out.Stopped = "questions remain"
		if run.Settled() {
			out.Notes = append(out.Notes,
				"more answers are unlikely to change much: none is expected to put more than one "+
					"row in a thousand right")
		} else {
			out.Notes = append(out.Notes, "the clustering is whole; more answers refine it")
		}
	}
	if n := len(out.Excluded); n > 0 {
		out.Notes = append(out.Notes, are(n, "row")+" left out as bad data")
	}
	if res.Aside > 0 {
		out.Notes = append(out.Notes,
			are(res.Aside, "pair of groups",
				"pairs of groups")+" left undecided, as nobody could compare them")
	}
	if n := len(res.Unmet); n > 0 {
		out.Notes = append(out.Notes, are(n, "link")+" not met")
	}
	return out, nil
}

func fitKin(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if !s.AskLabels && len(p.Links) == 0 {
		return nil, unanswered("kin")
	}
	session, err := newKin(ctx, p, s)
	if err != nil {
		return nil, err
	}
	if !s.AskLabels {
		out, err := session.Outcome(ctx)
		if err != nil {
			return nil, err
		}
		out.Stopped = "nobody answers: the links alone count"
		out.Notes = append(session.Notes, out.Notes...)
		return out, nil
	}
	out, err := budgeted(ctx, session, p, s)
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.Notes, out.Notes...)
	return out, nil
}
