package dissim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
)

// plain hides how a source is made, so that pairs are looked up one by one.
type plain struct{ Source }

func table(rows, cols int, seed uint64) dataset.Matrix {
	draw := rand.New(rand.NewPCG(seed, 1))
	values := make([]float64, rows*cols)
	for i := range values {
		values[i] = float64(draw.IntN(1000))
	}
	return dataset.Matrix{Rows: rows, Cols: cols, F64: values}
}

// TestSampleDrawsPartners: each object has k different ones, is drawn by k others, and no two
// objects of a block are partners.
func TestSampleDrawsPartners(t *testing.T) {
	for _, c := range []struct{ n, k, d int }{{64, 1, 2}, {100, 49, 1}, {203, 20, 7},
		{5000, 30, 16}, {1 << 17, 12, 3}} {
		src, err := Vectors(table(c.n, c.d, 3), Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Sample(t.Context(), src, c.k, 7, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn := make([]int, c.n)
		one := make([]float32, 1)
		for p, i := range s.Order[:c.n] {
			partners := map[int32]bool{}
			for r, shift := range s.Shifts {
				q := (p + int(shift)) % c.n
				j := s.Order[q]
				partners[j] = true
				drawn[j]++
				if j == i || p/s.Block == q/s.Block {
					t.Fatalf("n %d: positions %d and %d are partners, with blocks of %d", c.n, p, q,
						s.Block)
				}
				if src.Row(one, int(i), []int32{j}); one[0] != s.D[r*s.Stride+p] {
					t.Fatalf("d(%d,%d) is %v, and %v in the store", i, j, one[0], s.D[r*s.Stride+p])
				}
			}
			if len(partners) != c.k {
				t.Fatalf("object %d has %d partners", i, len(partners))
			}
		}
		for i, times := range drawn {
			if times != c.k {
				t.Fatalf("object %d is drawn %d times", i, times)
			}
		}
		for r := range c.k {
			if !slices.Equal(s.D[r*s.Stride:r*s.Stride+SampledPad],
				s.D[r*s.Stride+c.n:(r+1)*s.Stride]) {
				t.Fatal("the end does not repeat the beginning")
			}
		}
		if !slices.Equal(s.Order[:SampledPad], s.Order[c.n:]) {
			t.Fatal("the order does not repeat its beginning")
		}

		// The same bytes on any number of threads, and without runs.
		for _, other := range []Source{src, plain{src}} {
			again, err := Sample(t.Context(), other, c.k, 7, 1, func(float64) {})
			if err != nil || !slices.Equal(again.D, s.D) || !slices.Equal(again.Order, s.Order) {
				t.Errorf("n %d: another sample (%v)", c.n, err)
			}
		}
	}
}

func TestSampleRefusesWhereAllPairsDoBetter(t *testing.T) {
	src, err := Vectors(table(100, 2, 1), Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{-1, 0, 50, 99, 1000} {
		var in *fault.Input
		if _, err := Sample(t.Context(), src, k, 0, 1, nil); !errors.As(err, &in) || in.Fix == "" {
			t.Errorf("k = %d: %v", k, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sample(ctx, src, 10, 0, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// endless is a source of more objects than memory can hold partners of.
type endless struct{ Source }

func (endless) Len() int { return math.MaxInt32 }

func TestSampleBeyondMemory(t *testing.T) {
	if memory.Available() == 0 {
		t.Skip("the free memory is not known here")
	}
	var in *fault.Input
	if _, err := Sample(t.Context(), endless{}, 1<<20, 0, 1, nil); !errors.As(err, &in) ||
		!strings.Contains(in.Fix, "--landmarks") {
		t.Errorf("%v", err)
	}
}
