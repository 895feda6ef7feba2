package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// docProducts is the loop of the documentation, word for word.
func docProducts(out []float64, rows [][]float32, cols []float64, stride, f int) {
	for i, row := range rows {
		for q := range f {
			var lane [8]float64
			for j, v := range row {
				lane[j%8] = fma(float64(v), cols[q*stride+j], lane[j%8])
			}
			for w := 4; w > 0; w /= 2 {
				for l := range w {
					lane[l] += lane[l+w]
				}
			}
			out[i*f+q] = lane[0]
		}
	}
}

var productShapes = []struct{ m, n, f int }{
	{0, 3, 2}, {1, 0, 3}, {3, 5, 0}, {1, 1, 1}, {2, 7, 2}, {3, 8, 3}, {4, 9, 4}, {5, 15, 5},
	{6, 16, 6}, {7, 17, 7}, {9, 40, 8},
	{13, 63, 12}, {60, 100, 5}, {33, 100, 16}, {21, 50, 21}, {3, 20, 64}, {5, 11, 150},
	{6, 4095, 3}, {7, 4096, 5}, {5, 8500, 13},
}

func productRows(m, n int) [][]float32 {
	rows := make([][]float32, m)
	for i := range rows {
		rows[i] = noise[float32](n, uint64(i))
	}
	return rows
}

func TestProductsOfLevelsAgree(t *testing.T) {
	for _, s := range productShapes {
		rng := rand.New(rand.NewPCG(uint64(s.n), uint64(s.f)))
		stride := s.n + rng.IntN(5)
		rows, cols := productRows(s.m, s.n), noise[float64](max(0, s.f-1)*stride+s.n, 7)
		want := make([]float64, s.m*s.f)
		docProducts(want, rows, cols, stride, s.f)
		kept := slices.Clone(rows)
		for _, at := range levels() {
			got := make([]float64, s.m*s.f+1)
			got[s.m*s.f] = 77
			products(at, got, rows, cols, stride, s.f)
			sameBits(t, fmt.Sprintf("%v: %+v", at, s), got[:s.m*s.f], want)
			if got[s.m*s.f] != 77 {
				t.Errorf("%v: %+v: written past the last product", at, s)
			}
		}
		for i := range rows {
			if len(rows[i]) != len(kept[i]) {
				t.Errorf("row %d now has %d values", i, len(rows[i]))
			}
		}
	}
}

func TestProductsAreProducts(t *testing.T) {
	const m, n, f = 11, 300, 5
	rows, cols, out := productRows(m, n), noise[float64](f*n, 7), make([]float64, m*f)
	Products(out, rows, cols, n, f)
	for i, row := range rows {
		for q := range f {
			want, size := 0.0, 0.0
			for j, v := range row {
				want += float64(v) * cols[q*n+j]
				size += math.Abs(float64(v) * cols[q*n+j])
			}
			if got := out[i*f+q]; math.Abs(got-want) > 1e-14*size {
				t.Errorf("row %d, column %d: %g, want %g", i, q, got, want)
			}
		}
	}
}

func TestProductsNeedAllValues(t *testing.T) {
	rows, cols := productRows(3, 9), make([]float64, 21)
	for name, call := range map[string]func(){
		"short products": func() { Products(make([]float64, 5), rows, cols, 12, 2) },
		"short row": func() {
			Products(make([]float64, 6),
				[][]float32{rows[0], rows[1][:8], rows[2]}, cols, 12, 2)
		},
		"short column": func() { Products(make([]float64, 6), rows, cols[:20:20], 12, 2) },
		"bad stride":   func() { Products(make([]float64, 6), rows, cols, -12, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func BenchmarkProducts(b *testing.B) {
	const m, n = 64, 10_000
	rows := productRows(m, n)
	for _, f := range []int{3, 5, 8, 16} {
		cols, out := noise[float64](f*n, 7), make([]float64, m*f)
		for _, at := range levels() {
			b.Run(fmt.Sprintf("f=%d/%v", f, at), func(b *testing.B) {
				b.SetBytes(4 * m * n)
				for b.Loop() {
					products(at, out, rows, cols, n, f)
				}
			})
		}
	}
}

// BenchmarkProductsFromMemory has more rows than any cache holds.
func BenchmarkProductsFromMemory(b *testing.B) {
	const m, n, f = 10_000, 10_000, 5
	values := make([]float32, m*n)
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([][]float32, m)
	for i := range rows {
		rows[i] = values[i*n : (i+1)*n]
		for j := range rows[i] {
			rows[i][j] = rng.Float32()
		}
	}
	cols, out := noise[float64](f*n, 7), make([]float64, m*f)
	for _, at := range levels()[1:] {
		b.Run(at.String(), func(b *testing.B) {
			b.SetBytes(4 * m * n)
			for b.Loop() {
				for lo := 0; lo < m; lo += 100 {
					products(at, out[lo*f:], rows[lo:lo+100], cols, n, f)
				}
			}
		})
	}
}
