package density

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Selection is how HDBSCAN* chooses clusters from the condensed tree.
type Selection int

const (
	// EOM chooses the clusters of the greatest excess of mass, of which none lies within another
	// (Campello, Moulavi and Sander 2013, section 4).
	EOM Selection = iota
	// Leaf chooses the clusters that no others lie within.
	Leaf
)

var selections = words.Enum[Selection]{Type: "Selection", Words: []string{"eom", "leaf"}}

// String returns eom or leaf.
func (s Selection) String() string { return selections.Name(s) }

// HDBSCANConfig is what a cluster is to [FitHDBSCAN]. The zero value works.
type HDBSCANConfig struct {
	fit.Options // nothing is drawn: Seed means nothing

	// Links and known classes choose the clusters: those that most ends of links hold in, and among
	// choices that keep as many the most stable one. Leaf takes no account of them. Contradictions
	// is checked as everywhere; nothing is left out.
	fit.Knowledge

	// MinClusterSize is the least number of objects of a cluster, from 2; 0: 5.
	MinClusterSize int

	// MinPoints is the number of objects, itself among them, within the core distance of an object
	// (min_samples of scikit-learn; that of the hdbscan package is one less); 0: MinClusterSize, or
	// all objects where there are fewer.
	MinPoints int

	Selection Selection

	// SelectionEps is a distance: clusters that are parted by no more are one (Malzer and Baum
	// 2020). 0: none are joined.
	SelectionEps float64

	// Single lets all objects be one cluster, if there are MinClusterSize of them. Those that fall off
	// it before its last parts do, or at densities below 1/SelectionEps where that is given, are
	// noise, as scikit-learn has it.
	Single bool
}

// DefaultMinClusterSize is the least number of objects of a cluster where none is given.
const DefaultMinClusterSize = 5

func (c HDBSCANConfig) check() error {
	switch {
	case c.MinClusterSize < 0 || c.MinClusterSize == 1:
		return fault.Inputf("give at least 2, or leave it out",
			"a cluster of at least %d objects is none", c.MinClusterSize)
	case c.MinPoints < 0:
		return fault.Inputf("give MinPoints of at least 1, or leave it out",
			"%d objects cannot make a neighbourhood dense", c.MinPoints)
	case c.Selection < EOM || c.Selection > Leaf:
		return fault.Inputf("", "unknown way to choose clusters, %d", c.Selection)
	case c.SelectionEps < 0 || c.SelectionEps-c.SelectionEps != 0:
		return fault.Inputf("give a distance, or leave it out", "a distance of %g is none",
			c.SelectionEps)
	}
	return nil
}

// HDBSCANResult is a partition by HDBSCAN*.
type HDBSCANResult struct {
	Labels   []int32 // cluster of each object, from 0 in the order of their first objects; [Noise]
	Clusters int

	// Strength is how long each object stays in its cluster, from 0 to 1: 1/distance at which it
	// leaves it as a share of the greatest of the cluster's own objects; 0 for noise.
	Strength []float64

	// Outlier is GLOSH of each object, from 0 to 1: 1 less the density at which it leaves as a share
	// of the greatest around it (Campello, Moulavi, Zimek and Sander 2015).
	Outlier []float64

	Tree   *CondensedTree
	Chosen []int // the clusters of Tree that were chosen, by label

	MinPoints, MinClusterSize int // used

	inner []float64 // distance of each object to the nearest but MinPoints−2, itself the first
}

// CondensedTree is the hierarchy of reachability, condensed. Objects at distance 0 are taken to be
// half the least other distance apart.
type CondensedTree struct{ dendrogram.Condensed }

// FitHDBSCAN clusters by HDBSCAN* (Campello, Moulavi and Sander 2013): the hierarchy of all DBSCAN
// clusters over all radii, condensed, and the most lasting clusters of it. Objects that join at one
// reachability do so by their distances, the nearest first.
//
// It holds about 250 bytes an object, and of vectors 9 a value, from 12 columns on also 8·MinPoints an
// object. Bad data or settings, and too little memory, are a [*fault.Input]; else it fails with ctx's
// error alone.
func FitHDBSCAN(ctx context.Context, o Objects, cfg HDBSCANConfig) (*HDBSCANResult, error) {
	h, err := newHierarchy(ctx, o, cfg)
	if err != nil {
		return nil, err
	}
	return h.result(cfg.Knowledge), nil
}

// hierarchy is what HDBSCAN* finds before it chooses clusters.
type hierarchy struct {
	cfg   HDBSCANConfig // with its defaults
	tree  *CondensedTree
	inner []float64 // see HDBSCANResult
}

func newHierarchy(ctx context.Context, o Objects, cfg HDBSCANConfig) (*hierarchy, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if _, _, err := link.Build(o.Len(), cfg.Links, cfg.Contradictions); err != nil {
		return nil, err
	}
	if cfg.Known != nil && len(cfg.Known) != o.Len() {
		return nil, fault.Inputf("give one for each row", "there are %s and %s",
			words.Count(len(cfg.Known), "class"), words.Count(o.Len(), "row"))
	}
	if err := cfg.checkMemory(o); err != nil {
		return nil, err
	}
	s, err := o.space(ctx, cfg.Threads)
	if err != nil {
		return nil, err
	}
	n := s.size()
	cfg.MinClusterSize = cmp.Or(cfg.MinClusterSize, DefaultMinClusterSize)
	cfg.MinPoints = cmp.Or(cfg.MinPoints, min(cfg.MinClusterSize, n))
	if cfg.MinPoints > n {
		return nil, fault.Inputf("lower --min-points",
			"there are %s, and %d make a neighbourhood dense", words.Count(n, "row"), cfg.MinPoints)
	}
	progress := Config{Options: cfg.Options}.progress
	progress(0.1)
	inner := make([]float64, n)
	core, err := s.core(ctx, cfg.MinPoints, nil, inner)
	if err != nil {
		return nil, err
	}
	progress(0.4)
	merges, err := newMergeTree(ctx, s, core)
	if err != nil {
		return nil, err
	}
	progress(0.9)
	h := &hierarchy{cfg: cfg, tree: condense(merges, s.radius, cfg.MinClusterSize),
		inner: make([]float64, n)}
	cluster, lambda := make([]int32, n), make([]float64, n)
	for at, row := range s.rows() {
		cluster[row], lambda[row] = h.tree.Cluster[at], h.tree.Lambda[at]
		h.inner[row] = s.radius(inner[at])
	}
	h.tree.Cluster, h.tree.Lambda = cluster, lambda
	progress(1)
	return h, nil
}

// checkMemory refuses a fit that needs more memory than there is.
func (c HDBSCANConfig) checkMemory(o Objects) error {
	return memory.Check(c.bytesEach(o)*float64(o.Len()),
		"the hierarchy of "+words.Count(o.Len(), "row"), "give fewer rows, or fewer columns")
}

// bytesEach returns about how much memory a fit takes for each object.
func (c HDBSCANConfig) bytesEach(o Objects) float64 {
	each := 250.0 // edges, the hierarchy and what is found of it
	columns := float64(o.vectors().Cols)
	wide := o.vectors().Cols >= wideColumns
	if o.Source == nil {
		each += 9 * columns // the tree with its boxes
	}
	switch {
	case !wide || o.Source != nil:
	case o.Vectors.Single():
		each += 4 * columns // the row again, in the order of the tree
	default:
		each += 8 * columns
	}
	if wide { // the keys of the nearest
		each += 8 * float64(cmp.Or(c.MinPoints, c.MinClusterSize, DefaultMinClusterSize))
	}
	return each
}

// result chooses clusters by what is known.
func (h *hierarchy) result(known fit.Knowledge) *HDBSCANResult {
	chosen := h.tree.choose(h.cfg, h.tree.keeps(known.Links, known.Known))
	group, strength := h.tree.assign(chosen, h.cfg.SelectionEps)
	r := &HDBSCANResult{Strength: strength, Outlier: h.tree.outliers(), Tree: h.tree,
		MinPoints: h.cfg.MinPoints, MinClusterSize: h.cfg.MinClusterSize, inner: h.inner}
	r.Labels, r.Clusters = number(disjoint.Singletons(len(group)), group)
	r.Chosen = make([]int, r.Clusters)
	for row, l := range r.Labels {
		if l >= 0 {
			r.Chosen[l] = int(group[row])
		}
	}
	return r
}
