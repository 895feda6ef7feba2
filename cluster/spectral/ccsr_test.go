package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// someKernelProblem draws rows, two of them one node, and links.
func someKernelProblem(t *testing.T, m int, seed uint64) (*kernelProblem,
	func(a mat.Symmetric) float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	const nodes = 30
	g := &Graph{}
	for c := range nodes {
		g.Node, g.First = append(g.Node, int32(c)), append(g.First, c)
	}
	g.Node = append(g.Node, 4)
	rows := make([]float64, nodes*m)
	for i := range rows {
		rows[i] = rng.NormFloat64()
	}
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink},
		{A: 2, B: 3, Kind: link.CannotLink, Plausibility: .5}, {A: 30, B: 7, Kind: link.CannotLink},
		{A: 5, B: 6}}
	const weight = 3
	p, err := newKernelProblem(context.Background(), g, rows, m, links, weight, 2)
	if err != nil {
		t.Fatal(err)
	}
	vector := func(row int) *mat.VecDense {
		c := int(g.Node[row])
		return mat.NewVecDense(m, rows[c*m:(c+1)*m])
	}
	return p, func(a mat.Symmetric) (sum float64) { // the definition
		for row := range g.Node {
			sum += math.Pow(mat.Inner(vector(row), a, vector(row))-1, 2)
		}
		for _, l := range links {
			v := mat.Inner(vector(l.A), a, vector(l.B))
			switch l.Kind {
			case link.MustLink:
				sum += weight * (v - 1) * (v - 1)
			case link.CannotLink:
				sum += weight * l.Confidence() * v * v
			}
		}
		return sum
	}
}

func TestKernelObjectiveAndGradientAreThoseOfTheDefinition(t *testing.T) {
	const m = 4
	p, definition := someKernelProblem(t, m, 1)
	rng := rand.New(rand.NewPCG(2, 2))
	z := make([]float64, p.size)
	for a := range z {
		z[a] = rng.NormFloat64()
	}
	at := definition(unpacked(z, m))
	if got := p.objective(z); math.Abs(got-at) > 1e-9*at {
		t.Errorf("objective %g, by the definition %g", got, at)
	}
	g := make([]float64, p.size)
	p.gradient(g, z)
	for a := range z {
		const h = 1e-5
		keep := z[a]
		z[a] = keep + h
		up := definition(unpacked(z, m))
		z[a] = keep - h
		down := definition(unpacked(z, m))
		z[a] = keep
		if slope := (up - down) / (2 * h); math.Abs(slope-g[a]) > 1e-5*math.Abs(at) {
			t.Errorf("derivative %d is %g, by differences %g", a, g[a], slope)
		}
	}
}

// At the minimum over the cone M ⪰ 0, the gradient G ⪰ 0 and GM = 0.
func TestKernelMeetsTheOptimalityConditions(t *testing.T) {
	for seed := range uint64(5) {
		const m = 5
		p, _ := someKernelProblem(t, m, seed+10)
		kernel, steps, settled, err := p.solve(context.Background(), 20000, 1e-11, func(float64) {})
		if err != nil || !settled {
			t.Fatalf("%d steps, %v", steps, err)
		}
		z := packed(kernel)
		g := make([]float64, p.size)
		p.gradient(g, z)
		gradient := unpacked(g, m)
		scale := mat.Norm(unpacked(p.linear, m), 2)
		values, _, _ := linalg.Symmetric(kernel)
		if values[m-1] < -1e-9 {
			t.Errorf("M has the eigenvalue %g", values[m-1])
		}
		slopes, _, _ := linalg.Symmetric(gradient)
		if slopes[m-1] < -1e-6*scale {
			t.Errorf("G has the eigenvalue %g of %g", slopes[m-1], scale)
		}
		var product mat.Dense
		product.Mul(gradient, kernel)
		if n := mat.Norm(&product, 2); n > 1e-6*scale {
			t.Errorf("GM is %g of %g", n, scale)
		}
	}
}

// Nine rows are fitted by any kernel of their nine eigenvectors; by three of them they are what
// they are.
func TestCCSROfFewRows(t *testing.T) {
	x := dataset.Matrix{Rows: 9, Cols: 1, F64: []float64{0, 1, 2, 100, 101, 102, 200, 201, 202}}
	g, err := VectorGraph(context.Background(), x, GraphConfig{Neighbours: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := FitCCSR(context.Background(), g,
		CCSRConfig{Config: Config{Clusters: 3}, Knowledge: fit.Knowledge{
			Links: []link.Link{{A: 0, B: 4, Kind: link.CannotLink}}}})
	if err != nil {
		t.Fatal(err)
	}
	l := r.Labels
	for i := range 9 {
		if l[i] != l[i/3*3] {
			t.Fatalf("clusters %v", l)
		}
	}
	if l[0] == l[3] || l[3] == l[6] || l[0] == l[6] {
		t.Errorf("clusters %v", l)
	}
}

func TestProjectionTakesNegativeEigenvaluesAway(t *testing.T) {
	p := &kernelProblem{m: 2, size: 3}
	got, err := p.project(packed(mat.NewSymDense(2, []float64{0, 2, 2, 0}))) // eigenvalues 2 and −2
	if err != nil {
		t.Fatal(err)
	}
	if a := unpacked(got, 2); !mat.EqualApprox(a, mat.NewSymDense(2, []float64{1, 1, 1, 1}),
		1e-12) {
		t.Errorf("got %v", mat.Formatted(a))
	}
}
