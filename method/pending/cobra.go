//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/internal/words"
)

func cobraMethod() Method {
	return Method{
		Name:   "cobra",
		Title:  "COBRA: asks whether pairs of small groups belong together",
		Source: "Van Craenendonck, Dumančić and Blockeel, IJCAI 2017",
		Takes: []string{"super-instances", "starts", "max-iterations", "seed", "links",
			"random-links", "labelled-per-class", "labelled-share", "deduce", "contradictions",
			"oracle", "oracle-errors", "oracle-unknowns", "budget"},
		Default: fmt.Sprintf(
			"%d super-instances, one k-means start, questions until nothing is left to ask",
			cobra.DefaultSuperInstances),
		Fit:   fitCobra,
		Begin: beginCobra,

		NeedsAnswers: true,
		Links:        true,
		Draws:        true,
		Invariant:    ToFactor,
	}
}

// cobraConfig returns the configuration of package cobra for a problem, and a note where the number
// of super-instances had to be lowered.
func cobraConfig(p Problem, s Settings) (cobra.Config, []string) {
	cfg := cobra.Config{
		SuperInstances: s.SuperInstances, Starts: s.Starts, MaxIterations: s.MaxIterations,
		Seed: s.Seed, Threads: s.Threads, Given: p.Links, Contradictions: s.Contradictions,
	}
	if s.Progress != nil {
		cfg.Progress = func(done, most int) { s.Progress(float64(done) / float64(most)) }
	}
	var notes []string
	if s.SuperInstances > p.Data.Rows {
		notes = append(notes,
			fmt.Sprintf("%d super-instances were asked for and there are %d rows: each row is "+
				"its own", s.SuperInstances, p.Data.Rows))
	}
	return cfg, notes
}

func beginCobra(ctx context.Context, p Problem, s Settings) (*Session, error) {
	cfg, notes := cobraConfig(p, s)
	run, err := cobra.New(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	outcome := func(ctx context.Context) (*Outcome, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return cobraOutcome(run), nil
	}
	return &Session{run.Session, outcome, notes}, nil
}

func fitCobra(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if !s.AskLabels && len(p.Links) == 0 {
		return nil, unanswered("COBRA")
	}
	session, err := beginCobra(ctx, p, s)
	if err != nil {
		return nil, err
	}
	var out *Outcome
	if s.AskLabels {
		out, err = answered(ctx, session, p, s)
	} else {
		out, err = session.Outcome(ctx)
	}
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.Notes, out.Notes...)
	return out, nil
}

// cobraOutcome returns the outcome of a run as it stands.
func cobraOutcome(run *cobra.Run) *Outcome {
	res, si := run.Result(), run.SuperInstances()
	out := &Outcome{
		Labels: res.Labels, Clusters: res.Clusters, Queries: len(res.Answers), Asked: res.Answers,
		Unmet: res.Unmet, Medoids: run.Representatives(), Of: si.Of,
		Stopped:  "every question is answered",
		Excluded: run.Excluded(), Model: meansOf(si, res.ClusterOf),
	}
	if !res.Complete {
		likely, most := run.Remaining()
		out.Stopped, out.Unfinished = "questions remain", true
		out.Notes = append(out.Notes,
			fmt.Sprintf("at least about %d more answers complete the clustering, %d at most",
				likely, most))
	}
	if n := len(out.Excluded); n > 0 {
		out.Notes = append(out.Notes, are(n, "row")+" left out as bad data")
	}
	if res.Undecided > 0 {
		out.Notes = append(out.Notes,
			are(res.Undecided, "pair of clusters",
				"pairs of clusters")+" left undecided, as you were not sure")
	}
	if n := len(res.Unmet); n > 0 {
		out.Notes = append(out.Notes,
			are(n, "link")+" not met: each contradicts others, or parts rows of one "+
				"super-instance; more super-instances may help")
	}
	return out
}

// meansOf returns the model of super-instances whose clusters are known, those that are left out
// altogether aside; nil where that leaves none.
func meansOf(si *cobra.SuperInstances, clusterOf []int) *Model {
	if !slices.Contains(clusterOf, 0) {
		return &Model{Means: si.Means, ClusterOf: clusterOf}
	}
	m := &Model{}
	var kept []int
	for s, c := range clusterOf {
		if c > 0 {
			kept = append(kept, s)
			m.ClusterOf = append(m.ClusterOf, c)
		}
	}
	if kept == nil {
		return nil
	}
	m.Means = si.Means.Subset(kept)
	return m
}

// are writes a number with its noun and verb: "1 link is", "2 links are".
func are(n int, noun ...string) string {
	if n == 1 {
		return number(n, noun...) + " is"
	}
	return number(n, noun...) + " are"
}

// number writes a number with its noun: "1 link", "2 links", or the plural given.
func number(n int, noun ...string) string {
	if n != 1 && len(noun) > 1 {
		return fmt.Sprintf("%d %s", n, noun[1])
	}
	return words.Count(n, noun[0])
}
