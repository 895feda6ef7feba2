package dataset

import (
	"context"
	"math"
	"sync"

	"github.com/kindred-go/kindred/internal/parallel"
)

// stripe is the most columns that one goroutine reads side by side: the float64 values of a cache
// line.
const stripe = 8

// readStripes reads groups of rows of a file of so many bytes and columns, and stripes of their
// columns, in parallel; base is the row of the first in the matrix. The fault that it returns is
// always the first.
func readStripes(ctx context.Context, src *source, p *plan, groups []int, columns int, size int64,
	o ReadOptions, read func(b *block, group, base, lo, hi int) error) ([]*block, error) {
	type task struct{ group, base, lo, hi int }
	blocks := make([]*block, len(groups))
	wide := min(stripe, max(1, (columns+o.threads()-1)/o.threads()))
	var tasks []task
	base := 0
	for g, rows := range groups {
		blocks[g] = newBlock(p, nil)
		blocks[g].rows = rows
		for lo := 0; lo < columns && rows > 0; lo += wide {
			tasks = append(tasks, task{g, base, lo, min(columns, lo+wide)})
		}
		base += rows
	}
	var lock sync.Mutex
	failed, failedTask := error(nil), math.MaxInt
	err := parallel.Blocks(ctx, len(tasks), 1, o.threads(), func(k, _, _ int) {
		lock.Lock()
		// those before it go on, so that the reported fault is always the first
		skip := k > failedTask
		lock.Unlock()
		if skip {
			return
		}
		t := tasks[k]
		if err := read(blocks[t.group], t.group, t.base, t.lo, t.hi); err != nil {
			lock.Lock()
			if k < failedTask {
				failed, failedTask = err, k
			}
			lock.Unlock()
			return
		}
		if src.file != nil {
			src.advance(int(size) / len(tasks))
		}
	})
	if failed != nil {
		return nil, failed
	}
	return blocks, err
}

// columnar is where readers by column put texts.
type columnar struct {
	plan   *plan
	values Matrix
}

// put adds a text to a column, at a row of the block, whose first row is base.
func (r *columnar) put(b *block, col, base, row int, text []byte, missing bool) {
	c := &r.plan.columns[col]
	switch {
	case (c.keep == asSlot || c.keep == asNumber) && missing:
		r.values.set(base+row, c.slot, math.NaN())
	case c.keep == asSlot:
		r.values.set(base+row, c.slot, float64(b.dicts[c.part].code(text)))
	case c.keep == asNumber:
		v, ok := ParseNumber(text)
		if !ok {
			v = math.NaN()
		}
		r.values.set(base+row, c.slot, v)
	case missing:
		b.addMissing(col, row)
	default:
		b.addAt(col, row, text)
	}
}
