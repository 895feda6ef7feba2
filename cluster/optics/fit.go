package optics

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// Fit orders the rows of data, n×d, by Euclidean distance and cuts clusters out of the order. It
// compares all pairs of rows twice, and keeps memory of n values per thread. From 12 columns on,
// distances are computed in the type of the data. Data or settings that cannot be used are a
// [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	for i := range data.Rows {
		for j := range data.Cols {
			if v := data.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, dataset.NotFinite(i, j, v)
			}
		}
	}
	if data.Cols >= wideColumns && len(data.F32)+len(data.F64) == data.Rows*data.Cols {
		if data.Single() {
			return order(ctx, data.Rows, cfg, byKernel(data.F32, data.Cols))
		}
		return order(ctx, data.Rows, cfg, byKernel(data.F64, data.Cols))
	}
	return order(ctx, data.Rows, cfg, func(dst []float64, i, lo int) {
		row, other := data.AppendRow(make([]float64, 0, data.Cols), i), make([]float64, data.Cols)
		for t := range dst {
			other = data.AppendRow(other[:0], lo+t)
			sum := 0.0
			for j, v := range row {
				gap := v - other[j]
				sum = math.FMA(gap, gap, sum)
			}
			dst[t] = math.Sqrt(sum)
		}
	})
}

// wideColumns is the number of columns from which on a vector kernel pays for its call.
const wideColumns = 12

// byKernel returns the distances of rows of d columns.
func byKernel[T simd.Float](rows []T, d int) distances {
	return func(dst []float64, i, lo int) {
		var squares [256]T
		for len(dst) > 0 {
			some := squares[:min(len(dst), len(squares))]
			simd.SquaredDistances(some, rows[i*d:(i+1)*d], rows[lo*d:(lo+len(some))*d])
			for t, v := range some {
				dst[t] = math.Sqrt(float64(v))
			}
			dst, lo = dst[len(some):], lo+len(some)
		}
	}
}

// FitSource orders the objects of a source of dissimilarities. See [Fit].
func FitSource(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	all := disjoint.Singletons(src.Len())
	return order(ctx, src.Len(), cfg, func(dst []float64, i, lo int) {
		far := make([]float32, len(dst))
		src.Row(far, i, all[lo:lo+len(dst)])
		for t, v := range far {
			dst[t] = float64(v)
		}
	})
}

// distances writes the distances of object i to those from lo on.
type distances func(dst []float64, i, lo int)

// piece is how many distances a goroutine computes at a time.
const piece = 2048

// order is OPTICS. The next object is the one that is reached most easily. Each part that nothing
// reaches begins with its densest object, which is ours, so that the order of the rows plays no
// part. Ties go to the lower number.
func order(ctx context.Context, n int, cfg Config, from distances) (*Result, error) {
	cfg, err := cfg.withDefaults(n)
	if err != nil {
		return nil, err
	}
	r := &Result{Order: make([]int, 0, n), Reachability: make([]float64, n),
		Core: make([]float64, n), Predecessor: make([]int, n)}
	err = parallel.Blocks(ctx, n, 16, cfg.Threads, func(_, lo, hi int) {
		far := make([]float64, n)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			from(far, i, 0)
			far[i] = 0
			r.Reachability[i], r.Predecessor[i] = math.Inf(1), -1
			if r.Core[i] = kth(far, cfg.MinPoints); r.Core[i] > cfg.MaxEps {
				r.Core[i] = math.Inf(1)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	far, done := make([]float64, n), make([]bool, n)
	for len(r.Order) < n {
		if len(r.Order)%64 == 0 && cfg.Progress != nil {
			cfg.Progress(fit.Progress{Share: 0.4 + 0.55*float64(len(r.Order))/float64(n)})
		}
		next := -1
		for i, reach := range r.Reachability {
			if !done[i] && (next < 0 || reach < r.Reachability[next] ||
				reach == r.Reachability[next] && r.Core[i] < r.Core[next]) {
				next = i
			}
		}
		done[next] = true
		r.Order = append(r.Order, next)
		core := r.Core[next]
		if math.IsInf(core, 1) {
			continue
		}
		err := parallel.Blocks(ctx, n, piece, cfg.Threads, func(_, lo, hi int) {
			from(far[lo:hi], next, lo)
		})
		if err != nil {
			return nil, err
		}
		for i, d := range far {
			if reach := max(core, d); !done[i] && d <= cfg.MaxEps && reach < r.Reachability[i] {
				r.Reachability[i], r.Predecessor[i] = reach, next
			}
		}
	}
	if cfg.Extraction == Eps {
		r.Labels, r.Clusters = r.CutAt(cfg.Eps)
		r.Reach = cfg.Eps
	} else {
		r.extract(cfg)
	}
	if cfg.Progress != nil {
		cfg.Progress(fit.Progress{Share: 1})
	}
	return r, nil
}

// kth returns the kth smallest of the values, k from 1, whose order it changes.
func kth(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for lo < hi {
		middle := lo + (hi-lo)/2
		a, b, c := values[lo], values[middle], values[hi]
		pivot := max(min(a, b), min(max(a, b), c)) // their median
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return values[k-1]
		}
	}
	return values[k-1]
}
