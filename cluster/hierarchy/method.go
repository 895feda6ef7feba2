package hierarchy

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{
		{
			Name: "agglomerative",
			Title: "agglomerative clustering: a tree of rows and clusters joined, cut at " +
				"a number of clusters or a height",
			Source: "Lance and Williams 1967; nearest-neighbour chains (Murtagh 1983), " +
				"Müllner 2011",
			Dissimilarity: true,
			Tree:          true,
			Invariant:     method.ToFactor,
			Configure: func(set *param.Set) method.Steps {
				s := &settings{}
				set.Int(&s.clusters, param.Param{Name: "clusters", Short: "k", Basic: true, Min: 1,
					Help: "number of clusters", Auto: "as many as --cut leaves", Example: "3"})
				set.Float(&s.cut, param.Param{Name: "cut", Basic: true, Above: true, Example: "1",
					Help: "height at which the tree is cut, where --clusters is not given",
					Unit: "that of the scaled features or dissimilarities",
					Auto: "none: the number of clusters must be given"})
				param.Enum(set, &s.linkage, Single, param.Param{Name: "linkage", Basic: true,
					Choices: linkages.Words[Single:], Help: "how far apart two clusters are",
					Auto: "ward for rows of features under Euclidean distance, average for " +
						"other dissimilarities"})
				method.ModelRows(set, &s.modelRows, "1000")
				return method.Steps{Fit: s.agglomerative}
			},
		},
		{
			Name: "ccl",
			Title: "CCL: complete linkage under must-links and cannot-links that carry " +
				"over to rows nearby",
			Source:        "Klein, Kamvar and Manning, ICML 2002",
			NeedsClusters: true,
			Dissimilarity: true,
			Tree:          true,
			Links:         true,
			Invariant:     method.ToFactor,
			Configure: func(set *param.Set) method.Steps {
				s := &settings{}
				method.Clusters(set, &s.clusters)
				method.ModelRows(set, &s.modelRows, "1000")
				return method.Steps{Fit: s.ccl}
			},
		},
	}
}

// settings are the parameters of the methods.
type settings struct {
	clusters  int
	cut       float64
	linkage   Linkage
	modelRows int
}

func (s *settings) agglomerative(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if s.clusters == 0 && s.cut == 0 {
		return nil, fault.Inputf(
			"give the number of clusters with --clusters, or a height with --cut",
			"agglomerative clustering needs to know where to cut the tree")
	}
	cfg := Config{Options: p.Options(0), Linkage: s.linkage}
	var tree *dendrogram.Tree
	var err error
	if p.Vectors() {
		tree, err = Fit(ctx, p.Data, cfg)
	} else {
		src, _, wrong := p.Compared()
		if wrong != nil {
			return nil, wrong
		}
		tree, err = FitSource(ctx, src, cfg)
	}
	if err != nil {
		return nil, err
	}
	labels := tree.CutAt(s.cut)
	if s.clusters > 0 {
		if labels, err = tree.Cut(s.clusters); err != nil {
			return nil, err
		}
	}
	out, err := s.outcome(ctx, p, tree, labels)
	if err == nil && s.clusters > 0 && s.cut > 0 {
		out.Notef("the number of clusters is given, so --cut is ignored")
	}
	return out, err
}

func (s *settings) ccl(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if s.clusters == 0 {
		return nil, method.NeedsClusters("CCL")
	}
	src, _, err := p.Compared()
	if err != nil {
		return nil, err
	}
	r, err := FitCCL(ctx, src,
		CCLConfig{Options: p.Options(0), Knowledge: p.Knowledge, Clusters: s.clusters})
	if err != nil {
		return nil, err
	}
	out, err := s.outcome(ctx, p, r.Tree, r.Labels)
	if err != nil {
		return nil, err
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Note(len(r.Clashing), "left out, as each contradicts others", "link")
	if n := len(out.Unmet) - len(r.Clashing); n > 0 {
		out.Notes = append(out.Notes,
			fmt.Sprintf("clusters that differ are joined, as %s are asked for: more of them "+
				"would honour all links", words.Count(s.clusters, "cluster")))
	}
	return out, nil
}

// outcome returns the outcome of a tree that is cut into clusters.
func (s *settings) outcome(ctx context.Context, p method.Problem, tree *dendrogram.Tree,
	labels []int32) (*method.Outcome, error) {
	out := method.ByLabels(labels)
	out.Tree = tree
	out.Notes = append(out.Notes, tree.Linkage+" linkage"+between(tree, out.Clusters))
	var err error
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, 0)
	return out, err
}

// between describes the heights between which a tree has so many clusters.
func between(t *dendrogram.Tree, clusters int) string {
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
