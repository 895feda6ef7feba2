//go:build ignore

package method

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/cobras"
)

func cobrasMethods() []Method {
	plain := Method{
		Name:   "cobras",
		Title:  "COBRAS: asks about coarse groups first, and splits them as answers go on",
		Source: "Van Craenendonck, Dumančić, Van Wolputte and Blockeel, IDA 2018",
		Takes: []string{"starts", "max-iterations", "seed", "links", "random-links",
			"labelled-per-class", "labelled-share", "deduce", "contradictions", "oracle",
			"oracle-errors", "oracle-unknowns", "budget"},
		Default: "one group that is split and merged as the answers say, ten k-means starts a " +
			"split, questions as long as groups can be split",
		Fit:   fitCobras,
		Begin: beginCobras,

		NeedsAnswers: true,
		Links:        true,
		Draws:        true,
		Invariant:    ToFactor,
	}
	robust := plain
	robust.Name = "ncobras"
	robust.Title = "noise-robust COBRAS: as COBRAS, for answers that may be wrong"
	robust.Source = "Soenen, Dumančić, Van Craenendonck and Blockeel, 2020"
	robust.Takes = append(append([]string{}, plain.Takes...), "error-rate")
	robust.Default = fmt.Sprintf(
		"as cobras, with one answer in %g wrong; contradictions between answers are kept and "+
			"explained", 1/cobras.DefaultErrorRate)
	robust.Fit = func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
		return fitCobras(ctx, p, s.erring())
	}
	robust.Begin = func(ctx context.Context, p Problem, s Settings) (*Session, error) {
		return beginCobras(ctx, p, s.erring())
	}
	return []Method{plain, robust}
}

// erring are settings of the noise-robust version: plain COBRAS is the one without an error rate.
func (s Settings) erring() Settings {
	if s.Tuning.ErrorRate == 0 {
		s.Tuning.ErrorRate = cobras.DefaultErrorRate
	}
	return s
}

func beginCobras(ctx context.Context, p Problem, s Settings) (*Session, error) {
	run, err := newCobras(ctx, p, s)
	if err != nil {
		return nil, err
	}
	// the first split takes longest, and every session needs it
	return cobrasSession(run), run.Look(ctx)
}

func cobrasSession(run *cobras.Run) *Session {
	return &Session{Session: run.Session,
		Outcome: func(ctx context.Context) (*Outcome, error) { return cobrasSoFar(ctx, run) }}
}

func newCobras(ctx context.Context, p Problem, s Settings) (*cobras.Run, error) {
	cfg := cobras.Config{
		ErrorRate: s.Tuning.ErrorRate, Starts: s.Starts, MaxIterations: s.MaxIterations,
		Seed: s.Seed, Threads: s.Threads,
		Given: p.Links, Contradictions: s.Contradictions,
	}
	if s.Progress != nil {
		cfg.Progress = func(done, most int) { s.Progress(float64(done) / float64(most)) }
	}
	return cobras.New(ctx, p.Data, cfg)
}

// cobrasSoFar returns what the answers so far amount to.
func cobrasSoFar(ctx context.Context, run *cobras.Run) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res, err := run.Result(ctx)
	if err != nil {
		return nil, err
	}
	out := cobrasOutcome(res)
	out.Excluded = run.Excluded()
	if out.Stopped = "no group can be split further"; !res.Complete {
		out.Stopped, out.Unfinished = "questions remain", !res.Merged
		switch {
		case !res.Merged:
			out.Notes = append(out.Notes,
				"the first groups are not compared yet: a few more answers give a first clustering")
		case run.Settled():
			out.Notes = append(out.Notes,
				fmt.Sprintf("The last %d answers changed nothing: more are unlikely to change "+
					"the groups.", cobras.SettledAfter))
		default:
			out.Notes = append(out.Notes, "the clustering is whole; more answers refine it")
		}
	}
	if n := len(out.Excluded); n > 0 {
		out.Notes = append(out.Notes, are(n, "row")+" left out as bad data")
	}
	return out, nil
}

func cobrasOutcome(res *cobras.Result) *Outcome {
	out := &Outcome{
		Labels: res.Labels, Clusters: res.Clusters, Queries: len(res.Answers), Asked: res.Answers,
		Unmet:   res.Unmet,
		Medoids: res.Medoids, Of: res.Of,
		Model: meansOf(&cobra.SuperInstances{Means: res.Means}, res.ClusterOf),
	}
	if res.Undecided > 0 {
		out.Notes = append(out.Notes,
			are(res.Undecided, "pair of clusters",
				"pairs of clusters")+" left undecided, as nobody could compare them")
	}
	if n := len(res.Mistakes); n > 0 {
		var pairs []string
		for _, l := range res.Mistakes[:min(n, mostMistakes)] {
			pairs = append(pairs, fmt.Sprintf("%d and %d (%s)", l.A+1, l.B+1, l.Kind))
		}
		more := ""
		if n > mostMistakes {
			more = ", …"
		}
		out.Notes = append(out.Notes,
			are(n, "answer")+" taken to be wrong, about rows "+strings.Join(pairs, ", ")+more)
	}
	if n := len(res.Unmet); n > 0 {
		out.Notes = append(out.Notes, are(n, "link")+" not met")
	}
	return out
}

// mostMistakes is how many mistakes are named.
const mostMistakes = 10

func fitCobras(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if !s.AskLabels && len(p.Links) == 0 {
		return nil, unanswered("COBRAS")
	}
	run, err := newCobras(ctx, p, s)
	if err != nil {
		return nil, err
	}
	if !s.AskLabels {
		res, err := run.Alone(ctx)
		if err != nil {
			return nil, err
		}
		out := cobrasOutcome(res)
		out.Stopped = "nobody answers: the links alone count"
		return out, nil
	}
	return budgeted(ctx, cobrasSession(run), p, s)
}
