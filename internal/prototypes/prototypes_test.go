package prototypes_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// moments returns mean and covariance of the rows of x.
func moments(x []float64, d int) (mean, cov []float64) {
	n := len(x) / d
	mean, cov = make([]float64, d), make([]float64, d*d)
	for i, v := range x {
		mean[i%d] += v / float64(n)
	}
	for r := range n {
		for a := range d {
			for b := range d {
				cov[a*d+b] += (x[r*d+a] - mean[a]) * (x[r*d+b] - mean[b]) / float64(n-1)
			}
		}
	}
	return mean, cov
}

// Many points drawn have the moments of the data; a column that follows from another goes on to
// follow from it.
func TestGaussianHasTheMomentsOfTheData(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, d = 20_000, 3
	values := make([]float64, 0, n*d)
	for range n {
		a, b := rng.Float64()*10, rng.Float64()
		values = append(values, a+3, b-a, 2*a)
	}
	data, err := dataset.NewMatrix(n, d, values)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 3000
	got, err := prototypes.Gaussian(context.Background(), data, draws, rng)
	if err != nil {
		t.Fatal(err)
	}
	mean, cov := moments(values, d)
	m, c := moments(got, d)
	for j := range d {
		if sd := math.Sqrt(cov[j*d+j]); math.Abs(m[j]-mean[j]) > 0.1*sd {
			t.Errorf("column %d has mean %g, the data %g", j, m[j], mean[j])
		}
	}
	for a := range d {
		for b := range d {
			if scale := math.Sqrt(cov[a*d+a] *
				cov[b*d+b]); math.Abs(c[a*d+b]-cov[a*d+b]) > 0.1*scale {
				t.Errorf("covariance of %d and %d is %g, in the data %g", a, b, c[a*d+b],
					cov[a*d+b])
			}
		}
	}
	for i := range draws {
		if x := got[i*d : (i+1)*d]; math.Abs(x[2]-2*(x[0]-3)) > 1e-9 {
			t.Fatalf("point %v leaves the plane that the data lie in", x)
		}
	}
}

func TestNormalIsNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 200_000
	var x []float64
	for range n {
		x = append(x, prototypes.Normal(rng))
	}
	slices.Sort(x)
	worst := 0.0 // Kolmogorov–Smirnov
	for i, v := range x {
		phi := 0.5 * math.Erfc(-v/math.Sqrt2)
		worst = math.Max(worst, math.Abs(phi-(float64(i)+0.5)/n))
	}
	if worst > 1.63/math.Sqrt(n) { // the 1 % point
		t.Errorf("the distribution is off by %g", worst)
	}
}

func TestSampleDrawsDistinctRows(t *testing.T) {
	data := dataset.Matrix{Rows: 7, Cols: 1, F32: []float32{5, 5, 5, 5, 1, 2, 2}}
	hits := make(map[float64]int)
	for seed := range uint64(300) {
		got, err := prototypes.Sample(context.Background(), data, 2, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || got[0] == got[1] {
			t.Fatalf("drew %v", got)
		}
		hits[got[0]]++
	}
	if hits[5] < 140 || hits[5] > 205 || hits[2] < 55 || hits[1] < 20 { // 4, 2 and 1 of 7
		t.Errorf("first rows %v, want them as frequent as in the data", hits)
	}
	all, err := prototypes.Sample(context.Background(), data, 3, rand.New(rand.NewPCG(1, 0)))
	if slices.Sort(all); err != nil || !slices.Equal(all, []float64{1, 2, 5}) {
		t.Errorf("three of three: %v, %v", all, err)
	}
}

func TestTooFewDistinctRows(t *testing.T) {
	ctx := context.Background()
	data := dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{1, 2, 1, 2, 0, math.Copysign(0, -1)}}
	if err := prototypes.Check(ctx, data, 2); err != nil {
		t.Errorf("two of two: %v", err)
	}
	var in *fault.Input
	if err := prototypes.Check(ctx, data, 3); !errors.As(err, &in) || in.Fix == "" {
		t.Errorf("three of two: %v", err)
	}
	if _, err := prototypes.Sample(ctx, data, 3, rand.New(rand.NewPCG(1, 0))); !errors.As(err,
		&in) {
		t.Errorf("three of two: %v", err)
	}
	if _, err := prototypes.Gaussian(ctx, dataset.Matrix{}, 3,
		rand.New(rand.NewPCG(1, 0))); !errors.As(err, &in) {
		t.Errorf("none at all: %v", err)
	}
}

// late is done once it has been asked a few times.
type late struct {
	context.Context
	asked *int
}

func (l late) Err() error {
	if *l.asked++; *l.asked > 3 {
		return context.Canceled
	}
	return nil
}

// A row takes as long as there are prototypes, so each is a time to stop.
func TestCancelledAmidAFewRows(t *testing.T) {
	data := dataset.Matrix{Rows: 50, Cols: 1, F64: make([]float64, 50)}
	if _, err := prototypes.Gaussian(late{context.Background(), new(int)}, data, 1,
		rand.New(rand.NewPCG(1, 0))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	data := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}
	rng := rand.New(rand.NewPCG(1, 0))
	_, gaussian := prototypes.Gaussian(ctx, data, 1, rng)
	_, sample := prototypes.Sample(ctx, data, 1, rng)
	for _, err := range []error{gaussian, sample, prototypes.Check(ctx, data, 2)} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}
