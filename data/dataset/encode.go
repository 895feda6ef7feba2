package dataset

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

// encodeBlock is the rows encoded or scaled between two looks at the context.
const encodeBlock = 4096

// allocate makes a matrix of a file, or returns an error if there is no memory for it.
func allocate(name string, rows, cols int, single bool) (Matrix, error) {
	bytes := 8 * float64(rows) * float64(cols)
	if single {
		bytes /= 2
	}
	if err := fits(memory.NewBudget(), name, plural(rows, "row", "rows")+" of "+
		plural(cols, "number", "numbers"), bytes); err != nil {
		return Matrix{}, err
	}
	m := Matrix{Rows: rows, Cols: cols}
	if single {
		m.F32 = make([]float32, rows*cols)
	} else {
		m.F64 = make([]float64, rows*cols)
	}
	return m, nil
}

// fewerCells is what to do where memory is short.
const fewerCells = "read fewer columns (--features, --drop) or fewer rows, or use a machine with " +
	"more memory"

// fits returns an error if less memory is left than so many bytes, which what takes.
func fits(left *memory.Budget, name, what string, bytes float64) error {
	in := left.Check(bytes, what, fewerCells)
	if in == nil {
		return nil
	}
	return in.In(name)
}

// rowsWithValues returns the rows to encode, nil for all: it refuses or leaves out rows with
// missing values that have no replacement.
func (e Encoding) rowsWithValues(ctx context.Context, t *Table, maps []columnMap) ([]int32, error) {
	var lacking []columnMap
	for i := range maps {
		if t.Columns[maps[i].column].Missing > 0 && !maps[i].fills() {
			lacking = append(lacking, maps[i])
		}
	}
	if len(lacking) == 0 {
		return nil, nil
	}
	if e.Missing == MissingRefuse {
		columns := make([]int, len(lacking))
		for i := range lacking {
			columns[i] = lacking[i].column
		}
		return nil, t.refuse(columns)
	}
	keep := make([]int32, 0, t.Rows)
	for row := range t.Rows {
		if row%encodeBlock == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		whole := true
		for i := range lacking {
			whole = whole && !math.IsNaN(t.values.At(row, lacking[i].slot))
		}
		if whole {
			keep = append(keep, int32(row))
		}
	}
	if len(keep) == 0 {
		return nil, &fault.Input{File: t.Name,
			Problem: "every row has a missing value, so dropping such rows leaves none",
			Fix: "keep all rows (--missing keep), or leave out the columns that lack most " +
				"(--drop)"}
	}
	return keep, nil
}

// encodeRows writes the given rows of the table, nil for all, into x, unscaled. impute is needed
// where maps keep missing values.
func encodeRows(ctx context.Context, t *Table, maps []columnMap, impute *Imputation, rows []int32,
	x Matrix, threads int) error {
	return parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(_, lo, hi int) {
		out := make([]float64, x.Cols)
		var lacking []span
		for i := lo; i < hi; i++ {
			row := i
			if rows != nil {
				row = int(rows[i])
			}
			clear(out)
			lacking = lacking[:0]
			for k := range maps {
				m := &maps[k]
				v := t.values.At(row, m.slot)
				switch missing := math.IsNaN(v); {
				case missing && m.keep:
					lacking = append(lacking, span{m.at, m.width})
				case missing && m.time != nil:
					m.spread(m.fill, out)
				case missing && m.category:
					out[m.at+int(m.fill)] = 1
				case missing:
					out[m.at] = m.fill
				default:
					m.spread(v, out)
				}
			}
			if len(lacking) > 0 {
				impute.fill(out, lacking)
			}
			x.setRow(i, out)
		}
	})
}

// set stores one value.
func (m Matrix) set(i, j int, v float64) {
	if m.F32 != nil {
		m.F32[i*m.Cols+j] = float32(v)
	} else {
		m.F64[i*m.Cols+j] = v
	}
}

// setRow stores row i.
func (m Matrix) setRow(i int, values []float64) {
	if m.F32 == nil {
		copy(m.F64[i*m.Cols:], values)
		return
	}
	row := m.F32[i*m.Cols : (i+1)*m.Cols]
	for j, v := range values {
		row[j] = float32(v)
	}
}

// fitScale finds the shift and divisor of every column of x, which holds no missing values.
// The columns of a category weigh together as one number, unless p says otherwise: one by one, with
// z-scores a category would weigh as much as it has values, and a rare value more than all numbers;
// brought to [0, 1] it would weigh several times as much as a number does.
func (e *Encoding) fitScale(ctx context.Context, file string, x Matrix, p Preparation) error {
	if e.Scale == ScaleNone {
		return nil
	}
	shift, divisor, err := columnScale(ctx, x, e.Scale, p.Threads)
	if err != nil {
		return err
	}
	var deviation []float64 // of all columns, where it is needed
	if e.Scale == ScaleZScore && !p.Plain {
		deviation = divisor
	} else if !p.Plain && !p.Earlier && e.hasCategory() {
		if _, deviation, err = columnScale(ctx, x, ScaleZScore, p.Threads); err != nil {
			return err
		}
	}
	at := 0
	for i := range e.Columns {
		c := &e.Columns[i]
		n := at + c.Width()
		c.Shift, c.Divisor = shift[at:n:n], divisor[at:n:n]
		if c.Type == Category && deviation != nil {
			weighAsOne(c.Divisor, deviation[at:n], e.Scale)
		}
		if c.Time != nil {
			c.Time.weigh(c.Shift, c.Divisor, e.Scale)
		}
		for _, v := range c.Divisor {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return &fault.Input{File: file, Column: c.Source,
					Problem: "its values are too far apart to be scaled in 64-bit numbers",
					Fix:     "rescale or drop the column"}
			}
		}
		at = n
	}
	return nil
}

func (e *Encoding) hasCategory() bool {
	return slices.ContainsFunc(e.Columns,
		func(c EncodedColumn) bool { return c.Type == Category })
}

// columnScale computes shift and divisor by blocks of rows, whose results are joined in order.
func columnScale(ctx context.Context, x Matrix, scale Scale, threads int) (shift, divisor []float64,
	err error) {
	d := x.Cols
	shift, divisor = make([]float64, d), make([]float64, d)
	count := parallel.Count(x.Rows, statRows)
	low, high, sum := make([]float64, count*d), make([]float64, count*d), make([]float64, count*d)
	err = parallel.Blocks(ctx, x.Rows, statRows, threads, func(b, lo, hi int) {
		low, high, sum := low[b*d:(b+1)*d], high[b*d:(b+1)*d], sum[b*d:(b+1)*d]
		row := x.AppendRow(make([]float64, 0, d), lo)
		copy(low, row)
		copy(high, row)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			for j, v := range row {
				sum[j] += v
				if v < low[j] {
					low[j] = v
				}
				if v > high[j] {
					high[j] = v
				}
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	for j := range d {
		a, z, s := low[j], high[j], 0.0
		for b := range count {
			a, z = min(a, low[b*d+j]), max(z, high[b*d+j])
			s += sum[b*d+j]
		}
		shift[j], divisor[j] = a, z-a
		if scale == ScaleZScore && a < z {
			shift[j] = s / float64(x.Rows)
			if !isFinite(s) {
				if shift[j], err = x.hugeMean(ctx, j, a, z); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	if scale == ScaleMinMax {
		return shift, divisor, nil
	}
	// Residuals are squared as multiples of a power of two near the range, so that the squares of
	// very small or large ones stay within float64; such scaling changes no bit of the others.
	power, inverse := make([]float64, d), make([]float64, d)
	for j := range d {
		_, e := math.Frexp(divisor[j])
		e = max(-1000, min(e, 1000)) // the inverse, too, must be a normal number
		power[j], inverse[j] = math.Ldexp(1, e), math.Ldexp(1, -e)
	}
	clear(sum)
	err = parallel.Blocks(ctx, x.Rows, statRows, threads, func(b, lo, hi int) {
		sum := sum[b*d : (b+1)*d]
		row := make([]float64, 0, d)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			for j, v := range row {
				u := float64(v-shift[j]) * inverse[j]
				sum[j] += float64(u * u)
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	for j := range d {
		s := 0.0
		for b := range count {
			s += sum[b*d+j]
		}
		// constant columns, and too wide ones, stay marked
		if divisor[j] != 0 && !math.IsInf(divisor[j], 0) {
			divisor[j] = max(math.Sqrt(s/float64(x.Rows))*power[j], math.SmallestNonzeroFloat64)
		}
	}
	return shift, divisor, nil
}

// scaleColumns scales and weighs the columns of x in place.
func (e Encoding) scaleColumns(ctx context.Context, x Matrix, threads int) error {
	weights, weighed := e.weights()
	if e.Scale == ScaleNone && !weighed {
		return ctx.Err()
	}
	shift, divisor := make([]float64, 0, x.Cols), make([]float64, 0, x.Cols)
	for i := range e.Columns {
		shift = append(shift, e.Columns[i].Shift...)
		divisor = append(divisor, e.Columns[i].Divisor...)
	}
	return parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(_, lo, hi int) {
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			for j, v := range row {
				switch {
				case len(divisor) == 0:
				case divisor[j] == 0:
					row[j] = 0
				default:
					row[j] = (v - shift[j]) / divisor[j]
				}
				if weighed {
					row[j] *= weights[j]
				}
			}
			x.setRow(i, row)
		}
	})
}

// weights returns the weight of each column of the matrix; weighed is false when all are 1.
func (e Encoding) weights() (weights []float64, weighed bool) {
	for i := range e.Columns {
		c := &e.Columns[i]
		for range c.Width() {
			weights = append(weights, cmp.Or(c.Weight, 1))
		}
		weighed = weighed || c.Weight != 0
	}
	return weights, weighed
}
