//go:build ignore

package method

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// DefaultBudget is how many answers the labels give, where nobody says, to a method that asks by a
// strategy: such a method could go on asking for long.
const DefaultBudget = 100

// Asking are the parameters of sessions.
type Asking struct {
	// Strategy is that of package strategy by which a method without questions of its own asks; "":
	// minmax where the number of clusters is given, else farthest-first.
	Strategy string
	// OracleErrors and OracleUnknowns are the shares of wrong answers, and of "don't know", that
	// labels give; see [ask.Noisy].
	OracleErrors, OracleUnknowns float64
	OracleSeed                   uint64 // of which answers these are
}

// Oracle returns what answers from the true classes.
func (a Asking) Oracle(classes []int32) (ask.Oracle, error) {
	return ask.Noisy(ask.Labels(classes), a.OracleErrors, a.OracleUnknowns, a.OracleSeed)
}

// asks reports whether something is said of questions.
func (a Asking) asks() bool {
	return a.Strategy != "" || a.OracleErrors > 0 || a.OracleUnknowns > 0
}

// askingTakes are the flags of methods that ask by a strategy.
var askingTakes = []string{"strategy", "oracle", "oracle-errors", "oracle-unknowns", "budget"}

// strategic lets a method that learns from links, or from the classes that links tell apart, ask by
// an active strategy: it is fitted under the links and the answers.
func strategic(m Method) Method {
	fit := m
	m.Takes = slices.Concat(m.Takes, askingTakes)
	m.Begin = func(ctx context.Context, p Problem, s Settings) (Session, error) {
		return beginStrategic(ctx, fit, p, s)
	}
	m.Fit = func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
		if !s.AskLabels {
			out, err := fit.Fit(ctx, p, s)
			if out != nil && s.Asking.asks() {
				out.Notes = append(out.Notes, "nobody was asked, so --strategy, --oracle-errors "+
					"and --oracle-unknowns mean nothing: let the labels answer by --oracle labels")
			}
			return out, err
		}
		return fitStrategic(ctx, fit, p, s)
	}
	return m
}

// Strategic reports whether a method asks by a strategy, and not by questions of its own.
func (m Method) Strategic() bool { return slices.Contains(m.Takes, "strategy") }

func fitStrategic(ctx context.Context, m Method, p Problem, s Settings) (*Outcome, error) {
	session, err := beginStrategic(ctx, m, p, s)
	if err != nil {
		return nil, err
	}
	session.strict = true
	out, err := budgeted(ctx, session, p, s)
	if err != nil {
		return nil, err
	}
	out.Notes = append(session.Notes(), out.Notes...)
	return out, nil
}

// strategicSession is a session of a method that asks by a strategy. The method is fitted when
// somebody wants to see what it makes of the answers, and for strategies that do before each
// question.
type strategicSession struct {
	*strategy.Run
	method   Method
	problem  Problem
	settings Settings
	notes    []string
	strict   bool // a fit that the input does not allow is an error in the end

	links []link.Link // that last is of
	last  fitted      // the latest; the zero value: none was made
	bare  fitted      // without answers; the zero value: it was not needed
}

// fitted is what a fit under links gave.
type fitted struct {
	*Outcome
	refused *fault.Input // why the input allows none, so that the outcome is [ungrouped]; else nil
}

var _ ask.Failer = (*strategicSession)(nil)

func beginStrategic(ctx context.Context, m Method, p Problem, s Settings) (*strategicSession,
	error) {
	if m.NeedsClusters && s.Clusters == 0 {
		return nil, needsClusters(m.Name)
	}
	if !m.Links && p.Known != nil {
		return nil, &fault.Input{
			Problem: m.Name + " learns from the classes that are known, and so answers about " +
				"pairs mean nothing to it",
			Fix: "leave out either the known classes or the questions",
		}
	}
	name := s.Asking.Strategy
	out := &strategicSession{method: m, problem: p, settings: s}
	if name == "" {
		if name = strategy.FarthestFirst; s.Clusters > 0 {
			name = strategy.MinMax
		}
		out.notes = append(out.notes,
			fmt.Sprintf("%s is fitted under the answers; questions are chosen by %s, unless "+
				"--strategy says otherwise", m.Name, name))
	}
	if name == strategy.Nonspecificity && !m.Masses {
		return nil, withoutMasses(m.Name)
	}
	out.settings.Evidential.Consume = false // it is fitted more than once
	out.settings.AskLabels, out.settings.Progress = false, nil
	cfg := strategy.Config{Data: p.Data, Clusters: s.Clusters, Seed: s.Seed, Threads: s.Threads,
		Partition: out.partition}
	if !p.vectors() {
		src, _, err := compared(p)
		if err != nil {
			return nil, err
		}
		cfg.Dissim = src
	}
	chooser, err := strategy.New(name, cfg)
	if err != nil {
		return nil, err
	}
	out.Run, err = strategy.Begin(ctx, chooser, p.n(), p.Links, s.Contradictions)
	return out, err
}

// withoutMasses is the fault of nonspecificity for a method that has none.
func withoutMasses(name string) error {
	var have []string
	for _, m := range List() {
		if m.Masses && m.Strategic() {
			have = append(have, m.Name)
		}
	}
	return &fault.Input{
		Problem: fmt.Sprintf(
			"%s tells no doubtful rows from others, which nonspecificity asks about", name),
		Fix: "ask by another --strategy, such as npu, or give a --method with masses: " +
			strings.Join(have, ", "),
	}
}

// remembered returns the outcome under links, and remembers the latest.
func (s *strategicSession) remembered(ctx context.Context, links []link.Link) (fitted, error) {
	if s.last.Outcome != nil && slices.Equal(links, s.links) {
		return s.last, nil
	}
	links = slices.Clone(links)
	out, err := s.fit(ctx, links)
	if err == nil {
		s.links, s.last = links, out
	}
	return out, err
}

func (s *strategicSession) fit(ctx context.Context, links []link.Link) (fitted, error) {
	p := s.problem
	p.Links = links
	out, err := s.method.Fit(ctx, p, s.settings)
	var in *fault.Input
	if errors.As(err, &in) {
		return fitted{ungrouped(s.method.Name, p, in), in}, nil
	}
	return fitted{out, nil}, err
}

// ungrouped is the outcome of answers that a method can do nothing with, or not yet.
func ungrouped(name string, p Problem, why *fault.Input) *Outcome {
	labels := slices.Repeat([]int{1}, p.n())
	return &Outcome{
		Labels: labels, Clusters: 1, Stopped: "nothing was fitted", Unfinished: true,
		Unmet: link.Violated(labels, p.Links),
		Notes: []string{fmt.Sprintf(
			"%s makes no groups of the answers so far (%s): all rows are shown as one", name,
			why.Error())},
	}
}

// partition is what strategies see of a fit. Where answers allow none, such as wrong ones that tell
// more rows apart than there are clusters, that is the fit without answers.
func (s *strategicSession) partition(ctx context.Context, links []link.Link) (strategy.Partition,
	error) {
	out, err := s.remembered(ctx, links)
	if err == nil && out.refused != nil {
		if s.bare.Outcome == nil {
			s.bare, err = s.fit(ctx, s.Given())
		}
		out = s.bare
	}
	if err != nil {
		return strategy.Partition{}, err
	}
	if s.settings.Asking.Strategy == strategy.Nonspecificity && out.refused != nil {
		return strategy.Partition{}, out.refused
	}
	return strategy.Partition{Labels: out.Labels, Credal: out.Credal}, nil
}

func (s *strategicSession) Notes() []string { return s.notes }

// Why calls the rows by name.
func (s *strategicSession) Why(q link.Question, name func(int) string) string {
	return strings.NewReplacer("the first", name(q.A), "the second", name(q.B)).Replace(q.Why)
}

func (s *strategicSession) Queue(most int) []Prompt { return prompts(s.Run.Queue(most)) }

// Guess says 1 or 0 of what links and answers entail. Else, and this is ours, it goes by the latest
// fit, which may lack the latest answers: the mean of belief and plausibility by masses; without
// masses ¾ within a group, ¼ between two.
func (s *strategicSession) Guess(a, b int) (same float64, words string) {
	if same, words, ok := s.Entailed(a, b); ok {
		return same, words
	}
	out := s.last
	switch {
	case out.Outcome == nil || out.refused != nil:
		return 0.5, "nothing is known yet"
	case out.Credal != nil:
		r := out.Credal.Relation(a, b)
		believed, plausible := min(1, r.BelSame()), min(1, r.PlSame())
		return (believed + plausible) / 2,
			fmt.Sprintf("same: plausible %.2f, believed %.2f", plausible, believed)
	case out.Labels[a] == 0 || out.Labels[b] == 0:
		return 0.5, "the groups so far leave one of the two out"
	case out.Labels[a] == out.Labels[b]:
		return 0.75, "the groups so far hold both in one"
	}
	return 0.25, "the groups so far part them"
}

func (s *strategicSession) Outcome() (*Outcome,
	error) {
	return s.OutcomeContext(context.Background())
}

// OutcomeContext fits the method under all that is known.
func (s *strategicSession) OutcomeContext(ctx context.Context) (*Outcome, error) {
	links, err := s.Links(ctx)
	if err != nil {
		return nil, err
	}
	last, err := s.remembered(ctx, links)
	if err != nil {
		return nil, err
	}
	if s.strict && last.refused != nil {
		return nil, last.refused
	}
	out := *last.Outcome // which later calls look at
	out.Labels, out.Notes = slices.Clone(out.Labels), slices.Clone(out.Notes)
	out.Asked, out.Excluded = s.Answers(), s.Excluded()
	out.Queries = len(out.Asked)
	if facts := len(s.Facts()); facts < len(links) {
		implied := links[facts:]
		out.Unmet = slices.DeleteFunc(slices.Clone(out.Unmet),
			func(l link.Link) bool { return slices.Contains(implied, l) })
		out.Notes = append(out.Notes,
			fmt.Sprintf("%s in the last of %d groups, as they are in no other: nobody was asked",
				are(len(implied), "row"), s.settings.Clusters))
	}
	for _, row := range out.Excluded {
		out.Labels[row] = 0
	}
	if out.Model = out.Model.without(out.Excluded); len(out.Excluded) == len(out.Labels) {
		out.Model = nil
	}
	if n := len(out.Excluded); n > 0 {
		out.Notes = append(out.Notes,
			are(n, "row")+" left out as bad data: in no cluster, but in the fit of the others")
	}
	return &out, nil
}
