package project

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/plot/layout"
)

// Map is where all objects lie in the plane.
type Map struct {
	Points []float32 // x and y of each row, within −1 to 1, the scale of both axes the same
	Axes   [2]string // what they are; "": they mean nothing

	Layout  method.Layout  // that the points are by; "": they are the columns themselves
	Quality layout.Quality // how well neighbours are kept; the zero value where that is not known
}

// MostMapped is the number of objects up to which a project makes a map of neighbours.
const MostMapped = 200_000

// charts are the maps, made once each.
type charts struct {
	first, near chart
	refine      sync.Once

	// Guarded by the mu of the project: the layout of the map that keeps neighbours best, "" for
	// the first, and how well the first keeps them.
	best    method.Layout
	quality layout.Quality
}

// chart is a map, once it is made.
type chart struct {
	once sync.Once
	view plot.View // as pictures have it
	m    Map
	err  error
}

// mapped turns a panic into an error.
func mapped(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("project: the map could not be made: %w", fault.Recovered(p))
	}
}

// charted returns a map, and makes it where nobody has.
func (d *Project) charted(ctx context.Context, c *chart, by func() (plot.View, error)) (Map, error) {
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		c.once.Do(func() {
			defer mapped(&c.err)
			if c.view, c.err = by(); c.err != nil {
				return
			}
			c.m = Map{Points: make([]float32, 2*d.data.N()), Layout: method.Layout(c.view.Layout),
				Axes: [2]string{c.view.XLabel, c.view.YLabel}, Quality: c.view.Quality}
			if c.m.Layout == method.MDS {
				c.m.Axes = [2]string{"first axis of the scaling", "second axis of the scaling"}
			}
			fill(c.m.Points, c.view.Points)
		})
	}()
	select {
	case <-ready:
		return c.m, c.err
	case <-ctx.Done():
		return Map{}, ctx.Err()
	}
}

// plain is the scene of the map, without groups.
func (d *Project) plain() *method.Scene {
	s := &method.Scene{Problem: d.problem}
	if d.data.Ready != nil {
		s.Columns = d.data.Ready.Names
	}
	return s
}

// Map returns the map that is made at once: the first two principal components of vectors, metric
// multidimensional scaling of dissimilarities. It does not change while the project is open, but
// its Quality becomes known with [Project.Refine].
func (d *Project) Map(ctx context.Context) (Map, error) {
	m, err := d.charted(ctx, &d.charts.first, func() (plot.View, error) {
		return gallery.Arrange(d.ctx, d.plain())
	})
	d.mu.RLock()
	defer d.mu.RUnlock()
	m.Quality = d.charts.quality
	return m, err
}

// mappable refuses a number of objects.
func mappable(n int) error {
	if n <= MostMapped {
		return nil
	}
	return fault.Inputf("draw one with kindred plot",
		"a project makes a map of neighbours of up to %d objects, and there are %d", MostMapped, n)
}

// NeighbourMap returns the map in which nearest neighbours lie together, which takes a while to
// make. It does not change while the project is open. It fails with a [*fault.Input] where there
// are more than [MostMapped] objects.
func (d *Project) NeighbourMap(ctx context.Context) (Map, error) {
	if err := mappable(d.data.N()); err != nil {
		return Map{}, err
	}
	return d.charted(ctx, &d.charts.near, func() (view plot.View, err error) {
		s := d.plain()
		s.Layout = method.Neighbours
		// Half of the threads are left to answers.
		s.Problem.Threads = max(1, parallel.Threads(d.problem.Threads)/2)
		if view, err = gallery.Arrange(d.ctx, s); err == nil {
			err = gallery.Measure(d.ctx, s, &view)
		}
		return view, err
	})
}

// Refine begins to make the map of neighbours beside all else, where the first map is none of the
// columns themselves. When it is made and keeps neighbours better than the first, it becomes the
// Layout of the State. Further calls do nothing.
func (d *Project) Refine() {
	d.charts.refine.Do(func() {
		d.soon(func() {
			first, err := d.Map(d.ctx)
			if err != nil || first.Layout == "" || d.data.N() > MostMapped {
				return
			}
			near, err := d.NeighbourMap(d.ctx)
			if err != nil { // such as for want of memory: the first map remains
				return
			}
			view := d.charts.first.view
			defer mapped(&err)
			if err = gallery.Measure(d.ctx, d.plain(), &view); err != nil {
				return
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			d.charts.quality = view.Quality
			if near.Quality.Trustworthiness > view.Quality.Trustworthiness {
				d.charts.best = method.Neighbours
				d.moved.broadcast()
			}
		})
	})
}

// fill moves places in the plane, in one or two columns, into −1 to 1.
func fill(points []float32, places dataset.Matrix) {
	var middle [2]float64
	half := 0.0
	for axis := range min(2, places.Cols) {
		low, high := places.At(0, axis), places.At(0, axis)
		for i := range places.Rows {
			low, high = min(low, places.At(i, axis)), max(high, places.At(i, axis))
		}
		middle[axis], half = (low+high)/2, max(half, (high-low)/2)
	}
	if half == 0 || math.IsInf(half, 0) || math.IsNaN(half) {
		half = 1
	}
	for i := range places.Rows {
		for axis := range min(2, places.Cols) {
			points[2*i+axis] = float32((places.At(i, axis) - middle[axis]) / half)
		}
	}
}

// Flags of [Places].
const (
	FlagOutlier = 1 << iota // it seems to belong to no group
	FlagAmbiguous
	FlagBad   // left out as bad data
	FlagAsked // someone answered about it
)

// Places is where each object is in the groups; slices have one entry a row.
type Places struct {
	Revision int64
	Cluster  []uint16 // from 1; 0: none, or beyond 65 535
	// index into Sets of the clusters that an ambiguous object may belong to; 0: none
	Set       []uint16
	Certainty []uint8 // 0 to 255
	Flags     []uint8
	Sets      [][]int // clusters, from 1; the first is empty
}

// Places returns where each object stands, in the groups as they stand.
func (d *Project) Places(ctx context.Context) (Places, error) {
	r := d.shown()
	c, err := d.certainty(ctx, r)
	if err != nil {
		return Places{}, err
	}
	n := len(r.out.Labels)
	p := Places{
		Revision: r.revision.Load(), Cluster: make([]uint16, n), Set: make([]uint16, n),
		Certainty: make([]uint8, n), Flags: make([]uint8, n), Sets: [][]int{{}},
	}
	var outlier []bool
	at := make(map[belief.Set]uint16)
	if r.out.Credal != nil {
		outlier = r.outliers()
	}
	for i, l := range r.out.Labels {
		if l <= math.MaxUint16 {
			p.Cluster[i] = uint16(l)
		}
		p.Certainty[i] = uint8(r.sure[i]*255 + 0.5)
		if outlier == nil {
			continue
		}
		if outlier[i] {
			p.Flags[i] |= FlagOutlier
		}
		if may := c.May[i]; may.Len() > 1 && !outlier[i] {
			p.Flags[i] |= FlagAmbiguous
			k, known := at[may]
			if !known && len(p.Sets) < math.MaxUint16 {
				k = uint16(len(p.Sets))
				at[may] = k
				p.Sets = append(p.Sets, may.Clusters())
			}
			p.Set[i] = k
		}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, row := range d.facts.bad {
		p.Flags[row] |= FlagBad
	}
	for pair := range d.facts.voices {
		p.Flags[pair[0]] |= FlagAsked
		p.Flags[pair[1]] |= FlagAsked
	}
	return p, nil
}

// Scene returns the groups as they stand, to be drawn: with the links given and answered, and the
// names of [Project.GroupNames].
func (d *Project) Scene(ctx context.Context) (*method.Scene, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, err
	}
	s := d.data.Scene(r.out, d.problem.Links, r.out.Asked)
	s.Problem = d.problem
	names, err := d.groupNames(ctx, r)
	if err != nil {
		return nil, err
	}
	for k, name := range names {
		if name == "" {
			continue
		}
		if s.ClusterNames == nil {
			s.ClusterNames = s.Names(r.out.Clusters)
		}
		s.ClusterNames[k] = fmt.Sprintf("%d %s", k+1, name)
	}
	units, columns := s.Units, s.Columns
	s.View = func(ctx context.Context, l method.Layout) (plot.View, error) {
		of, c := d.plain(), (*chart)(nil)
		of.Layout, of.Units, of.Columns = l, units, columns
		of.Problem.Threads, of.Problem.Progress = s.Problem.Threads, s.Problem.Progress
		var err error
		switch { // maps of the project are made once
		case l == method.Neighbours && d.data.N() <= MostMapped && !d.view:
			c = &d.charts.near
			_, err = d.NeighbourMap(ctx)
		case !of.Vectors() && (l == "" || l == method.MDS):
			c = &d.charts.first
			_, err = d.Map(ctx)
		default:
			return gallery.Arrange(ctx, of)
		}
		if err != nil {
			return plot.View{}, err
		}
		return c.view, nil
	}
	return s, nil
}
