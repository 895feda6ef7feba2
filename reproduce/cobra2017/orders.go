package cobra2017

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// The columns of table 1; that on pairs of instances is ours.
const (
	inOrder    = "pairs of clusters at random"
	ofRows     = "pairs of instances at random"
	nearFirst  = "closest pairs first"
	superInsts = "super-instances"
)

var orderNames = []string{inOrder, ofRows, nearFirst, superInsts}

// ordered counts the questions of table 1, over all rows in a random order, so that chance breaks
// ties.
func (f fold) ordered(ctx context.Context) ([]outcome, error) {
	order := rand.New(rand.NewPCG(f.derive("order", 0), 0)).Perm(f.x.Rows)
	x, truth := f.x.Subset(order), make([]int32, len(order))
	for i, row := range order {
		truth[i] = f.truth[row]
	}
	asked, err := clusterPairs(ctx, truth,
		rand.New(rand.NewPCG(f.derive("pairs of clusters", 0), 0)))
	if err != nil {
		return nil, err
	}
	out := []outcome{{asked: asked}}
	for _, name := range []string{strategy.RandomOrder, strategy.ClosestPairs} {
		s, err := strategy.New(name,
			strategy.Config{Data: x, Seed: f.derive("questions", 0), Threads: 1})
		if err != nil {
			return nil, err
		}
		run, err := ask.Begin(ctx, x.Rows, nil, link.Refuse, s)
		if err != nil {
			return nil, err
		}
		if err := ask.Drive(ctx, run, ask.Labels(truth), 0, nil); err != nil {
			return nil, err
		}
		out = append(out, outcome{asked: run.Answers()})
	}
	run, err := cobra.New(ctx, x,
		cobra.Config{
			SuperInstances: 25,
			Limits:         fit.Limits{Starts: starts},
			Options:        fit.Options{Seed: f.derive("super-instances", 25), Threads: 1},
		})
	if err != nil {
		return nil, err
	}
	if err := ask.Drive(ctx, run.Session, ask.Labels(truth), 0, nil); err != nil {
		return nil, err
	}
	return append(out, outcome{asked: run.Answers()}), nil
}

// clusterPairs runs Algorithm 1 with each row a cluster at first, and pairs of clusters in random
// order where it has the closest first: each pair of clusters that are not known to differ is as
// likely to be asked about as another, however many rows they have. It returns the answers.
func clusterPairs(ctx context.Context, truth []int32, rng *rand.Rand) (asked []link.Link,
	err error) {
	n := len(truth)
	// a row of each cluster, and which of those differ
	clusters, apart := make([]int, n), make([]bool, n*n)
	for i := range clusters {
		clusters[i] = i
	}
	for open := n * (n - 1) / 2; open > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, j := rng.IntN(len(clusters)), rng.IntN(len(clusters))
		a, b := clusters[i], clusters[j]
		if a == b || apart[a*n+b] {
			continue
		}
		open--
		if truth[a] != truth[b] {
			asked = append(asked, link.Link{A: a, B: b, Kind: link.CannotLink})
			apart[a*n+b], apart[b*n+a] = true, true
			continue
		}
		asked = append(asked, link.Link{A: a, B: b, Kind: link.MustLink})
		clusters[j] = clusters[len(clusters)-1]
		clusters = clusters[:len(clusters)-1]
		for _, c := range clusters {
			if c != a && !(apart[a*n+c] && apart[b*n+c]) {
				open-- // one or two pairs that were open become one, or none
			}
			if apart[a*n+c] || apart[b*n+c] {
				apart[a*n+c], apart[c*n+a] = true, true
			}
		}
	}
	return asked, nil
}
