package bayes_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
)

// iris reads the published set.
func iris(t testing.TB) (dataset.Matrix, []int32) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	text, err := os.ReadFile(filepath.Join(folder, "iris.csv"))
	if err != nil {
		t.Fatal(err)
	}
	m, classes, number := dataset.Matrix{Cols: 4}, []int32(nil), map[string]int32{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(line, ",")
		for _, cell := range cells[:4] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.F64 = append(m.F64, v)
		}
		if _, seen := number[cells[4]]; !seen {
			number[cells[4]] = int32(len(number))
		}
		m.Rows, classes = m.Rows+1, append(classes, number[cells[4]])
	}
	return m, classes
}

func mustFit(t interface{ Fatal(...any) }, m dataset.Matrix, known []int32,
	cfg bayes.Config) *bayes.Result {
	cfg.Known = known
	r, err := bayes.Fit(context.Background(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// With all rows known the classes are those of scikit-learn 1.9.1: GaussianNB(priors=p,
// var_smoothing=1e-30) and MultinomialNB(alpha=1, class_prior=p), p being (50+1)/(150+3) each. Rows
// are counted from 0.
func TestScikitLearnAgrees(t *testing.T) {
	m, classes := iris(t)
	for likelihood, want := range map[bayes.Likelihood]struct {
		posteriors map[int][3]float64
		right      int
	}{
		bayes.Gaussian: {map[int][3]float64{
			70: {0, 0.154494056689, 0.845505943311}, 77: {0, 0.075269122705, 0.924730877295},
			106: {0, 0.973514343348, 0.026485656652}, 133: {0, 0.712645155099, 0.287354844901},
		}, 144},
		bayes.Multinomial: {map[int][3]float64{
			0:   {0.752031994877, 0.160905710773, 0.08706229435},
			70:  {0.024409954486, 0.482839204279, 0.492750841235},
			77:  {0.025281313054, 0.493781322666, 0.48093736428},
			133: {0.025284093776, 0.490486567645, 0.484229338579},
		}, 143},
	} {
		cfg := bayes.Config{Clusters: 3, Likelihood: likelihood}
		if likelihood == bayes.Gaussian {
			cfg.Smoothing = 1e-20
		}
		r := mustFit(t, m, classes, cfg)
		if !slices.Equal(r.Labels, classes) {
			t.Errorf("%v: rows of known class have another label", likelihood)
		}
		posteriors, labels, err := r.Model.Predict(t.Context(), m, 2)
		if err != nil {
			t.Fatal(err)
		}
		for row, p := range want.posteriors {
			for c, v := range p {
				if math.Abs(posteriors[row*3+c]-v) > 1e-10 {
					t.Errorf("%v, row %d: %v, want %v", likelihood, row, posteriors[row*3:row*3+3],
						p)
					break
				}
			}
		}
		right := 0
		for i, c := range labels {
			if c == classes[i] {
				right++
			}
		}
		if right != want.right {
			t.Errorf("%v: %d rows right, want %d", likelihood, right, want.right)
		}
	}
}

// The variance of 0, 2, 10 and 12 is 26, of which 26·2⁻² = 6.5 count for one row, and the squares
// of the four rows about the means of their classes are 1: (4 + 6.5)/(2 + 1) = 3.5 is usual, and
// that of a class (2 + 3.5)/(2 + 1).
func TestVariancesOfFewRowsAreNearTheUsualOnes(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 2, 10, 12}}
	r := mustFit(t, m, []int32{0, 0, 1, 1}, bayes.Config{Clusters: 2})
	for c, mean := range []float64{1, 11} {
		if got := r.Model.Means.F64[c]; !near(got, mean, 1e-12) {
			t.Errorf("the mean of class %d is %g, want %g", c, got, mean)
		}
		if got := r.Model.Variances[c]; !near(got, 5.5/3, 1e-12) {
			t.Errorf("the variance of class %d is %g, want %g", c, got, 5.5/3)
		}
	}
}

// problems are small ones, with some classes known; values are counts.
func problems(t *rapid.T) (m dataset.Matrix, known []int32, cfg bayes.Config) {
	n, d := rapid.IntRange(3, 40).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
	k := rapid.IntRange(1, min(n, 4)).Draw(t, "k")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
	m = dataset.Matrix{Rows: n, Cols: d}
	for i := range n * d {
		m.F64 = append(m.F64, float64(rng.IntN(6)+3*(i/d%k)))
	}
	for i := range k {
		m.F64[i*d] = float64(20 + i) // so many distinct rows
	}
	share := rapid.SampledFrom([]float64{0, 0.2, 0.9, 1}).Draw(t, "share known")
	for range n {
		if rng.Float64() < share {
			known = append(known, int32(rng.IntN(k)))
		} else {
			known = append(known, -1)
		}
	}
	cfg = bayes.Config{
		Clusters:         k,
		Likelihood:       bayes.Likelihood(rng.IntN(2)),
		Options:          fit.Options{Seed: rng.Uint64()},
		Limits:           fit.Limits{Tolerance: -1, MaxIterations: 30},
		Smoothing:        rapid.SampledFrom([]float64{1e-3, 1, 2}).Draw(t, "smoothing"),
		UnlabelledWeight: rapid.SampledFrom([]float64{0.1, 1}).Draw(t, "weight"),
	}
	return m, known, cfg
}

// twin writes equation 9, with the priors of Fit, and one turn of equations 7 and 8, without a
// thought to speed.
type twin struct {
	m     dataset.Matrix
	known []int32
	cfg   bayes.Config
}

func (w twin) weight(i int) float64 {
	if w.known[i] >= 0 || slices.Max(w.known) < 0 {
		return 1
	}
	return w.cfg.UnlabelledWeight
}

func (w twin) variance(j int) float64 {
	mean, sum := 0.0, 0.0
	for i := range w.m.Rows {
		mean += w.m.At(i, j) / float64(w.m.Rows)
	}
	for i := range w.m.Rows {
		sum += (w.m.At(i, j) - mean) * (w.m.At(i, j) - mean)
	}
	return sum / float64(w.m.Rows)
}

func (w twin) usual(j int) float64 {
	varied := 0.0
	for c := range w.m.Cols {
		if w.variance(c) > 0 {
			varied++
		}
	}
	sum, rows := w.variance(j)*math.Pow(float64(w.cfg.Clusters), -2/varied), 1.0
	for c := range w.cfg.Clusters {
		var own []float64
		for i, y := range w.known {
			if int(y) == c {
				own = append(own, w.m.At(i, j))
			}
		}
		for _, v := range own {
			mean := linalg.Sum(own) / float64(len(own))
			sum += (v - mean) * (v - mean)
		}
		rows += max(0, float64(len(own)-1))
	}
	return sum / rows
}

func (w twin) joint(model *bayes.Model, i, c int) float64 {
	sum, d := model.LogPrior[c], w.m.Cols
	for j := range d {
		x := w.m.At(i, j)
		if model.Likelihood == bayes.Multinomial {
			sum += x * model.LogTheta[c*d+j]
		} else if v := model.Variances[c*d+j]; !math.IsInf(v, 1) {
			sum -= ((x-model.Means.F64[c*d+j])*(x-model.Means.F64[c*d+j])/v + math.Log(v)) / 2
		}
	}
	return sum
}

func (w twin) posterior(model *bayes.Model, i, c int) float64 {
	if y := w.known[i]; y >= 0 {
		if int(y) == c {
			return 1
		}
		return 0
	}
	sum := 0.0
	for e := range w.cfg.Clusters {
		sum += math.Exp(w.joint(model, i, e) - w.joint(model, i, c))
	}
	return 1 / sum
}

func (w twin) logPosterior(model *bayes.Model) (sum float64) {
	for _, v := range model.LogPrior {
		sum += v
	}
	for _, v := range model.LogTheta {
		sum += w.cfg.Smoothing * v
	}
	for i, v := range model.Variances {
		if !math.IsInf(v, 1) {
			sum -= w.cfg.Smoothing * (math.Log(v) + w.usual(i%w.m.Cols)/v) / 2
		}
	}
	for i, y := range w.known {
		if y >= 0 {
			sum += w.joint(model, i, int(y))
			continue
		}
		top, all := math.Inf(-1), 0.0
		for c := range w.cfg.Clusters {
			top = max(top, w.joint(model, i, c))
		}
		for c := range w.cfg.Clusters {
			all += math.Exp(w.joint(model, i, c) - top)
		}
		sum += w.weight(i) * (top + math.Log(all))
	}
	return sum
}

func near(a, b, by float64) bool { return math.Abs(a-b) <= by*(1+math.Abs(a)+math.Abs(b)) }

// The log-posterior is its definition and never falls, posteriors are those of the model, and known
// rows keep their class.
func TestFitClimbsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, known, cfg := problems(t)
		r := mustFit(t, m, known, cfg)
		w := twin{m, known, cfg}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] < r.Trace[i-1]-1e-9*(1+math.Abs(r.Trace[i])) {
				t.Fatalf("the log-posterior falls: %v", r.Trace)
			}
		}
		if want := w.logPosterior(r.Model); !near(r.LogPosterior, want, 1e-9) {
			t.Fatalf("the log-posterior is %g, by the definition %g", r.LogPosterior, want)
		}
		for i := range m.Rows {
			sum := 0.0
			for c := range cfg.Clusters {
				p := r.Memberships[i*cfg.Clusters+c]
				sum += p
				if !near(p, w.posterior(r.Model, i, c), 1e-7) {
					t.Fatalf("row %d is of class %d by %g, by the definition %g", i, c, p,
						w.posterior(r.Model, i, c))
				}
			}
			if !near(sum, 1, 1e-12) || known[i] >= 0 && r.Labels[i] != known[i] {
				t.Fatalf("row %d: label %d, known %d, posteriors that add up to %g", i, r.Labels[i],
					known[i], sum)
			}
		}
	})
}

// No model near the last one of a long climb is better: the gradient of the log-posterior is
// nought, by finite differences.
func TestFitEndsOnAPeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, known, cfg := problems(t)
		cfg.MaxIterations = 3000
		r := mustFit(t, m, known, cfg)
		w := twin{m, known, cfg}
		slope := func(v *float64, step float64) float64 {
			at := *v
			*v = at + step
			up := w.logPosterior(r.Model)
			*v = at - step
			down := w.logPosterior(r.Model)
			*v = at
			return (up - down) / 2
		}
		// A step is a thousandth of the parameter's own scale; curvature is of the order of the
		// rows.
		of := make([]float64, cfg.Clusters) // rows of each class: one without any stays as it began
		for i, p := range r.Memberships {
			of[i%cfg.Clusters] += p
		}
		for i := range r.Model.Variances {
			if v := r.Model.Variances[i]; !math.IsInf(v, 1) && of[i/m.Cols] > 1e-6 {
				if s := slope(&r.Model.Means.F64[i], 1e-3*math.Sqrt(v)); math.Abs(s) > 1e-3 {
					t.Fatalf("mean %d: a slope of %g", i, s)
				}
				if s := slope(&r.Model.Variances[i], 1e-3*v); math.Abs(s) > 1e-3 {
					t.Fatalf("variance %d: a slope of %g", i, s)
				}
			}
		}
		for group, p := range [][]float64{r.Model.LogPrior, r.Model.LogTheta} {
			for i := range p { // along the simplex: what one gains another loses
				j := 0
				if group == 1 {
					j = i - i%m.Cols
				}
				if i == j {
					continue
				}
				a, b := p[i], p[j]
				step := 1e-3 * min(math.Exp(a), math.Exp(b))
				p[i], p[j] = math.Log(math.Exp(a)+step), math.Log(math.Exp(b)-step)
				up := w.logPosterior(r.Model)
				p[i], p[j] = math.Log(math.Exp(a)-step), math.Log(math.Exp(b)+step)
				down := w.logPosterior(r.Model)
				p[i], p[j] = a, b
				if math.Abs(up-down)/2 > 1e-3 {
					t.Fatalf("probability %d: a slope of %g", i, (up-down)/2)
				}
			}
		}
	})
}

// A few known rows name the clusters that the others show: with these fewer rows are wrong, on the
// mean of ten draws.
func TestUnknownRowsTeach(t *testing.T) {
	const n, draws = 600, 10
	with, alone := 0, 0
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(4+seed, 2))
		m, class := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
		known := slices.Repeat([]int32{-1}, n)
		for i := range n {
			class[i] = int32(i % 3)
			m.F64 = append(m.F64, 4*float64(class[i]%2)+rng.NormFloat64(),
				4*float64(class[i]/2)+rng.NormFloat64())
		}
		few := dataset.Matrix{Cols: 2}
		var fewClass []int32
		for i := range 9 {
			known[i] = class[i]
			few.Rows, few.F64, fewClass = few.Rows+1, append(few.F64, m.F64[2*i:2*i+2]...),
				append(fewClass, class[i])
		}
		wrong := func(labels []int32) (count int) {
			for i, c := range labels {
				if c != class[i] {
					count++
				}
			}
			return count
		}
		with += wrong(mustFit(t, m, known, bayes.Config{Clusters: 3}).Labels)
		_, labels, err := mustFit(t, few, fewClass,
			bayes.Config{Clusters: 3}).Model.Predict(t.Context(), m, 1)
		if err != nil {
			t.Fatal(err)
		}
		alone += wrong(labels)
	}
	if with >= alone || with > draws*n/20 {
		t.Errorf("%d rows wrong with the unknown ones, %d from the known alone, of %d draws", with,
			alone, draws)
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	m := dataset.Matrix{Rows: 3000, Cols: 5}
	for range m.Rows * m.Cols {
		m.F64 = append(m.F64, float64(rng.IntN(9)))
	}
	narrow := dataset.Matrix{Rows: m.Rows, Cols: m.Cols}
	for _, v := range m.F64 {
		narrow.F32 = append(narrow.F32, float32(v))
	}
	known := slices.Repeat([]int32{-1}, m.Rows)
	copy(known, []int32{0, 0, 2, 2})
	for _, likelihood := range []bayes.Likelihood{bayes.Gaussian, bayes.Multinomial} {
		cfg := bayes.Config{
			Clusters:   4,
			Likelihood: likelihood,
			Limits:     fit.Limits{Starts: 2, MaxIterations: 20},
			Options:    fit.Options{Seed: 3, Threads: 1},
		}
		want := mustFit(t, m, known, cfg)
		if diff := cmp.Diff(want, mustFit(t, narrow, known, cfg)); diff != "" {
			t.Errorf("%v: the same values as float32:\n%s", likelihood, diff)
		}
		for _, threads := range []int{2, 5} {
			cfg.Threads = threads
			if diff := cmp.Diff(want, mustFit(t, m, known, cfg)); diff != "" {
				t.Errorf("%v with %d threads:\n%s", likelihood, threads, diff)
			}
		}
	}
}

func TestFitIsCancelled(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	m := dataset.Matrix{Rows: 3000, Cols: 2}
	for range m.Rows * m.Cols {
		m.F64 = append(m.F64, rng.Float64())
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := bayes.Fit(ctx, m,
		bayes.Config{Clusters: 5, Limits: fit.Limits{Starts: 1000},
			Options: fit.Options{Progress: func(fit.Progress) { cancel() }}})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
}
