package pairs

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWindowsAreTheSortedList of pairs, however small they are, and after going back.
func TestWindowsAreTheSortedList(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 40
	var want []Pair
	for a := range n {
		for b := a + 1; b < n; b++ {
			want = append(want, Pair{float64(rng.IntN(12)), int32(a), int32(b)}) // with ties
		}
	}
	each := func(_ context.Context, all bool, do func(Pair)) error {
		for _, p := range want {
			do(p)
		}
		return nil
	}
	sorted := slices.SortedFunc(slices.Values(want), Pair.Compare)
	// by threes, more pairs are at one distance than a window holds
	for _, target := range []int{1 << 20, 50, 3} {
		w := New(n, target, each)
		for range 2 {
			for i := 0; ; i++ {
				p, ok, err := w.At(t.Context(), uint64(i))
				if err != nil || ok != (i < len(sorted)) || ok && p != sorted[i] {
					t.Fatalf("windows of %d: pair %d is %v, %v, %v", target, i, p, ok, err)
				}
				if !ok {
					break
				}
				if most := cap(w.window); most > 8*target {
					t.Fatalf("windows that aim at %d pairs hold %d", target, most)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := New(n, 50, func(ctx context.Context, _ bool, _ func(Pair)) error { return ctx.Err() })
	if _, _, err := w.At(ctx, 0); err != context.Canceled {
		t.Errorf("after the end of its context a walk returned %v", err)
	}
}
