package competitive2013

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// run returns the work of one repetition: the on-line methods in one pass, LCVQE to convergence,
// from the same prototypes.
func (s stream) run(d drawn) func(ctx context.Context) ([]frame.Run, error) {
	return func(ctx context.Context) ([]frame.Run, error) {
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
		var runs []frame.Run
		for _, column := range streamColumns {
			f := trial{method: column, name: column, x: x, links: links, first: first, start: 1,
				pass: true, inOrder: !s.shuffled, timed: true}
			if column == crpcl+withControl {
				f.method, f.controlled = crpcl, true
			}
			run, err := d.fit(ctx, f)
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}
		return runs, nil
	}
}

// scaled returns x with its columns scaled as [dataset.Scale] documents; x itself without scaling.
func scaled(x dataset.Matrix, how dataset.Scale) dataset.Matrix {
	if how == dataset.ScaleNone {
		return x
	}
	out := x.Clone()
	shift, divisor := spread(out, how)
	for row := range slices.Chunk(out.F64, x.Cols) {
		for j, v := range row {
			if row[j] = 0; divisor[j] > 0 {
				row[j] = (v - shift[j]) / divisor[j]
			}
		}
	}
	return out
}

// spread returns what is subtracted from each column, and what then divides it: 0 where the column
// is constant. Rows are gone through one by one, as a column by itself takes several times as long;
// x is float64.
func spread(x dataset.Matrix, how dataset.Scale) (shift, divisor []float64) {
	shift, divisor = make([]float64, x.Cols), make([]float64, x.Cols)
	if how == dataset.ScaleMinMax {
		copy(shift, x.F64)
		most := slices.Clone(shift)
		for row := range slices.Chunk(x.F64, x.Cols) {
			for j, v := range row {
				shift[j], most[j] = min(shift[j], v), max(most[j], v)
			}
		}
		for j := range divisor {
			divisor[j] = most[j] - shift[j]
		}
		return shift, divisor
	}
	for row := range slices.Chunk(x.F64, x.Cols) {
		for j, v := range row {
			shift[j] += v
		}
	}
	for j := range shift {
		shift[j] /= float64(x.Rows)
	}
	for row := range slices.Chunk(x.F64, x.Cols) {
		for j, v := range row {
			e := v - shift[j]
			divisor[j] = math.FMA(e, e, divisor[j])
		}
	}
	for j, v := range divisor {
		divisor[j] = math.Sqrt(v / float64(x.Rows))
	}
	return shift, divisor
}

// streams is table IV: NMI and times.
func (c compiler) streams() (tables []frame.Table, claims []frame.Claim) {
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
	for _, set := range c.Sets {
		if set.Name != "kdd99" {
			continue
		}
		for i, s := range streams {
			// the same figures of the paper again
			row := frame.Row{Keys: []string{s.name}, Sum: i > 0}
			seconds := row
			for _, m := range streamColumns {
				paper, printed := paperStream[m]
				if !printed {
					row.Cells = append(row.Cells,
						single(c.cell(frame.None, "kdd", set.Name, []string{s.name}, m, "nmi", "",
							"")))
					seconds.Cells = append(seconds.Cells,
						single(c.cell(frame.None, "kdd", set.Name, []string{s.name}, m, "seconds",
							"", "")))
					continue
				}
				row.Cells = append(row.Cells,
					single(c.cell(told(paper.nmi), "kdd", set.Name, []string{s.name}, m, "nmi", "",
						"")))
				seconds.Cells = append(seconds.Cells,
					single(c.cell(told(paper.seconds), "kdd", set.Name, []string{s.name}, m,
						"seconds", "", "")))
			}
			nmi.Rows, times.Rows = append(nmi.Rows, row), append(times.Rows, seconds)
		}
		first := times.Rows[0].Cells
		for g, m := range methods[:2] {
			ratio := func(of func(frame.Cell) frame.Figure) string {
				return fmt.Sprintf("%.2f", of(first[2]).Value/of(first[g]).Value)
			}
			claims = append(claims, frame.Claim{
				Says:  "KDD'99: LCVQE takes so many times as long as " + m,
				Paper: ratio(func(c frame.Cell) frame.Figure { return c.Paper }),
				Mean:  ratio(func(c frame.Cell) frame.Figure { return c.Mean }),
			})
		}
		tables = append(tables, nmi, times)
	}
	return tables, claims
}

// single drops the best of one start.
func single(c frame.Cell) frame.Cell {
	c.Best = frame.None
	return c
}
