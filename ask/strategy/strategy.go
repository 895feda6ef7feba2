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
	"slices"
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

// The strategies.
const (
	Random = "random" // pairs at random, what is entailed included
	// all pairs in random order, but for what is entailed
	RandomOrder = "random-order"
	// all pairs, the closest first, but for what is entailed
	ClosestPairs = "closest-pairs"
	// the object farthest from all before, among the neighbourhoods so far
	FarthestFirst      = "farthest-first"
	ExploreConsolidate = "explore-consolidate" // Basu, Banerjee and Mooney 2004
	MinMax             = "minmax"              // Mallapragada, Jin and Jain 2008
	NPU                = "npu"                 // Xiong, Azimi and Fern 2014
	// the least certain object among those that stand for the clusters
	Nonspecificity = "nonspecificity"
)

// Names lists the strategies.
func Names() []string {
	return []string{Random, RandomOrder, ClosestPairs, FarthestFirst, ExploreConsolidate, MinMax,
		NPU, Nonspecificity}
}

// titles say in a line what each strategy asks about.
var titles = map[string]string{
	Random:             "pairs at random, what follows from answers included",
	RandomOrder:        "pairs in random order, but for what follows from answers",
	ClosestPairs:       "the closest pairs first",
	FarthestFirst:      "the object that is farthest from all before, among the groups so far",
	ExploreConsolidate: "far objects until each group has one, then any object",
	MinMax:             "far objects until each group has one, then the object that fits them least",
	NPU: "the object that an answer is likely to tell most about, by a forest on " +
		"the groups so far",
	Nonspecificity: "the object of which the masses are least certain",
}

// Title says in a line what the strategy of that name asks about; "" where there is none.
func Title(name string) string { return titles[name] }

// Reclusters reports whether a strategy fits the answers before each question ([Config].Partition).
func Reclusters(name string) bool { return name == NPU || name == Nonspecificity }

// NeedsClusters reports whether a strategy must be told the number of clusters.
func NeedsClusters(name string) bool { return name == ExploreConsolidate || name == MinMax }

// Partition is a clustering of the rows.
type Partition struct {
	Labels []int             // cluster of each row, from 1; 0 is none
	Credal *credal.Partition // its masses, where the method has them; else nil
}

// Config says what a strategy may look at.
type Config struct {
	// Data are the rows, n×d, compared by Euclidean distance; a value that is not finite is
	// refused. They are not changed.
	Data dataset.Matrix
	// Dissim are the dissimilarities of rows that are no vectors, or are compared otherwise; nil:
	// those of Data.
	Dissim dissim.Source
	// Clusters is the number of clusters: at least 1 for explore-consolidate and minmax, and not
	// looked at by others.
	Clusters int
	// Seed is that of all that is drawn at random.
	Seed uint64
	// Threads is how many threads a forest grows on; 0: one per processor. It plays no part in what
	// comes out.
	Threads int
	// Partition clusters the rows under links, contradictions among them by the policy of the
	// session: npu and nonspecificity ask what it makes of the answers so far.
	Partition func(ctx context.Context, links []link.Link) (Partition, error)
}

func (c Config) n() int {
	if c.Dissim != nil {
		return c.Dissim.Len()
	}
	return c.Data.Rows
}

// New returns the strategy of that name, which chooses the questions of one session. Bad settings
// are a [*fault.Input].
func New(name string, cfg Config) (ask.Chooser, error) {
	switch {
	case !slices.Contains(Names(), name):
		return nil, &fault.Input{Problem: fmt.Sprintf("there is no strategy %q", name),
			Fix: "use one of " + strings.Join(Names(), ", ")}
	case NeedsClusters(name) && cfg.Clusters < 1:
		return nil, &fault.Input{Problem: name + " needs the number of clusters",
			Fix: "give it with --clusters, or ask by --strategy farthest-first"}
	case Reclusters(name) && cfg.Partition == nil:
		return nil, fmt.Errorf("strategy: %s needs Config.Partition", name)
	case name == NPU && cfg.Data.Rows == 0:
		return nil, &fault.Input{Problem: "npu grows a forest on features, and the rows are no vectors", Fix: "ask by --strategy minmax or farthest-first"}
	}
	for i := range cfg.Data.Rows * cfg.Data.Cols {
		row, column := i/cfg.Data.Cols, i%cfg.Data.Cols
		if v := cfg.Data.At(row, column); v-v != 0 {
			return nil, &fault.Input{
				Row: row + 1, Column: fmt.Sprint(column + 1),
				Problem: fmt.Sprintf("the value %g is not finite", v),
				Fix:     "drop the row or fill in the value",
			}
		}
	}
	switch name {
	case Random:
		return newShuffled(cfg, false), nil
	case RandomOrder:
		return newShuffled(cfg, true), nil
	case ClosestPairs:
		return newClosest(cfg)
	case NPU:
		return newNPU(cfg), nil
	case Nonspecificity:
		return newUncertain(cfg), nil
	}
	return newTour(name, cfg), nil
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
