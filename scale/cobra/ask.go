package cobra

import (
	"context"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Groups are what answers make of super-instances.
type Groups struct {
	ClusterOf []int       // cluster of each super-instance, from 1, that of most rows first
	Clusters  int         // how many
	Asked     []link.Link // the answers, in order, between rows of the run
	Unmet     []link.Link // links that do not hold
	Complete  bool        // no question is left
	Likely    int         // at least about so many more answers complete the clustering
	Undecided int         // pairs of clusters that were left aside, as nobody knew
}

// Answer asks about super-instances and answers by the classes of their medoids, as `kindred
// cluster --method cobra --oracle labels` does for all rows (Van Craenendonck, Dumančić and
// Blockeel 2017, Algorithm 1). Budget is how many answers are given at most; 0: no limit. Links are
// known before, between rows as [Table.start] numbers them.
func (t *Table) Answer(ctx context.Context, budget int, known []link.Link,
	policy link.Policy) (*Groups, error) {
	if t.Classes == nil {
		return nil, fault.Inputf("name it with --label", "there is no column of classes to ask")
	}
	run, err := t.start(cobra.Config{
		Knowledge: fit.Knowledge{Links: known, Contradictions: policy}})
	if err != nil {
		return nil, err
	}
	if err := ask.Drive(ctx, run.Session, ask.Labels(t.codes()), budget, nil); err != nil {
		return nil, err
	}
	return groupsOf(run), nil
}

// Join is what links alone make of super-instances: nobody is asked.
func (t *Table) Join(known []link.Link, policy link.Policy) (*Groups, error) {
	run, err := t.start(cobra.Config{
		Knowledge: fit.Knowledge{Links: known, Contradictions: policy}})
	if err != nil {
		return nil, err
	}
	return groupsOf(run), nil
}

func groupsOf(run *cobra.Run) *Groups {
	r := run.Result()
	g := &Groups{ClusterOf: r.ClusterOf, Clusters: r.Clusters, Asked: r.Answers, Unmet: r.Unmet,
		Complete: r.Complete, Undecided: r.Undecided}
	g.Likely, _ = run.Remaining()
	return g
}
