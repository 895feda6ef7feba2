package spectral_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// Three points on a line, 0, 1 and 3, each linked to its nearest: 0–1 from both ends, 1–3 from one.
func TestGraphByHand(t *testing.T) {
	// the last is the second again
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 3, 1}}
	g := graph(t, x, spectral.GraphConfig{Neighbours: 1, Bandwidth: 2})
	if !slices.Equal(g.Node, []int32{0, 1, 2, 1}) || !slices.Equal(g.First, []int{0, 1, 2}) {
		t.Errorf("nodes %v of rows %v", g.Node, g.First)
	}
	a, b := math.Exp(-1.0/8), math.Exp(-4.0/8)/2
	want := []float64{a, a, b, b}
	for e, v := range g.Weights.Value {
		if math.Abs(v-want[e]) > 1e-7 {
			t.Errorf("weights %v, want %v", g.Weights.Value, want)
		}
	}
	if !slices.Equal(g.Weights.Col, []int32{1, 0, 2, 1}) {
		t.Errorf("columns %v", g.Weights.Col)
	}
	s := g.Weights.Normalised() // degrees a, a+b, b
	if got, want := s.Value[0], a/math.Sqrt(a*(a+b)); math.Abs(got-want) > 1e-7 {
		t.Errorf("normalised %g, want %g", got, want)
	}
}

func TestGraphsOfVectorsAndOfTheirDissimilaritiesAgree(t *testing.T) {
	x, _ := moons(200, .1, 1)
	x.F64 = append(x.F64, x.F64[:20]...) // ten rows twice
	x.Rows += 10
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	a := graph(t, x, spectral.GraphConfig{})
	b, err := spectral.ObjectGraph(ctx, src, spectral.GraphConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Node, b.Node) || !slices.Equal(a.Weights.Col, b.Weights.Col) ||
		!slices.Equal(a.Weights.Value, b.Weights.Value) {
		t.Error("the graphs differ")
	}
}

func TestGraphFaults(t *testing.T) {
	good, near := cloud(5, 2, 1), cloud(5, 2, 1)
	for i := range near.F64 {
		near.F64[i] *= 1e-60
	}
	bad := cloud(5, 2, 1)
	bad.F64[3] = math.NaN()
	for want, c := range map[string]struct {
		x   dataset.Matrix
		cfg spectral.GraphConfig
	}{
		"no rows":    {dataset.Matrix{Cols: 2}, spectral.GraphConfig{}},
		"finite":     {bad, spectral.GraphConfig{}},
		"so close":   {near, spectral.GraphConfig{}},
		"neighbours": {good, spectral.GraphConfig{Neighbours: -1}},
		"bandwidth":  {good, spectral.GraphConfig{Bandwidth: math.Inf(1)}},
		"no way 9":   {good, spectral.GraphConfig{Search: 9}},
	} {
		_, err := spectral.VectorGraph(ctx, c.x, c.cfg)
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// However neighbours are found, the shares reported rise to 1.
func TestGraphTellsItsProgress(t *testing.T) {
	for d, how := range map[int]spectral.Search{2: spectral.Exact, 9: spectral.Exact,
		10: spectral.Approximate} {
		last, calls := 0.0, 0
		graph(t, cloud(1500, d, 1),
			spectral.GraphConfig{
				Search: how,
				Options: fit.Options{Threads: 3, Progress: func(p fit.Progress) {
					if p.Share < last || p.Share > 1 {
						t.Errorf("%d columns: %g after %g", d, p.Share, last)
					}
					last, calls = p.Share, calls+1
				}},
			})
		if calls < 2 || last != 1 && how == spectral.Exact {
			t.Errorf("%d columns: reported %d times, at last %g", d, calls, last)
		}
	}
}
