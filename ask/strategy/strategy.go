// Package strategy chooses which pairs of rows to ask about, for any method that learns from links.
//
// All strategies are functions of the data, the configuration and what is known of pairs, and of
// nothing else: an answer taken back, edited, or given to another question than the one asked leads
// where a replay of the answers leads.
//
// The answer "unknown" is ours, as no paper has it. A pair that was answered so is not asked about
// again. Strategies that place one object among neighbourhoods or clusters go on to the next of
// them, and leave an object aside after two such answers about it; the others go on to their next
// pair.
package strategy

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Implier is a strategy that concludes more from answers than follows from them: an object that is
// in none of the neighbourhoods but one is in that one, as the number of clusters is known.
type Implier interface {
	// Implied returns such must-links as things stand. They do not contradict what is known.
	Implied(ctx context.Context, known *ask.Ledger) ([]link.Link, error)
}

// Names of strategies that are chosen elsewhere by name.
const (
	Random             = "random"
	RandomOrder        = "random-order"
	ClosestPairs       = "closest-pairs"
	FarthestFirst      = "farthest-first"
	ExploreConsolidate = "explore-consolidate"
	MinMax             = "minmax"
	NPU                = "npu"
	Nonspecificity     = "nonspecificity"
)

// Strategy describes a strategy.
type Strategy struct {
	Name  string // as in --strategy
	Title string // which pairs it asks about, in one line

	NeedsClusters bool // it must be given the number of clusters
	NeedsMasses   bool // the partitions of Config.Partition must have masses
	Refits        bool // it calls Config.Partition before each question

	start func(cfg Config) (ask.Chooser, error) // cfg is checked
}

// List returns the strategies. A new one is a file with its chooser, and a line here.
func List() []Strategy {
	return []Strategy{
		{Name: Random, Title: "pairs at random, what follows from answers included",
			start: newRandom},
		{Name: RandomOrder, Title: "pairs in random order, but for what follows from answers",
			start: newRandomOrder},
		{Name: ClosestPairs, Title: "the closest pairs first", start: newClosest},
		{Name: FarthestFirst, start: newFarthestFirst,
			Title: "the object that is farthest from all before, among the groups so far"},
		{Name: ExploreConsolidate, Title: "far objects until each group has one, then any object",
			NeedsClusters: true, start: newExploreConsolidate},
		{Name: MinMax, NeedsClusters: true, start: newMinMax,
			Title: "far objects until each group has one, then the object that fits them least"},
		{Name: "density", Title: "peaks of density, among the groups so far", start: newDensity},
		{Name: NPU, Refits: true, start: newNPU,
			Title: "the object that an answer is likely to tell most about, by a forest on " +
				"the groups so far"},
		{Name: Nonspecificity, Title: "the object of which the masses are least certain",
			NeedsMasses: true, Refits: true, start: newUncertain},
	}
}

// Names returns the names of the strategies.
func Names() []string {
	var names []string
	for _, s := range List() {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the strategy of a name. A name that no strategy has is a [*fault.Input].
func Find(name string) (Strategy, error) {
	for _, s := range List() {
		if s.Name == name {
			return s, nil
		}
	}
	return Strategy{}, fault.Inputf("use one of "+strings.Join(Names(), ", "),
		"there is no strategy %q", name)
}

// Partition is a clustering of the rows.
type Partition struct {
	Labels []int             // cluster of each row, from 1; 0 is none
	Credal *credal.Partition // its masses, where the method has them; else nil
}

// Config is what a strategy chooses by.
type Config struct {
	// Data are the rows, n×d, compared by Euclidean distance; a value that is not finite is
	// refused. They are not changed.
	Data dataset.Matrix
	// Dissim are the dissimilarities of rows that are no vectors, or are compared otherwise; nil:
	// those of Data.
	Dissim dissim.Source
	// Clusters is the number of clusters, at least 1 where Strategy.NeedsClusters is set.
	Clusters int
	// Seed chooses the random numbers.
	Seed uint64
	// Threads is the number of goroutines. 0: one per processor. It never changes the result.
	Threads int
	// Partition clusters the rows under links, contradictions among them by the policy of the
	// session. Strategies with Refits call it with the answers so far; nil does for others.
	Partition func(ctx context.Context, links []link.Link) (Partition, error)
}

func (c Config) n() int {
	if c.Dissim != nil {
		return c.Dissim.Len()
	}
	return c.Data.Rows
}

// New returns the strategy of a name, which chooses the questions of one session. Bad settings are
// a [*fault.Input].
func New(name string, cfg Config) (ask.Chooser, error) {
	s, err := Find(name)
	switch {
	case err != nil:
		return nil, err
	case s.NeedsClusters && cfg.Clusters < 1:
		return nil, &fault.Input{Problem: name + " needs the number of clusters",
			Fix: "give it with --clusters, or ask by --strategy farthest-first"}
	case s.Refits && cfg.Partition == nil:
		return nil, fmt.Errorf("strategy: %s needs Config.Partition", name)
	}
	for i := range cfg.Data.Rows * cfg.Data.Cols {
		row, column := i/cfg.Data.Cols, i%cfg.Data.Cols
		if v := cfg.Data.At(row, column); v-v != 0 {
			return nil, dataset.NotFinite(row, column, v)
		}
	}
	return s.start(cfg)
}

// Links returns all that is known, in order: given links, answers, and what the strategy concludes
// from them.
func Links(ctx context.Context, c ask.Chooser, known *ask.Ledger) ([]link.Link, error) {
	facts := known.Facts()
	i, ok := c.(Implier)
	if !ok {
		return facts, nil
	}
	implied, err := i.Implied(ctx, known)
	return append(facts, implied...), err
}

// left is what remains where a question is left, which takes an answer.
func left(likely, most int) (int, int) { return max(1, likely), max(1, likely, most) }
