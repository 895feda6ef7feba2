package dissim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// formulas are the metrics written as in their documentation.
var formulas = map[Metric]func(x, y []float64) float64{
	Euclidean: func(x, y []float64) float64 {
		return math.Sqrt(sum(x, y, func(a, b float64) float64 { return (a - b) * (a - b) }))
	},
	SqEuclidean: func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return (a - b) * (a - b) })
	},
	Manhattan: func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return math.Abs(a - b) })
	},
	Cosine: func(x, y []float64) float64 {
		switch zeros := count(zero(x), zero(y)); zeros {
		case 0:
			return 1 - dot(x, y)/math.Sqrt(dot(x, x)*dot(y, y))
		default:
			return float64(2 - zeros)
		}
	},
	Correlation: func(x, y []float64) float64 {
		switch flat := count(constant(x), constant(y)); flat {
		case 0:
			return 1 - pearson(x, y)
		default:
			return float64(2 - flat)
		}
	},
	Tanimoto: func(x, y []float64) float64 {
		if zero(x) && zero(y) {
			return 0
		}
		return (1 - dot(x, y)/(dot(x, x)+dot(y, y)-dot(x, y))) / 2
	},
	BinaryCorrelation: func(x, y []float64) float64 {
		switch {
		case constant(x) && constant(y):
			return math.Abs(x[0] - y[0])
		case constant(x) || constant(y):
			return .5
		}
		return (1 - pearson(x, y)) / 2
	},
	Hamming: func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return float64(count(a != b)) }) /
			float64(len(x))
	},
	Jaccard: func(x, y []float64) float64 {
		either := sum(x, y, func(a, b float64) float64 { return float64(count(a != 0 || b != 0)) })
		if either == 0 {
			return 0
		}
		return 1 - sum(x, y,
			func(a, b float64) float64 { return float64(count(a != 0 && b != 0)) })/either
	},
}

func sum(x, y []float64, f func(a, b float64) float64) (s float64) {
	for j := range x {
		s += f(x[j], y[j])
	}
	return s
}

func dot(x, y []float64) float64 { return sum(x, y, func(a, b float64) float64 { return a * b }) }

func zero(x []float64) bool { return dot(x, x) == 0 }

func constant(x []float64) bool {
	return sum(x, x, func(a, _ float64) float64 { return math.Abs(a - x[0]) }) == 0
}

func count(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

func pearson(x, y []float64) float64 {
	centre := func(x []float64) []float64 {
		mean := sum(x, x, func(a, _ float64) float64 { return a }) / float64(len(x))
		out := make([]float64, len(x))
		for j := range x {
			out[j] = x[j] - mean
		}
		return out
	}
	u, v := centre(x), centre(y)
	return dot(u, v) / math.Sqrt(dot(u, u)*dot(v, v))
}

// drawRows draws rows of numbers that a metric takes, zeros and constants among them.
func drawRows(t *rapid.T, m Metric) dataset.Matrix {
	n, d := rapid.IntRange(1, 9).Draw(t, "n"), rapid.IntRange(1, 70).Draw(t, "d")
	values := rapid.Custom(func(t *rapid.T) float64 {
		return float64(rapid.IntRange(-2000, 2000).Draw(t, "hundredths")) / 100
	})
	if m == BinaryCorrelation || m == Jaccard || m == Hamming || rapid.Bool().Draw(t, "binary") {
		values = rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(0, 1).Draw(t, "bit"))
		})
	}
	x := dataset.Matrix{Rows: n, Cols: d}
	for range n {
		row := rapid.SliceOfN(values, d, d).Draw(t, "row")
		if rapid.IntRange(0, 4).Draw(t, "constant") == 0 {
			for j := range row {
				row[j] = row[0]
			}
		}
		x.F64 = append(x.F64, row...)
	}
	if rapid.Bool().Draw(t, "single") {
		for _, v := range x.F64 {
			x.F32 = append(x.F32, float32(v))
		}
		x.F64 = nil
	}
	return x
}

// TestVectorMetricsFollowTheirFormulas in float64 and float32, in order, in runs and at random, and
// are symmetric with a zero diagonal.
func TestVectorMetricsFollowTheirFormulas(t *testing.T) {
	for m, formula := range formulas {
		t.Run(string(m), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := drawRows(t, m)
				src, err := Vectors(x, m)
				if err != nil {
					t.Fatal(err)
				}
				d := full(src)
				tolerance := 1e-6
				if x.Single() {
					tolerance = 2e-5 // sums of squares of float32
				}
				for i := range x.Rows {
					for j := range x.Rows {
						got, want := float64(d[i*x.Rows+j]),
							formula(x.AppendRow(nil, i), x.AppendRow(nil, j))
						if math.Abs(got-want) > tolerance*(1+want) {
							t.Fatalf("d(%d,%d) = %g, want %g", i, j, got, want)
						}
						if i == j && got != 0 || d[i*x.Rows+j] != d[j*x.Rows+i] || got < 0 {
							t.Fatalf("d(%d,%d) = %g, the other way %g", i, j, got, d[j*x.Rows+i])
						}
					}
				}
				js := rapid.SliceOfN(rapid.Int32Range(0, int32(x.Rows-1)), 1, 300).Draw(t, "js")
				dst := make([]float32, len(js))
				i := rapid.IntRange(0, x.Rows-1).Draw(t, "i")
				src.Row(dst, i, js)
				for k, j := range js {
					if dst[k] != d[i*x.Rows+int(j)] {
						t.Fatalf("d(%d,%d) is %g in a list and %g in the whole row", i, j, dst[k],
							d[i*x.Rows+int(j)])
					}
				}
			})
		})
	}
}

// full returns all dissimilarities, row after row.
func full(src Source) []float32 {
	n := src.Len()
	d := make([]float32, n*n)
	for i := range n {
		src.Row(d[i*n:(i+1)*n], i, nil)
	}
	return d
}

// TestCrossGivesTheSameBits as Vectors does for the same rows.
func TestCrossGivesTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(Metrics()[:9]).Draw(t, "metric")
		x := drawRows(t, m)
		src, err := Vectors(x, m)
		if err != nil {
			t.Fatal(err)
		}
		d := full(src)
		rows := rapid.SliceOfN(rapid.IntRange(0, x.Rows-1), 1, 12).Draw(t, "rows")
		cross, err := Cross(x.Subset(rows), x, m)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]float32, x.Rows)
		for k, i := range rows {
			cross.Row(dst, k, nil)
			for j, v := range dst {
				if v != d[i*x.Rows+j] {
					t.Fatalf("%s: d(%d,%d) is %g across and %g among", m, i, j, v, d[i*x.Rows+j])
				}
			}
		}
	})
}

// TestTriangleHolds for the metrics that are ones; the squared distance is there to show that the
// test can fail.
func TestTriangleHolds(t *testing.T) {
	broken := false
	for _, m := range []Metric{Euclidean, Manhattan, Hamming, Jaccard, SqEuclidean} {
		rapid.Check(t, func(t *rapid.T) {
			x := drawRows(t, m)
			src, err := Vectors(x, m)
			if err != nil {
				t.Fatal(err)
			}
			d, n := full(src), x.Rows
			for i := range n {
				for j := range n {
					for k := range n {
						if direct, by := d[i*n+j], d[i*n+k]+d[k*n+j]; direct > by*(1+1e-5)+1e-5 {
							if broken = true; m != SqEuclidean {
								t.Fatalf("%s: d(%d,%d) = %g > %g by %d", m, i, j, direct, by, k)
							}
						}
					}
				}
			}
		})
	}
	if !broken {
		t.Error("squared distances never broke the triangle inequality")
	}
}

// TestDirectionsDoNotDependOnLength, however large or small the rows are.
// TestOppositesAreAtTheBound, rounding or not.
func TestOppositesAreAtTheBound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		d := 2 + r.IntN(30)
		x := dataset.Matrix{Rows: 2, Cols: d, F32: make([]float32, 2*d)}
		for j := range d {
			x.F32[j] = float32(r.IntN(2))
			x.F32[d+j] = 1 - x.F32[j]
		}
		for m, bound := range map[Metric]float32{Correlation: 2, BinaryCorrelation: 1} {
			src, err := Vectors(x, m)
			if err != nil {
				t.Fatal(err)
			}
			row := make([]float32, 2)
			if src.Row(row, 0, nil); row[1] > bound {
				t.Fatalf("%s of %v is %v", m, x.F32, row[1])
			}
		}
	}
}

func TestDirectionsDoNotDependOnLength(t *testing.T) {
	x, _ := dataset.NewMatrix(4, 2, []float64{1e-300, 2e-300, 1e300, 2e300, 2, -1, 3, 6})
	src, err := Vectors(x, Cosine)
	if err != nil {
		t.Fatal(err)
	}
	d := full(src)
	for i, want := range []float32{0, 0, 1, 0} {
		if math.Abs(float64(d[i]-want)) > 1e-6 {
			t.Errorf("d(1,%d) = %g, want %g", i+1, d[i], want)
		}
	}
}

func TestVectorsRefuse(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		d      int
		values []float64
		metric Metric
	}{
		"NaN":               {2, []float64{1, 2, 3, nan}, Euclidean},
		"infinity":          {2, []float64{1, 2, 3, math.Inf(1)}, Hamming},
		"too far":           {1, []float64{-1e200, 1e200, 0}, Euclidean},
		"squares too large": {1, []float64{-1e30, 1e30, 0}, SqEuclidean},
		"not binary":        {2, []float64{0, 1, 1, 2}, BinaryCorrelation},
		"not of vectors":    {2, []float64{0, 1, 1, 2}, DTW},
		"no columns":        {0, nil, Euclidean},
	} {
		x := dataset.Matrix{Rows: len(c.values) / max(1, c.d), Cols: c.d, F64: c.values}
		if _, err := Vectors(x, c.metric); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}},
		dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 2}}
	if _, err := Cross(a, b, Euclidean); !fault.IsInput(err) {
		t.Errorf("1 and 2 columns: %v", err)
	}
}

func TestMetricsHaveNames(t *testing.T) {
	for _, m := range Metrics() {
		if got, err := ParseMetric(string(m)); got != m || err != nil {
			t.Errorf("%q became %q (%v)", m, got, err)
		}
	}
	if m, err := ParseMetric(""); m != Euclidean || err != nil {
		t.Errorf("nothing became %q (%v)", m, err)
	}
	if _, err := ParseMetric("euclid"); err == nil {
		t.Error("euclid was taken")
	}
}

// Some objects of vectors are compared as vectors, to the same bits.
func TestAmongKeepsVectors(t *testing.T) {
	x := dataset.Matrix{Rows: 5, Cols: 6, F64: []float64{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0,
		2, 1, 9, 4, 4, 1, 7, 7, 7, 7, 7, 7, 1, 2, 3, 4, 5, 7}}
	some := []int32{4, 1, 0}
	for _, m := range []Metric{Euclidean, Cosine, Correlation,
		Manhattan} {
		src, err := Vectors(x, m)
		if err != nil {
			t.Fatal(err)
		}
		among := Among(src, some)
		_, is := Embed(src)
		if e, ok := Embed(among); ok != is || ok && e.Vectors.Rows != 3 {
			t.Errorf("%s: vectors %v of %d rows, and %v before", m, ok, e.Vectors.Rows, is)
		}
		for i := range some {
			got, want := make([]float32, 3), make([]float32, 3)
			among.Row(got, i, nil)
			src.Row(want, int(some[i]), some)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", m, got, want)
			}
		}
	}
}
