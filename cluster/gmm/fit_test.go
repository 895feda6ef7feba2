package gmm_test

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/gmm"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

var covariances = []gmm.Covariance{gmm.Full, gmm.Diagonal, gmm.Tied, gmm.Spherical}

func mustFit(t interface{ Fatal(...any) }, m dataset.Matrix, cfg gmm.Config) *gmm.Result {
	r, err := gmm.Fit(context.Background(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// iris returns the four columns of the sample.
func iris(t *testing.T) dataset.Matrix {
	s, _ := sample.Find("iris")
	file, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m := dataset.Matrix{Rows: len(lines) - 1, Cols: 4}
	for _, line := range lines[1:] {
		for _, text := range line[:4] {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.F64 = append(m.F64, v)
		}
	}
	return m
}

// Two values on either side: the weights, means and variances of the halves, worked by hand. The
// halves are so far apart that no row belongs to the other one.
func TestWorkedExample(t *testing.T) {
	m := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{-101, -99, 99, 100, 101}}
	for _, c := range covariances {
		r := mustFit(t, m, gmm.Config{Clusters: 2, Covariance: c, Regularisation: 1e-12})
		left := int(r.Labels[0])
		variances, squares := []float64{1, 2. / 3}, []float64{1, 2. / 3}
		if c == gmm.Tied {
			variances, squares = []float64{.8}, []float64{.8, .8}
		} else if left == 1 {
			slices.Reverse(variances)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
		want := 2*(math.Log(.4)-.5*math.Log(2*math.Pi*squares[0])-.5/squares[0]) +
			3*(math.Log(.6)-.5*math.Log(2*math.Pi*squares[1])) - 2*.5/squares[1]
		if !near(r.Weights[left], .4) || !near(r.Means.F64[left], -100) ||
			!near(r.Means.F64[1-left], 100) || !near(r.LogLikelihood, want) ||
			!near(r.Entropy, 0) {
			t.Errorf("%v: %+v, log-likelihood %g", c, r, want)
		}
		for i, v := range variances {
			if !near(r.Covariances[i], v) {
				t.Errorf("%v: variances %v, want %v", c, r.Covariances, variances)
			}
		}
		p := map[gmm.Covariance]int{gmm.Tied: 4}[c]
		if p == 0 {
			p = 5
		}
		if r.Parameters() != p || !near(r.BIC(), -2*want+float64(p)*math.Log(5)) ||
			!near(r.AIC(), -2*want+2*float64(p)) || !near(r.ICL(), r.BIC()) {
			t.Errorf("%v: %d parameters, BIC %g, AIC %g", c, r.Parameters(), r.BIC(), r.AIC())
		}
	}
}

// testdata/reference.py prints these: the best of many starts.
func TestAgainstScikitLearn(t *testing.T) {
	m := iris(t)
	for _, c := range []struct {
		covariance gmm.Covariance
		k          int
		likelihood float64
		bic, aic   float64
	}{
		{gmm.Full, 2, -214.354705, 574.017833, 486.709409},
		{gmm.Full, 3, -180.185478, 580.838908, 448.370955},
		{gmm.Diagonal, 2, -386.185347, 857.551494, 806.370694},
		{gmm.Diagonal, 3, -307.177572, 744.631661, 666.355144},
		{gmm.Tied, 2, -296.447575, 688.097220, 630.895150},
		{gmm.Tied, 3, -256.354043, 632.963334, 560.708086},
		{gmm.Spherical, 2, -478.559096, 1012.235180, 979.118192},
		{gmm.Spherical, 3, -384.314095, 853.808990, 802.628190},
	} {
		r := mustFit(t, m, gmm.Config{Clusters: c.k, Covariance: c.covariance,
			Regularisation: 1e-6 / 1.1356176666666666,
			Limits:         fit.Limits{Starts: 20, Tolerance: 1e-9, MaxIterations: 2000}})
		if math.Abs(r.LogLikelihood-c.likelihood) > .02 || math.Abs(r.BIC()-c.bic) > .04 ||
			math.Abs(r.AIC()-c.aic) > .04 {
			t.Errorf("%v, %d clusters: log-likelihood %.6f, BIC %.6f, AIC %.6f, want %v",
				c.covariance, c.k, r.LogLikelihood, r.BIC(), r.AIC(), c)
		}
	}
}

// draws are rows about a few places, some of them the same.
func draws(t *rapid.T) dataset.Matrix {
	n, d := rapid.IntRange(12, 300).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n {
		c := float64(rng.IntN(3))
		for j := range d {
			v := 4*c*float64(j%2) + rng.NormFloat64()
			if j == 3 {
				v = 7 // a constant column
			}
			m.F64 = append(m.F64, v)
		}
	}
	for range n / 4 { // copies
		copy(m.F64[rng.IntN(n)*d:][:d], m.F64[rng.IntN(n)*d:][:d])
	}
	return m
}

// No step lowers the log-likelihood, memberships and weights add up to 1, the means of memberships
// are the weights, and the written log-likelihood is that of a twin.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := draws(t)
		k := rapid.IntRange(1, 4).Draw(t, "k")
		c := rapid.SampledFrom(covariances).Draw(t, "covariance")
		r := mustFit(t, m, gmm.Config{Clusters: k, Covariance: c,
			Limits: fit.Limits{MaxIterations: 60, Tolerance: -1}})
		for i, v := range r.Trace {
			if i > 0 && v < r.Trace[i-1]-1e-6*(1+math.Abs(v)) {
				t.Fatalf("iteration %d lowers the log-likelihood from %.10g to %.10g", i+1,
					r.Trace[i-1], v)
			}
		}
		total := 0.0
		for i := range m.Rows {
			sum := 0.0
			for _, u := range r.Memberships[i*k : (i+1)*k] {
				sum += u
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("memberships of row %d add up to %g", i+1, sum)
			}
			total += logDensity(r, m.AppendRow(nil, i))
		}
		if math.Abs(total-r.LogLikelihood) > 1e-6*(1+math.Abs(total)) {
			t.Fatalf("the log-likelihood is %.10g, by the twin %.10g", r.LogLikelihood, total)
		}
	})
}

// logDensity is the logarithm of the density of a row, as the formula has it.
func logDensity(r *gmm.Result, x []float64) float64 {
	sum, d := 0.0, len(x)
	size := len(r.Covariances) / r.Means.Rows
	for c, weight := range r.Weights {
		cov := make([][]float64, d)
		for a := range cov {
			cov[a] = make([]float64, d)
			for b := range d {
				low, high := min(a, b), max(a, b)
				switch at := high*(high+1)/2 + low; {
				case r.Covariance == gmm.Full:
					cov[a][b] = r.Covariances[c*size+at]
				case r.Covariance == gmm.Tied:
					cov[a][b] = r.Covariances[at]
				case a == b && r.Covariance == gmm.Diagonal:
					cov[a][b] = r.Covariances[c*d+a]
				case a == b:
					cov[a][b] = r.Covariances[c]
				}
			}
		}
		// Gauss–Jordan: the inverse beside the determinant
		inverse, det := make([][]float64, d), 1.0
		for a := range inverse {
			inverse[a] = make([]float64, d)
			inverse[a][a] = 1
		}
		for a := range d {
			pivot := cov[a][a]
			det *= pivot
			for b := range d {
				cov[a][b] /= pivot
				inverse[a][b] /= pivot
			}
			for o := range d {
				if by := cov[o][a]; o != a {
					for b := range d {
						cov[o][b] -= by * cov[a][b]
						inverse[o][b] -= by * inverse[a][b]
					}
				}
			}
		}
		far, trace := 0.0, 0.0
		for a := range d {
			trace += inverse[a][a]
			for b := range d {
				far += (x[a] - r.Means.At(c, a)) * inverse[a][b] * (x[b] - r.Means.At(c, b))
			}
		}
		sum += weight * math.Exp(-.5*(far+r.Floor*trace+float64(d)*math.Log(2*math.Pi)+
			math.Log(det)))
	}
	return math.Log(sum)
}

// The result is the same on any number of threads, and nearly so for float32.
func TestThreadsAndSingle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m := dataset.Matrix{Rows: 3000, Cols: 3}
	for i := range m.Rows * 3 {
		m.F64 = append(m.F64, float64(float32(5*float64(i/3%3)+rng.NormFloat64())))
	}
	single := dataset.Matrix{Rows: m.Rows, Cols: 3}
	for _, v := range m.F64 {
		single.F32 = append(single.F32, float32(v))
	}
	for _, c := range covariances {
		cfg := gmm.Config{Clusters: 3, Covariance: c}
		cfg.Threads = 1
		one := mustFit(t, m, cfg)
		cfg.Threads = 3
		if diff := cmp.Diff(one, mustFit(t, m, cfg)); diff != "" {
			t.Errorf("%v: %s", c, diff)
		}
		if got := mustFit(t, single, cfg); !slices.Equal(got.Labels, one.Labels) ||
			math.Abs(got.LogLikelihood-one.LogLikelihood) > 1e-4*math.Abs(one.LogLikelihood) {
			t.Errorf("%v: float32 has %g, float64 %g", c, got.LogLikelihood, one.LogLikelihood)
		}
	}
}

func TestDegenerateData(t *testing.T) {
	same := dataset.Matrix{Rows: 4, Cols: 2, F64: []float64{1, 2, 1, 2, 1, 2, 1, 2}}
	one := dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{3, 4}}
	far := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 1e300, -1e300}}
	for _, c := range covariances {
		for _, m := range []dataset.Matrix{same, one} {
			r := mustFit(t, m, gmm.Config{Clusters: 1, Covariance: c})
			if r.LogLikelihood-r.LogLikelihood != 0 || r.Means.F64[1] != m.F64[1] {
				t.Errorf("%v: %+v", c, r)
			}
		}
		for _, m := range []dataset.Matrix{same, one, far, {}} {
			k := 2
			if m.Rows == 0 {
				k = 1
			}
			if _, err := gmm.Fit(t.Context(), m, gmm.Config{Clusters: k,
				Covariance: c}); !fault.IsInput(err) {
				t.Errorf("%v, %d rows: %v", c, m.Rows, err)
			}
		}
	}
	for _, cfg := range []gmm.Config{{}, {Clusters: 1, Covariance: 7},
		{Clusters: 1, Regularisation: 2}, {Clusters: 1, Regularisation: math.NaN()},
		{Clusters: 1, Means: far}} {
		if _, err := gmm.Fit(t.Context(), same, cfg); !fault.IsInput(err) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gmm.Fit(ctx, iris(t), gmm.Config{Clusters: 3}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Covariances that would not fit into memory are refused before anything is allocated.
func TestMostCovariances(t *testing.T) {
	const d = 16_383 // d(d+1)/2 is 2²⁷ − 2¹³
	for k, refused := range map[int]bool{1: false, 2: true} {
		m := dataset.Matrix{Rows: 2, Cols: d, F64: make([]float64, 2*d)}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := gmm.Fit(ctx, m, gmm.Config{Clusters: k}); fault.IsInput(err) != refused {
			t.Errorf("%d covariances of %d columns: %v", k, d, err)
		}
	}
}
