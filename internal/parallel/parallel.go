// Package parallel splits loops over threads so that the result never depends on their number.
//
// The work is cut into blocks by the size of the data alone. A caller that adds floating point
// numbers keeps one partial result a block and adds the blocks up in order.
package parallel

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Threads returns the number of threads to use: n, or the number of processors when n ≤ 0.
func Threads(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// Count returns the number of blocks of at most size items that n items make.
func Count(n, size int) int { return (n + size - 1) / size }

// Blocks calls do(block, lo, hi) for each block [lo, hi) of at most size items out of n, on up to
// threads goroutines (≤ 0: one per processor). Blocks may run in any order and at the same time.
// It stops handing out blocks when ctx is done, waits for those under way and returns ctx's error,
// so a block should take well under a second. Between blocks other goroutines get their turn: a
// server replies while a fit has all processors, without waiting for the end of a time slice.
func Blocks(ctx context.Context, n, size, threads int, do func(block, lo, hi int)) error {
	count := Count(n, size)
	workers := min(Threads(threads), count)
	if workers <= 1 {
		for b := range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(b, b*size, min(n, (b+1)*size))
			runtime.Gosched()
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				b := int(next.Add(1)) - 1
				if b >= count {
					return
				}
				do(b, b*size, min(n, (b+1)*size))
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// Try does what [Blocks] does, and returns the error of do of the first block that has one.
func Try(ctx context.Context, n, size, threads int,
	do func(block, lo, hi int) error) error {
	var lock sync.Mutex
	var failed error
	first := 0
	err := Blocks(ctx, n, size, threads, func(block, lo, hi int) {
		if err := do(block, lo, hi); err != nil {
			lock.Lock()
			if failed == nil || block < first {
				failed, first = err, block
			}
			lock.Unlock()
		}
	})
	return cmp.Or(err, failed)
}

// Sum does what [Blocks] does, and adds up what do returns of each block, in their order.
func Sum(ctx context.Context, n, size, threads int, do func(lo, hi int) float64) (total float64,
	err error) {
	sums := make([]float64, Count(n, size))
	err = Blocks(ctx, n, size, threads, func(block, lo, hi int) { sums[block] = do(lo, hi) })
	for _, v := range sums {
		total += v
	}
	return total, err
}
