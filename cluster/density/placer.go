package density

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/method"
)

// Placer places new objects in the clusters of HDBSCAN* as approximate_predict of the hdbscan
// package does (McInnes, Healy and Astels 2017): a new object is where the fitted object is that is
// most reachable from it, unless that stays in its cluster at densities at which the new one cannot
// be reached. The fitted clusters stay as they are.
type Placer struct {
	points  int       // MinPoints of the fit
	core    []float64 // of each fitted object: see HDBSCANResult.inner; +Inf: it places no others
	cluster []int32   // cluster of the condensed tree that it falls off
	lambda  []float64 // density at which it does
	parent  []int32   // of each cluster of the tree, −1 of the first
	birth   []float64
	label   []int32   // from 1, that of the chosen cluster which it is within; 0: none
	most    []float64 // of each label: the greatest density at which an object leaves it
}

// newPlacer returns that of a result whose clusters have the labels of an outcome. Excluded objects
// place no others.
func newPlacer(r *HDBSCANResult, out *method.Outcome, excluded []int) *Placer {
	core := r.inner
	if len(excluded) > 0 {
		core = slices.Clone(core)
		for _, row := range excluded {
			core[row] = math.Inf(1)
		}
	}
	p := &Placer{points: r.MinPoints, core: core, cluster: r.Tree.Cluster,
		lambda: r.Tree.Lambda, label: make([]int32, len(r.Tree.Clusters)),
		most: make([]float64, out.Clusters)}
	top := r.Tree.greatest()
	for row, l := range r.Labels {
		if l >= 0 {
			chosen, label := r.Chosen[l], out.Labels[row]
			p.label[chosen], p.most[label-1] = int32(label), top[chosen]
		}
	}
	for c, node := range r.Tree.Clusters {
		p.parent, p.birth = append(p.parent, int32(node.Parent)), append(p.birth, node.Birth)
		if c > 0 && p.label[c] == 0 {
			p.label[c] = p.label[node.Parent]
		}
	}
	return p
}

// Len returns the number of fitted objects.
func (p *Placer) Len() int { return len(p.core) }

// near is how many of the nearest fitted objects a new one is compared with.
func (p *Placer) near() int { return min(max(1, 2*(p.points-1)), p.Len()) }

// places reports whether others are placed by a fitted object.
func (p *Placer) places(at int) bool { return p.core[at] <= math.MaxFloat64 }

// candidate is a fitted object.
type candidate struct {
	at  int32
	far float64
}

func (c candidate) compare(d candidate) int {
	return cmp.Or(cmp.Compare(c.far, d.far), cmp.Compare(c.at, d.at))
}

// add puts a candidate into the list of the nearest, which rises and has at most so many.
func add(list []candidate, most int, c candidate) []candidate {
	at, _ := slices.BinarySearchFunc(list, c, candidate.compare)
	if at == most {
		return list
	}
	if len(list) == most {
		list = list[:most-1]
	}
	return slices.Insert(list, at, c)
}

// place returns the label of an object, 0 for noise, and how strongly it is of it, by its nearest
// fitted objects.
func (p *Placer) place(list []candidate) (label int, strength float64) {
	if len(list) == 0 {
		return 0, 0
	}
	own := list[min(p.points, len(list))-1].far
	best, reach := int(list[0].at), math.Inf(1)
	for _, c := range list {
		if r := max(c.far, own, p.core[c.at]); r < reach {
			best, reach = int(c.at), r
		}
	}
	lambda := math.MaxFloat64
	if reach > 0 {
		lambda = 1 / reach
	}
	at := p.cluster[best]
	if p.lambda[best] > lambda {
		for at > 0 && p.birth[at] >= lambda {
			at = p.parent[at]
		}
	}
	if label = int(p.label[at]); label == 0 {
		return 0, 0
	}
	if most := p.most[label-1]; most > 0 {
		return label, min(lambda, most) / most
	}
	return label, 1
}

// placed collects where n new objects are.
func (p *Placer) placed(ctx context.Context, n, threads int,
	nearest func(lo, hi int, each func(i int, list []candidate))) (*method.Outcome, error) {
	labels, strength := make([]int, n), make([]float64, n)
	err := parallel.Blocks(ctx, n, 32, threads, func(_, lo, hi int) {
		nearest(lo, hi, func(i int, list []candidate) { labels[i], strength[i] = p.place(list) })
	})
	if err != nil {
		return nil, err
	}
	out := &method.Outcome{Labels: labels, Clusters: len(p.most), Strength: strength,
		Columns: []partition.Column{{Name: strengthColumn, Values: strength}}}
	out.Credal, err = strengths(labels, out.Clusters, strength)
	return out, err
}

// Place implements [method.Placer].
func (p *Placer) Place(ctx context.Context, from dissim.Rows, n, threads int) (*method.Outcome,
	error) {
	return p.placed(ctx, n, threads, func(lo, hi int, each func(int, []candidate)) {
		far, list := make([]float32, p.Len()), make([]candidate, 0, p.near())
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			from.Row(far, i, nil)
			list = list[:0]
			for at, v := range far {
				if p.places(at) && (len(list) < cap(list) || float64(v) < list[len(list)-1].far) {
					list = add(list, cap(list), candidate{int32(at), float64(v)})
				}
			}
			each(i, list)
		}
	})
}

// PlaceVectors implements [method.Placer].
func (p *Placer) PlaceVectors(ctx context.Context, fitted, new dataset.Matrix,
	threads int) (*method.Outcome, error) {
	if new.Cols != fitted.Cols {
		return nil, fault.Inputf("give the columns that were fitted",
			"the rows have %d columns and those of the model %d", new.Cols, fitted.Cols)
	}
	for _, m := range [2]dataset.Matrix{fitted, new} {
		if err := checkReach(m); err != nil && m.Rows > 0 {
			return nil, err
		}
	}
	t, err := nearest.Grow(ctx, fitted, threads)
	if err != nil {
		return nil, err
	}
	return p.placed(ctx, new.Rows, threads, func(lo, hi int, each func(int, []candidate)) {
		s := &placing{Placer: p, Tree: t, row: make([]float64, 0, new.Cols),
			list: make([]candidate, 0, p.near())}
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			s.row, s.list = new.AppendRow(s.row[:0], i), s.list[:0]
			s.visit(0, 0)
			for k := range s.list {
				s.list[k].far = math.Sqrt(s.list[k].far)
			}
			each(i, s.list)
		}
	})
}

// placing finds the nearest rows of a tree to a row, by their keys.
type placing struct {
	*Placer
	*nearest.Tree
	row  []float64
	list []candidate // as many as its capacity
	keys [nearest.LeafRows]float64
}

// visit looks at a node that is near away from the row.
func (s *placing) visit(node int, near float64) {
	full := len(s.list) == cap(s.list)
	if full && near > s.list[len(s.list)-1].far {
		return
	}
	if node < s.First {
		a, b, toA, toB := s.Nearer(s.row, node)
		s.visit(a, toA)
		s.visit(b, toB)
		return
	}
	for j, key := range s.Keys(&s.keys, s.row, node) {
		at := s.Order[int(s.Low[node])+j]
		if s.places(int(at)) && (len(s.list) < cap(s.list) || key <= s.list[len(s.list)-1].far) {
			s.list = add(s.list, cap(s.list), candidate{at, key})
		}
	}
}

// placerFile is a placer as JSON: numbers of objects are packed, as little-endian bytes.
type placerFile struct {
	Points  int       `json:"min_points"`
	Parent  []int32   `json:"parent"`
	Birth   []float64 `json:"birth"`
	Label   []int32   `json:"label"`
	Most    []float64 `json:"greatest"`
	Cluster []byte    `json:"cluster"` // int32
	Lambda  []byte    `json:"lambda"`  // float64
	Core    []byte    `json:"core"`    // float64
}

// MarshalJSON writes the placer.
func (p *Placer) MarshalJSON() ([]byte, error) {
	return json.Marshal(placerFile{Points: p.points, Parent: p.parent, Birth: p.birth,
		Label: p.label, Most: p.most, Cluster: packed(p.cluster), Lambda: packed(p.lambda),
		Core: packed(p.core)})
}

// UnmarshalJSON reads what MarshalJSON wrote; [Placer.Check] reports whether it can be used.
func (p *Placer) UnmarshalJSON(text []byte) error {
	var f placerFile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*p = Placer{points: f.Points, parent: f.Parent, birth: f.Birth, label: f.Label, most: f.Most,
		cluster: unpacked[int32](f.Cluster), lambda: unpacked[float64](f.Lambda),
		core: unpacked[float64](f.Core)}
	return nil
}

func packed[T int32 | float64](values []T) []byte {
	out, _ := binary.Append(nil, binary.LittleEndian, values)
	return out
}

// unpacked returns nil where the bytes are those of no whole number of values.
func unpacked[T int32 | float64](text []byte) []T {
	var one T
	size := binary.Size(one)
	if len(text)%size != 0 {
		return nil
	}
	out := make([]T, len(text)/size)
	binary.Decode(text, binary.LittleEndian, out) // of the right size
	return out
}

// Check implements [method.Placer].
func (p *Placer) Check() error {
	n, k := len(p.core), len(p.parent)
	switch {
	case n == 0 || len(p.cluster) != n || len(p.lambda) != n || p.points < 1 || p.points > n:
		return errors.New("the model does not say how far its objects are from their neighbours")
	case k == 0 || len(p.birth) != k || len(p.label) != k || p.parent[0] != -1:
		return errors.New("the model has no whole condensed tree")
	}
	for i, c := range p.cluster {
		if c < 0 || int(c) >= k || !(p.lambda[i] >= 0) || !(p.core[i] >= 0) {
			return fmt.Errorf("object %d of the model is in no part of its tree", i+1)
		}
	}
	for c, l := range p.label {
		if c > 0 && (p.parent[c] < 0 || int(p.parent[c]) >= c) || l < 0 || int(l) > len(p.most) ||
			!(p.birth[c] >= 0) {
			return fmt.Errorf("part %d of the tree of the model hangs nowhere", c)
		}
	}
	for _, v := range p.most {
		if !(v >= 0) {
			return fmt.Errorf("a cluster of the model ends at a density of %g", v)
		}
	}
	return nil
}

var _ method.Placer = (*Placer)(nil)
