package generate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

func made(t *testing.T, name string, cfg Config) (dataset.Matrix, []int) {
	t.Helper()
	x, class, err := Make(t.Context(), name, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x, class
}

// Every law keeps its shape, has a row in each cluster and repeats itself to the last bit.
func TestEveryLaw(t *testing.T) {
	for _, law := range Laws() {
		rapid.Check(t, func(r *rapid.T) {
			cfg := Config{
				Rows:  rapid.IntRange(law.Defaults.Clusters, 400).Draw(r, "rows"),
				Noise: rapid.SampledFrom([]float64{-1, 0, 0.01, 3}).Draw(r, "noise"),
				Seed:  rapid.Uint64().Draw(r, "seed"),
			}
			if law.free {
				cfg.Dimensions = rapid.IntRange(0, 9).Draw(r, "dimensions")
				cfg.Clusters = rapid.IntRange(0, law.Defaults.Clusters+30).Draw(r, "clusters")
				cfg.Rows = max(cfg.Rows, cfg.Clusters)
			}
			x, class, err := Make(t.Context(), law.Name, cfg)
			if err != nil {
				r.Fatal(err)
			}
			want, _ := law.complete(cfg)
			if x.Rows != want.Rows || x.Cols != want.Dimensions || len(x.F64) != x.Rows*x.Cols ||
				len(class) != x.Rows {
				r.Fatalf("%s: %d×%d, %d values, %d classes", law.Name, x.Rows, x.Cols, len(x.F64),
					len(class))
			}
			seen := map[int]bool{}
			for _, c := range class {
				seen[c] = true
			}
			if len(seen) != want.Clusters || slices.Min(class) != 1 ||
				slices.Max(class) != want.Clusters {
				r.Fatalf("%s: clusters %v, want 1 to %d", law.Name, seen, want.Clusters)
			}
			for _, v := range x.F64 {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					r.Fatalf("%s made %v", law.Name, v)
				}
			}
			again, _, _ := Make(t.Context(), law.Name, cfg)
			if !slices.Equal(again.F64, x.F64) {
				r.Fatalf("%s: the same config made other data", law.Name)
			}
			cfg.Seed++
			other, _, _ := Make(t.Context(), law.Name, cfg)
			if slices.Equal(other.F64, x.F64) && cfg.Noise >= 0 {
				r.Fatalf("%s: another seed made the same data", law.Name)
			}
		})
	}
}

// moments returns the mean and the standard deviation of one column over the rows of one class.
func moments(x dataset.Matrix, class []int, c, col int) (mean, sd float64) {
	n, sum, sq := 0.0, 0.0, 0.0
	for i, ci := range class {
		if ci == c {
			v := x.At(i, col)
			n, sum, sq = n+1, sum+v, sq+v*v
		}
	}
	mean = sum / n
	return mean, math.Sqrt(sq/n - mean*mean)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %.4f, want %.4f ± %.4f", what, got, want, within)
	}
}

// 900 rows per class put the standard error of a mean at σ/30 and of a deviation at σ/42.
func TestGauss9Moments(t *testing.T) {
	x, class := made(t, "gauss9", Config{Rows: 8100})
	for c := 1; c <= 9; c++ {
		for col, want := range []float64{float64((c-1)/3 - 1), float64((c-1)%3 - 1)} {
			mean, sd := moments(x, class, c, col)
			near(t, fmt.Sprintf("mean of class %d, column %d", c, col), mean, want, 5*0.25/30)
			near(t, fmt.Sprintf("deviation of class %d, column %d", c, col), sd, 0.25, 5*0.25/42)
		}
	}
}

// The variance of a t with 5 degrees of freedom is 5/3; its kurtosis of 9 makes the bounds wide.
// P(|t₅| > 2.5706) is 5 %.
func TestTClusters(t *testing.T) {
	x, class := made(t, "t-clusters", Config{Rows: 40000, Seed: 1})
	beyond := 0
	for c := 1; c <= 4; c++ {
		for col, want := range []float64{float64(5 * ((c - 1) / 2)), float64(5 * ((c - 1) % 2))} {
			mean, sd := moments(x, class, c, col)
			near(t, "mean", mean, want, 0.07)
			near(t, "variance", sd*sd, 5.0/3, 0.25)
			for i, ci := range class {
				if ci == c && math.Abs(x.At(i, col)-want) > 2.5706 {
					beyond++
				}
			}
		}
	}
	near(t, "share beyond the 5 % point", float64(beyond)/80000, 0.05, 0.005)
}

func TestMoonsLieOnHalfCircles(t *testing.T) {
	x, class := made(t, "moons", Config{Rows: 1001, Noise: -1})
	for i, c := range class {
		a, b := x.At(i, 0), x.At(i, 1)
		if c == 2 {
			a, b = 1-a, 0.5-b
		}
		if math.Abs(math.Hypot(a, b)-1) > 1e-12 || b < 0 {
			t.Fatalf("row %d of class %d, (%v, %v), is not on its half circle", i+1, c, x.At(i, 0),
				x.At(i, 1))
		}
	}
	// A uniform angle has E|cos| = 2/π.
	sum := 0.0
	for i, c := range class {
		if c == 1 {
			sum += math.Abs(x.At(i, 0))
		}
	}
	near(t, "mean |cos|", sum/501, 2/math.Pi, 0.07)
	noisy, class := made(t, "moons", Config{Rows: 4000, Noise: 0.05})
	off := 0.0
	for i, c := range class {
		if c == 1 {
			r := math.Hypot(noisy.At(i, 0), noisy.At(i, 1)) - 1
			off += r * r
		}
	}
	near(t, "spread around the circle", math.Sqrt(off/2000), 0.05, 0.006)
}

func TestBlobs(t *testing.T) {
	x, class := made(t, "blobs",
		Config{Rows: 8000, Dimensions: 3, Clusters: 5, Noise: 0.5, Seed: 3})
	var centre [][]float64
	for c := 1; c <= 5; c++ {
		m := make([]float64, 3)
		for col := range m {
			var sd float64
			m[col], sd = moments(x, class, c, col)
			near(t, "deviation", sd, 0.5, 0.05)
		}
		for _, other := range centre {
			if squared(m, other) < 16 {
				t.Errorf("two centres only %.2f apart", math.Sqrt(squared(m, other)))
			}
		}
		centre = append(centre, m)
	}
	if slices.IsSorted(class) {
		t.Error("blobs are sorted by class")
	}
}

func TestUnequalBlobs(t *testing.T) {
	x, class := made(t, "blobs-unequal", Config{Rows: 12000, Clusters: 3})
	size := map[int]int{}
	for _, c := range class {
		size[c]++
	}
	if size[1] != 2000 || size[2] != 4000 || size[3] != 6000 {
		t.Errorf("sizes %v, want 1 : 2 : 3", size)
	}
	for c, want := range map[int]float64{1: 0.4, 2: 1, 3: 1.6} {
		_, sd := moments(x, class, c, 1)
		near(t, fmt.Sprintf("deviation of cluster %d", c), sd, want, want/12)
	}
	// So many clusters that shares round to nothing: each still has a row.
	_, class = made(t, "blobs-unequal", Config{Rows: 60, Clusters: 50})
	if slices.Sort(class); len(slices.Compact(class)) != 50 {
		t.Error("a cluster of 50 in 60 rows is empty")
	}
}

// Two clusters found by 2-means share a Rand index of about 0.73 with the classes of Toys2c.
func TestToys2cIsHardForTwoMeans(t *testing.T) {
	x, class := made(t, "toys2c", Config{Rows: 4000, Seed: 2})
	centre := [2][]float64{{0, 5}, {0, -1}}
	own := make([]int, x.Rows)
	for range 100 {
		sum, n := [2][2]float64{}, [2]float64{}
		for i := range own {
			row := x.F64[2*i : 2*i+2]
			own[i] = 0
			if squared(row, centre[1]) < squared(row, centre[0]) {
				own[i] = 1
			}
			sum[own[i]][0], sum[own[i]][1], n[own[i]] = sum[own[i]][0]+row[0],
				sum[own[i]][1]+row[1], n[own[i]]+1
		}
		for c := range centre {
			centre[c] = []float64{sum[c][0] / n[c], sum[c][1] / n[c]}
		}
	}
	right := 0.0
	for i, c := range class {
		if own[i]+1 == c {
			right++
		}
	}
	p := right / float64(x.Rows)
	near(t, "Rand index of 2-means", p*p+(1-p)*(1-p), 0.73, 0.04)
}

func TestNormalAndSincos(t *testing.T) {
	s := newStream(7, 0)
	const n = 200000
	var below [3]float64 // at −1.6449, 0 and 1
	sum, sq, fourth := 0.0, 0.0, 0.0
	for range n {
		z := s.normal()
		sum, sq, fourth = sum+z, sq+z*z, fourth+z*z*z*z
		for i, q := range []float64{-1.6448536, 0, 1} {
			if z < q {
				below[i]++
			}
		}
	}
	near(t, "mean", sum/n, 0, 0.012)
	near(t, "variance", sq/n, 1, 0.016)
	near(t, "fourth moment", fourth/n, 3, 0.12)
	for i, want := range []float64{0.05, 0.5, 0.8413447} {
		near(t, "distribution function", below[i]/n, want, 0.006)
	}
	for a := -6.0; a <= 6; a += 0.01 {
		sin, cos := sincos(a)
		if math.Abs(sin-math.Sin(a)) > 1e-13 || math.Abs(cos-math.Cos(a)) > 1e-13 {
			t.Fatalf("sincos(%v) = %v, %v", a, sin, cos)
		}
	}
}

func TestImpossibleConfigs(t *testing.T) {
	for _, c := range []struct {
		law     string
		cfg     Config
		problem string
	}{
		{"spirals", Config{}, "choose one of blobs"},
		{"blobs", Config{Rows: -1}, "-1 rows"},
		{"blobs", Config{Dimensions: -2}, "-2 dimensions"},
		{"blobs", Config{Rows: 3, Clusters: 4}, "4 clusters into 3 rows"},
		{"blobs", Config{Noise: math.NaN()}, "noise NaN"},
		{"blobs", Config{Noise: math.Inf(1)}, "noise +Inf"},
		{"blobs", Config{Rows: math.MaxInt, Dimensions: math.MaxInt}, "values"},
		{"moons", Config{Clusters: 3}, "2 clusters, not 3"},
		{"gauss9", Config{Dimensions: 3}, "2 dimensions, not 3"},
		{"gauss9", Config{Rows: 8}, "9 clusters into 8 rows"},
	} {
		_, _, err := Make(t.Context(), c.law, c.cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("Make(%s, %+v): %v; want an input fault with %q", c.law, c.cfg, err, c.problem)
		}
	}
}

// The bytes are promised to stay: published seeds must give the same data in later versions.
func TestGolden(t *testing.T) {
	golden := map[string]string{
		"blobs":         "015e879d79e174ac",
		"blobs-unequal": "88db6031e621ea25",
		"moons":         "473f99e8f99f3533",
		"toys2c":        "906ba139a7ae082e",
		"gauss9":        "b1dc959eba915f19",
		"t-clusters":    "020b219cc94aadd4",
	}
	for _, law := range Laws() {
		x, class := made(t, law.Name, Config{Seed: 2024})
		h := sha256.New()
		for i, v := range x.F64 {
			fmt.Fprintf(h, "%x %d ", math.Float64bits(v), class[i/x.Cols])
		}
		if got := hex.EncodeToString(h.Sum(nil))[:16]; got != golden[law.Name] {
			t.Errorf("%s: hash %s, want %s", law.Name, got, golden[law.Name])
		}
	}
}

func TestWriteReadsBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-1e12, 1e12), 6, 6).Draw(r, "values")
		small := rapid.SliceOfN(rapid.Float64Range(-2, 2), 6, 6).Draw(r, "small values")
		x := dataset.Matrix{Rows: 4, Cols: 3, F64: append(v, small...)}
		var b bytes.Buffer
		if err := Write(context.Background(), &b, x, []int{3, 1, 2, 11}); err != nil {
			r.Fatal(err)
		}
		rec, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			r.Fatal(err)
		}
		if got := strings.Join(rec[0], " "); got != "x1 x2 x3 class" || rec[4][3] != "11" {
			r.Fatalf("header %q, last class %q", got, rec[4][3])
		}
		for i, want := range x.F64 {
			text := rec[1+i/3][i%3]
			got, err := strconv.ParseFloat(text, 64)
			if err != nil || math.Abs(got-want) > 0.5e-6+1e-15*math.Abs(want) ||
				text == "-0.000000" || len(text)-strings.IndexByte(text, '.') != 7 {
				r.Fatalf("%v was written as %q", want, text)
			}
		}
	})
}

type brokenWriter struct{}

var errBroken = errors.New("no space left")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteFails(t *testing.T) {
	x, class := made(t, "blobs", Config{Rows: 50000})
	if err := Write(t.Context(), brokenWriter{}, x, class); !errors.Is(err, errBroken) {
		t.Errorf("a full disk gave %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, &bytes.Buffer{}, x, class); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gave %v", err)
	}
	if err := Write(t.Context(), &bytes.Buffer{}, x, class[1:]); err == nil {
		t.Error("a class too few was taken")
	}
	x.F64[5] = math.NaN()
	if err := Write(t.Context(), &bytes.Buffer{}, x, class); err == nil ||
		!strings.Contains(err.Error(), "row 3, column x2") {
		t.Errorf("NaN gave %v", err)
	}
}

func ExampleMake() {
	x, classes, err := Make(context.Background(), "moons", Config{Rows: 100, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Rows, x.Cols, classes[0], classes[99])
	// Output: 100 2 1 2
}

func ExampleLaws() {
	for _, l := range Laws() {
		fmt.Println(l.Name, l.Defaults.Rows)
	}
	// Output:
	// blobs 500
	// blobs-unequal 500
	// moons 500
	// toys2c 800
	// gauss9 900
	// t-clusters 2000
}
