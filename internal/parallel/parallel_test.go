package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// TestBlocksCoverEveryItemOnce, and cut by the data alone, whatever the number of threads.
func TestBlocksCoverEveryItemOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		size := rapid.IntRange(1, 50).Draw(t, "size")
		threads := rapid.IntRange(-1, 9).Draw(t, "threads")
		seen := make([]atomic.Int32, n)
		var blocks atomic.Int32
		err := Blocks(t.Context(), n, size, threads, func(block, lo, hi int) {
			blocks.Add(1)
			if lo != block*size || hi != min(n, lo+size) {
				t.Errorf("block %d is [%d, %d)", block, lo, hi)
			}
			for i := lo; i < hi; i++ {
				seen[i].Add(1)
			}
		})
		if err != nil || int(blocks.Load()) != Count(n, size) {
			t.Fatalf("%d blocks of %d (%v)", blocks.Load(), Count(n, size), err)
		}
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Fatalf("item %d was done %d times", i, seen[i].Load())
			}
		}
	})
}

// TestOthersGetTheirTurn between blocks.
func TestOthersGetTheirTurn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, threads := range []int{1, 2} {
		var turn atomic.Bool
		go turn.Store(true)
		const blocks = 10
		err := Blocks(t.Context(), blocks, 1, threads, func(block, _, _ int) {
			if block == blocks-1 && !turn.Load() {
				t.Errorf("%d threads: nobody else had a turn", threads)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestCancellationStopsBetweenBlocks(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		var done atomic.Int32
		err := Blocks(ctx, 1_000_000, 1, threads, func(block, lo, hi int) {
			switch n := done.Add(1); {
			case n == 5:
				cancel()
			case n > 5: // begun while the cancellation was under way
				<-ctx.Done()
			}
		})
		if !errors.Is(err, context.Canceled) || done.Load() > 5+int32(threads) {
			t.Errorf("%d threads: %d blocks were done after the cancellation (%v)", threads,
				done.Load(), err)
		}
	}
}
