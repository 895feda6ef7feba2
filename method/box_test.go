package method

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
)

// rowsOf returns rows of which column j has deviation j+1.
func rowsOf(n, d int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n * d {
		x.F64 = append(x.F64, float64(i%d+1)*rng.NormFloat64()+5)
	}
	return x
}

// polled is done after some looks at it.
type polled struct {
	context.Context
	left int
}

func (p *polled) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// Rows are what their places along the axes make of them, and rows that are drawn are within the
// box, whether there are more rows than columns or not.
func TestPrincipalAxes(t *testing.T) {
	for _, c := range []struct{ n, d, axes int }{{40, 6, 6}, {7, 60, 6}, {1, 3, 3}} {
		x := rowsOf(c.n, c.d)
		b, err := principal(t.Context(), x, 2)
		if err != nil {
			t.Fatal(err)
		}
		if c.n > 1 && len(b.low) != c.axes {
			t.Errorf("%d×%d: %d axes", c.n, c.d, len(b.low))
		}
		drawn, err := b.uniform(t.Context(), x, false, rand.New(rand.NewPCG(1, 2)), 2)
		if err != nil {
			t.Fatal(err)
		}
		for name, rows := range map[string]dataset.Matrix{"data": x, "drawn": drawn} {
			centred := mat.NewDense(c.n, c.d, nil)
			for i := range c.n {
				for j := range c.d {
					centred.Set(i, j, rows.At(i, j)-b.mean[j])
				}
			}
			var along, back mat.Dense
			along.Mul(centred, b.axes.T())
			back.Mul(&along, b.axes)
			if !mat.EqualApprox(&back, centred, 1e-9) {
				t.Errorf("%d×%d, %s: rows are not along the axes", c.n, c.d, name)
			}
			for i := range c.n {
				for e, v := range along.RawRowView(i) {
					if v < b.low[e]-1e-9 || v > b.high[e]+1e-9 {
						t.Errorf("%d×%d, %s: %v is outside %v..%v", c.n, c.d, name, v, b.low[e],
							b.high[e])
					}
				}
			}
		}
		unit, err := b.uniform(t.Context(), x, true, rand.New(rand.NewPCG(1, 2)), 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.n {
			row := unit.AppendRow(nil, i)
			if length := linalg.Dot(row, row); math.Abs(length-1) > 1e-12 {
				t.Errorf("%d×%d: a row is of length² %v", c.n, c.d, length)
			}
		}
	}
	if _, err := principal(t.Context(), dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{-1e300, 1e300}},
		1); err == nil {
		t.Error("squares beyond all numbers are added up")
	}
}

// The axes of many columns, and rows along them, take seconds: they are given up between the steps.
func TestAxesAreGivenUp(t *testing.T) {
	x := rowsOf(200, 100)
	for left := 0; left < 200; left += 9 {
		ctx := &polled{t.Context(), left}
		if _, err := principal(ctx, x, 1); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: %v", left, err)
		}
	}
	b, err := principal(t.Context(), x, 1)
	if err != nil {
		t.Fatal(err)
	}
	for left := range 5 {
		if _, err := b.uniform(&polled{t.Context(), left}, x, false, rand.New(rand.NewPCG(1, 2)),
			1); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v", left, err)
		}
	}
}
