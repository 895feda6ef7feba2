package plot

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// HeatMapConfig describes what a picture of ordered dissimilarities shows. Only Source is needed.
type HeatMapConfig struct {
	Source dissim.Source

	// Order holds every object once, from 0, from the top left on; nil: as they come. [ByCertainty]
	// makes one.
	Order []int

	// Groups is the cluster of each object, from 1, and 0 for an outlier. Lines part objects of
	// different groups that follow each other in the order, and the vertical axis names the groups.
	Groups     []int
	GroupNames []string // name of group c at c−1; a missing or empty one is "cluster c"

	// cells along an axis; 0: 800; up to 4000; with more objects a cell is the mean of a block
	MaxCells int
	Threads  int // 0: one per processor; never changes the picture

	Scale string // what the colours mean; "" = "Dissimilarity"
	Page         // XLabel "": "object", or with Order "object, in the order given"; Width 0: 5.7
}

const (
	heatCells = 800
	// dissimilarities fetched at a time: what one costs is not known, and ctx is to be seen in time
	fetchPiece = 64
	// objects of a block that stand for it, so that millions of objects do not take days
	blockTake = 8
)

type heatScene struct {
	frame
	cfg   HeatMapConfig
	n     int
	cells int
	mean  []float32 // cells×cells
	most  float64   // the greatest mean
	cuts  []int     // places in the order where another group begins
}

// HeatMap makes a figure of the dissimilarities of all pairs, dark where objects are close:
// clusters are dark blocks along the diagonal. Cells of several objects are means over up to 8 of
// each block, evenly spaced; an object's dissimilarity to itself is left out where there are
// others.
//
// It fails with a [*fault.Input] when there is no object, a dissimilarity is negative or not
// finite, or the config contradicts itself; and when ctx is done.
func HeatMap(ctx context.Context, cfg HeatMapConfig) (*Figure, error) {
	if cfg.Source == nil || cfg.Source.Len() == 0 {
		return nil, fault.Inputf("give at least one object", "there are no dissimilarities to draw")
	}
	s := &heatScene{cfg: cfg, n: cfg.Source.Len()}
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.average(ctx); err != nil {
		return nil, err
	}
	for at := 1; at < s.n; at++ {
		if s.group(at) != s.group(at-1) {
			s.cuts = append(s.cuts, at)
		}
	}
	n := float64(s.n)
	s.xs, s.ys, s.shrink = axis{lo: 0, hi: n}, axis{lo: -n, hi: 0}, true
	s.xTicks = func(a axis) []tick {
		list := wholeTicks(a, 1, s.n)
		for i := range list {
			list[i].value -= 0.5 // the middle of the object
		}
		return list
	}
	s.yTicks = func(axis) []tick {
		list := s.xTicks(s.xs)
		for i := range list {
			list[i].value = -list[i].value
		}
		return list
	}
	if cfg.Groups != nil {
		s.yTicks = s.groupTicks
	}
	if s.cells < s.n {
		s.note = besides(s.note,
			fmt.Sprintf("cells are means over blocks of %d to %d objects", s.n/s.cells,
				(s.n+s.cells-1)/s.cells))
	}
	s.frame.legend = s.legend()
	return s.figure("Dissimilarities", s.draw), nil
}

func (s *heatScene) check() error {
	cfg := &s.cfg
	if cfg.MaxCells < 0 || cfg.MaxCells > 4000 {
		return fault.Inputf("give 1 to 4000, or 0 for 800",
			"a heat map cannot have %d cells along an axis", cfg.MaxCells)
	}
	cfg.GroupNames = cleaned(cfg.GroupNames)
	s.cells = min(s.n, cmp.Or(cfg.MaxCells, heatCells))
	cfg.Width = cmp.Or(cfg.Width, squareWidth)
	what := "object"
	if cfg.Order != nil {
		what = "object, in the order given"
	}
	return cmp.Or(checkGroups(cfg.Groups, s.n), checkOrder(cfg.Order, s.n),
		s.begin(cfg.Page, what, ""))
}

// object returns the object at a position of the order.
func (s *heatScene) object(at int) int {
	if s.cfg.Order == nil {
		return at
	}
	return s.cfg.Order[at]
}

func (s *heatScene) group(at int) int {
	if s.cfg.Groups == nil {
		return 0
	}
	return s.cfg.Groups[s.object(at)]
}

// average fills the cells. Each object that represents a block is one row of the source.
func (s *heatScene) average(ctx context.Context) error {
	var taken []int32
	first := make([]int, s.cells+1) // of each block in taken
	for b := range s.cells {
		from, to := b*s.n/s.cells, (b+1)*s.n/s.cells
		count := min(to-from, blockTake)
		for q := range count {
			taken = append(taken, int32(s.object(from+q*(to-from)/count)))
		}
		first[b+1] = len(taken)
	}
	s.mean = make([]float32, s.cells*s.cells)
	most := make([]float64, s.cells)
	err := parallel.Try(ctx, s.cells, 1, s.cfg.Threads, func(b, _, _ int) error {
		row, sums := make([]float32, len(taken)), make([]float64, s.cells)
		for _, i := range taken[first[b]:first[b+1]] {
			for lo := 0; lo < len(taken); lo += fetchPiece {
				if ctx.Err() != nil {
					return nil
				}
				hi := min(len(taken), lo+fetchPiece)
				s.cfg.Source.Row(row[lo:hi], int(i), taken[lo:hi])
			}
			for k := range sums {
				for t := first[k]; t < first[k+1]; t++ {
					if v := float64(row[t]); !(v >= 0 && v <= math.MaxFloat32) {
						return fault.Inputf("dissimilarities are finite numbers from 0",
							"the dissimilarity of objects %d and %d is %v", i+1, taken[t]+1, v)
					} else if taken[t] != i {
						sums[k] += v
					}
				}
			}
		}
		for k, sum := range sums {
			count := (first[b+1] - first[b]) * (first[k+1] - first[k])
			if k == b && count > 1 {
				count -= first[b+1] - first[b]
			}
			s.mean[b*s.cells+k] = float32(sum / float64(count))
			most[b] = max(most[b], sum/float64(count))
		}
		return nil
	})
	s.most = slices.Max(most)
	return err
}

// groupTicks names groups in the middle of their objects, where there is space.
func (s *heatScene) groupTicks(a axis) (list []tick) {
	face := regular(tickSize)
	from := 0
	for _, to := range append(s.cuts[:len(s.cuts):len(s.cuts)], s.n) {
		name := clusterName(s.group(from), s.cfg.GroupNames)
		if s.group(from) == 0 {
			name = "outliers"
		}
		t := tick{-float64(from+to) / 2, clip(face, name, 72)}
		if len(list) == 0 || a.at(list[len(list)-1].value)-a.at(t.value) >= tickSize+2 {
			list = append(list, t)
		}
		from = to
	}
	return list
}

func (s *heatScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	n := float64(s.n)
	drawCells(c, vg.Rectangle{Min: s.at(0, -n), Max: s.at(n, 0)}, s.cells, s.cells,
		func(column, row int) color.NRGBA {
			return closeness.at(s.place(float64(s.mean[row*s.cells+column])))
		})
	if len(s.cuts) > s.n/4 { // lines everywhere part nothing
		return
	}
	thinner := min(1, 12/vg.Length(len(s.cuts)+1))
	for _, style := range []struct {
		hue   color.NRGBA
		width vg.Length
	}{{white, 1.6 * thinner}, {ink, 0.6 * thinner}} {
		for _, cut := range s.cuts {
			at := float64(cut)
			stroke(c, polyline(s.at(at, 0), s.at(at, -n)), style.hue, style.width)
			stroke(c, polyline(s.at(0, -at), s.at(n, -at)), style.hue, style.width)
		}
	}
}

// place brings a dissimilarity into 0..1.
func (s *heatScene) place(v float64) float64 {
	if s.most == 0 {
		return 0
	}
	return v / s.most
}

func (s *heatScene) legend() legend {
	heading := cmp.Or(clean(s.cfg.Scale), "Dissimilarity")
	a := newAxis(0, s.most)
	a.lo, a.hi, a.from, a.to = 0, cmp.Or(s.most, 1), 0, 8*entryHeight
	values, factor := a.ticks(entryHeight, func(string) vg.Length { return tickSize - 6 })
	return legend{scaleSection(withFactor(heading, factor), closeness, values, s.place)}
}
