package evclus

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// view is a credal partition as questions are chosen from it.
type view struct {
	p       *credal.Partition
	unsure  []float64 // nonspecificity of each object
	rough   *credal.Rough
	labels  []int    // cluster of each object by pignistic probability, from 1
	surest  []surest // of each cluster
	ordered []int32  // objects in the order in which they are asked about
	src     dissim.Source
	doubt   map[int]int // unknown answers about an object
}

// surest holds the two objects of a cluster that are most certain; −1 where there are fewer.
type surest [2]int

// of returns the one that represents the cluster beside object i, which is never its own reference.
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
func (v *view) choose(known *ask.Ledger, src dissim.Source) {
	if v.rough == nil {
		v.unsure, v.rough = v.p.Nonspecificities(), v.p.Rough()
	}
	v.src, v.doubt = src, make(map[int]int)
	pairs := make(map[[2]int]bool) // given links may name a pair more than once
	for _, l := range known.Facts() {
		if l.Kind == link.Unknown && !pairs[l.Pair()] {
			v.doubt[l.A]++
			v.doubt[l.B]++
		}
		pairs[l.Pair()] = true
	}
	asked := make(map[int]bool)
	for _, l := range known.Answers() {
		asked[l.A] = true
	}
	v.order(known)
	v.surest = slices.Repeat([]surest{{-1, -1}}, v.p.Clusters)
	for _, free := range []bool{true, false} {
		lacks := make([]bool, v.p.Clusters)
		for k, s := range v.surest {
			lacks[k] = s[0] < 0
		}
		for i, l := range v.labels {
			if lacks[l-1] && !v.rough.Outlier[i] && asked[i] != free &&
				known.Askable(i) {
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
func (v *view) order(known *ask.Ledger) {
	type place struct {
		rank   int
		unsure float64
		object int32
	}
	places := make([]place, 0, len(v.unsure))
	for i, u := range v.unsure {
		if known.Askable(i) {
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

// prompts compares the first objects with a reference that they can be compared with. Of two that
// would be compared with each other, the first is.
func (v *view) prompts(known *ask.Ledger, most int) []ask.Prompt {
	var found []ask.Prompt
	pairs := make(map[[2]int]bool)
	for _, i := range v.ordered {
		if len(found) >= most {
			break
		}
		g := v.around(known, int(i))
		if g.Ask < 0 {
			continue
		}
		q := g.Question()
		pair := link.Link{A: q.A, B: q.B}.Pair()
		if !pairs[pair] {
			pairs[pair] = true
			found = append(found, ask.Prompt{Question: q, Group: g})
		}
	}
	return found
}

// around returns an object with its references, those without an order and Ask −1 where none is
// open.
func (v *view) around(known *ask.Ledger, i int) *ask.Group {
	g := &ask.Group{Object: i, May: v.rough.Upper[i], Outlier: v.rough.Outlier[i], Ask: -1}
	if v.doubt[i] > 1 {
		return g
	}
	var objects []int32
	open := false
	for k, s := range v.surest {
		if ref := s.of(i); ref >= 0 {
			g.References = append(g.References, ask.Reference{Object: ref, Cluster: k})
			objects = append(objects, int32(ref))
			open = open || askable(known, i, ref)
		}
	}
	if !open { // dissimilarities may be costly
		return g
	}
	far := make([]float32, len(objects))
	v.src.Row(far, i, objects)
	for t, d := range far {
		g.References[t].Dissimilarity = d
	}
	slices.SortStableFunc(g.References,
		func(a, b ask.Reference) int { return cmp.Compare(a.Dissimilarity, b.Dissimilarity) })
	for t, ref := range g.References {
		if askable(known, i, ref.Object) {
			g.Ask = t
			break
		}
	}
	return g
}

// askable reports whether a pair is neither answered nor entailed.
func askable(known *ask.Ledger, a, b int) bool {
	_, ok := known.Known(a, b)
	return !ok
}

// remaining counts the ambiguous objects with an open question, and their open clusters; objects of
// which only other clusters are open count once.
func (v *view) remaining(known *ask.Ledger) (likely, most int) {
	for _, at := range v.ordered {
		i := int(at)
		if v.rank(i) > 0 {
			break
		}
		if v.doubt[i] > 1 {
			continue
		}
		open, beyond := 0, 0
		for k, s := range v.surest {
			switch ref := s.of(i); {
			case ref < 0 || !askable(known, i, ref):
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
