package hierarchy

import (
	"context"

	"github.com/kindred-go/kindred/internal/parallel"
)

// shorten makes the cells the lengths of shortest paths through the given slots, whose members are
// at 0 from each other.
func (d *condensed) shorten(ctx context.Context, through []int32, threads int) error {
	c, n := len(through), len(d.size)
	if c == 0 {
		return nil
	}
	// Among the slots themselves, by Floyd and Warshall.
	short := make([]float32, c*c)
	for x, a := range through {
		for y, b := range through {
			if x != y {
				short[x*c+y] = *d.cell(int(a), int(b))
			}
		}
	}
	for via := range c {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for x := range c {
			shortest(short[x*c:(x+1)*c], short[x*c+via], short[via*c:(via+1)*c])
		}
	}
	// From each of them to all, the last step straight.
	straight := make([]float32, c*n)
	for x, a := range through {
		for i := range n {
			if i != int(a) {
				straight[x*n+i] = *d.cell(int(a), i)
			}
		}
	}
	reach := make([]float32, c*n)
	err := parallel.Blocks(ctx, c, 1, threads, func(_, x, _ int) {
		row := reach[x*n : (x+1)*n]
		copy(row, straight[x*n:])
		for y := range c {
			if ctx.Err() == nil {
				shortest(row, short[x*c+y], straight[y*n:(y+1)*n])
			}
		}
	})
	if err != nil {
		return err
	}
	// From every other slot through each of them.
	return parallel.Blocks(ctx, n, rowsTogether, threads, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			for x := range c {
				shortest(d.row(i), reach[x*n+i], reach[x*n:x*n+i])
			}
		}
	})
}

// shortest brings distances down to first+then where that is shorter.
func shortest(far []float32, first float32, then []float32) {
	then = then[:len(far)]
	for i, v := range far {
		if sum := first + then[i]; sum < v {
			far[i] = sum
		}
	}
}
