//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// hierarchyMethods join objects into a tree.
func hierarchyMethods() []Method {
	return []Method{
		{
			Name: "agglomerative",
			Title: "agglomerative clustering: a tree of rows and clusters joined, cut at " +
				"a number of clusters or a height",
			Source: "Lance and Williams 1967; nearest-neighbour chains (Murtagh 1983), " +
				"Müllner 2011",
			Takes: slices.Concat([]string{"clusters", "cut", "linkage"}, comparedTakes),
			Default: "Ward's linkage for rows of features under Euclidean distance, " +
				"average linkage for other dissimilarities",
			Dissimilarity: true,
			Tree:          true,
			Invariant:     ToFactor,
			Fit:           fitAgglomerative,
		},
		{
			Name: "ccl",
			Title: "CCL: complete linkage under must-links and cannot-links that carry " +
				"over to rows nearby",
			Source:        "Klein, Kamvar and Manning, ICML 2002",
			Takes:         slices.Concat([]string{"clusters"}, comparedTakes, linkTakes),
			Default:       "links are taken as certain",
			NeedsClusters: true,
			Dissimilarity: true,
			Tree:          true,
			Links:         true,
			Invariant:     ToFactor,
			Fit:           fitCCL,
		},
	}
}

func fitAgglomerative(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 && s.Tuning.Cut == 0 {
		return nil, &fault.Input{Problem: "agglomerative clustering needs to know where to cut the tree", Fix: "give the number of clusters with --clusters, or a height with --cut"}
	}
	linkage, err := hierarchy.ParseLinkage(s.Tuning.Linkage)
	if err != nil {
		return nil, &fault.Input{Problem: err.Error()}
	}
	cfg := hierarchy.Config{Linkage: linkage, Threads: s.Threads, Progress: s.Progress}
	var tree *hierarchy.Tree
	if p.vectors() {
		tree, err = hierarchy.Fit(ctx, p.Data, cfg)
	} else {
		src, _, wrong := compared(p)
		if wrong != nil {
			return nil, wrong
		}
		tree, err = hierarchy.FitSource(ctx, src, cfg)
	}
	if err != nil {
		return nil, err
	}
	labels := []int32(nil)
	if s.Clusters > 0 {
		if labels, err = tree.Cut(s.Clusters); err != nil {
			return nil, err
		}
	} else {
		labels = tree.CutAt(s.Tuning.Cut)
	}
	out, err := treeOutcome(ctx, p, tree, labels, s)
	if err == nil && s.Clusters > 0 && s.Tuning.Cut > 0 {
		out.Notes = append(out.Notes, "the number of clusters is given, so --cut is left aside")
	}
	return out, err
}

// treeOutcome makes the outcome of a tree that is cut into clusters.
func treeOutcome(ctx context.Context, p Problem, tree *hierarchy.Tree, labels []int32,
	s Settings) (*Outcome, error) {
	out := byLabels(labels)
	out.Tree = tree
	out.Notes = append(out.Notes, tree.Linkage.String()+" linkage"+between(tree, out.Clusters))
	var err error
	out.Model, err = exemplars(ctx, p, out, nil, 0, s)
	return out, err
}

// between tells between which heights a tree falls into so many clusters.
func between(t *hierarchy.Tree, clusters int) string {
	at := len(t.Merges) - clusters // the last merge that is made
	switch {
	case len(t.Merges) == 0:
		return ""
	case at < 0:
		return fmt.Sprintf(": nothing is joined below height %s", words.Round(t.Merges[0].Height))
	case at == len(t.Merges)-1:
		return fmt.Sprintf(": all is joined at height %s", words.Round(t.Merges[at].Height))
	}
	return fmt.Sprintf(": the last join is at height %s, the next would be at %s",
		words.Round(t.Merges[at].Height), words.Round(t.Merges[at+1].Height))
}

func fitCCL(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("CCL")
	}
	src, _, err := compared(p)
	if err != nil {
		return nil, err
	}
	fit, err := hierarchy.FitCCL(ctx, src, p.Links,
		hierarchy.CCLConfig{Clusters: s.Clusters, Contradictions: s.Contradictions,
			Threads: s.Threads, Progress: s.Progress})
	if err != nil {
		return nil, err
	}
	out, err := treeOutcome(ctx, p, fit.Tree, fit.Labels, s)
	if err != nil {
		return nil, err
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	if n := len(fit.Clashing); n > 0 {
		out.Notes = append(out.Notes, are(n, "link")+" left out, as each contradicts others")
	}
	if n := len(out.Unmet) - len(fit.Clashing); n > 0 {
		out.Notes = append(out.Notes,
			fmt.Sprintf("clusters that differ are joined, as %s are asked for: more of them "+
				"would honour all links", words.Count(s.Clusters, "cluster")))
	}
	return out, nil
}
