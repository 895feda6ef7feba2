package dissim

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// GowerSpace reports how the columns of mixed tables are compared: Gower's dissimilarity (1971)
// with the ranges of the table it was made from. It can be kept as JSON, so that new rows are
// compared as the old ones were.
type GowerSpace struct {
	Columns []GowerColumn `json:"columns"`
}

// GowerColumn is one column of a [GowerSpace].
type GowerColumn struct {
	Name string `json:"name"`
	// the values of a category or boolean; nil for numbers
	Levels []string `json:"levels,omitempty"`
	Low    float64  `json:"low,omitempty"` // the least number
	// the largest less the least number; 0 for a constant column
	Range float64 `json:"range,omitempty"`
	// how much the column counts, relative to the others; 0 is 1
	Weight float64 `json:"weight,omitempty"`
}

// NewGowerSpace takes the features of a table: numbers with their ranges over the given rows (nil:
// all), booleans and categories with their values. weights are those of columns by name; others
// weigh 1. It fails with a [*fault.Input] when there are no features, and when a weight is of a
// column that is none.
func NewGowerSpace(t *dataset.Table, rows []int32, weights map[string]float64) (*GowerSpace,
	error) {
	s := &GowerSpace{}
	weigh, err := t.Weights(weights)
	if err != nil {
		return nil, err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Role != dataset.Feature || !t.HasValues(i):
		case c.Type == dataset.Number, c.Type == dataset.Time:
			low, high := c.Min, c.Max
			if rows != nil {
				low, high = extremes(t, i, rows)
			}
			reach := high - low
			if math.IsInf(reach, 0) {
				return nil, &fault.Input{File: t.Name, Column: c.Name,
					Problem: "its values are too far apart", Fix: "rescale or drop the column"}
			}
			s.Columns = append(s.Columns, GowerColumn{Name: c.Name, Low: low, Range: reach,
				Weight: weigh[i]})
		default:
			s.Columns = append(s.Columns, GowerColumn{Name: c.Name,
				Levels: slices.Clone(c.Levels), Weight: weigh[i]})
		}
	}
	if len(s.Columns) == 0 {
		return nil, &fault.Input{File: t.Name,
			Problem: "no column is a feature, so there is nothing to compare rows by",
			Fix:     "name some (--features)"}
	}
	return s, nil
}

// extremes returns the least and the largest value of a column of numbers in some rows, which all
// have one.
func extremes(t *dataset.Table, col int, rows []int32) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		v := t.Value(int(row), col)
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// Encode returns the rows of a table as the space sees them, one column each: numbers less the
// least, over the range; the positions of values among the levels, -1 for one not among them; NaN
// where missing. A number that differs from a constant column's is 2, so that it counts as 1 apart.
//
// It fails with a [*fault.Input] when a column is not there, or holds numbers in one table and not
// in the other.
func (s *GowerSpace) Encode(t *dataset.Table) (dataset.Matrix, error) {
	p := len(s.Columns)
	x := dataset.Matrix{Rows: t.Rows, Cols: p, F64: make([]float64, t.Rows*p)}
	for j := range s.Columns {
		c := &s.Columns[j]
		col := t.Column(c.Name)
		if col < 0 {
			return dataset.Matrix{},
				&fault.Input{File: t.Name, Column: c.Name, Problem: "there is no such column",
					Fix: "give all columns that the old rows have"}
		}
		have := &t.Columns[col]
		if !t.HasValues(col) || c.Levels == nil && have.Type == dataset.Category &&
			have.Missing < t.Rows {
			return dataset.Matrix{},
				&fault.Input{File: t.Name, Column: c.Name,
					Problem: "is not of the kind it was in the old rows",
					Fix:     "give it as a feature, with numbers where those were numbers"}
		}
		level := make(map[string]float64, len(c.Levels))
		for k, name := range c.Levels {
			level[name] = float64(k)
		}
		for i := range t.Rows {
			v := t.Value(i, col)
			switch {
			case math.IsNaN(v):
			case c.Levels != nil:
				k, known := level[t.Cell(i, col)]
				if !known {
					k = -1
				}
				v = k
			case c.Range > 0:
				v = (v - c.Low) / c.Range
			case v == c.Low:
				v = 0
			default:
				v = 2
			}
			x.F64[i*p+j] = v
		}
	}
	return x, nil
}

// Among returns the dissimilarities among encoded rows: the weighted mean, over the columns that
// both rows have, of |a−b|/range, at most 1, for numbers, and of 0 for equal and 1 for different
// values. It fails with a [*fault.Input] that names two rows when they have no column in common.
func (s *GowerSpace) Among(x dataset.Matrix) (Source, error) {
	rows, err := s.Cross(x, x)
	return sourceOf(rows, x.Rows, err)
}

// Cross returns the dissimilarities from each of one set of encoded rows to those of another, as
// [GowerSpace.Among] does.
func (s *GowerSpace) Cross(from, to dataset.Matrix) (Rows, error) {
	p := len(s.Columns)
	if from.Cols != p || to.Cols != p {
		return nil, &fault.Input{Problem: "rows have " + strconv.Itoa(from.Cols) +
			" and " + strconv.Itoa(to.Cols) + " columns where the space has " + strconv.Itoa(p),
			Fix: "encode both by the same space"}
	}
	category, weights := make([]bool, p), make([]float64, p)
	for j := range category {
		category[j], weights[j] = s.Columns[j].Levels != nil, cmp.Or(s.Columns[j].Weight, 1)
	}
	g := flat[float64]{doubles(from), doubles(to), p,
		func(x, y []float64) float64 { return gower(x, y, category, weights) }}
	if f := strangers(patterns(g.from, p), patterns(g.to, p), p); f != nil {
		f.Fix = "leave out the rows that lack values (--missing drop), or the columns that lack " +
			"most (--drop)"
		return nil, f
	}
	return g, nil
}

func gower(x, y []float64, category []bool, weights []float64) float64 {
	sum, whole := 0.0, 0.0
	for j, isCategory := range category {
		d := math.Abs(x[j] - y[j])
		if d != d {
			continue // missing
		}
		if isCategory && d > 0 {
			d = 1
		}
		sum += float64(weights[j] * min(d, 1))
		whole += weights[j]
	}
	return sum / whole
}

// strangers finds two rows that have none of so many columns in common.
func strangers(a, b []pattern, columns int) *fault.Input {
	for _, p := range slices.Concat(a, b) {
		if p.count == 0 {
			return &fault.Input{Row: p.row + 1,
				Problem: "has no value in any column, so it cannot be compared with others"}
		}
	}
	// Of a million patterns most hold too many columns to miss another: those need no look.
	slices.SortStableFunc(b, func(p, q pattern) int { return cmp.Compare(p.count, q.count) })
	for _, p := range a {
		for _, q := range b {
			if p.count+q.count > columns {
				break
			}
			if !p.meets(q) {
				return &fault.Input{Row: p.row + 1,
					Problem: "has no value in a column where row " + strconv.Itoa(q.row+1) +
						" has one, so the two cannot be compared"}
			}
		}
	}
	return nil
}

// pattern is a set of columns that some row has, one bit each, and the first such row.
type pattern struct {
	bits       []uint64
	count, row int
}

func (p pattern) meets(q pattern) bool {
	for w, b := range p.bits {
		if b&q.bits[w] != 0 {
			return true
		}
	}
	return false
}

// patterns returns the different patterns of rows, each with its first row.
func patterns(rows []float64, p int) (all []pattern) {
	seen := map[string]bool{}
	var key []byte
	columns := make([]uint64, (p+63)/64)
	for i := range len(rows) / p {
		clear(columns)
		q := pattern{row: i}
		for j, v := range rows[i*p : (i+1)*p] {
			if v == v {
				columns[j/64] |= 1 << (j % 64)
				q.count++
			}
		}
		key = key[:0]
		for _, w := range columns {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			q.bits = slices.Clone(columns)
			all = append(all, q)
		}
	}
	return all
}
