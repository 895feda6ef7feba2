package ecm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// vectors is rows as the fit sees them: less their mean, and times a power of two that brings them
// near 1, so that squares neither overflow nor vanish and far-off data keep their digits.
type vectors struct {
	data   dataset.Matrix
	n, d   int
	origin []float64
	scale  float64
	spread float64   // mean squared distance from the mean, scaled
	vary   []float64 // variance of each column, scaled
	block  int       // rows that a thread takes at a time
}

// fewBlocks bounds the number of blocks, each of which keeps sums of its own.
const fewBlocks = 256

func newVectors(ctx context.Context, data dataset.Matrix, threads int) (*vectors, error) {
	n, d := data.Rows, data.Cols
	if err := data.CheckSize("data"); err != nil {
		return nil, err
	}
	x := &vectors{data: data, n: n, d: d, origin: make([]float64, d), scale: 1,
		block: max(512, parallel.Count(n, fewBlocks))}
	if n == 0 {
		return x, nil
	}
	count := parallel.Count(n, x.block)
	sums, most, bad := make([]float64, count*d), make([]float64, count), make([]*fault.Input, count)
	err := parallel.Blocks(ctx, n, x.block, threads, func(b, lo, hi int) {
		row, sum := make([]float64, 0, d), sums[b*d:(b+1)*d]
		for i := lo; i < hi; i++ {
			row = data.AppendRow(row[:0], i)
			for j, v := range row {
				if v-v != 0 && bad[b] == nil {
					bad[b] = dataset.NotFinite(i, j, v)
				}
				sum[j] += v / float64(n)
				most[b] = max(most[b], math.Abs(v))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for b := range count {
		if bad[b] != nil {
			return nil, bad[b]
		}
		for j := range d {
			x.origin[j] += sums[b*d+j]
		}
	}
	if slices.Max(most) > math.MaxFloat64/8 {
		return nil, fault.Inputf("scale the columns, to 0..1 say",
			"the values lie so far apart that sums overflow")
	}
	for j := range x.origin { // a constant column stays exactly so
		if first := data.At(0, j); math.Abs(x.origin[j]-first) <= 1e-12*math.Abs(first) {
			x.origin[j] = first
		}
	}
	return x, x.measure(ctx, threads)
}

// measure settles the scale, and how columns vary.
func (x *vectors) measure(ctx context.Context, threads int) error {
	count := parallel.Count(x.n, x.block)
	most := make([]float64, count)
	err := x.each(ctx, threads, func(b int, row []float64) {
		for _, v := range row {
			most[b] = max(most[b], math.Abs(v))
		}
	})
	if err != nil {
		return err
	}
	far := slices.Max(most)
	if far > 1e150 { // in units of the data, too, objectives are to be finite
		return fault.Inputf("scale the columns, to 0..1 say",
			"the values lie so far apart that their squared distances overflow")
	}
	if far > 0 {
		_, exp := math.Frexp(far)
		x.scale = math.Ldexp(1, min(1000, -exp))
	}
	sums := make([]float64, count*x.d)
	err = x.each(ctx, threads, func(b int, row []float64) {
		for j, v := range row {
			sums[b*x.d+j] = math.FMA(v, v, sums[b*x.d+j])
		}
	})
	x.vary = make([]float64, x.d)
	for b := range count {
		for j := range x.d {
			x.vary[j] += sums[b*x.d+j] / float64(x.n)
		}
	}
	x.spread = linalg.Sum(x.vary)
	return err
}

// each calls do with every row and its block.
func (x *vectors) each(ctx context.Context, threads int, do func(b int, row []float64)) error {
	return parallel.Blocks(ctx, x.n, x.block, threads, func(b, lo, hi int) {
		row := make([]float64, x.d)
		for i := lo; i < hi; i++ {
			x.load(row, i)
			do(b, row)
		}
	})
}

// load sets row to row i.
func (x *vectors) load(row []float64, i int) {
	if x.data.Single() {
		for j, v := range x.data.F32[i*x.d : (i+1)*x.d] {
			row[j] = (float64(v) - x.origin[j]) * x.scale
		}
		return
	}
	for j, v := range x.data.F64[i*x.d : (i+1)*x.d] {
		row[j] = (v - x.origin[j]) * x.scale
	}
}

// inwards returns rows of the data's units as the fit sees them, and outwards the other way round.
func (x *vectors) inwards(m dataset.Matrix) []float64 {
	out := make([]float64, 0, m.Rows*m.Cols)
	for i := range m.Rows {
		out = m.AppendRow(out, i)
	}
	for t := range out {
		out[t] = (out[t] - x.origin[t%x.d]) * x.scale
	}
	return out
}

func (x *vectors) outwards(rows []float64) dataset.Matrix {
	out := make([]float64, len(rows))
	for t, v := range rows {
		out[t] = v/x.scale + x.origin[t%x.d]
	}
	return dataset.Matrix{Rows: len(rows) / x.d, Cols: x.d, F64: out}
}

// Distances between all rows determine δ where they are few, else between so many pairs drawn at
// random.
const (
	allPairsUpTo = 500
	sampledPairs = 100_000
)

// reach returns the 0.95 quantile of the distances between rows.
func (x *vectors) reach() float64 {
	a, b := make([]float64, x.d), make([]float64, x.d)
	return reachOf(x.n, func(i, j int) float64 {
		x.load(a, i)
		x.load(b, j)
		return math.Sqrt(linalg.SquaredDistance(a, b))
	})
}

// reachOf returns the 0.95 quantile of the distances between n objects, or of a sample of them,
// between the two nearest; the largest distance where that is 0, and 1 where there is none.
func reachOf(n int, distance func(i, j int) float64) float64 {
	var distances []float64
	if n <= allPairsUpTo {
		for i := range n {
			for j := range i {
				distances = append(distances, distance(i, j))
			}
		}
	} else {
		rng := rand.New(rand.NewPCG(0x7061697273, 0))
		for range sampledPairs {
			i := rng.IntN(n)
			j := rng.IntN(n - 1)
			if j >= i {
				j++
			}
			distances = append(distances, distance(i, j))
		}
	}
	if len(distances) == 0 {
		return 1
	}
	slices.Sort(distances)
	at := 0.95 * float64(len(distances)-1)
	lo := int(at)
	hi := min(lo+1, len(distances)-1)
	if q := distances[lo] + float64((at-float64(lo))*(distances[hi]-distances[lo])); q > 0 {
		return q
	}
	if far := distances[len(distances)-1]; far > 0 {
		return far
	}
	return 1
}
