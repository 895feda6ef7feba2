package kmeans_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// wide returns the values of m as float64.
func wide(m dataset.Matrix) dataset.Matrix {
	out := dataset.Matrix{Rows: m.Rows, Cols: m.Cols}
	for i := range m.Rows {
		out.F64 = m.AppendRow(out.F64, i)
	}
	return out
}

// passOver returns the rows of m to a pass, so many at a time, and the labels that come of them.
func passOver(t testing.TB, p *kmeans.Pass, m dataset.Matrix, rows int) (labels []int32) {
	t.Helper()
	for lo := 0; lo < m.Rows; lo += rows {
		hi := min(m.Rows, lo+rows)
		if err := p.Block(dataset.Matrix{Rows: hi - lo, Cols: m.Cols,
			F64: m.F64[lo*m.Cols : hi*m.Cols]}); err != nil {
			t.Fatal(err)
		}
		labels = append(labels, p.Labels...)
	}
	return labels
}

// An iteration of Fit and a pass over blocks find the same labels and the same means, for data in
// float64 and in float32, near the origin and far off it.
func TestPassIsAnIterationOfFit(t *testing.T) {
	for _, c := range []struct {
		name   string
		far    float64
		single bool
	}{{"float64", 0, false}, {"float32", 0, true}, {"far off", 1e8, false}} {
		m := blobs(5000, 7, 6, 3)
		for i := range m.F64 {
			m.F64[i] += c.far
		}
		if c.single {
			m = single(m)
		}
		start := first(m, 6)
		for _, rows := range []int{1, 100, 4096} {
			frame, err := kmeans.NewFrame(start, c.single)
			if err != nil {
				t.Fatal(err)
			}
			origin := kmeans.Origin(slices.Repeat([]float64{c.far + 5}, 7), 10, c.single)
			p := frame.Pass(origin, true)
			labels := passOver(t, p, wide(m), rows)

			before, err := (&kmeans.Result{Centers: start}).Predict(context.Background(), m, 1)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(labels, before) {
				t.Fatalf("%s, blocks of %d: the labels differ from those of Predict", c.name, rows)
			}
			fit := mustFit(t, m, kmeans.Config{Clusters: 6, Centers: start,
				Limits: fit.Limits{MaxIterations: 1}})
			for k, n := range p.Counts {
				for j := range 7 {
					mean := origin[j] + p.Sums()[k*7+j]/float64(n)
					if want := fit.Centers.At(k, j); math.Abs(mean-want) > 1e-13*math.Abs(want) {
						t.Errorf("%s, blocks of %d: mean %g of cluster %d, and Fit has %g", c.name,
							rows, mean, k, want)
					}
				}
			}
			if math.Abs(p.Inertia()-fit.Trace[0]) > 1e-9*fit.Trace[0] {
				t.Errorf("%s, blocks of %d: inertia %g, and Fit has %g", c.name, rows, p.Inertia(),
					fit.Trace[0])
			}
		}
	}
}

func TestPassAllocatesNothingForRows(t *testing.T) {
	m := blobs(4096, 16, 25, 1)
	for _, c := range []struct {
		single bool
		origin []float64
	}{{false, make([]float64, 16)}, {true, make([]float64, 16)}, {false, nil}} {
		frame, err := kmeans.NewFrame(first(m, 25), c.single)
		if err != nil {
			t.Fatal(err)
		}
		p := frame.Pass(c.origin, true)
		if err := p.Block(m); err != nil { // its own space
			t.Fatal(err)
		}
		if got := testing.AllocsPerRun(10, func() { _ = p.Block(m) }); got > 2 {
			t.Errorf("float32 %v: %v allocations a block", c.single, got)
		}
	}
}

func TestPassNamesWhatItCannotTake(t *testing.T) {
	centers := dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{0, 0, 1, 1}}
	for _, c := range []struct {
		value  float64
		single bool
		want   string
	}{
		{math.NaN(), false, "row 2, column 1: the value NaN is not finite"},
		{math.Inf(-1), false, "row 2, column 1: the value -Inf is not finite"},
		{math.NaN(), true, "row 2, column 1: the value NaN is not finite"},
		{1e160, false, "row 2, column 1: the value 1e+160 lies so far"},
		{1e30, true, "row 2, column 1: the value 1e+30 lies so far"},
	} {
		frame, err := kmeans.NewFrame(centers, c.single)
		if err != nil {
			t.Fatal(err)
		}
		err = frame.Pass(nil,
			true).Block(dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 2, c.value, 3}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !fault.IsInput(err) {
			t.Errorf("%v: %v", c.value, err)
		}
	}
	frame, err := kmeans.NewFrame(centers, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := frame.Pass(nil,
		true).Block(dataset.Matrix{Rows: 1, Cols: 3, F64: []float64{1, 2, 3}}); err == nil {
		t.Error("a block of three columns was taken by centres of two")
	}
	for _, bad := range []dataset.Matrix{{}, {Rows: 1, Cols: 2, F64: []float64{0}},
		{Rows: 2, Cols: 1, F64: []float64{-1e200, 1e200}}} {
		if _, err := kmeans.NewFrame(bad, false); err == nil {
			t.Errorf("centres %v were taken", bad)
		}
	}
}

// Sums that keep what rounding loses agree with sums of fractions, where plain ones lose all their
// digits.
func TestSumsKeepWhatRoundingLoses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e16, 1e16), 1, 50).Draw(t, "values")
		for _, v := range slices.Clone(values) { // all but some cancel
			if rapid.Bool().Draw(t, "cancels") {
				values = append(values, -v+rapid.Float64Range(-1, 1).Draw(t, "rest"))
			}
		}
		exact := new(big.Rat)
		size := 0.0
		s := kmeans.NewSums(1)
		for _, v := range values {
			exact.Add(exact, new(big.Rat).SetFloat64(v))
			size += math.Abs(v)
			s.Add([]float64{v})
		}
		want, _ := exact.Float64()
		n := float64(len(values))
		if got := s.Values()[0]; math.Abs(got-want) > 0x1p-52*math.Abs(want)+n*n*0x1p-105*size {
			t.Fatalf("%g, and exactly %g", got, want)
		}
	})
}

// With all rows as the sample the start is the one that Fit draws.
func TestStartIsThatOfFit(t *testing.T) {
	for _, m := range []dataset.Matrix{blobs(3000, 4, 5, 2), single(blobs(3000, 4, 5, 2))} {
		start, err := kmeans.Start(context.Background(), m, nil, 5, 9, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := mustFit(t, m, kmeans.Config{Clusters: 5, Options: fit.Options{Seed: 9}})
		got := mustFit(t, m, kmeans.Config{Clusters: 5, Centers: start})
		if diff := cmp.Diff(want.Labels, got.Labels); diff != "" {
			t.Error(diff)
		}
		if !slices.Equal(want.Trace, got.Trace) {
			t.Errorf("inertias %v, and from all rows as a sample %v", want.Trace, got.Trace)
		}
	}
}

// A row that stands for many draws centres as so many rows would: rows without weight get none.
func TestStartHeedsWeights(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 50, 51}}
	for seed := range uint64(50) {
		start, err := kmeans.Start(context.Background(), m, []float64{1, 0, 1e6, 0}, 2, seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Sorted(slices.Values(start.F64))
		if !slices.Equal(got, []float64{0, 50}) {
			t.Errorf("seed %d: centres %v", seed, got)
		}
	}
	if _, err := kmeans.Start(context.Background(), m, []float64{1}, 2, 0, 1); err == nil {
		t.Error("one weight for four rows was taken")
	}
	if _, err := kmeans.Start(context.Background(), m, nil, 5, 0, 1); !fault.IsInput(err) {
		t.Errorf("five centres of four rows: %v", err)
	}
}

// BenchmarkPass times a pass over blocks of 4096 rows, for each row, beside an iteration of Fit
// (BenchmarkFit has 20).
func BenchmarkPass(b *testing.B) {
	for _, c := range []struct{ d, k int }{{16, 25}, {16, 1000}, {64, 100}} {
		m := blobs(1<<17, c.d, c.k, 1)
		frame, err := kmeans.NewFrame(first(m, c.k), false)
		if err != nil {
			b.Fatal(err)
		}
		for _, squared := range []bool{false, true} {
			b.Run(fmt.Sprintf("d=%d/k=%d/squared=%v", c.d, c.k, squared), func(b *testing.B) {
				p := frame.Pass(make([]float64, c.d), squared)
				b.ReportAllocs()
				for b.Loop() {
					for lo := 0; lo < m.Rows; lo += 4096 {
						if err := p.Block(dataset.Matrix{Rows: 4096, Cols: c.d,
							F64: m.F64[lo*c.d : (lo+4096)*c.d]}); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Rows),
					"ns/row")
			})
		}
	}
}
