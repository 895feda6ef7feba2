package competitive2013

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// stream is a way to run table IV.
type stream struct {
	name     string // the setting of its runs
	scale    dataset.Scale
	plusPlus bool // initial prototypes by k-means++, not from the Gaussian
	shuffled bool // rows in random order, not as they lie
}

// streams are the paper's way as far as it is printed, and others, since it states neither the
// features' scale nor the order of the rows.
var streams = []stream{
	{name: "raw", scale: dataset.ScaleNone},
	{name: "raw, shuffled", scale: dataset.ScaleNone, shuffled: true},
	{name: "raw, k-means++", scale: dataset.ScaleNone, plusPlus: true},
	{name: "min–max", scale: dataset.ScaleMinMax},
	{name: "min–max, shuffled", scale: dataset.ScaleMinMax, shuffled: true},
	{name: "min–max, k-means++", scale: dataset.ScaleMinMax, plusPlus: true},
	{name: "z-score", scale: dataset.ScaleZScore},
	{name: "z-score, shuffled", scale: dataset.ScaleZScore, shuffled: true},
	{name: "z-score, k-means++", scale: dataset.ScaleZScore, plusPlus: true},
}

// streamColumns are the methods of the paper, and C-RPCL with our penalty.
var streamColumns = append(methods[:len(methods):len(methods)], crpcl+withControl)

const streamLabelled = 20 // labelled objects a class

// run does the work of one repetition: the on-line methods in one pass, LCVQE to convergence, from
// the same prototypes.
func (s stream) run(ctx context.Context, d drawn) ([]frame.Values, error) {
	links, err := d.links(streamLabelled, false)
	if err != nil {
		return nil, err
	}
	x := scaled(d.set.X, s.scale)
	var first dataset.Matrix
	if !s.plusPlus {
		if first, err = d.prototypes(ctx, x, 1); err != nil {
			return nil, err
		}
	}
	return frame.Map(streamColumns, func(column string) (frame.Values, error) {
		method, controlled := strings.CutSuffix(column, withControl)
		return d.fit(ctx, trial{method: method, name: column, x: x, links: links, first: first,
			start: 1, controlled: controlled, pass: true, inOrder: !s.shuffled, timed: true})
	})
}

// scaled returns x with its columns scaled as [dataset.Scale] documents; x itself without scaling.
// x is float64.
func scaled(x dataset.Matrix, how dataset.Scale) dataset.Matrix {
	switch how {
	case dataset.ScaleNone:
		return x
	case dataset.ScaleMinMax:
		return frame.Scaled(x)
	}
	out := x.Clone()
	shift, divisor := spread(out)
	for row := range slices.Chunk(out.F64, x.Cols) {
		for j, v := range row {
			if row[j] = 0; divisor[j] > 0 {
				row[j] = (v - shift[j]) / divisor[j]
			}
		}
	}
	return out
}

// spread returns the mean and the standard deviation of each column. Rows are gone through one by
// one, as a column by itself takes several times as long.
func spread(x dataset.Matrix) (mean, deviation []float64) {
	mean, deviation = make([]float64, x.Cols), make([]float64, x.Cols)
	for row := range slices.Chunk(x.F64, x.Cols) {
		for j, v := range row {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(x.Rows)
	}
	for row := range slices.Chunk(x.F64, x.Cols) {
		for j, v := range row {
			e := v - mean[j]
			deviation[j] = math.FMA(e, e, deviation[j])
		}
	}
	for j, v := range deviation {
		deviation[j] = math.Sqrt(v / float64(x.Rows))
	}
	return mean, deviation
}

// streams is table IV: NMI and times.
func (c compiler) streams() {
	nmi := frame.Table{
		Name: "table4", Title: "Table IV. NMI on KDD'99: mean (standard deviation over the draws)",
		Keys: []string{"how"}, Groups: streamColumns, Digits: 2, Spread: true,
		Notes: []string{"The on-line methods make one pass over the rows as they lie, or " +
			"shuffled where the row is so named; LCVQE goes on until labels repeat, " +
			"at most 100 passes. Without a word on initial prototypes they come from the " +
			"Gaussian of a fifth of the rows."},
	}
	times := frame.Table{
		Name:  "table4-times",
		Title: "Table IV. Seconds of the fit on one core: mean (standard deviation over the draws)",
		Keys:  []string{"how"}, Groups: streamColumns, Digits: 3, Spread: true, Plain: true,
	}
	for _, set := range c.Using("kdd") {
		for i, s := range streams {
			cell := func(method, measure string, paper func(row paperRow) [2]float64) frame.Cell {
				theirs := frame.None
				if row, printed := paperStream[method]; printed {
					theirs = printedOf(paper(row))
				}
				return single(c.cell(theirs, score{part: "kdd", set: set.Name,
					settings: []string{s.name}, method: method, measure: measure}))
			}
			nmi.Add([]string{s.name}, func(m string) frame.Cell {
				return cell(m, "nmi", func(row paperRow) [2]float64 { return row.nmi })
			})
			times.Add([]string{s.name}, func(m string) frame.Cell {
				return cell(m, "seconds", func(row paperRow) [2]float64 { return row.seconds })
			})
			// the same figures of the paper again
			nmi.Rows[i].Sum, times.Rows[i].Sum = i > 0, i > 0
		}
		first := times.Rows[0].Cells
		for g, m := range methods[:2] {
			c.Claim("KDD'99: LCVQE takes so many times as long as "+m,
				fmt.Sprintf("%.2f", first[2].Paper.Value/first[g].Paper.Value), "%.2f",
				first[2].Mean.Value/first[g].Mean.Value)
		}
	}
	c.Add(nmi, times)
}

// single drops the best of one start.
func single(c frame.Cell) frame.Cell {
	c.Best = frame.None
	return c
}
