package kmeans

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/simd"
)

// Frame is a set of K centres made ready to label blocks of rows, for data that never lie in memory
// as a whole. Goroutines may share it.
type Frame struct {
	centers []float64
	k, d    int

	// One of them is nil.
	wide   *framed[float64]
	single *framed[float32]
}

// framed is a frame with its centres as they are.
type framed[T simd.Float] struct {
	frame[T]
	centers []T
}

// NewFrame readies centers, K×d float64, which it copies. Single means that the rows hold float32
// values: distances are then computed in float32, as [Fit] does with a float32 matrix. It refuses,
// by a *fault.Input, centres so far apart that squared distances overflow.
func NewFrame(centers dataset.Matrix, single bool) (*Frame, error) {
	if err := centers.CheckSize("centres"); err != nil {
		return nil, err
	}
	if centers.Rows < 1 || centers.Single() {
		return nil, fmt.Errorf(
			"kmeans: labelling needs at least one centre, as float64; there are %d", centers.Rows)
	}
	f := &Frame{centers: slices.Clone(centers.F64), k: centers.Rows, d: centers.Cols}
	var err error
	if single {
		f.single, err = newFramed[float32](f.centers, f.d)
	} else {
		f.wide, err = newFramed[float64](f.centers, f.d)
	}
	return f, err
}

func newFramed[T simd.Float](centers []float64, d int) (*framed[T], error) {
	f, err := predictFrame[T](centers, d)
	if err != nil {
		return nil, err
	}
	out := &framed[T]{frame: f, centers: make([]T, len(centers))}
	for i, v := range centers {
		out.centers[i] = T(v)
	}
	return out, nil
}

// Pass is one goroutine's share of an iteration of [Fit] over rows that come block by block. It
// finds the labels that Fit finds, and sums up the clusters afresh. The sums of blocks are added
// with what rounding would lose, so that they are good to about 10⁻¹³ of the spread for any number
// of rows.
type Pass struct {
	Labels []int32 // of the last block: the centre nearest to each row, the lowest among equals
	// of the last block: squared distance of each row to that centre; nil where they are not wanted
	Squared []float64
	Counts  []int64 // rows of each cluster, K

	frame   *Frame
	squared bool
	block   []float64 // sums of a block
	sums    *Sums     // nil: not wanted
	inertia *Sums

	wide     kernels[float64]
	single   kernels[float32]
	narrowed []float32
}

// Pass begins one. Origin, d values amid the data (see [Origin]), is what the sums are taken about;
// nil: no sums are wanted. Squared reports whether the squared distances and the inertia are.
func (f *Frame) Pass(origin []float64, squared bool) *Pass {
	p := &Pass{Counts: make([]int64, f.k), frame: f, squared: squared, inertia: NewSums(1)}
	if origin != nil {
		p.block, p.sums = make([]float64, f.k*f.d), NewSums(f.k*f.d)
	}
	p.wide.framed, p.wide.origin = f.wide, origin
	if p.single.framed = f.single; f.single != nil {
		for _, v := range origin {
			p.single.origin = append(p.single.origin, float32(v))
		}
	}
	return p
}

// Block takes the next block, float64 rows of as many columns as the centres have. A value that is
// not finite, or so far out that its squared distances overflow, is a [*fault.Input] with the row
// of the block and the column, both from 1. Once its own space has grown to the size of the blocks
// it allocates next to nothing.
func (p *Pass) Block(x dataset.Matrix) error {
	d := p.frame.d
	if x.Cols != d || x.Single() || len(x.F64) != x.Rows*d {
		return fmt.Errorf("kmeans: a block of %d×%d with %d values of float64, where the centres "+
			"have %d columns", x.Rows, x.Cols, len(x.F64), d)
	}
	p.Labels = slices.Grow(p.Labels[:0], x.Rows)[:x.Rows]
	if p.squared {
		p.Squared = slices.Grow(p.Squared[:0], x.Rows)[:x.Rows]
	}
	var near bool
	if p.frame.single == nil {
		near = p.wide.block(p, x.F64, x.F64)
	} else {
		p.narrowed = p.narrowed[:0]
		for _, v := range x.F64 {
			p.narrowed = append(p.narrowed, float32(v))
		}
		near = p.single.block(p, p.narrowed, x.F64)
	}
	if !near {
		return beyond(x.F64, d)
	}
	if p.sums != nil {
		p.sums.Add(p.block)
		clear(p.block)
	}
	return nil
}

// kernels does the work of a pass in the type of the rows.
type kernels[T simd.Float] struct {
	framed *framed[T]
	origin []T
	space  simd.Workspace[T]
}

// block takes rows, which as float64 are wide. It is false where they lie too far out.
func (c *kernels[T]) block(p *Pass, rows []T, wide []float64) bool {
	f, d := p.frame, p.frame.d
	if !simd.Within(wide, float64(c.framed.near)) && !c.framed.reaches(rows) {
		return false
	}
	c.framed.centroids.Labels(&c.space, rows, c.framed.shift, p.Labels, nil)
	if p.sums != nil {
		simd.Accumulate(p.block, rows, c.origin, p.Labels)
	}
	for _, l := range p.Labels {
		p.Counts[l]++
	}
	if !p.squared {
		return true
	}
	total := 0.0
	for i, l := range p.Labels {
		at := int(l) * d
		v := simd.SquaredDistance(wide[i*d:(i+1)*d], f.centers[at:at+d])
		total += v
		// Fit takes the inertia in float64, and the furthest rows and medoids in float32
		if f.single != nil {
			v = float64(simd.SquaredDistance(rows[i*d:(i+1)*d], c.framed.centers[at:at+d]))
		}
		p.Squared[i] = v
	}
	p.inertia.add(0, total)
	return true
}

// Sums returns Σ(x − origin) of each cluster, K×d, so far; nil where they are not wanted.
func (p *Pass) Sums() []float64 {
	if p.sums == nil {
		return nil
	}
	return p.sums.Values()
}

// Inertia returns the sum of squared distances so far; 0 where they are not wanted.
func (p *Pass) Inertia() float64 { return p.inertia.Values()[0] }

// Origin returns a point with few digits amid data of that mean, d values, and that variance, a
// mean over the columns: sums about it, and so the means, of values with few digits are exact.
// Single rounds it to float32.
func Origin(mean []float64, variance float64, single bool) []float64 {
	if single {
		var out []float64
		for _, v := range amidSpread[float32](mean, variance) {
			out = append(out, float64(v))
		}
		return out
	}
	return amidSpread[float64](mean, variance)
}

// beyond names the first value that is not finite, or else the one furthest out.
func beyond(rows []float64, d int) error {
	if err := finite(rows, d); err != nil {
		return err
	}
	far := 0
	for i, v := range rows {
		if math.Abs(v) > math.Abs(rows[far]) {
			far = i
		}
	}
	return &fault.Input{
		Row: far/d + 1, Column: fmt.Sprint(far%d + 1),
		Problem: fmt.Sprintf(
			"the value %g lies so far from the centres that squared distances overflow", rows[far]),
		Fix: "scale the columns, for example to 0..1, or leave the row out",
	}
}
