package density_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
)

// ari is the adjusted Rand index; noise is a group.
func ari(t rapid.TB, labels, truth []int32) float64 {
	r, err := eval.Compare(ints(labels), ints(truth))
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// labelSome returns m rows of each class their class.
func labelSome(seed uint64, truth []int32, m int) []int32 {
	rng := rand.New(rand.NewPCG(seed, 3))
	class := slices.Repeat([]int32{-1}, len(truth))
	left := map[int32]int{}
	for _, i := range rng.Perm(len(truth)) {
		if c := truth[i]; c >= 0 && left[c] < m {
			class[i] = c
			left[c]++
		}
	}
	return class
}

// Two dense discs lie nearer to each other than rows of two discs of a tenth of their density do:
// every single Eps joins the first two, or breaks up the others. A radius for each class finds all
// four.
func TestTenfoldDensities(t *testing.T) {
	m, truth := discs(5, [4]float64{0, 0, 3, 600}, [4]float64{6.6, 0, 3, 600},
		[4]float64{25, 0, 9.5, 600}, [4]float64{25, 25, 9.5, 600})
	best := 0.0
	for _, points := range []int{4, 8, 16} {
		for eps := 0.05; eps < 10; eps *= 1.1 {
			r, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: m},
				density.Config{Eps: eps, MinPoints: points})
			if err != nil {
				t.Fatal(err)
			}
			best = max(best, ari(t, r.Labels, truth))
		}
	}
	worst := 1.0
	for seed := range uint64(5) {
		r, err := density.FitMultiDensity(context.Background(), density.Objects{Vectors: m},
			labelSome(seed, truth, 3), density.MultiDensityConfig{})
		if err != nil {
			t.Fatal(err)
		}
		worst = min(worst, ari(t, r.Labels, truth))
	}
	t.Logf("the best of all Eps: %.3f; the worst of five draws of labels: %.3f", best, worst)
	if worst < 0.98 || best > 0.8 {
		t.Errorf("the best of all Eps: %.3f; the worst of five draws of labels: %.3f", best, worst)
	}
}

// discs draws rows evenly from discs: x, y, radius and number of rows of each.
func discs(seed uint64, all ...[4]float64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := dataset.Matrix{Cols: 2}
	var truth []int32
	for c, disc := range all {
		for left := int(disc[3]); left > 0; {
			x, y := 2*rng.Float64()-1, 2*rng.Float64()-1
			if x*x+y*y <= 1 {
				m.F64 = append(m.F64, disc[0]+disc[2]*x, disc[1]+disc[2]*y)
				truth = append(truth, int32(c))
				left--
			}
		}
	}
	m.Rows = len(truth)
	return m, truth
}

// Labelled objects keep their class, whatever the data.
func TestMultiDensityKeepsLabelsAndForgetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawData(t, 150)
		n := data.m.Rows
		if n < 2 {
			return
		}
		class := drawClasses(t, n)
		cfg := density.MultiDensityConfig{NewClusters: rapid.Bool().Draw(t, "new")}
		cfg.MinPoints = rapid.IntRange(1, 9).Draw(t, "points")
		var labels []int32
		for name, o := range data.objects(t) {
			r, err := density.FitMultiDensity(context.Background(), o, class, cfg)
			if err != nil {
				t.Fatal(name, err)
			}
			for i, c := range class {
				if c >= 0 && r.Labels[i] != c {
					t.Fatalf("%s: row %d of class %d has label %d", name, i, c, r.Labels[i])
				}
			}
			for _, c := range r.Labels {
				if int(c) > 4+r.New || c < density.Noise {
					t.Fatalf("%s: label %d, and there are %d new clusters", name, c, r.New)
				}
			}
			if name == "vectors" {
				labels = r.Labels
			}
		}
		other, order := data.permuted(t)
		moved := make([]int32, n)
		for at, i := range order {
			moved[at] = class[i]
		}
		r, err := density.FitMultiDensity(context.Background(), density.Objects{Vectors: other.m},
			moved, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if duplicated(data) {
			return // equal rows with different classes are each nearest to the other
		}
		samePartition(t, labels, r.Labels, order)
	})
}

// duplicated reports whether rows are equal.
func duplicated(d drawn) bool {
	for i := range d.d {
		for j := range i {
			if d.d[i][j] == 0 {
				return true
			}
		}
	}
	return false
}

// With one class, whose cluster holds all labels, and new clusters for the rest, the result is
// DBSCAN's.
func TestOneClassIsDBSCAN(t *testing.T) {
	m, truth := blobs(2, [4]float64{0, 0, 1, 200}, [4]float64{9, 0, 1, 100},
		[4]float64{0, 9, 1, 100})
	o := density.Objects{Vectors: m}
	plain, err := density.FitDBSCAN(context.Background(), o, density.Config{})
	if err != nil {
		t.Fatal(err)
	}
	class := slices.Repeat([]int32{-1}, m.Rows)
	for i := range 5 {
		class[40*i] = 0
	}
	for _, fresh := range []bool{false, true} {
		r, err := density.FitMultiDensity(context.Background(), o, class,
			density.MultiDensityConfig{NewClusters: fresh})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(plain.Labels)
		if !fresh {
			for i, c := range want {
				if c != plain.Labels[0] {
					want[i] = density.Noise
				}
			}
		}
		if !slices.Equal(r.Labels, want) {
			t.Errorf("new clusters %v: ARI to DBSCAN %.3f, to the truth %.3f", fresh,
				ari(t, r.Labels, want), ari(t, r.Labels, truth))
		}
		if r.Classes[0].Eps != plain.Eps || r.Classes[0].MinPoints != plain.MinPoints {
			t.Errorf("%v; DBSCAN has Eps %g and MinPoints %d", r.Classes[0], plain.Eps,
				plain.MinPoints)
		}
	}
}

// What no class claims becomes clusters of its own on request.
func TestNewClusters(t *testing.T) {
	m, truth := blobs(4, [4]float64{0, 0, 1, 200}, [4]float64{10, 0, 1, 200},
		[4]float64{0, 30, 1, 200})
	class := labelSome(1, truth, 4)
	for i, c := range class {
		if c == 2 {
			class[i] = -1
		}
	}
	o := density.Objects{Vectors: m}
	without, err := density.FitMultiDensity(context.Background(), o, class,
		density.MultiDensityConfig{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := density.FitMultiDensity(context.Background(), o, class,
		density.MultiDensityConfig{NewClusters: true})
	if err != nil {
		t.Fatal(err)
	}
	if without.New != 0 || without.Labels[500] != density.Noise || with.New < 1 ||
		with.Labels[500] < 2 {
		t.Errorf("%d and %d new clusters; labels %d and %d", without.New, with.New,
			without.Labels[500], with.Labels[500])
	}
}

func TestMultiDensityNeedsLabels(t *testing.T) {
	m, _ := blobs(1, [4]float64{0, 0, 1, 20})
	var in *fault.Input
	_, err := density.FitMultiDensity(context.Background(), density.Objects{Vectors: m},
		slices.Repeat([]int32{-1}, 20), density.MultiDensityConfig{})
	if !errors.As(err, &in) {
		t.Error(err)
	}
}
