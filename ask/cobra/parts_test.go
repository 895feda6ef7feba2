package cobra

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// A person does not wait for the best super-instances of many values.
func TestPartsOfManyValues(t *testing.T) {
	for _, c := range []struct {
		name               string
		rows, cols         int
		iterations, sample int
	}{
		{"few", 100_000, 64, 0, 0},
		{"many rows", 100_001, 2, 10, 0},
		{"many values", 50_000, 768, 10, 1 << 14},
		{"many values in few columns", 2_000_000, 16, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Config{}.parts(dataset.Matrix{Rows: c.rows, Cols: c.cols})
			if got.MaxIterations != c.iterations || got.Sample != c.sample {
				t.Errorf("%d iterations from a sample of %d, want %d and %d", got.MaxIterations,
					got.Sample, c.iterations, c.sample)
			}
			set := Config{}
			set.MaxIterations = 7
			if got := set.parts(dataset.Matrix{Rows: c.rows, Cols: c.cols}); got.MaxIterations != 7 {
				t.Errorf("%d iterations where 7 are given", got.MaxIterations)
			}
		})
	}
}

// The cells of many super-instances start from a sample for as many cells.
func TestCells(t *testing.T) {
	got := Config{SuperInstances: 40_000}.cells(dataset.Matrix{Rows: 50_000, Cols: 768})
	if got.Clusters != 200 || got.Sample != 1<<14 {
		t.Errorf("%d cells from a sample of %d", got.Clusters, got.Sample)
	}
}

// TestStartOnTooMany: super-instances of BuildMany may be too many to ask about.
func TestStartOnTooMany(t *testing.T) {
	const many = MaxSuperInstances + 1
	s := &SuperInstances{Of: make([]int32, many), Medoids: make([]int, many)}
	x := dataset.Matrix{Rows: many, Cols: 1, F64: make([]float64, many)}
	if _, err := Start(s, x, Config{}); err == nil {
		t.Error("no error")
	}
}

// TestJoin: super-instances without a medoid join the nearest that has one, on any number of
// threads, until the context ends; empty ones, whose means are nowhere, leave no trace.
func TestJoin(t *testing.T) {
	nan := []float64{0, 1, 10, 12, math.NaN()}
	begin := func() *SuperInstances {
		return &SuperInstances{Of: []int32{0, 1, 2, 3, 3}, Medoids: []int{0, -1, 2, -1, -1},
			Means: dataset.Matrix{Rows: 5, Cols: 1, F64: slices.Clone(nan)},
			Sizes: []int{1, 1, 1, 2, 0}}
	}
	for _, threads := range []int{1, 2, 5} {
		s, err := begin().join(t.Context(), threads)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Of, []int32{0, 0, 1, 1, 1}) || !slices.Equal(s.Sizes, []int{2, 3}) ||
			s.Joined != 2 || !slices.Equal(s.Means.F64, []float64{0.5, 34. / 3}) {
			t.Errorf("%d threads: %+v", threads, s)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := begin().join(over, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}
