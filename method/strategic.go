package method

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/param"
)

// declareStrategy declares by which strategy a method without questions of its own asks.
func (c *Configured) declareStrategy() {
	c.set.Choice(&c.strategy, param.Param{
		Name:    "strategy",
		Help:    "which pairs to ask about",
		Choices: strategy.Names(),
		Auto:    "minmax where the number of clusters is given, else farthest-first",
	})
	if _, ok := c.set.Lookup("clusters"); !ok {
		c.asking = true
		c.set.Int(&c.clusters, param.Param{Name: "clusters", Short: "k", Min: 1, Example: "3",
			Help: "number of clusters, for strategies that need it", Auto: "not known"})
	}
	if _, ok := c.set.Lookup("seed"); !ok {
		c.set.Uint64(&c.seed, param.Param{Name: "seed", Default: "0", Example: "1",
			Help: "seed of strategies that draw at random"})
	}
}

// refits are the fits of a method that asks by a strategy: it is fitted under the links and the
// answers when somebody wants to see what it makes of them, and for strategies that do before each
// question.
type refits struct {
	ask.Chooser // the strategy
	strategy    strategy.Strategy
	method      *Configured
	problem     Problem
	clusters    int
	strict      bool // a fit that the input does not allow is an error in the end

	links []link.Link // that last is of
	last  fitted      // the latest; the zero value: none was made
	bare  fitted      // without answers; the zero value: it was not needed
}

// fitted is the result of a fit under links.
type fitted struct {
	*Outcome
	refused *fault.Input // why the input allows none, so that the outcome is [ungrouped]; else nil
}

var _ ask.Guesser = (*refits)(nil)

// beginStrategic begins to ask by a strategy.
func (c *Configured) beginStrategic(ctx context.Context, p Problem) (*Session, error) {
	clusters, _ := strconv.Atoi(c.Value("clusters"))
	seed, _ := strconv.ParseUint(c.Value("seed"), 10, 64)
	if c.NeedsClusters && clusters == 0 {
		return nil, NeedsClusters(c.Name)
	}
	if !c.Links && p.Known != nil {
		return nil, &fault.Input{
			Problem: c.Name + " learns from the classes that are known, and so answers about " +
				"pairs mean nothing to it",
			Fix: "leave out either the known classes or the questions",
		}
	}
	r := &refits{method: c, problem: p, clusters: clusters}
	r.problem.Consume = false // it is fitted more than once
	r.problem.Progress = nil
	var notes []string
	name := c.strategy
	if name == "" {
		if name = strategy.FarthestFirst; clusters > 0 {
			name = strategy.MinMax
		}
		notes = append(notes,
			fmt.Sprintf("%s is fitted under the answers; questions are chosen by %s, unless "+
				"--strategy says otherwise", c.Name, name))
	}
	var err error
	if r.strategy, err = strategy.Find(name); err != nil {
		return nil, err
	}
	if r.strategy.NeedsMasses && !c.Masses {
		return nil, &fault.Input{
			Problem: c.Name + " has no masses, and " + name + " asks about doubtful masses",
			Fix: "ask by another --strategy, such as npu, or use a method with masses " +
				"(kindred methods)",
		}
	}
	cfg := strategy.Config{Data: p.Data, Clusters: clusters, Seed: seed, Threads: p.Threads,
		Partition: r.partition}
	if !p.Vectors() {
		src, _, err := p.Compared()
		if err != nil {
			return nil, err
		}
		cfg.Dissim = src
	}
	if r.Chooser, err = strategy.New(name, cfg); err != nil {
		return nil, err
	}
	session, err := ask.Begin(ctx, p.n(), p.Links, p.Contradictions, r)
	if err == nil {
		err = session.AskOnly(p.Askable)
	}
	if err != nil {
		return nil, err
	}
	outcome := func(ctx context.Context) (*Outcome, error) { return r.outcome(ctx, session.Ledger) }
	return &Session{Session: session, Outcome: outcome, Notes: notes, refits: r}, nil
}

// remembered returns the outcome under links, and remembers the latest.
func (r *refits) remembered(ctx context.Context, links []link.Link) (fitted, error) {
	if r.last.Outcome != nil && slices.Equal(links, r.links) {
		return r.last, nil
	}
	links = slices.Clone(links)
	out, err := r.fit(ctx, links)
	if err == nil {
		r.links, r.last = links, out
	}
	return out, err
}

func (r *refits) fit(ctx context.Context, links []link.Link) (fitted, error) {
	p := r.problem
	p.Links = links
	out, err := r.method.Steps.Fit(ctx, p)
	if in, ok := errors.AsType[*fault.Input](err); ok {
		return fitted{ungrouped(r.method.Name, p, in), in}, nil
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

// partition is what strategies see of a fit. Where answers allow none, such as wrong ones that keep
// more rows apart than there are clusters, that is the fit without answers.
func (r *refits) partition(ctx context.Context, links []link.Link) (strategy.Partition, error) {
	out, err := r.remembered(ctx, links)
	if err == nil && out.refused != nil {
		if r.bare.Outcome == nil {
			r.bare, err = r.fit(ctx, r.problem.Links)
		}
		out = r.bare
	}
	if err != nil {
		return strategy.Partition{}, err
	}
	if r.strategy.NeedsMasses && out.refused != nil {
		return strategy.Partition{}, out.refused
	}
	return strategy.Partition{Labels: out.Labels, Credal: out.Credal}, nil
}

// Guess goes by the latest fit, which may lack the latest answers, and this is ours: the mean of
// belief and plausibility by masses; without masses ¾ within a group, ¼ between two.
func (r *refits) Guess(_ *ask.Ledger, a, b int) (same float64, words string) {
	out := r.last
	switch {
	case out.Outcome == nil || out.refused != nil:
		return 0.5, "nothing is known yet"
	case out.Credal != nil:
		relation := out.Credal.Relation(a, b)
		return ask.Plausible(relation.BelSame(), relation.PlSame())
	case out.Labels[a] == 0 || out.Labels[b] == 0:
		return 0.5, "the groups so far leave one of the two out"
	case out.Labels[a] == out.Labels[b]:
		return 0.75, "the groups so far hold both in one"
	}
	return 0.25, "the groups so far part them"
}

// outcome fits the method under all that is known.
func (r *refits) outcome(ctx context.Context, known *ask.Ledger) (*Outcome, error) {
	links, err := strategy.Links(ctx, r.Chooser, known)
	if err != nil {
		return nil, err
	}
	last, err := r.remembered(ctx, links)
	if err != nil {
		return nil, err
	}
	if r.strict && last.refused != nil {
		return nil, last.refused
	}
	out := *last.Outcome // which later calls look at
	out.Labels, out.Notes = slices.Clone(out.Labels), slices.Clone(out.Notes)
	out.Asked, out.Excluded = known.Answers(), known.Excluded()
	out.Queries = len(out.Asked)
	if facts := len(known.Facts()); facts < len(links) {
		implied := make(map[link.Link]bool)
		for _, l := range links[facts:] {
			implied[l] = true
		}
		out.Unmet = slices.DeleteFunc(slices.Clone(out.Unmet),
			func(l link.Link) bool { return implied[l] })
		out.Notef("%s in the last of %d groups, as they are in no other: nobody was asked",
			Are(len(implied), "row"), r.clusters)
	}
	out.LeaveOut()
	return &out, nil
}
