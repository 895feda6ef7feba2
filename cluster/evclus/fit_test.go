package evclus_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/fit"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

func folder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	return folder
}

// long leaves a test of many fits to runs at full speed: the race detector and portable kernels
// take -short.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("many fits: left out of -short")
	}
}

// load reads the features of a data set as they are.
func load(t testing.TB, name string, options dataset.ReadOptions,
	scale dataset.Scale) (x dataset.Matrix, classes []int32) {
	t.Helper()
	table, err := dataset.Read(t.Context(), filepath.Join(folder(t), name), options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	classes, _, _ = table.Labels()
	return p.X, classes
}

// distances returns the Euclidean distances of a data set, and its classes.
func distances(t testing.TB, name string, scale dataset.Scale) (src dissim.Source, classes []int) {
	t.Helper()
	x, codes := load(t, name, dataset.ReadOptions{Label: "class"}, scale)
	for _, c := range codes {
		classes = append(classes, int(c))
	}
	return euclidean(t, x), classes
}

func euclidean(t testing.TB, x dataset.Matrix) dissim.Source {
	t.Helper()
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// protein returns the dissimilarities of 213 proteins, and their four classes.
func protein(t testing.TB) (*dissim.Dense, []int) {
	t.Helper()
	d, _, err := dissim.Read(t.Context(), filepath.Join(folder(t), "protein_D.csv"),
		dissim.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	codes, _, err := dissim.ReadLabels(t.Context(), filepath.Join(folder(t), "protein_labels.csv"),
		d.N)
	if err != nil {
		t.Fatal(err)
	}
	classes := make([]int, d.N)
	for i, c := range codes {
		classes[i] = int(c)
	}
	return d, classes
}

func fitted(t testing.TB, src dissim.Source, cfg evclus.Config) *evclus.Result {
	t.Helper()
	r, err := evclus.Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.Stopped != fit.Converged {
		t.Fatalf("not settled after %d sweeps", r.Iterations)
	}
	return r
}

func adjustedRand(t testing.TB, p *credal.Partition, classes []int) float64 {
	t.Helper()
	report, err := eval.Compare(p.ArgMax(belief.MaxPlausibility), classes)
	if err != nil {
		t.Fatal(err)
	}
	return report.AdjustedRand
}

// misplaced counts objects that are not of the most frequent class of their cluster.
func misplaced(p *credal.Partition, classes []int) int {
	counts := map[[2]int]int{}
	most := map[int]int{}
	for i, l := range p.ArgMax(belief.MaxPlausibility) {
		counts[[2]int{l, classes[i]}]++
		most[l] = max(most[l], counts[[2]int{l, classes[i]}])
	}
	wrong := p.Len()
	for _, m := range most {
		wrong -= m
	}
	return wrong
}

// TestButterfly: the masses that the R package gives at a tolerance of 1e-12, from any start.
func TestButterfly(t *testing.T) {
	x, _ := load(t, "butterfly.csv", dataset.ReadOptions{}, dataset.ScaleNone)
	src := euclidean(t, x)
	want := [][]float64{ // of ∅, both clusters and the frame
		{.1118, .8882, 0, 0}, {.0821, .7507, 0, .1672}, {0, .8279, 0, .1721},
		{.0821, .7507, 0, .1672},
		{0, .5616, .0765, .3618}, {0, .2954, .2883, .4162}, {0, .0787, .5484, .3729},
		{.0822, 0, .7331, .1847}, {0, 0, .8087, .1913}, {.0817, 0, .7337, .1846},
		{.1114, 0, .8684, .0202}, {.9697, 0, .0303, 0},
	}
	cfg := evclus.Config{Clusters: 2, D0: evclus.D0{Value: 11},
		Limits: fit.Limits{Tolerance: 1e-12}}
	for seed := range uint64(11) {
		cfg.Seed = seed
		if seed > 0 {
			cfg.Start = evclus.Random
		}
		r := fitted(t, src, cfg)
		if math.Abs(r.Stress-0.00478384) > 1e-7 {
			t.Errorf("seed %d: stress %v", seed, r.Stress)
		}
		a, b := 1, 2 // clusters of one size come in any order
		if r.Credal.Row(0)[1] < r.Credal.Row(0)[2] {
			a, b = 2, 1
		}
		for i, w := range want {
			m := r.Credal.Row(i)
			for k, got := range []float64{m[0], m[a], m[b], m[3]} {
				if math.Abs(got-w[k]) > 1e-3 {
					t.Errorf("seed %d, object %d: masses %.4f, want %v", seed, i+1, m, w)
					break
				}
			}
		}
	}
}

// TestProtein: the best stress known and one object misplaced; and how many random starts reach it.
func TestProtein(t *testing.T) {
	long(t)
	src, classes := protein(t)
	cfg := evclus.Config{Clusters: 4, D0: evclus.D0{Quantile: 1}}
	for seed := range uint64(3) { // so few objects are all landmarks: the seed means nothing
		cfg.Seed = seed
		r := fitted(t, src, cfg)
		if wrong := misplaced(r.Credal, classes); r.Stress > 0.002364 || wrong != 1 {
			t.Errorf("stress %v, %d misplaced", r.Stress, wrong)
		}
	}
	cfg.Tolerance, cfg.MaxIterations = 1e-9, 20_000
	if r := fitted(t, src, cfg); r.Stress > 0.0023603 || misplaced(r.Credal, classes) != 1 {
		t.Errorf("settled at a stress of %v, %d misplaced", r.Stress, misplaced(r.Credal, classes))
	}
	reached := 0
	cfg.Tolerance, cfg.Start = 0, evclus.Random
	for seed := range uint64(50) {
		cfg.Seed = seed
		if r := fitted(t, src, cfg); r.Stress < 0.00237 {
			reached++
		}
	}
	t.Logf("%d of 50 random starts reach the best stress known", reached)
	if reached == 0 {
		t.Error("no random start of 50 reaches the best stress known")
	}
}

// TestSampledPairsDoAsWellAsAll: on four overlapping clusters with heavy tails.
func TestSampledPairsDoAsWellAsAll(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name   string
		stress float64 // mean over seeds; the R package's is the same or higher
	}{{"kevclus_t_n2000.csv", 0.0192309}, {"kevclus_t_n10000.csv", 0.0184425}} {
		src, classes := distances(t, c.name, dataset.ScaleNone)
		if testing.Short() && src.Len() > 5000 {
			continue
		}
		whole := adjustedRand(t, fitted(t, src, evclus.Config{Clusters: 4}).Credal, classes)
		mean := 0.0
		for seed := range uint64(5) {
			r := fitted(t, src, evclus.Config{Clusters: 4, Partners: 100,
				Options: fit.Options{Seed: seed}})
			mean += r.Stress / 5
			if ari := adjustedRand(t, r.Credal, classes); math.Abs(ari-whole) > 0.01 {
				t.Errorf("%s, seed %d: adjusted Rand index %.4f, and %.4f with all pairs", c.name,
					seed, ari, whole)
			}
		}
		t.Logf("%s: mean stress %.6f, adjusted Rand index with all pairs %.4f", c.name, mean, whole)
		if mean > c.stress {
			t.Errorf("%s: mean stress %v, want at most %v", c.name, mean, c.stress)
		}
	}
}

// TestOverlapInTwoSteps: fifteen clusters on the plane (S2), then with the pairs that overlap.
func TestOverlapInTwoSteps(t *testing.T) {
	long(t)
	src, classes := distances(t, "sipu_s2.csv", dataset.ScaleZScore)
	mean := 0.0
	for seed := range uint64(20) {
		cfg := evclus.Config{Clusters: 15, Partners: 100, D0: evclus.D0{Quantile: 0.2},
			Options: fit.Options{Seed: seed}}
		one := fitted(t, src, cfg)
		mean += one.Stress / 20
		if ari := adjustedRand(t, one.Credal, classes); ari < 0.92 || one.Stress > 0.00275 {
			t.Errorf("seed %d: adjusted Rand index %.4f, stress %.5f", seed, ari, one.Stress)
		}
		if n := ambiguous(one.Credal); n < 4 || n > 20 {
			t.Errorf("seed %d: %d ambiguous", seed, n)
		}
		if seed >= 5 {
			continue
		}
		cfg.Pairs = 1
		two := fitted(t, src, cfg)
		if n := ambiguous(two.Credal); n < 110 || n > 160 || two.Stress > one.Stress ||
			len(two.Pairs) == 0 {
			t.Errorf("seed %d: %d ambiguous with the pairs %v, stress %.5f after %.5f", seed, n,
				two.Pairs, two.Stress, one.Stress)
		}
		t.Logf("seed %d: stress %.5f, %d ambiguous; with %d pairs %.5f, %d ambiguous, adjusted "+
			"Rand index %.4f", seed,
			one.Stress, ambiguous(one.Credal), len(two.Pairs), two.Stress, ambiguous(two.Credal),
			adjustedRand(t, two.Credal, classes))
	}
	t.Logf("mean stress %.6f", mean)
	if mean > 0.00270 {
		t.Errorf("mean stress %v", mean)
	}
}

func ambiguous(p *credal.Partition) int {
	rough, count := p.Rough(), 0
	for i := range p.Len() {
		if rough.Ambiguous(i) {
			count++
		}
	}
	return count
}

// TestSeedsAgree: with many clusters, and with clusters of very different sizes, seeds end at one
// partition.
func TestSeedsAgree(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name     string
		clusters int
		spread   float64 // of the stress over seeds: partners are drawn anew
	}{{"sipu_r15.csv", 15, 0.08}, {"sipu_a1.csv", 20, 0.05}, {"sipu_unbalance.csv", 8, 0.05},
		{"sipu_d31.csv", 31, 0.08}} {
		src, classes := distances(t, c.name, dataset.ScaleZScore)
		low, high, worst, best := math.Inf(1), 0.0, 1.0, 0.0
		for seed := range uint64(10) {
			r := fitted(t, src, evclus.Config{
				Clusters: c.clusters,
				Partners: 100,
				D0:       evclus.D0{Auto: true},
				Options:  fit.Options{Seed: seed},
			})
			ari := adjustedRand(t, r.Credal, classes)
			low, high, worst, best = min(low, r.Stress), max(high, r.Stress), min(worst, ari),
				max(best, ari)
		}
		t.Logf("%s: stress %.5f–%.5f, adjusted Rand index %.4f–%.4f", c.name, low, high, worst,
			best)
		if high > low*(1+c.spread) || best-worst > 0.02 {
			t.Errorf("%s: stress from %v to %v, adjusted Rand index from %v to %v", c.name, low,
				high, worst, best)
		}
	}
}

func ExampleFit() {
	x, err := dataset.NewMatrix(7, 1, []float64{1, 2, 3, 9, 10, 11, 17})
	if err != nil {
		panic(err)
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		panic(err)
	}
	r, err := evclus.Fit(context.Background(), src,
		evclus.Config{Clusters: 2, D0: evclus.D0{Value: 8}})
	if err != nil {
		panic(err)
	}
	for i, s := range r.Credal.HardCredal() {
		fmt.Printf("%g is in %v\n", x.F64[i], s)
	}
	// Output:
	// 1 is in {2}
	// 2 is in {2}
	// 3 is in {2}
	// 9 is in {1}
	// 10 is in {1}
	// 11 is in {1}
	// 17 is in {}
}

func ExampleModel_Place() {
	x, err := dataset.NewMatrix(6, 1, []float64{1, 2, 3, 9, 10, 11})
	if err != nil {
		panic(err)
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		panic(err)
	}
	r, err := evclus.Fit(context.Background(), src,
		evclus.Config{Clusters: 2, D0: evclus.D0{Value: 8}})
	if err != nil {
		panic(err)
	}
	// Keep four of the six objects, and place new ones by their dissimilarities to those.
	landmarks := []int32{0, 2, 3, 5}
	model, err := r.Model(landmarks)
	if err != nil {
		panic(err)
	}
	kept, err := dataset.NewMatrix(4, 1, []float64{1, 3, 9, 11})
	if err != nil {
		panic(err)
	}
	fresh, err := dataset.NewMatrix(4, 1, []float64{0, 4, 6, 9.5})
	if err != nil {
		panic(err)
	}
	rows, err := dissim.Cross(fresh, kept, dissim.Euclidean)
	if err != nil {
		panic(err)
	}
	placed, err := model.Place(context.Background(), rows, 4, 0)
	if err != nil {
		panic(err)
	}
	for i := range 4 {
		fmt.Printf("%.3g: %.2f\n", fresh.F64[i], placed.Row(i))
	}
	// Output:
	// 0: [0.13 0.87 0.00 0.00]
	// 4: [0.00 0.81 0.14 0.05]
	// 6: [0.00 0.50 0.50 0.01]
	// 9.5: [0.00 0.00 0.95 0.05]
}
