// Package prototypes draws initial prototypes, the centres from which a method starts.
package prototypes

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
)

// mostSampled bounds the rows that [Gaussian] looks at.
const mostSampled = 1 << 17

// Gaussian draws k points from the normal distribution whose mean and covariance are those of a
// fifth of the rows, drawn at random without replacement: at least two rows where there are as
// many, at most [mostSampled]. (Covões, Hruschka and Ghosh 2013, section IV.) It returns them
// row-major, k×d.
//
// A point is the mean plus Σ z_i(x_i − mean)/√(m−1) over the m rows of the sample, with independent
// z_i from N(0, 1): that has the sample's covariance without computing it, also where the
// covariance is singular. Values must be finite. It fails when ctx is done, and for rows so large
// that the sums overflow with a *fault.Input.
func Gaussian(ctx context.Context, data dataset.Matrix, k int, rng *rand.Rand) ([]float64, error) {
	n, d := data.Rows, data.Cols
	if n == 0 {
		return nil, fault.Inputf("", "there are no rows to draw prototypes from")
	}
	m := min(n, mostSampled, max(2, n/5))
	which := draw.Few(rng, n, m)
	mean, row := make([]float64, d), make([]float64, 0, d)
	for _, i := range which {
		row = data.AppendRow(row[:0], i)
		for j, v := range row {
			mean[j] += v / float64(m)
		}
	}
	out := make([]float64, k*d)
	scale := 1 / math.Sqrt(float64(max(1, m-1)))
	for _, i := range which {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row = data.AppendRow(row[:0], i)
		for j := range row {
			row[j] = float64((row[j] - mean[j]) * scale)
		}
		for c := range k {
			z, to := Normal(rng), out[c*d:(c+1)*d]
			for j, v := range row {
				to[j] += float64(z * v)
			}
		}
	}
	for i := range out {
		out[i] += mean[i%d]
		if out[i]-out[i] != 0 {
			return nil, fault.Inputf("scale the columns, to 0..1 say",
				"the values are not finite, or lie so far apart that sums over rows overflow")
		}
	}
	return out, nil
}

// Sample draws k different rows, no two of equal values, each set of them as likely as they are
// frequent: rows come in random order, and those equal to an earlier one are passed over. It
// returns them row-major, k×d. Fewer distinct rows than k are a *fault.Input.
func Sample(ctx context.Context, data dataset.Matrix, k int, rng *rand.Rand) ([]float64, error) {
	out := make([]float64, 0, k*data.Cols)
	seen := NewDistinct(data)
	swapped := make(map[int]int) // Fisher–Yates, of which only the places touched are held
	at := func(i int) int {
		if v, ok := swapped[i]; ok {
			return v
		}
		return i
	}
	for i := range data.Rows {
		if len(seen.First) == k {
			return out, nil
		}
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j := i + int(rng.Uint64N(uint64(data.Rows-i)))
		row := at(j)
		swapped[j] = at(i)
		delete(swapped, i)
		if _, fresh := seen.Add(row); fresh {
			out = data.AppendRow(out, row)
		}
	}
	if len(seen.First) < k {
		return nil, tooFew(k, len(seen.First))
	}
	return out, nil
}

// Check refuses more prototypes than there are distinct rows, and data that hold more or fewer
// values than they state or have no columns, with a *fault.Input. It stops looking at rows once it
// has seen enough.
func Check(ctx context.Context, data dataset.Matrix, k int) error {
	if err := data.CheckSize("data"); err != nil {
		return err
	}
	seen := NewDistinct(data)
	for i := range data.Rows {
		if len(seen.First) >= k {
			return nil
		}
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		seen.Add(i)
	}
	if len(seen.First) < k {
		return tooFew(k, len(seen.First))
	}
	return nil
}

func tooFew(k, distinct int) error {
	only := fmt.Sprintf("there are only %d distinct rows", distinct)
	if distinct == 1 {
		only = "there is only 1 distinct row"
	}
	return fault.Inputf(fmt.Sprintf("ask for at most %d", distinct),
		"%d clusters asked for, and %s", k, only)
}

// Distinct numbers the distinct rows of data, from 0 as they are added. 0 and −0 are equal.
type Distinct struct {
	First []int // of each, the row that was added first

	data  dataset.Matrix
	seed  maphash.Seed
	rows  map[uint64][]int32 // numbers by hash
	a, b  []float64
	bytes []byte
}

// NewDistinct returns a numbering of no rows yet.
func NewDistinct(data dataset.Matrix) *Distinct {
	return &Distinct{data: data, seed: maphash.MakeSeed(), rows: make(map[uint64][]int32)}
}

// Add returns the number of a row, and reports whether it differs from all that were added before.
func (s *Distinct) Add(row int) (number int32, fresh bool) {
	s.a, s.bytes = s.data.AppendRow(s.a[:0], row), s.bytes[:0]
	for _, v := range s.a {
		s.bytes = binary.LittleEndian.AppendUint64(s.bytes, math.Float64bits(v+0))
	}
	at := maphash.Bytes(s.seed, s.bytes)
	for _, other := range s.rows[at] {
		s.b = s.data.AppendRow(s.b[:0], s.First[other])
		if slices.Equal(s.a, s.b) {
			return other, false
		}
	}
	number = int32(len(s.First))
	s.First = append(s.First, row)
	s.rows[at] = append(s.rows[at], number)
	return number, true
}

// Number returns the number of each row among the distinct rows of data, and the first row of each.
// It fails when ctx is done.
func Number(ctx context.Context, data dataset.Matrix) (of []int32, first []int, err error) {
	of = make([]int32, data.Rows)
	seen := NewDistinct(data)
	for i := range of {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		of[i], _ = seen.Add(i)
	}
	return of, seen.First, nil
}

// Normal draws from N(0, 1) by the ratio of uniforms (Kinderman and Monahan 1977) within the
// quadratic bounds of J. L. Leva (ACM TOMS 18, 1992). The value is a quotient of two uniform
// numbers, rounded alike on every processor; the logarithm only decides the one draw in a hundred
// that falls between the bounds.
func Normal(rng *rand.Rand) float64 {
	for {
		u := (float64(rng.Uint64()>>12) + 0.5) / (1 << 52) // never 0
		w := (float64(rng.Uint64()>>12) + 0.5) / (1 << 52)
		v := float64(1.7156 * (w - 0.5))
		x, y := u-0.449871, math.Abs(v)+0.386595
		q := float64(x*x) + float64(y*(float64(0.19600*y)-float64(0.25472*x)))
		if q < 0.27597 || q <= 0.27846 && float64(v*v) <= float64(-4*float64(u*u))*math.Log(u) {
			return v / u
		}
	}
}
