package density

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// ClassDensity is how dense a class was found to be.
type ClassDensity struct {
	Class     int32
	Labelled  int     // objects whose class was known
	Objects   int     // objects of the class in the end
	Eps       float64 // 0: nothing but labelled objects is of the class
	MinPoints int
}

// Classified is a partition into classes that some objects were known to be of.
type Classified struct {
	// class of each object; [Noise]; new clusters have the numbers after the greatest class
	Labels    []int32
	Classes   []ClassDensity
	New       int // clusters that are of no known class
	MinPoints int // of core distances

	// Reach is the distance beyond which a new object is better called noise than of the class of
	// the nearest object that is of one. It is ours: the one that parts best how far objects of a
	// class are from the nearest other object of any class from how far noise is, the shares
	// wrong of either counting alike. Where there is no noise it is the largest Eps.
	Reach float64
	Notes []string
}

// FitSSDBSCAN clusters by SSDBSCAN (Lelis and Sander 2009): from each object whose class is known a
// minimum spanning tree under reachability grows, edge by edge, until it comes to an object of
// another class; then the longest edge so far is cut with all that came after it, and what is left
// is of the class. Objects that no tree keeps are noise. Eps need not be known; that of a class is
// the longest edge kept.
//
// All trees are cuts of one minimum spanning tree of all objects: what an object keeps is the
// largest set of objects with one class that some Eps joins to it. Of edges of one length all are
// cut or none is, so that the result does not depend on the order of rows.
//
// classes has the class of each object, from 0, negative where it is not known. Config.Eps means
// nothing here. Fewer than two classes are a [*fault.Input], as nothing would stop a tree; so are
// bad data and settings.
func FitSSDBSCAN(ctx context.Context, o Objects, classes []int32, cfg Config) (*Classified, error) {
	g, err := grow(ctx, o, classes, cfg)
	if err != nil {
		return nil, err
	}
	if len(g.classes) < 2 {
		return nil, fault.Inputf("label objects of two classes or more; mdbscan takes one class, "+
			"and DBSCAN none", "SSDBSCAN grows classes until they meet, and labels name only one")
	}
	labels := slices.Repeat([]int32{Noise}, g.size())
	for c := range g.classes {
		key, members := g.regionOf(int32(c))
		for _, i := range members {
			labels[i] = int32(c)
		}
		g.classes[c].Eps, g.classes[c].MinPoints = g.radius(max(0, key)), g.cfg.MinPoints
	}
	return g.result(ctx, labels, 0)
}

// growth is what labels make of a minimum spanning tree.
type growth struct {
	space
	cfg     Config
	classes []ClassDensity // by class number
	class   []int32        // index into classes of each position, negative where it is not known
	core    []float64      // core distances
	tree    *mergeTree
	region  []int32 // see mergeTree.regions
}

// grow finds the largest sets of objects without a second class.
func grow(ctx context.Context, o Objects, classes []int32, cfg Config) (*growth, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if len(classes) != o.Len() {
		return nil, fault.Inputf("give a class or a negative number for each",
			"there are %d labels for %d objects", len(classes), o.Len())
	}
	g := &growth{cfg: cfg.withDefaults(o)}
	count := map[int32]int{}
	for i, c := range classes {
		if c >= 0 {
			count[c]++
		}
		if int(c) > math.MaxInt32-1-len(classes) { // new clusters have the numbers that follow
			return nil, &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("class %d has too great a number", c),
				Fix:     "number classes from 0"}
		}
	}
	if len(count) == 0 {
		return nil, fault.Inputf("give the class of some objects, or links from which classes "+
			"follow; DBSCAN needs none", "no object has a label")
	}
	index := map[int32]int32{}
	for _, c := range slices.Sorted(maps.Keys(count)) {
		index[c] = int32(len(g.classes))
		g.classes = append(g.classes, ClassDensity{Class: c, Labelled: count[c]})
	}
	var err error
	if g.space, err = o.space(ctx, cfg.Threads); err != nil {
		return nil, err
	}
	cfg.progress(0.1)
	for _, row := range g.rows() {
		c := int32(Noise)
		if classes[row] >= 0 {
			c = index[classes[row]]
		}
		g.class = append(g.class, c)
	}
	if g.core, err = g.space.core(ctx, g.cfg.MinPoints, nil, nil); err != nil {
		return nil, err
	}
	cfg.progress(0.3)
	if g.tree, err = newMergeTree(ctx, g.space, g.core); err != nil {
		return nil, err
	}
	g.region = g.tree.regions(g.class)
	cfg.progress(0.6)
	return g, nil
}

// regionOf returns what the labelled objects of a class keep, by position, and the longest edge
// kept; noRegion where none keeps more than itself.
func (g *growth) regionOf(class int32) (key float64, members []int32) {
	key = noRegion
	seen := map[int32]bool{}
	for i, node := range g.region {
		if g.class[i] != class || seen[node] {
			continue
		}
		seen[node] = true
		members = append(members, g.tree.members(node)...)
		if int(node) >= g.size() {
			key = max(key, g.tree.height[node])
		}
	}
	return key, members
}

// noRegion is the key of a class whose labelled objects are each nearer to another class than to
// anything else.
const noRegion = -1

// result brings indices of classes, by position, to labels of rows; those from the number of
// classes on are of new clusters.
func (g *growth) result(ctx context.Context, labels []int32, clusters int) (*Classified, error) {
	r := &Classified{Labels: make([]int32, g.size()), Classes: g.classes, New: clusters,
		MinPoints: g.cfg.MinPoints}
	after := g.classes[len(g.classes)-1].Class + 1 - int32(len(g.classes))
	for i, row := range g.rows() {
		switch c := labels[i]; {
		case c < 0:
			r.Labels[row] = Noise
		case int(c) < len(g.classes):
			r.Labels[row] = g.classes[c].Class
			r.Classes[c].Objects++
		default:
			r.Labels[row] = c + after
		}
	}
	largest := 0.0
	alone := 0
	for _, c := range r.Classes {
		largest = max(largest, c.Eps)
		if c.Eps == 0 && c.Objects == c.Labelled {
			alone++
		}
	}
	if alone > 0 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("%d of %d classes are labelled objects alone, as those of other classes "+
				"are nearer to them than what has no label", alone, len(r.Classes)))
	}
	var err error
	r.Reach, err = findReach(ctx, g.space, labels, largest)
	g.cfg.progress(1)
	return r, err
}
