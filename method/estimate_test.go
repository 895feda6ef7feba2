package method_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
)

// counting is a method that remembers the problems it fits, and sleeps for each pair of rows.
func counting(each time.Duration, fitted *[]method.Problem) *method.Configured {
	m := method.Method{Name: "counting", Links: true, Configure: func(*param.Set) method.Steps {
		return method.Steps{Fit: func(_ context.Context, p method.Problem) (*method.Outcome,
			error) {
			*fitted = append(*fitted, p)
			n := p.Data.Rows
			time.Sleep(time.Duration(n*n) * each)
			return &method.Outcome{Labels: make([]int, n)}, nil
		}}
	}}
	c, err := m.With(nil)
	if err != nil {
		panic(err)
	}
	return c
}

func blobs(t *testing.T, rows int) dataset.Matrix {
	t.Helper()
	x, _, err := generate.Make(t.Context(), "blobs", generate.Config{Rows: rows, Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestEstimate: samples of a problem are fitted with the links among their rows, and what a long
// fit takes follows from them.
func TestEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 8000
		p := method.Problem{Data: blobs(t, n)}
		p.Links = []link.Link{{A: 0, B: n * 2 / 5, Kind: link.CannotLink}, {A: 1, B: 2}}
		var fitted []method.Problem
		e, ok := counting(time.Microsecond, &fitted).Estimate(t.Context(), p, time.Second)
		if !ok || e.Time < 60*time.Second || e.Time > 70*time.Second || e.Rows < 250 || e.Rows > n/2 {
			t.Errorf("a fit of 64 s is estimated at %v from %d rows, %v", e.Time, e.Rows, ok)
		}
		for _, s := range fitted {
			if s.Size() != n {
				t.Errorf("a sample of %d rows is fitted as one of %d, want %d", s.Data.Rows, s.Size(), n)
			}
			if len(s.Links) != 1 || s.Links[0].A != 0 || s.Links[0].B != s.Data.Rows*2/5 ||
				s.Data.At(s.Data.Rows*2/5, 0) != p.Data.At(n*2/5, 0) {
				t.Errorf("a sample of %d rows has the links %v", s.Data.Rows, s.Links)
			}
		}
		fitted = nil
		if e, ok := counting(0, &fitted).Estimate(t.Context(), p, time.Hour); ok {
			t.Errorf("a fit of no time is estimated at %v", e.Time)
		}
		for _, s := range fitted {
			if s.Data.Rows != fitted[0].Data.Rows {
				t.Error("several sizes are tried for a fit of no time")
				break
			}
		}
		p.Data = blobs(t, 700)
		if _, ok := counting(time.Second, &fitted).Estimate(t.Context(), p, 0); ok {
			t.Error("a fit of few rows is estimated")
		}
	})
}

// TestSamplesAreFittedAsTheWhole: a sample of many rows takes as many starts as all of them would.
func TestSamplesAreFittedAsTheWhole(t *testing.T) {
	x := dataset.Matrix{Rows: 300, Cols: 2, F64: make([]float64, 600)}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range x.F64 {
		x.F64[i] = rng.Float64()
	}
	objective := func(name, starts string, whole int) float64 {
		m, err := all.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]string{"clusters": "14", "seed": "1"}
		if starts != "" {
			values["starts"] = starts
		}
		c, err := m.With(values)
		if err != nil {
			t.Fatal(err)
		}
		p := method.Problem{Data: x, Whole: whole}
		p.Links = []link.Link{{A: 0, B: 1, Kind: link.CannotLink}}
		out, err := c.Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return out.Objective
	}
	for _, name := range []string{"kmeans", "lcvqe", "pckmeans", "mpckmeans"} {
		one, several := objective(name, "1", 0), objective(name, "", 0)
		if one == several {
			t.Fatalf("%s: one start is as good as several", name)
		}
		if got := objective(name, "", 30_000); got != one {
			t.Errorf("%s: a sample of 30 000 rows has the objective %g, want %g", name, got, one)
		}
		if got := objective(name, "", 20_000); got != several {
			t.Errorf("%s: a sample of 20 000 rows has the objective %g, want %g", name, got, several)
		}
	}
}

// timed is a method that takes as long, in made-up time, as a function of the rows and clusters says.
func timed(t *testing.T, clusters string, takes func(rows, clusters int) time.Duration,
	fits *int) *method.Configured {
	t.Helper()
	m := method.Method{Name: "timed", NeedsClusters: true,
		Configure: func(s *param.Set) method.Steps {
			var k int
			s.Int(&k, param.Param{Name: "clusters", Min: 1})
			return method.Steps{Fit: func(_ context.Context, p method.Problem) (*method.Outcome,
				error) {
				*fits++
				time.Sleep(takes(p.Data.Rows, k))
				out := &method.Outcome{Labels: make([]int, p.Data.Rows), Clusters: k}
				for i := range out.Labels {
					out.Labels[i] = i%k + 1
				}
				return out, nil
			}}
		}}
	c, err := m.With(map[string]string{"clusters": clusters})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestARangeIsEstimatedByFewNumbers: what all numbers of clusters of a long range take follows from
// some, so that samples can be larger.
func TestARangeIsEstimatedByFewNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fits := 0
		c := timed(t, "2..101", func(rows, k int) time.Duration {
			return time.Duration(rows*k) * 50 * time.Nanosecond
		}, &fits)
		e, ok := c.Estimate(t.Context(), method.Problem{Data: blobs(t, 40_000)}, time.Second)
		// 100 numbers, of 51 clusters on average, take 10 s; what is computed takes no made-up time.
		if !ok || e.Time < 9*time.Second || e.Time > 12*time.Second || e.Rows < 4000 || fits > 100 {
			t.Errorf("a fit of 10 s is estimated at %v from %d rows by %d fits, %v", e.Time, e.Rows,
				fits, ok)
		}
	})
}

// TestRefitsOfACriterionAreOfFewRows: gaps and stabilities fit so many rows at most again, and these
// fits take longer with the rows as others do.
func TestRefitsOfACriterionAreOfFewRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fits := 0
		c := timed(t, "2..6", func(rows, _ int) time.Duration {
			return time.Duration(rows) * 20 * time.Microsecond
		}, &fits)
		c, err := c.Method.With(map[string]string{"clusters": "2..6", "choose": "gap"})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := c.Estimate(t.Context(), method.Problem{Data: blobs(t, 8000)}, time.Second)
		// Five fits of all rows take 0.8 s, and 55 of 2000 rows 2.2 s.
		if !ok || e.Time < 2800*time.Millisecond || e.Time > 3500*time.Millisecond { // it was 40 s
			t.Errorf("a fit of 3 s is estimated at %v from %d rows, %v", e.Time, e.Rows, ok)
		}
	})
}

// TestAJumpIsNotExtrapolated: where a method does more from so many rows on, the time beyond
// counts.
func TestAJumpIsNotExtrapolated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fits := 0
		c := timed(t, "3", func(rows, _ int) time.Duration {
			if rows < 400 {
				return time.Duration(rows*rows) * 20 * time.Nanosecond
			}
			return 300 * time.Millisecond
		}, &fits)
		p := method.Problem{Data: blobs(t, 8000)}
		e, ok := c.Estimate(t.Context(), p, 20*time.Millisecond)
		if ok && e.Time > 5*time.Second || e.Rows < 1000 { // it was 77 s
			t.Errorf("a fit of 0.3 s is estimated at %v from %d rows, %v", e.Time, e.Rows, ok)
		}
	})
}

// TestALongFirstSampleIsHalved: how the time grows is known from two samples at least.
func TestALongFirstSampleIsHalved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fits := 0
		c := timed(t, "3", func(rows, _ int) time.Duration {
			return time.Duration(rows) * 31 * time.Millisecond
		}, &fits)
		e, ok := c.Estimate(t.Context(), method.Problem{Data: blobs(t, 6400)}, time.Second)
		if !ok || e.Time < 190*time.Second || e.Time > 210*time.Second { // it was 3.5 hours
			t.Errorf("a fit of 198 s is estimated at %v from %d rows, %v", e.Time, e.Rows, ok)
		}
	})
}
