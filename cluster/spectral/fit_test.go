package spectral_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Where k-means sees a plane, the graph sees two moons and three spirals.
func TestFitFindsWhatHangsTogether(t *testing.T) {
	two, halves := moons(400, .1, 1)
	three, arms := spirals(600, 1)
	for _, c := range []struct {
		x     dataset.Matrix
		truth []int
		k     int
	}{{two, halves, 2}, {three, arms, 3}} {
		r, err := spectral.Fit(ctx, graph(t, c.x, spectral.GraphConfig{Neighbours: 10}),
			spectral.Config{Clusters: c.k})
		if err != nil {
			t.Fatal(err)
		}
		if ari := rand0(t, c.truth, r.Labels); ari < .99 {
			t.Errorf("%d groups: adjusted Rand index %.3f, eigenvalues %v", c.k, ari, r.Values)
		}
	}
}

// islands are groups far apart, of so many rows each.
func islands(sizes ...int) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(5, 5))
	x := dataset.Matrix{Cols: 2}
	var of []int
	for c, size := range sizes {
		for range size {
			x.F64 = append(x.F64, 100*float64(c)+rng.Float64(), rng.Float64())
			of = append(of, c)
			x.Rows++
		}
	}
	return x, of
}

func TestDisconnectedGraphs(t *testing.T) {
	x, of := islands(40, 40, 8, 40)
	g := graph(t, x, spectral.GraphConfig{Neighbours: 5})
	if _, count := g.Weights.Components(); count != 4 {
		t.Fatalf("%d components", count)
	}
	exact, err := spectral.Fit(ctx, g, spectral.Config{Clusters: 4})
	if err != nil {
		t.Fatal(err)
	}
	if ari := rand0(t, of, exact.Labels); ari != 1 ||
		!slices.Equal(exact.Values, []float64{0, 0, 0, 0}) ||
		!strings.Contains(fmt.Sprint(exact.Notes), "4 components") {
		t.Errorf("four of four: %.3f, %v, %v", ari, exact.Values, exact.Notes)
	}
	// Three of four: the eight rows go with a neighbour of theirs, the second island or the fourth.
	fewer, err := spectral.Fit(ctx, g, spectral.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []int{1, 3} {
		joined := slices.Clone(of)
		for i, c := range of {
			if c == 2 {
				joined[i] = to
			}
		}
		if rand0(t, joined, fewer.Labels) == 1 {
			return
		}
	}
	t.Errorf("three of four: %v", fewer.Labels)
}

// In two dimensions four islands can be separated only where they are no components that a
// dimension each stands for.
func TestFewerDimensionsThanClusters(t *testing.T) {
	x, of := islands(30, 30, 30, 30)
	g := graph(t, x, spectral.GraphConfig{Neighbours: 5})
	for _, d := range []int{2, 3} {
		r, err := spectral.Fit(ctx, g, spectral.Config{Clusters: 4, Dimensions: d})
		if err != nil || slices.Max(r.Labels) != 3 {
			t.Fatalf("%d dimensions: %v, %v", d, r, err)
		}
		if ari := rand0(t, of, r.Labels); ari < .6 {
			t.Errorf("%d dimensions: %.3f", d, ari)
		}
	}
	var in *fault.Input
	if _, err := spectral.Fit(ctx, g, spectral.Config{Clusters: 4, Dimensions: 1}); !errors.As(err,
		&in) {
		t.Errorf("one dimension: %v", err)
	}
}

func TestEdgesOfFit(t *testing.T) {
	x := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{1, 1, 2, 5, 1}}
	g := graph(t, x, spectral.GraphConfig{})
	for k, want := range map[int][]int32{1: {0, 0, 0, 0, 0}, 3: {0, 0, 1, 2, 0}} {
		r, err := spectral.Fit(ctx, g, spectral.Config{Clusters: k})
		if err != nil || !slices.Equal(r.Labels, want) {
			t.Errorf("%d clusters: %v, %v", k, r, err)
		}
	}
	var in *fault.Input
	for _, k := range []int{0, 4, 6} {
		if _, err := spectral.Fit(ctx, g, spectral.Config{Clusters: k}); !errors.As(err, &in) {
			t.Errorf("%d clusters: %v", k, err)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := spectral.VectorGraph(stopped, x, spectral.GraphConfig{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func ExampleFit() {
	// A ring of twelve points inside another.
	var values []float64
	for _, radius := range []float64{1, 3} {
		for i := range 12 {
			y, x := math.Sincos(2 * math.Pi * float64(i) / 12)
			values = append(values, radius*x, radius*y)
		}
	}
	x, _ := dataset.NewMatrix(24, 2, values)
	g, err := spectral.VectorGraph(context.Background(), x, spectral.GraphConfig{Neighbours: 2})
	if err != nil {
		panic(err)
	}
	r, err := spectral.Fit(context.Background(), g, spectral.Config{Clusters: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels)
	fmt.Println(r.Notes)
	// Output:
	// [0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1]
	// [the graph has 2 components]
}
