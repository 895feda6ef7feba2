package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// fuse is a context that ends after it was asked a number of times: a cancellation at any place
// where one is seen.
type fuse struct {
	context.Context
	left atomic.Int64
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledAnywhere: what is given then is a valid partition with the stress it says, or
// nothing.
func TestCancelledAnywhere(t *testing.T) {
	const n = 330
	src := blobs(n, 3, 4)
	var sawNothing, sawSome bool
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Clusters: 3,
			D0:       D0{Quantile: 0.9}, // sought without a pause
			Limits:   fit.Limits{MaxIterations: 40, Tolerance: 1e-12},
			Pairs:    rapid.IntRange(0, 1).Draw(t, "pairs"),
		}
		cfg.Partners = rapid.SampledFrom([]int{0, 12}).Draw(t, "partners")
		cfg.Start = rapid.SampledFrom([]Start{Medoids, Random}).Draw(t, "start")
		cfg.Starts = rapid.IntRange(1, 2).Draw(t, "starts")
		swept := 0
		cfg.Progress = func(p fit.Progress) { swept = max(swept, p.Iteration) }
		ctx := &fuse{Context: context.Background()}
		ctx.left.Store(rapid.Int64Range(0, 3000).Draw(t, "checks"))
		r, err := Fit(ctx, src, cfg)
		if err == nil {
			return // done before
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled: %v", err)
		}
		if r == nil {
			sawNothing = true
			if swept > 0 {
				t.Fatalf("nothing to show for %d sweeps", swept)
			}
			return
		}
		sawSome = true
		if err := r.Credal.Check(); err != nil || r.Credal.Len() != n {
			t.Fatalf("stopped with %d objects: %v", r.Credal.Len(), err)
		}
		if want := direct(t, src, cfg, r); math.Abs(r.Stress-want) > 1e-6*want {
			t.Fatalf("says a stress of %v, it is %v", r.Stress, want)
		}
	})
	if !sawNothing || !sawSome {
		t.Errorf("cancelled before a sweep: %v, after: %v", sawNothing, sawSome)
	}
}

// direct measures the stress of a result anew, over the pairs that its configuration draws.
func direct(t require, src interface {
	Len() int
	Row([]float32, int, []int32)
}, cfg Config, r *Result) float64 {
	p := &problem{n: src.Len(), focal: r.Credal.Focal}
	store, err := newStore(context.Background(), src, r.Partners, cfg, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.transform(context.Background(), r.scale, 1); err != nil {
		t.Fatal(err)
	}
	stress, total := 0.0, 0.0
	add := func(i, j int, delta float32) {
		d := p.conflict(r.Credal.Row(i), r.Credal.Row(j)) - float64(delta)
		stress += d * d
		total += float64(delta) * float64(delta)
	}
	if s := store.sampled; s != nil {
		for at, i := range s.Order[:p.n] {
			for k, shift := range s.Shifts {
				add(int(i), int(s.Order[(at+int(shift))%p.n]), s.D[k*s.Stride+at])
			}
		}
		return stress / total
	}
	for i := range p.n {
		for j := range i {
			add(i, j, store.dense[i*p.n+j])
		}
	}
	return stress / total
}

// TestStressIsEquation12: of whole fits, as reported, under each transform.
func TestStressIsEquation12(t *testing.T) {
	src := blobs(150, 3, 9)
	for _, partners := range []int{0, 20} {
		for _, transform := range []Transform{Exponential, Linear, Rank} {
			cfg := Config{Clusters: 3, Partners: partners, Transform: transform, Pairs: 1}
			r, err := Fit(t.Context(), src, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if want := direct(t, src, cfg, r); math.Abs(r.Stress-want) > 1e-9*want ||
				r.Stress != r.Objective || math.Abs(r.Trace[len(r.Trace)-1]-want) > 1e-9*want {
				t.Errorf("%d partners, transform %d: stress %v, trace ends at %v, measured %v",
					partners, transform, r.Stress, r.Trace[len(r.Trace)-1], want)
			}
		}
	}
}

// TestProgressTellsOnlyOfAdvance.
func TestProgressTellsOnlyOfAdvance(t *testing.T) {
	share, told := 0.0, 0
	r, err := Fit(t.Context(), blobs(200, 3, 4),
		Config{
			Clusters: 3,
			Limits:   fit.Limits{Starts: 3},
			Partners: 15,
			Options: fit.Options{Progress: func(p fit.Progress) {
				told++
				if p.Share < share || p.Share > 1 || p.Start >= p.Starts && told > 1 &&
					p.Starts > 0 {
					t.Errorf("after a share of %v: %+v", share, p)
				}
				share = p.Share
			}},
		})
	if err != nil || told < r.Iterations || share < 0.5 || len(r.StartValues) != 3 {
		t.Errorf("told %d times, up to %v, of %d sweeps and starts %v (%v)", told, share,
			r.Iterations,
			r.StartValues, err)
	}
	for s, v := range r.StartValues {
		if v < r.StartValues[r.Winner] || v == r.StartValues[r.Winner] && s < r.Winner {
			t.Errorf("start %d won with %v", r.Winner, r.StartValues)
		}
	}
}

// TestStartsWithoutEnd take no memory before they begin.
func TestStartsWithoutEnd(t *testing.T) {
	for _, start := range []Start{Medoids, Random} {
		cfg := Config{Clusters: 3, Start: start, Limits: fit.Limits{Starts: math.MaxInt / 8}}
		ctx := &fuse{Context: t.Context()}
		ctx.left.Store(2000)
		if _, err := Fit(ctx, blobs(60, 3, 4), cfg); !errors.Is(err, context.Canceled) {
			t.Errorf("start %v: %v", start, err)
		}
	}
}
