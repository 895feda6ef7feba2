package cobra_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// TestBuildMany makes super-instances that are small, with the means and medoids of their rows, and
// the same ones on any number of threads.
func TestBuildMany(t *testing.T) {
	const n, d, groups, want = 6000, 3, 300, 2400
	rng := rand.New(rand.NewPCG(3, 1))
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		centre := rand.New(rand.NewPCG(uint64(i%groups), 9))
		for range d {
			x.F64 = append(x.F64, 100*centre.Float64()+0.1*rng.NormFloat64())
		}
	}
	var first *cobra.SuperInstances
	var share float64
	for _, threads := range []int{1, 4} {
		share = 0
		s, err := cobra.BuildMany(t.Context(), x, cobra.Config{SuperInstances: want,
			Options: fit.Options{Threads: threads, Progress: func(p fit.Progress) {
				if p.Share < share {
					t.Errorf("progress falls from %g to %g", share, p.Share)
				}
				share = p.Share
			}}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		} else if !slices.Equal(s.Of, first.Of) || !slices.Equal(s.Medoids, first.Medoids) ||
			!slices.Equal(s.Means.F64, first.Means.F64) {
			t.Error("other super-instances on other threads")
		}
	}
	if share != 1 {
		t.Errorf("progress ends at %g", share)
	}
	if first.Len() > want || first.Len() < want*9/10 {
		t.Errorf("%d super-instances, want about %d", first.Len(), want)
	}
	sums, sizes := make([]float64, first.Len()*d), make([]int, first.Len())
	mixed, group := 0, make(map[int32]int)
	for i, s := range first.Of {
		sizes[s]++
		for j := range d {
			sums[int(s)*d+j] += x.At(i, j)
		}
		if g, ok := group[s]; ok && g != i%groups {
			mixed++
		}
		group[s] = i % groups
	}
	for s, size := range sizes {
		if size != first.Sizes[s] || first.Of[first.Medoids[s]] != int32(s) {
			t.Fatalf("super-instance %d of %d rows has size %d, medoid %d", s, size,
				first.Sizes[s], first.Medoids[s])
		}
		for j := range d {
			if v := sums[s*d+j]/float64(size) - first.Means.At(s, j); v > 0.05 || v < -0.05 {
				t.Fatalf("the mean of super-instance %d is off by %g", s, v)
			}
		}
	}
	if mixed > n/50 {
		t.Errorf("%d rows are in super-instances of other groups", mixed)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cobra.BuildMany(over, x, cobra.Config{SuperInstances: want}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}
