package nearest

import (
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// Blocks that are left out have no pair within reach, and rows in an order make such blocks.
func TestBlocksApart(t *testing.T) {
	const n, d = 1500, 5
	rng := rand.New(rand.NewPCG(4, 0))
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for range d {
			x.F32 = append(x.F32, float32(i)/50+rng.Float32())
		}
	}
	s := NewSweep(x, 4)
	if s == nil {
		t.Skip("no assembly here")
	}
	reach := make([]float32, n)
	for i := range reach {
		reach[i] = Half(float64(rng.IntN(100)))
	}
	left := 0
	count := (n + s.block - 1) / s.block
	for a := range count {
		for b := range a + 1 {
			if !s.apart(a, b, reach) {
				continue
			}
			left++
			for i := a * s.block; i < min(n, (a+1)*s.block); i++ {
				for j := b * s.block; j < min(n, (b+1)*s.block); j++ {
					square := 0.0
					for c := range d {
						gap := x.At(i, c) - x.At(j, c)
						square += gap * gap
					}
					if square/2 <= float64(max(reach[i], reach[j])) {
						t.Fatalf("rows %d and %d are within reach", i, j)
					}
				}
			}
		}
	}
	if left < count*count/8 {
		t.Errorf("%d pairs of %d blocks are left out", left, count)
	}
	for i := range reach {
		reach[i] = Half(1e9)
	}
	if s.apart(count-1, 0, reach) {
		t.Error("blocks within reach are left out")
	}
}
