package evclus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// Group is an object whose cluster is uncertain, with an object that stands for each cluster.
type Group struct {
	Object     int
	May        belief.Set  // the clusters that it may belong to: those that no other dominates
	Outlier    bool        // it seems to belong to none
	References []Reference // nearest first
	Ask        int         // the reference to compare it with now
}

// Reference is the object that the partition is most certain of in a cluster.
type Reference struct {
	Object        int
	Cluster       int // from 0
	Dissimilarity float32
}

// Why says why the object is compared with the reference at Ask. The two are called as given, as in
// "row 71" and "row 12".
func (g Group) Why(object, reference string) string {
	what := "the least certain of the rest"
	switch {
	case g.Outlier:
		what = "like no group"
	case g.May.Len() > 1:
		var names []string
		for k := range belief.MaxClusters {
			if g.May.Has(k) {
				names = append(names, fmt.Sprint(k+1))
			}
		}
		what = "between groups " + strings.Join(names[:len(names)-1],
			", ") + " and " + names[len(names)-1]
	}
	ref := g.References[g.Ask]
	near := "the nearest"
	if g.Ask > 0 {
		near = "the next nearest"
	}
	return fmt.Sprintf("%s is %s; %s stands for group %d, %s", object, what, reference,
		ref.Cluster+1, near)
}

// view is a credal partition as questions are chosen from it.
type view struct {
	p       *credal.Partition
	unsure  []float64 // nonspecificity of each object
	rough   *credal.Rough
	labels  []int    // cluster of each object by pignistic probability, from 1
	surest  []surest // of each cluster
	ordered []int32  // objects in the order in which they are asked about
}

// surest holds the two objects of a cluster that are most certain; −1 where there are fewer.
type surest [2]int

// of returns the one that stands for the cluster beside object i, which is never its own reference.
func (s surest) of(i int) int {
	if s[0] == i {
		return s[1]
	}
	return s[0]
}

// newView looks at a partition; choose is to follow before anything is asked.
func newView(p *credal.Partition) *view {
	return &view{p: p, labels: p.ArgMax(belief.MaxPignistic)}
}

// choose finds the objects that stand for the clusters. Objects that were asked about do so only
// where nothing else can: an answer makes an object certain, and its doubt is what the person
// remembers.
func (v *view) choose(r *Run) {
	if v.rough == nil {
		v.unsure, v.rough = v.p.Nonspecificities(), v.p.Rough()
	}
	asked := make(map[int]bool)
	for _, l := range r.answers {
		asked[l.A] = true
	}
	v.order(r.excluded)
	v.surest = make([]surest, v.p.Clusters)
	for k := range v.surest {
		v.surest[k] = surest{-1, -1}
	}
	for _, free := range []bool{true, false} {
		lacks := make([]bool, v.p.Clusters)
		for k, s := range v.surest {
			lacks[k] = s[0] < 0
		}
		for i, l := range v.labels {
			if lacks[l-1] && !v.rough.Outlier[i] && asked[i] != free &&
				(r.excluded == nil || !r.excluded[i]) {
				v.offer(i)
			}
		}
	}
}

// offer takes an object as one of the two surest of its cluster, if it is.
func (v *view) offer(i int) {
	s := &v.surest[v.labels[i]-1]
	switch {
	case s[0] < 0 || v.unsure[i] < v.unsure[s[0]]:
		s[0], s[1] = i, s[0]
	case s[1] < 0 || v.unsure[i] < v.unsure[s[1]]:
		s[1] = i
	}
}

// rank orders objects: the ambiguous, the outliers, the rest.
func (v *view) rank(i int) int {
	switch {
	case v.rough.Ambiguous(i):
		return 0
	case v.rough.Outlier[i]:
		return 1
	}
	return 2
}

// order puts the objects in the order in which they are asked about.
func (v *view) order(excluded []bool) {
	type place struct {
		rank   int
		unsure float64
		object int32
	}
	places := make([]place, 0, len(v.unsure))
	for i, u := range v.unsure {
		if excluded == nil || !excluded[i] {
			places = append(places, place{v.rank(i), u, int32(i)})
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.unsure, a.unsure),
			cmp.Compare(a.object, b.object))
	})
	v.ordered = make([]int32, len(places))
	for i, p := range places {
		v.ordered[i] = p.object
	}
}

// group finds the first object with a reference that it can be compared with.
func (v *view) group(r *Run) (Group, bool) {
	if g := v.groups(r, 1); len(g) > 0 {
		return g[0], true
	}
	return Group{}, false
}

// groups finds the first objects with such a reference. Of two that would be compared with each
// other, the first is.
func (v *view) groups(r *Run, most int) []Group {
	var found []Group
	pairs := make(map[[2]int]bool)
	for _, i := range v.ordered {
		if len(found) >= most {
			break
		}
		g := v.around(r, int(i))
		if g.Ask < 0 {
			continue
		}
		pair := link.Link{A: g.Object, B: g.References[g.Ask].Object}.Pair()
		if !pairs[pair] {
			pairs[pair] = true
			found = append(found, g)
		}
	}
	return found
}

// around returns an object with its references, those without an order and Ask −1 where none is
// open.
func (v *view) around(r *Run, i int) Group {
	g := Group{Object: i, May: v.rough.Upper[i], Outlier: v.rough.Outlier[i], Ask: -1}
	if r.doubt[i] > 1 {
		return g
	}
	var objects []int32
	open := false
	for k, s := range v.surest {
		if ref := s.of(i); ref >= 0 {
			g.References = append(g.References, Reference{Object: ref, Cluster: k})
			objects = append(objects, int32(ref))
			open = open || r.open(i, ref)
		}
	}
	if !open { // dissimilarities may be costly
		return g
	}
	far := make([]float32, len(objects))
	r.f.src.Row(far, i, objects)
	for t, d := range far {
		g.References[t].Dissimilarity = d
	}
	slices.SortStableFunc(g.References,
		func(a, b Reference) int { return cmp.Compare(a.Dissimilarity, b.Dissimilarity) })
	for t, ref := range g.References {
		if r.open(i, ref.Object) {
			g.Ask = t
			break
		}
	}
	return g
}

// open reports whether a pair is neither answered nor entailed.
func (r *Run) open(a, b int) bool {
	return !r.asked[link.Link{A: a, B: b}.Pair()] && r.known.Relation(a, b) == link.Unknown
}

// remaining counts the ambiguous objects with an open question, and their open clusters; objects of
// which only other clusters are open count once.
func (v *view) remaining(r *Run) (likely, most int) {
	for _, at := range v.ordered {
		i := int(at)
		if v.rank(i) > 0 {
			break
		}
		if r.doubt[i] > 1 {
			continue
		}
		open, beyond := 0, 0
		for k, s := range v.surest {
			switch ref := s.of(i); {
			case ref < 0 || !r.open(i, ref):
			case v.rough.Upper[i].Has(k):
				open++
			default:
				beyond = 1
			}
		}
		if open = max(open, beyond); open > 0 {
			likely++
			most += open
		}
	}
	return likely, most
}

// settledSince reports whether answers left all labels as they were, and the masses of the other
// objects nearly: their mean change is below 1/1000.
func (v *view) settledSince(old *view, answers []link.Link) bool {
	if !slices.Equal(v.labels, old.labels) {
		return false
	}
	about := make(map[int]bool)
	for _, l := range answers {
		about[l.A], about[l.B] = true, true
	}
	change, f := 0.0, len(v.p.Focal)
	for i := range v.p.Len() {
		rows := 0.0
		for k, m := range v.p.Row(i) {
			before := old.p.Mass[i*f+k]
			rows += max(m-before, before-m) / 2
		}
		if rows > 0 && !about[i] {
			change += rows
		}
	}
	return change < 1e-3*float64(v.p.Len())
}
