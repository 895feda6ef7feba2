package hierarchy

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// CCLConfig is how to fit by [FitCCL]. Only Clusters must be set.
type CCLConfig struct {
	fit.Options // nothing is drawn: Seed means nothing

	// Links are certain, whatever their confidence, and unknown ones mean nothing. [link.Keep] as
	// Contradictions leaves out those that contradict earlier ones. Known means nothing.
	fit.Knowledge

	// Clusters is the number of clusters k, from 1 to the number of groups that must-links leave.
	Clusters int
}

// CCLResult is a partition of n objects.
type CCLResult struct {
	Labels []int32 // cluster of each object, from 0 by first object

	// Tree is that of complete linkage under the links. Its merges above Bound join clusters that
	// a cannot-link separates.
	Tree     *dendrogram.Tree
	Bound    float64     // the greatest dissimilarity that is not of a cannot-link
	Violated []link.Link // links that the partition breaks, in the order given

	Clashing []*link.Contradiction // links left out, as they contradict earlier ones
}

// FitCCL clusters the objects of src under must-links and cannot-links by constrained complete
// linkage (CCL: Klein, Kamvar and Manning, "From instance-level constraints to space-level
// constraints", ICML 2002). Must-linked objects are at dissimilarity 0; dissimilarities become
// lengths of shortest paths through must-linked objects, exactly (their modified Floyd–Warshall, by
// groups of must-linked objects); objects that are different are farther apart than any others (the
// greatest length plus 1); and complete linkage carries that over to clusters. The tree is cut into
// k clusters.
//
// Must-links always hold. Complete linkage looks one join ahead, so it may run into more than k
// clusters that all differ from each other though k would do; then clusters are joined all the
// same, and Violated has the links that this breaks.
//
// It holds 2·g² bytes for g groups, and 8·g·c for the c that must-links make, and takes g²(1+c)
// steps. It fails with a [*fault.Input] where k clusters are more than there are groups, more than
// k objects are found to be all different from each other (the error names them), or a link names
// an object that does not exist; with a [*link.Contradiction] where those are refused; and with
// ctx's error when that is done.
func FitCCL(ctx context.Context, src dissim.Source, cfg CCLConfig) (*CCLResult, error) {
	n := src.Len()
	if err := (Config{}).check(n); err != nil {
		return nil, err
	}
	if err := fit.CheckClusters("clusters", cfg.Clusters, n); err != nil {
		return nil, err
	}
	set, clashing, err := link.Build(n, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	g := newGroups(set)
	if err := g.feasible(ctx, cfg.Clusters); err != nil {
		return nil, err
	}
	d, err := newCondensed(ctx, src, g.of, cfg.Threads,
		fit.Share(fit.Part(cfg.Progress, 0, fillShare)))
	if err != nil {
		return nil, err
	}
	if err := d.shorten(ctx, g.linked, cfg.Threads); err != nil {
		return nil, err
	}
	bound := d.largest()
	apart := beyond(bound)
	for _, p := range g.apart {
		*d.cell(int(p[0]), int(p[1])) = apart
	}
	joins, order, err := d.joinAll(ctx, Config{Options: cfg.Options, Linkage: Complete})
	if err != nil {
		return nil, err
	}
	tree := newTree(len(g.first), Complete, joins, order)
	of, err := tree.Cut(cfg.Clusters)
	if err != nil {
		return nil, err
	}
	r := &CCLResult{Labels: make([]int32, n), Bound: float64(bound), Tree: g.unfold(tree),
		Clashing: clashing}
	for i, group := range g.of {
		r.Labels[i] = of[group] // groups, too, are numbered by first object
	}
	r.Violated = link.Violated(r.Labels, cfg.Links)
	return r, nil
}

// beyond returns the dissimilarity of objects that are different: one above all others, or what
// float32 has next above them.
func beyond(most float32) float32 {
	if apart := most + 1; apart > most {
		return min(apart, math.MaxFloat32)
	}
	return math.Nextafter32(most, math.MaxFloat32)
}
