package dataset

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Imputation predicts the missing values of a row from those it has: a linear regression of each
// column of the matrix, before scaling, on the columns of the other features. What is missing there,
// too, counts as its mean.
type Imputation struct {
	Center []float64 `json:"center"` // mean of each column of the matrix
	Low    []float64 `json:"low"`    // least and largest value, which no prediction passes
	High   []float64 `json:"high"`
	// weight of each other column in the prediction of a column: d rows of d values, 0 for columns
	// of the same feature; nil where there are too many columns, and predictions are means
	Weights [][]float64 `json:"weights,omitempty"`
}

const (
	imputeRows = 20_000 // from how many rows the weights are learnt, at most
	imputeCols = 256    // from how many columns on predictions are means
	// imputeRidge is added to the sum of squares of each standardised column. It keeps the weights
	// of columns that say the same, and of few rows, small.
	imputeRidge = 10.0
)

// span is the columns of the matrix that a feature becomes.
type span struct{ at, width int }

// blocks returns the columns of each feature.
func (e *Encoding) blocks() []span {
	out := make([]span, len(e.Columns))
	at := 0
	for i := range e.Columns {
		out[i] = span{at, e.Columns[i].Width()}
		at += out[i].width
	}
	return out
}

// learn makes the imputation of a table. With G the sums of products of standardised columns,
// missing values being 0, and P the inverse of G + ridge, the regression of a block of columns B on
// the others has the weights −P[·B] P[BB]⁻¹, as rows without B add nothing to its products, times
// the rows over those that have B.
func (e *Encoding) learn(ctx context.Context, t *Table, maps []columnMap, threads int) (*Imputation,
	error) {
	d, blocks := e.Cols(), e.blocks()
	m := &Imputation{Center: make([]float64, d), Low: make([]float64, d), High: make([]float64, d)}
	rows := min(t.Rows, imputeRows)
	var z []float64 // column by column
	if !m.tooWide() {
		z = make([]float64, d*rows)
	}
	unit := make([]float64, d) // standard deviations
	present := make([]int, len(maps))
	// A feature at a time, so that memory for what is too wide is that of one.
	err := parallel.Blocks(ctx, len(maps), 1, threads, func(_, k, _ int) {
		m.summarise(t, &maps[k], blocks[k], z, rows, unit, &present[k])
	})
	if err != nil || m.tooWide() {
		return m, err
	}
	gram := linalg.NewLower(d)
	err = parallel.Blocks(ctx, d, 1, threads, func(_, j, _ int) {
		row := gram.Row(j)
		for k := range row {
			row[k] = linalg.Dot(z[j*rows:(j+1)*rows], z[k*rows:(k+1)*rows])
		}
		row[j] += imputeRidge
	})
	if err != nil {
		return nil, err
	}
	if !gram.Factor(linalg.AtLeast(imputeRidge / 2)) {
		return m, nil
	}
	m.Weights = make([][]float64, d)
	err = parallel.Blocks(ctx, len(blocks), 1, threads, func(_, k, _ int) {
		share := float64(rows) / float64(max(1, present[k]))
		m.regress(gram, blocks[k], unit, share)
	})
	return m, err
}

// summarise finds mean, least and largest value of the columns of a feature, and standardises those
// of the rows that weights are learnt from; what is missing becomes 0.
func (m *Imputation) summarise(t *Table, from *columnMap, b span, z []float64, rows int,
	unit []float64, present *int) {
	out := make([]float64, b.at+b.width)
	count := 0
	for j := b.at; j < b.at+b.width; j++ {
		m.Low[j], m.High[j] = math.Inf(1), math.Inf(-1)
	}
	for row := range t.Rows {
		v := t.values.At(row, from.slot)
		if math.IsNaN(v) {
			continue
		}
		count++
		from.spread(v, out)
		for j := b.at; j < b.at+b.width; j++ {
			// A running mean, as sums of large values may be beyond float64.
			m.Center[j] += float64(out[j]/float64(count)) - float64(m.Center[j]/float64(count))
			m.Low[j], m.High[j] = min(m.Low[j], out[j]), max(m.High[j], out[j])
		}
	}
	for j := b.at; j < b.at+b.width; j++ {
		if count == 0 {
			m.Low[j], m.High[j] = 0, 0
		}
		m.Center[j] = max(m.Low[j], min(m.Center[j], m.High[j]))
	}
	if m.tooWide() {
		return
	}
	for i := range rows {
		v := t.values.At(int(int64(i)*int64(t.Rows)/int64(rows)), from.slot)
		if math.IsNaN(v) {
			continue
		}
		*present++
		from.spread(v, out)
		for j := b.at; j < b.at+b.width; j++ {
			if r := m.High[j]/2 - m.Low[j]/2; r > 0 { // halves, as the range may be beyond float64
				z[j*rows+i] = (out[j]/2 - m.Center[j]/2) / r
			}
		}
	}
	for j := b.at; j < b.at+b.width; j++ {
		column := z[j*rows : (j+1)*rows]
		root := math.Sqrt(linalg.Dot(column, column) / float64(max(1, *present)))
		if root == 0 {
			continue
		}
		for i := range column {
			column[i] /= root
		}
		unit[j] = root * (m.High[j]/2 - m.Low[j]/2) * 2
	}
}

// tooWide reports whether there are too many columns for weights.
func (m *Imputation) tooWide() bool { return len(m.Center) > imputeCols }

// regress sets the weights of a block from the factor of G + ridge.
func (m *Imputation) regress(factor linalg.Lower, b span, unit []float64, share float64) {
	d := len(m.Center)
	inverse := make([][]float64, b.width) // the columns of P
	own := linalg.NewLower(b.width)
	for j := range inverse {
		inverse[j] = make([]float64, d)
		inverse[j][b.at+j] = 1
		factor.Solve(inverse[j])
		copy(own.Row(j), inverse[j][b.at:b.at+j+1])
		m.Weights[b.at+j] = make([]float64, d)
	}
	own.Factor(linalg.AtLeast(math.SmallestNonzeroFloat64))
	to := make([]float64, b.width)
	for k := range d {
		if k >= b.at && k < b.at+b.width || unit[k] == 0 {
			continue
		}
		for j := range to {
			to[j] = inverse[j][k]
		}
		own.Solve(to)
		for j, w := range to {
			if w *= -share * unit[b.at+j] / unit[k]; isFinite(w) {
				m.Weights[b.at+j][k] = w
			}
		}
	}
}

// fill predicts the columns of blocks that are missing in a row before scaling.
func (m *Imputation) fill(row []float64, missing []span) {
	for _, b := range missing {
		copy(row[b.at:b.at+b.width], m.Center[b.at:])
	}
	if m.Weights == nil {
		return
	}
	var local [64]float64
	apart := append(local[:0], row...)
	for j := range apart {
		apart[j] -= m.Center[j]
	}
	for _, b := range missing {
		for j := b.at; j < b.at+b.width; j++ {
			if v := m.Center[j] + linalg.Dot(apart, m.Weights[j]); isFinite(v) {
				row[j] = max(m.Low[j], min(v, m.High[j]))
			}
		}
	}
}

// Impute predicts what a row lacks, as [Encoding.Apply] does. raw is the row before scaling, with
// anything where values are missing, which predictions replace; they are scaled in row. missing
// holds the positions of the features that the row lacks in Columns, ascending. The encoding must
// have an imputation.
func (e *Encoding) Impute(raw, row []float64, missing []int) {
	var local [8]span
	lacking := local[:0]
	at, next := 0, 0
	for _, i := range missing {
		for ; next < i; next++ {
			at += e.Columns[next].Width()
		}
		lacking = append(lacking, span{at, e.Columns[i].Width()})
	}
	e.Imputation.fill(raw, lacking)
	for k, b := range lacking {
		c := &e.Columns[missing[k]]
		for j := range b.width {
			v := raw[b.at+j]
			switch {
			case len(c.Divisor) == 0:
			case c.Divisor[j] == 0:
				v = 0
			default:
				v = (v - c.Shift[j]) / c.Divisor[j]
			}
			row[b.at+j] = v
		}
	}
}
