package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"gonum.org/v1/gonum/mat"
)

// filling is a treatment of missing values. It returns a matrix scaled to [0, 1], or
// dissimilarities.
type filling struct {
	name string
	fill func(t *table, x []float64) (dataset.Matrix, dissim.Source, error)
}

var fillings = []filling{
	{"keep", keep},
	{"mean", matrix(means, 0)},
	{"median", matrix(medians, 0)},
	{"median, indicator .5", matrix(medians, 0.5)},
	{"median, indicator 1", matrix(medians, 1)},
	{"mean, indicator .5", matrix(means, 0.5)},
	{"5 nearest rows", matrix(nearest, 0)},
	{"regression", matrix(regression, 0)},
	{"Gower", func(t *table, x []float64) (dataset.Matrix, dissim.Source, error) {
		return dataset.Matrix{}, partial{t.n, t.d, scaled(x, t.d, 0, t.d).F64}, nil
	}},
}

// keep is what --missing keep does, from the text of a table on.
func keep(t *table, x []float64) (dataset.Matrix, dissim.Source, error) {
	var text strings.Builder
	for j := range t.d {
		fmt.Fprintf(&text, "%sx%d", strings.Repeat(",", min(j, 1)), j)
	}
	for i, v := range x {
		text.WriteByte("\n,"[min(i%t.d, 1)])
		if v == v {
			text.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	ctx := context.Background()
	read, err := dataset.ReadStream(ctx, strings.NewReader(text.String()+"\n"), t.name+".csv",
		dataset.ReadOptions{Format: dataset.FormatCSV, Threads: 1})
	if err != nil {
		return dataset.Matrix{}, nil, err
	}
	p, err := read.Prepare(ctx, dataset.Preparation{Missing: dataset.MissingKeep, Threads: 1})
	if err != nil {
		return dataset.Matrix{}, nil, err
	}
	return p.X, nil, nil
}

// matrix fills the values in, and adds a column that shows where each column lacks some.
func matrix(fill func(t *table, x []float64) []float64, weight float64) func(*table,
	[]float64) (dataset.Matrix, dissim.Source, error) {
	return func(t *table, x []float64) (dataset.Matrix, dissim.Source, error) {
		filled := fill(t, x)
		d := t.d
		if weight == 0 {
			return scaled(filled, d, 0, d), nil, nil
		}
		wide := make([]float64, 0, 2*len(x))
		for i := range t.n {
			wide = append(wide, filled[i*d:(i+1)*d]...)
			for j := range d {
				v := 0.0
				if math.IsNaN(x[i*d+j]) {
					v = weight
				}
				wide = append(wide, v)
			}
		}
		return scaled(wide, 2*d, 0, d), nil, nil
	}
}

// scaled scales the columns from lo up to hi to [0, 1], leaving out what is missing.
func scaled(x []float64, d, lo, hi int) dataset.Matrix {
	x = slices.Clone(x)
	for j := lo; j < hi; j++ {
		low, high := math.Inf(1), math.Inf(-1)
		for i := j; i < len(x); i += d {
			if v := x[i]; v == v {
				low, high = min(low, v), max(high, v)
			}
		}
		for i := j; i < len(x); i += d {
			if high > low {
				x[i] = (x[i] - low) / (high - low)
			} else if x[i] == x[i] {
				x[i] = 0
			}
		}
	}
	return dataset.Matrix{Rows: len(x) / d, Cols: d, F64: x}
}

// ranks returns the rank of each value of a column, from 0 up to 1.
func ranks(t *table, j int) []float64 {
	order := make([]int, t.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(t.x[a*t.d+j], t.x[b*t.d+j])
	})
	rank := make([]float64, t.n)
	for at, i := range order {
		rank[i] = (float64(at) + 0.5) / float64(t.n)
	}
	return rank
}

func present(x []float64, d, j int) (values []float64) {
	for i := j; i < len(x); i += d {
		if v := x[i]; v == v {
			values = append(values, v)
		}
	}
	return values
}

func by(t *table, x []float64, value func(values []float64) float64) []float64 {
	x = slices.Clone(x)
	for j := range t.d {
		v := value(present(x, t.d, j))
		for i := j; i < len(x); i += t.d {
			if x[i] != x[i] {
				x[i] = v
			}
		}
	}
	return x
}

func means(t *table, x []float64) []float64 {
	return by(t, x, func(values []float64) float64 {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum / float64(max(1, len(values)))
	})
}

func medians(t *table, x []float64) []float64 {
	return by(t, x, func(values []float64) float64 {
		if len(values) == 0 {
			return 0
		}
		slices.Sort(values)
		n := len(values)
		return (values[n/2] + values[(n-1)/2]) / 2
	})
}

// nearest fills in the mean of the five nearest rows that have the value, by the columns that both
// have.
func nearest(t *table, x []float64) []float64 {
	filled, d := medians(t, x), t.d
	p := partial{t.n, d, scaled(x, d, 0, d).F64}
	type other struct {
		far float64
		row int
	}
	for i := range t.n {
		var others []other
		for j := range d {
			if x[i*d+j] == x[i*d+j] {
				continue
			}
			if others == nil {
				for k := range t.n {
					if far := p.square(i, k); k != i && far == far {
						others = append(others, other{far, k})
					}
				}
				slices.SortFunc(others, func(a, b other) int {
					return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.row, b.row))
				})
			}
			sum, count := 0.0, 0.0
			for _, o := range others {
				if v := x[o.row*d+j]; v == v && count < 5 {
					sum += v
					count++
				}
			}
			if count > 0 {
				filled[i*d+j] = sum / count
			}
		}
	}
	return filled
}

// regression predicts each value from the others of its row, those that are missing too being
// their medians: ridge regression, once.
func regression(t *table, x []float64) []float64 {
	filled, d := medians(t, x), t.d
	z := scaled(filled, d, 0, d).F64
	out := slices.Clone(filled)
	for j := range d {
		values := present(x, d, j)
		if len(values) == t.n || len(values) < 2 {
			continue
		}
		gram, right := mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)
		row := make([]float64, d)
		use := func(i int) {
			copy(row, z[i*d:(i+1)*d])
			row[j] = 1
		}
		for i := range t.n {
			if y := x[i*d+j]; y == y {
				use(i)
				v := mat.NewVecDense(d, row)
				gram.SymRankOne(gram, 1, v)
				right.AddScaledVec(right, y, v)
			}
		}
		for k := range d {
			if k != j {
				gram.SetSym(k, k, gram.At(k, k)+1)
			}
		}
		var chol mat.Cholesky
		weights := mat.NewVecDense(d, nil)
		if !chol.Factorize(gram) || chol.SolveVecTo(weights, right) != nil {
			continue
		}
		low, high := slices.Min(values), slices.Max(values)
		for i := range t.n {
			if x[i*d+j] != x[i*d+j] {
				use(i)
				out[i*d+j] = max(low, min(high, mat.Dot(weights, mat.NewVecDense(d, row))))
			}
		}
	}
	return out
}

// partial are dissimilarities by the columns that both rows have, as Gower's.
type partial struct {
	n, d int
	x    []float64
}

func (p partial) Len() int { return p.n }

func (p partial) Row(dst []float32, i int, js []int32) {
	for k := range dst {
		j := k
		if js != nil {
			j = int(js[k])
		}
		sum, count := 0.0, 0
		for c := range p.d {
			if v := math.Abs(p.x[i*p.d+c] - p.x[j*p.d+c]); v == v {
				sum += v
				count++
			}
		}
		dst[k] = 0.5 // nothing in common
		if count > 0 {
			dst[k] = float32(sum / float64(count))
		}
		if j == i {
			dst[k] = 0
		}
	}
}

// square is the mean squared difference of the columns that both rows have; NaN for none.
func (p partial) square(i, j int) float64 {
	sum, count := 0.0, 0.0
	for c := range p.d {
		if v := p.x[i*p.d+c] - p.x[j*p.d+c]; v == v {
			sum += v * v
			count++
		}
	}
	return sum / count
}
