package plot

import (
	"cmp"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/fault"
)

// ShepardConfig describes what a Shepard diagram shows (kevclus-2016 Fig. 4). Delta and Kappa are
// needed.
type ShepardConfig struct {
	Delta []float64 // transformed dissimilarity δ_ij of each pair drawn, in 0..1
	Kappa []float64 // degree of conflict κ_ij of the same pair, in 0..1

	Page // labels "": "transformed dissimilarity δ" and "degree of conflict κ"; Width 0: 5.7
}

const (
	shepardPoints = 3000 // with more pairs, cells show how many there are
	shepardCells  = 60   // cells along each axis
	squareWidth   = 5.7  // inches, for a square beside its legend
)

type shepardScene struct {
	frame
	cfg    ShepardConfig
	counts []int // pairs in each cell, row-major from the top left; nil where points are drawn
	most   int
}

// Shepard makes a Shepard diagram: a good fit lies along the dashed diagonal, κ = δ. Beyond 3000
// pairs, the darkness of cells is the number of pairs they hold, on a logarithmic scale. The root
// mean square of κ − δ is noted.
//
// It fails with a [*fault.Input] when there is no pair, the lengths differ, or a value is not in
// 0..1.
func Shepard(cfg ShepardConfig) (*Figure, error) {
	n := len(cfg.Delta)
	switch {
	case n == 0:
		return nil, fault.Inputf("give at least one", "there are no pairs to draw")
	case len(cfg.Kappa) != n:
		return nil, fault.Inputf("give one of each a pair",
			"there are %d dissimilarities but %d conflicts", n, len(cfg.Kappa))
	}
	cfg.Width = cmp.Or(cfg.Width, squareWidth)
	s := &shepardScene{cfg: cfg}
	err := s.begin(cfg.Page, "transformed dissimilarity δ", "degree of conflict κ")
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for i, d := range cfg.Delta {
		k := cfg.Kappa[i]
		if !(d >= -1e-6 && d <= 1+1e-6 && k >= -1e-6 && k <= 1+1e-6) {
			return nil, refuseRow(i, "both are numbers from 0 to 1",
				"the pair has dissimilarity %v and conflict %v", d, k)
		}
		sum += float64((k - d) * (k - d))
	}
	s.note = besides(s.note, grouped(n)+" pairs",
		"root mean square of κ − δ "+strconv.FormatFloat(math.Sqrt(sum/float64(n)), 'g', 3, 64))
	s.xs, s.ys = axis{lo: -0.02, hi: 1.02}, axis{lo: -0.02, hi: 1.02}
	s.shrink = true
	if n > shepardPoints {
		s.count()
	}
	s.frame.legend = s.legend()
	return s.figure("Shepard diagram", s.draw), nil
}

// count gathers the pairs in cells.
func (s *shepardScene) count() {
	cell := func(v float64) int { return min(shepardCells-1, int(share(v)*shepardCells)) }
	s.counts = make([]int, shepardCells*shepardCells)
	for i, d := range s.cfg.Delta {
		at := (shepardCells-1-cell(s.cfg.Kappa[i]))*shepardCells + cell(d)
		s.counts[at]++
		s.most = max(s.most, s.counts[at])
	}
}

// darkness brings a count from 1 to that of the fullest cell into 0..1.
func (s *shepardScene) darkness(count float64) float64 {
	return math.Log(count) / math.Max(1, math.Log(float64(s.most)))
}

func (s *shepardScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	if s.counts != nil {
		drawCells(c, vg.Rectangle{Min: s.at(0, 0), Max: s.at(1, 1)}, shepardCells, shepardCells,
			func(column, row int) color.NRGBA {
				if n := s.counts[row*shepardCells+column]; n > 0 {
					return crowding.at(s.darkness(float64(n)))
				}
				return color.NRGBA{}
			})
	} else {
		l := look{circle, false, hues[0]}
		r, opacity := 0.8*radiusOf(len(s.cfg.Delta)), opacityOf(len(s.cfg.Delta))*0.8
		rows := numbered(len(s.cfg.Delta), 0)
		shuffle(rows, 0)
		for _, i := range rows {
			l.draw(c, s.at(share(s.cfg.Delta[i]), share(s.cfg.Kappa[i])), r, opacity, 0)
		}
	}
	stroke(c, polyline(s.at(0, 0), s.at(1, 1)), faded(white, 0.8), 2.4)
	stroke(c, polyline(s.at(0, 0), s.at(1, 1)), hues[1], 1.2, 5, 3)
}

func (s *shepardScene) legend() legend {
	all := legend{{entries: []entry{{sample: dash(hues[1], 1.2, 5, 3), name: "κ = δ"}}}}
	if s.counts == nil {
		return all
	}
	var values []tick
	for v := 1; v < s.most; v *= 10 {
		values = append(values, tick{float64(v), grouped(v)})
	}
	// The last power of ten is left out where the largest count is close to it.
	if last := len(values) - 1; last > 0 && values[last].value*2 > float64(s.most) {
		values = values[:last]
	}
	values = append(values, tick{float64(s.most), grouped(s.most)})
	return append(all, scaleSection("Pairs in a cell", crowding, values, s.darkness))
}
