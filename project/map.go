package project

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/gallery"
)

// Map is a projection of all objects to the plane.
type Map struct {
	Points []float32 // x and y of each row, within −1 to 1, the scale of both axes the same
	Axes   [2]string // what they are
}

// projection is made once.
type projection struct {
	once sync.Once
	view plot.View // as pictures have it
	m    Map
	err  error
}

// Map returns the projection: the first two principal components of vectors, metric
// multidimensional scaling of dissimilarities. It does not change while the project is open.
func (d *Project) Map(ctx context.Context) (Map, error) {
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		d.projection.once.Do(func() {
			defer func() {
				if p := recover(); p != nil {
					d.projection.err = fmt.Errorf("project: the map could not be made: %w",
						fault.Recovered(p))
				}
			}()
			d.projection.m, d.projection.err = d.project()
		})
	}()
	select {
	case <-ready:
		return d.projection.m, d.projection.err
	case <-ctx.Done():
		return Map{}, ctx.Err()
	}
}

// project works out the projection.
func (d *Project) project() (Map, error) {
	m := Map{Points: make([]float32, 2*d.data.N())}
	scene := &method.Scene{Problem: d.problem}
	if d.data.Ready != nil {
		scene.Columns = d.data.Ready.Names
	}
	view, err := gallery.Place(d.ctx, scene)
	if err != nil {
		return m, err
	}
	d.projection.view = view
	fill(m.Points, view.Points)
	m.Axes = [2]string{view.XLabel, view.YLabel}
	if !scene.Vectors() {
		m.Axes = [2]string{"first axis of the scaling", "second axis of the scaling"}
	}
	return m, nil
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
	c, err := d.certainty(r)
	if err != nil {
		return Places{}, err
	}
	n := len(r.out.Labels)
	p := Places{
		Revision: r.revision, Cluster: make([]uint16, n), Set: make([]uint16, n),
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
// names that people gave to groups.
func (d *Project) Scene(ctx context.Context) (*method.Scene, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, err
	}
	s := d.data.Scene(r.out, d.problem.Links, r.out.Asked)
	s.Problem = d.problem
	for k, names := range d.names(r) {
		if s.ClusterNames == nil {
			s.ClusterNames = s.Names(r.out.Clusters)
		}
		s.ClusterNames[k-1] = fmt.Sprintf("%d %s", k, strings.Join(names, ", "))
	}
	if !s.Vectors() { // they are placed once
		s.View = func(ctx context.Context) (plot.View, error) {
			_, err := d.Map(ctx)
			if err != nil {
				return plot.View{}, err
			}
			return d.projection.view, nil
		}
	}
	return s, nil
}
