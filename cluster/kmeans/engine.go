package kmeans

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// engine is what all starts of one fit share: the rows, cut into blocks.
type engine[T simd.Float] struct {
	rows      []T
	n, d, k   int
	threads   int
	block     int   // rows in a block
	sample    int   // rows that initParallel looks at; 0: SampleRows
	distances int64 // computed so far

	origin []T       // sums are taken about it; see place
	middle []float64 // the mean of the rows,
	radius float64   // from which none is further than this

	wide  []float64   // rows, if float64
	tiles *simd.Tiles // a copy of wide, if that helps; half its size
}

// chunkRows is how many rows a block hands to the kernels at a time: few enough to stay in the
// cache from the search for the nearest centre to the sums, and whole tiles.
const chunkRows = 2 * simd.TileRows

func newEngine[T simd.Float](rows []T, n, d, k, threads int) *engine[T] {
	e := &engine[T]{rows: rows[:n*d], n: n, d: d, k: k, threads: threads, block: blockRows(n, d, k)}
	e.wide, _ = any(e.rows).([]float64)
	return e
}

// blockRows cuts n rows into at most 64 blocks, so that many threads find work, of at least 480
// rows, so that a block's sums cost little beside its distances; and into fewer, though never less
// than two, where the sums of all blocks, k×d each, would take more than 256 MB.
func blockRows(n, d, k int) int {
	blocks := min(64, max(2, (1<<25)/max(1, k*d)))
	rows := max(480, (n+blocks-1)/blocks)
	return (rows + chunkRows - 1) / chunkRows * chunkRows
}

// blocks runs do on every chunk of every block. Chunks of a block come in order, on one goroutine.
func (e *engine[T]) blocks(ctx context.Context, do func(block, lo, hi int)) error {
	return parallel.Blocks(ctx, e.n, e.block, e.threads, func(b, lo, hi int) {
		for ; lo < hi && ctx.Err() == nil; lo += chunkRows {
			do(b, lo, min(hi, lo+chunkRows))
		}
	})
}

func (e *engine[T]) row(i int) []T { return e.rows[i*e.d : (i+1)*e.d] }

// columns is what one pass over the data finds.
type columns struct {
	mean     []float64
	total    float64 // Σ‖x − mean‖²
	variance float64 // mean over the columns
	radius   float64 // no row is further from the mean
}

// columns finds mean and spread, block by block about each block's own mean, and refuses values
// that are not finite or whose squared distances would overflow.
func (e *engine[T]) columns(ctx context.Context) (columns, error) {
	d := e.d
	type part struct {
		mean       []float64
		sum, reach float64 // Σ‖x − mean‖², max ‖x − mean‖²
	}
	parts := make([]part, parallel.Count(e.n, e.block))
	err := parallel.Blocks(ctx, e.n, e.block, e.threads, func(b, lo, hi int) {
		mean := make([]float64, d)
		shift := e.row(lo)
		same := make([]int32, chunkRows)
		for at := lo; at < hi; at += chunkRows {
			to := min(hi, at+chunkRows)
			simd.Accumulate(mean, e.rows[at*d:to*d], shift, same[:to-at])
		}
		for j := range mean {
			mean[j] = float64(shift[j]) + mean[j]/float64(hi-lo)
		}
		p := part{mean: mean}
		dist, space := make([]float64, chunkRows), e.widenSpace(chunkRows)
		for at := lo; at < hi; at += chunkRows {
			to := min(hi, at+chunkRows)
			simd.SquaredDistances(dist[:to-at], mean, widen(e.rows[at*d:to*d], space))
			for _, v := range dist[:to-at] {
				p.sum += v
				p.reach = math.Max(p.reach, v)
			}
		}
		parts[b] = p
	})
	if err != nil {
		return columns{}, err
	}
	col := columns{mean: make([]float64, d)}
	for b, p := range parts {
		rows := float64(min(e.n, (b+1)*e.block) - b*e.block)
		for j, v := range p.mean {
			col.mean[j] += float64(v * (rows / float64(e.n)))
		}
	}
	for b, p := range parts {
		rows := float64(min(e.n, (b+1)*e.block) - b*e.block)
		off := simd.SquaredDistance(p.mean, col.mean)
		col.total += p.sum + float64(rows*off)
		col.radius = math.Max(col.radius, math.Sqrt(p.reach)+math.Sqrt(off))
	}
	col.variance = col.total / float64(e.n) / float64(d)
	if size := math.Sqrt(simd.SquaredDistance(col.mean,
		make([]float64, d))); !fits[T](size+col.radius) || math.IsNaN(col.total) ||
		math.IsInf(col.total, 0) {
		return columns{}, e.misfit()
	}
	return col, nil
}

// place puts the origin amid the data: few digits, so that sums of values with few digits, and so
// the means, are exact.
//
// It also makes the copy that the kernels read.
func (e *engine[T]) place(ctx context.Context, col columns) error {
	e.origin, e.middle, e.radius = amidSpread[T](col.mean, col.variance), col.mean, col.radius
	if e.wide == nil || e.k == 1 {
		return nil
	}
	if e.tiles = simd.NewTiles(e.n, any(e.origin).([]float64)); e.tiles == nil {
		return nil
	}
	return e.blocks(ctx, func(_, lo, hi int) { e.tiles.Fill(e.wide, lo, hi) })
}

// misfit names the first value that is not finite, or else reports that the values are too large.
func (e *engine[T]) misfit() error {
	if err := finite(e.rows, e.d); err != nil {
		return err
	}
	return overflow()
}

// widen returns rows as float64: themselves, or copied to space.
func widen[T simd.Float](rows []T, space []float64) []float64 {
	if double, ok := any(rows).([]float64); ok {
		return double
	}
	for i, v := range rows {
		space[i] = float64(v)
	}
	return space[:len(rows)]
}

// widenSpace returns space to widen n rows.
func (e *engine[T]) widenSpace(n int) []float64 {
	if e.wide != nil {
		return nil
	}
	return make([]float64, n*e.d)
}

// own computes the squared distance of each row to the centre of its label.
func (e *engine[T]) own(ctx context.Context, label []int32, centers []float64,
	dist []float64) error {
	d := e.d
	c := make([]T, len(centers))
	for i, v := range centers {
		c[i] = T(v)
	}
	e.distances += int64(e.n)
	return e.blocks(ctx, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			l := int(label[i])
			dist[i] = float64(simd.SquaredDistance(e.row(i), c[l*d:(l+1)*d]))
		}
	})
}

// inertia sums the squared distances of the rows to the centres of their labels, in float64.
func (e *engine[T]) inertia(ctx context.Context, label []int32, centers []float64) (float64,
	error) {
	d := e.d
	sums := make([]float64, parallel.Count(e.n, e.block))
	e.distances += int64(e.n)
	err := e.blocks(ctx, func(b, lo, hi int) {
		space := e.widenSpace(1)
		for i := lo; i < hi; i++ {
			l := int(label[i])
			sums[b] += simd.SquaredDistance(widen(e.row(i), space), centers[l*d:(l+1)*d])
		}
	})
	return linalg.Sum(sums), err
}
