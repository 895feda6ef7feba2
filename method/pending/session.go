//go:build ignore

package method

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Session is a clustering under way that asks questions. Its state is a function of the problem,
// the settings and the answers alone, so that a session is taken up again by giving its answers to
// another one.
type Session interface {
	ask.Asker
	// Answers returns the effective answers in the order they were given.
	Answers() []link.Link
	// Restore returns it the answers of an earlier session in place of its own, and those that were
	// taken back then, the one to redo first being last. Answers that clash with each other or with
	// given links are a [*link.Contradiction].
	Restore(answers, taken []link.Link) error
	// Tell takes an answer about any pair of rows as if it had been asked now; kind unknown counts,
	// too. A pair told again keeps the last answer, in the place of the first. After it the session
	// is as after Restore of all answers. One that clashes is a [*link.Contradiction] and changes
	// nothing, unless contradictions are kept.
	Tell(l link.Link) error
	// Exclude leaves rows out as bad data, in place of those of earlier calls: they are not asked
	// about and stand for no cluster, and are in cluster 0 of the outcome. Answers about them still
	// count. Rows that are not there are passed over.
	Exclude(rows []int)
	// Look does the work that the next question needs, after which Next, Queue and Remaining are
	// quick. When ctx ends it gives the error of ctx, and the session can be used as before: what
	// looks next takes in all answers.
	Look(ctx context.Context) error
	// Queue returns up to most open questions about different pairs, as things stand: the one of
	// Next first, then those that would come if answers changed nothing. It moves nothing.
	Queue(most int) []Prompt
	// Guess says what is known of a pair so far: how plausible it is that both rows are of one
	// cluster, in [0, 1], and why.
	Guess(a, b int) (same float64, words string)
	// Why says why a question is asked, the two rows called by name.
	Why(q link.Question, name func(row int) string) string
	// Outcome returns what the answers so far amount to.
	Outcome() (*Outcome, error)
	// OutcomeContext is Outcome for as long as ctx lasts. The session can be used as before when
	// that ends.
	OutcomeContext(ctx context.Context) (*Outcome, error)
	// Notes are sentences on what was chosen before the first question.
	Notes() []string
}

// unanswered is the error where nobody answers a method's questions, and no links stand for
// answers.
func unanswered(name string) error {
	return &fault.Input{
		Problem: name + " needs someone to answer its questions",
		Fix: "give --oracle labels with --label, or --links, or answer yourself with kindred " +
			"ask",
	}
}

// budgeted is answered with DefaultBudget answers where no budget is given, and says so when
// questions remain.
func budgeted(ctx context.Context, s Session, p Problem, settings Settings) (*Outcome, error) {
	byDefault := settings.Budget == 0
	if byDefault {
		settings.Budget = DefaultBudget
	}
	out, err := answered(ctx, s, p, settings)
	if err != nil {
		return nil, err
	}
	if _, more := s.Next(); more && byDefault {
		out.Notes = append(out.Notes,
			fmt.Sprintf("%d answers were asked for, as no --budget is given", DefaultBudget))
	}
	return out, nil
}

// answered asks the classes of a problem, and returns what they amount to.
func answered(ctx context.Context, s Session, p Problem, settings Settings) (*Outcome, error) {
	if p.Classes == nil {
		return nil, &fault.Input{Problem: "there is no column of classes to ask",
			Fix: "name it with --label"}
	}
	oracle, err := settings.Asking.Oracle(p.Classes)
	if err != nil {
		return nil, err
	}
	if err := ask.Drive(ctx, s, oracle, settings.Budget, nil); err != nil {
		return nil, err
	}
	return s.Outcome()
}

// cobraSession is a run of COBRA.
type cobraSession struct {
	*cobra.Run
	notes []string
}

func beginCobra(ctx context.Context, p Problem, s Settings) (Session, error) {
	cfg, notes := cobraConfig(p, s)
	run, err := cobra.New(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	return &cobraSession{run, notes}, nil
}

func (s *cobraSession) Why(q link.Question, _ func(int) string) string { return q.Why }

func (s *cobraSession) Notes() []string { return s.notes }

func (s *cobraSession) Outcome() (*Outcome, error) { return cobraOutcome(s.Run), nil }

func (s *cobraSession) OutcomeContext(ctx context.Context) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.Outcome()
}

// evidentialSession is a run of an evidential method.
type evidentialSession struct {
	*evclus.Run
	objects  Objects
	settings Settings
	notes    []string
	told     bool // a person was told the numbers of clusters
}

var (
	_ ask.Settler = (*evidentialSession)(nil)
	_ ask.Failer  = (*evidentialSession)(nil)
)

// manyRows is the number of rows above which all pairs are slow to look at again after each answer.
const manyRows = 20_000

func beginEvidential(ctx context.Context, p Problem, s Settings, cfg evclus.Config) (Session,
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
	out := &evidentialSession{objects: objects, settings: s}
	if n := src.Len(); cfg.Partners == 0 && n > manyRows {
		out.notes = append(out.notes,
			fmt.Sprintf("all pairs of %d rows are compared again after each answer: --method "+
				"kevclus is much quicker", n))
	}
	out.Run, err = evclus.NewRun(ctx, src, cfg)
	return out, err
}

// Why calls the rows by name.
func (s *evidentialSession) Why(q link.Question, name func(int) string) string {
	if g, ok := s.Group(); ok {
		s.told = true
		return g.Why(name(q.A), name(q.B))
	}
	return q.Why
}

func (s *evidentialSession) Notes() []string { return s.notes }

func (s *evidentialSession) Outcome() (*Outcome, error) { return s.outcome(s.Result()) }

func (s *evidentialSession) OutcomeContext(ctx context.Context) (*Outcome, error) {
	return s.outcome(s.ResultContext(ctx))
}

// outcome numbers the clusters by size, and says where those of the questions have other numbers
// now.
func (s *evidentialSession) outcome(r *evclus.Result, err error) (*Outcome, error) {
	if err != nil {
		return nil, err
	}
	asked := s.Answers()
	out, order := evidentialOutcome(r, s.objects, s.Excluded(), evclus.IRQP, s.settings)
	out.Asked, out.Queries, out.Was = asked, len(asked), order
	if len(asked) == 0 {
		return out, nil
	}
	if s.Settled() {
		out.Notes = append(out.Notes,
			fmt.Sprintf("The last %d answers changed nothing: more are unlikely to change the "+
				"groups.", evclus.SettledAfter))
	}
	var moved []string
	for k, was := range order {
		if s.told && k != was {
			moved = append(moved, fmt.Sprintf("%d was %d", k+1, was+1))
		}
	}
	if len(moved) > 0 {
		out.Notes = append(out.Notes,
			"Groups are numbered by size now, other than in the questions: "+strings.Join(moved,
				", ")+".")
	}
	return out, nil
}
