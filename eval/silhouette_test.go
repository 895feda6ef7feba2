package eval_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
)

// lattice returns n rows of d values between 0 and about 18, in three shifted strands.
func lattice(n, d int) dataset.Matrix {
	values := make([]float64, 0, n*d)
	for i := range n {
		for j := range d {
			v := float64((i*37+j*11)%101) / 10
			if j == 0 {
				v += float64(i%3) * 4
			}
			values = append(values, v)
		}
	}
	return dataset.Matrix{Rows: n, Cols: d, F64: values}
}

func silhouettes(t testing.TB, x dataset.Matrix, labels []int,
	cfg eval.SilhouetteConfig) *eval.Silhouettes {
	t.Helper()
	s, err := eval.Silhouette(t.Context(), x, labels, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The values are those of silhouette_samples in scikit-learn 1.9.1.
func TestSilhouettesAgainstScikitLearn(t *testing.T) {
	x := lattice(60, 3)
	s := silhouettes(t, x, by(60, func(i int) int { return i%3 + 1 }), eval.SilhouetteConfig{})
	got := []float64{s.Mean, s.Values[0], s.Values[1], s.Values[2], s.Values[59]}
	want := []float64{0.08400070862102336, 0.27913529612878163, 0.15091885715717634,
		0.1772313533524807, 0.20506402148547243}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
	if s.Sampled() || s.Objects != 60 || s.Of != 60 {
		t.Errorf("sixty objects should be scored exactly: %+v", s)
	}
	s = silhouettes(t, x, by(60, func(i int) int { return 1 + btoi(i >= 10) + btoi(i == 59) }),
		eval.SilhouetteConfig{})
	if diff := cmp.Diff([]float64{-0.10952579383191313, 0.007742124849751414, 0},
		[]float64{s.Mean, s.Values[0], s.Values[59]}, near); diff != "" {
		t.Error(diff)
	}
}

// naive follows the definition, over the rows that are not noise.
func naive(x dataset.Matrix, labels []int) map[int]float64 {
	out := map[int]float64{}
	for i := range labels {
		sum, size := map[int]float64{}, map[int]int{}
		for j := range labels {
			if j == i || labels[j] == 0 {
				continue
			}
			var d float64
			for k := range x.Cols {
				d = math.Hypot(d, x.At(i, k)-x.At(j, k))
			}
			sum[labels[j]] += d
			size[labels[j]]++
		}
		if labels[i] == 0 {
			continue
		}
		b := math.Inf(1)
		for l := range sum {
			if l != labels[i] {
				b = min(b, sum[l]/float64(size[l]))
			}
		}
		out[i] = 0
		if own := size[labels[i]]; own > 0 {
			if a := sum[labels[i]] / float64(own); a != b {
				out[i] = (b - a) / max(a, b)
			}
		}
	}
	return out
}

func TestSilhouettesAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "n")
		d := rapid.IntRange(1, 9).Draw(t, "d")
		scale := rapid.SampledFrom([]float64{1, 1e-150, 1e200}).Draw(t, "scale")
		x := dataset.Matrix{Rows: n, Cols: d}
		for range n * d {
			x.F64 = append(x.F64, scale*float64(rapid.IntRange(-3, 3).Draw(t, "x")))
		}
		labels := rapid.SliceOfN(rapid.IntRange(-1, 4), n, n).Draw(t, "labels")
		s, err := eval.Silhouette(context.Background(), x, labels, eval.SilhouetteConfig{})
		found := slices.Compact(slices.Sorted(slices.Values(labels)))
		found = slices.DeleteFunc(found, func(l int) bool { return l == 0 })
		if len(found) < 2 {
			if !fault.IsInput(err) {
				t.Fatalf("clusters %v: error %v, want an input fault", found, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := naive(x, labels)
		if len(want) != len(s.Rows) || !slices.IsSorted(s.Rows) || s.Of != len(want) ||
			s.Noise != n-len(want) || len(s.Clusters) != len(found) {
			t.Fatalf("%+v does not cover the %d rows without noise", s, len(want))
		}
		var mean float64
		for k, row := range s.Rows {
			mean += want[row] / float64(len(want))
			if d := math.Abs(s.Values[k] - want[row]); !(d <= 1e-12) { // NaN is caught too
				t.Fatalf("row %d: %v, want %v", row, s.Values[k], want[row])
			}
		}
		if d := math.Abs(s.Mean - mean); !(d <= 1e-12) {
			t.Fatalf("mean %v, want %v", s.Mean, mean)
		}
	})
}

func TestSilhouetteSample(t *testing.T) {
	const n = 11_000
	x := lattice(n, 2)
	labels := by(n, func(i int) int { return i % 4 }) // a quarter is noise
	cfg := eval.SilhouetteConfig{Sample: 500, Seed: 3}
	s := silhouettes(t, x, labels, cfg)
	if !s.Sampled() || s.Objects != 500 || len(s.Values) != 500 || s.Of != n*3/4 || s.Noise != n/4 {
		t.Fatalf("got %d of %d objects, %d noise", s.Objects, s.Of, s.Noise)
	}
	// The sample is scored among itself.
	alone := silhouettes(t, x.Subset(s.Rows), by(500, func(i int) int { return labels[s.Rows[i]] }),
		eval.SilhouetteConfig{})
	if diff := cmp.Diff(alone.Values, s.Values); diff != "" {
		t.Error(diff)
	}
	if again := silhouettes(t, x, labels, cfg); !slices.Equal(again.Rows, s.Rows) ||
		again.Mean != s.Mean {
		t.Error("the same seed drew another sample")
	}
	cfg.Seed = 4
	if other := silhouettes(t, x, labels, cfg); slices.Equal(other.Rows, s.Rows) {
		t.Error("another seed drew the same sample")
	}
	var perCluster int
	for i, c := range s.Clusters {
		perCluster += c.Objects
		if c.Label != i+1 {
			t.Errorf("cluster %d is %d", i, c.Label)
		}
	}
	if perCluster != 500 {
		t.Errorf("the clusters have %d objects", perCluster)
	}
}

func TestSilhouetteThreads(t *testing.T) {
	x := lattice(3000, 5)
	labels := by(x.Rows, func(i int) int { return i%7 + 1 })
	one := silhouettes(t, x, labels, eval.SilhouetteConfig{Threads: 1})
	for _, threads := range []int{2, 5} {
		if diff := cmp.Diff(one,
			silhouettes(t, x, labels, eval.SilhouetteConfig{Threads: threads})); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
	single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
	for _, v := range x.F64 {
		single.F32 = append(single.F32, float32(v))
	}
	if s := silhouettes(t, single, labels,
		eval.SilhouetteConfig{}); math.Abs(s.Mean-one.Mean) > 1e-6 || s.Mean == one.Mean {
		t.Errorf("float32 values give %v, float64 values %v", s.Mean, one.Mean)
	}
}

func TestSilhouetteRefuses(t *testing.T) {
	x := lattice(4, 2)
	broken := x.Clone()
	broken.F64[5] = math.NaN()
	for name, err := range map[string]error{
		"lengths": second(eval.Silhouette(t.Context(), x, []int{1, 2},
			eval.SilhouetteConfig{})),
		"one cluster": second(eval.Silhouette(t.Context(), x, []int{1, 1, 1, 0},
			eval.SilhouetteConfig{})),
		"only noise": second(eval.Silhouette(t.Context(), x, []int{0, 0, 0, 0},
			eval.SilhouetteConfig{})),
		"NaN": second(eval.Silhouette(t.Context(), broken, []int{1, 1, 2, 2},
			eval.SilhouetteConfig{})),
	} {
		if !fault.IsInput(err) {
			t.Errorf("%s: got %v, want an input fault", name, err)
		}
		if want := "row 3: value 2 is NaN; give finite numbers"; name == "NaN" &&
			err.Error() != want {
			t.Errorf("said %q, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eval.Silhouette(ctx, x, []int{1, 1, 2, 2},
		eval.SilhouetteConfig{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// By dissimilarities that are distances, silhouettes are those of the vectors; noise and objects
// alone in their cluster are treated alike.
func TestSilhouettesAmongDissimilarities(t *testing.T) {
	x := dataset.Matrix{Rows: 7, Cols: 1, F64: []float64{0, 1, 3, 10, 12, 30, 50}}
	labels := []int{1, 1, 1, 2, 2, 3, 0}
	src, err := dissim.Cross(x, x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	want, err := eval.Silhouette(t.Context(), x, labels, eval.SilhouetteConfig{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := eval.SilhouetteAmong(t.Context(), all{src, x.Rows}, labels, eval.SilhouetteConfig{})
	if err != nil || got.Noise != 1 || got.Objects != 6 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, v := range want.Values {
		if math.Abs(got.Values[i]-v) > 1e-6 {
			t.Errorf("object %d: %g, want %g", want.Rows[i], got.Values[i], v)
		}
	}
	if _, err := eval.SilhouetteAmong(t.Context(), all{src, 7}, labels[:6],
		eval.SilhouetteConfig{}); !fault.IsInput(err) {
		t.Errorf("six labels of seven objects: %v", err)
	}
}

// all are the dissimilarities among n objects.
type all struct {
	dissim.Rows
	n int
}

func (a all) Len() int { return a.n }
