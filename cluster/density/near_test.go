package density

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

func uniform(n, d int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(1, 2))
	m := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
	for i := range m.F64 {
		m.F64[i] = rng.Float64()
	}
	return m
}

// TestCoreDistances are what sorting all distances says, in a tree and without, near and far.
func TestCoreDistances(t *testing.T) {
	const n = 300
	m := uniform(n, 2)
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Objects{{Vectors: m}, {Source: src}} {
		s, err := o.space(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{1, 2, 7, 150, n, n + 1} {
			core, err := s.core(context.Background(), k, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range s.rows() {
				all := []float64{}
				for j := range n {
					all = append(all, math.Hypot(m.F64[2*row]-m.F64[2*j],
						m.F64[2*row+1]-m.F64[2*j+1]))
				}
				slices.Sort(all)
				want := unreached
				if k <= n {
					want = all[k-1]
				}
				if got := s.radius(core[i]); got != want && !(math.Abs(got-want) < 1e-6) {
					t.Fatalf("the core distance of row %d to %d points is %g, want %g", row, k, got,
						want)
				}
			}
		}
	}
}

// A neighbourhood of half the rows does not keep anyone waiting who has given up.
func TestManyPointsAreCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := Config{
		MinPoints: 20_000,
		Options:   fit.Options{Progress: func(fit.Progress) { cancel() }},
	}
	done := make(chan error)
	go func() {
		_, err := FitDBSCAN(ctx, Objects{Vectors: uniform(30_000, 2)}, cfg)
		done <- err
	}()
	select {
	case err := <-done:
		if err != context.Canceled {
			t.Error(err)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the fit goes on after it was cancelled")
	}
}

// TestValuesOutOfReach are refused, as all squared distances would be 0 or +Inf; so are classes
// that leave no numbers for clusters.
func TestValuesOutOfReach(t *testing.T) {
	for want, factor := range map[string]float64{"": 1e-130, "vanish": 1e-165, "overflow": 1e160} {
		m := uniform(200, 2)
		for i := range m.F64 {
			m.F64[i] *= factor
		}
		r, err := FitDBSCAN(context.Background(), Objects{Vectors: m}, Config{})
		if want == "" && (err != nil || r.Eps < factor/1000) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("times %g: %v", factor, err)
		}
	}
	classes := slices.Repeat([]int32{-1}, 200)
	classes[3], classes[9] = 0, math.MaxInt32
	if _, err := FitMultiDensity(context.Background(), Objects{Vectors: uniform(200, 2)}, classes,
		MultiDensityConfig{NewClusters: true}); err == nil {
		t.Error("new clusters have numbers after the greatest there is")
	}
}
