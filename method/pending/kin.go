//go:build ignore

package method

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/link"
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

// kinSession is a run of kin.
type kinSession struct {
	*kin.Run
	notes []string
}

var (
	_ ask.Settler = (*kinSession)(nil)
	_ ask.Failer  = (*kinSession)(nil)
)

func beginKin(ctx context.Context, p Problem, s Settings) (Session, error) {
	session, err := newKin(ctx, p, s)
	if err != nil {
		return nil, err
	}
	return session, session.Look(ctx)
}

func newKin(ctx context.Context, p Problem, s Settings) (*kinSession, error) {
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
	out := &kinSession{Run: run}
	if s.SuperInstances > p.Data.Rows {
		out.notes = append(out.notes,
			fmt.Sprintf("%d super-instances were asked for and there are %d rows: each row is "+
				"its own", s.SuperInstances, p.Data.Rows))
	}
	return out, nil
}

func (s *kinSession) Why(q link.Question, _ func(int) string) string { return q.Why }

func (s *kinSession) Notes() []string { return s.notes }

func (s *kinSession) Queue(most int) []Prompt { return prompts(s.Run.Queue(most)) }

func (s *kinSession) Outcome() (*Outcome, error) { return s.OutcomeContext(context.Background()) }

func (s *kinSession) OutcomeContext(ctx context.Context) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res, err := s.ResultContext(ctx)
	if err != nil {
		return nil, err
	}
	out := &Outcome{
		Labels: res.Labels, Clusters: res.Clusters, Queries: len(res.Answers), Asked: res.Answers,
		Unmet:   res.Unmet,
		Medoids: res.Medoids, Of: res.Of, Credal: res.Credal, Excluded: s.Excluded(),
		Model:   meansOf(&cobra.SuperInstances{Means: res.Means}, res.ClusterOf),
		Stopped: "nothing is left to ask",
	}
	if !res.Complete {
		out.Stopped = "questions remain"
		if s.Settled() {
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
		out, err := session.OutcomeContext(ctx)
		if err != nil {
			return nil, err
		}
		out.Stopped = "nobody answers: the links alone count"
		out.Notes = append(session.notes, out.Notes...)
		return out, nil
	}
	out, err := budgeted(ctx, session, p, s)
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.notes, out.Notes...)
	return out, nil
}
