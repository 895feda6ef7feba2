package survey

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

const jobName = "survey"

func init() { fold.RegisterJSON[job](jobName) }

// A split's part with key 0 holds its rows and classes; those with the keys from 1 on hold the
// figures of so many columns each.
const columnsAKey = 64

// job is the one pass of a survey. Its state, when done, are the findings.
type job struct {
	Columns int
	Files   string // fingerprint
}

func (j *job) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	return &kernel{split: split.Index,
			found: findings{rows: make([]int64, 1),
				columns: make([]columnFound, j.Columns)}},
		nil
}

func (j *job) Merge(_ []byte, key int64, parts []fold.Part) ([]byte, error) {
	var all findings
	for _, p := range parts {
		f, err := decodeFindings(p.Data)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", p.Split, err)
		}
		if err := all.merge(f); err != nil {
			return nil, fmt.Errorf("split %d: %w", p.Split, err)
		}
	}
	return all.encode()
}

func (j *job) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	var all findings
	for _, m := range merged {
		f, err := decodeFindings(m.Data)
		if err != nil {
			return nil, false, err
		}
		if m.Key == 0 {
			all.rows, all.whole, all.classes = f.rows, f.whole, f.classes
		}
		all.columns = append(all.columns, f.columns...)
	}
	next, err := all.encode()
	return next, true, err
}

// kernel surveys one split.
type kernel struct {
	split int
	found findings
	whole []bool
}

func (k *kernel) Block(b *shard.Block) error {
	f := &k.found
	d := b.X.Cols
	f.rows[0] += int64(b.X.Rows)
	k.whole = slices.Grow(k.whole[:0], b.X.Rows)[:b.X.Rows]
	whole := 0
	for i := range b.X.Rows {
		sum := 0.0
		for _, v := range b.X.F64[i*d : (i+1)*d] {
			sum += v - v
		}
		if k.whole[i] = sum == 0; k.whole[i] {
			whole++
		}
	}
	f.whole += int64(whole)
	for j := range f.columns {
		c := &f.columns[j]
		m := gather(b.X, j, nil)
		if missing := int64(b.X.Rows) - m.N; missing > 0 && !c.Missing {
			c.Missing, c.Split = true, int64(k.split)
			for i := range b.X.Rows {
				if v := b.X.F64[i*d+j]; v != v {
					c.Row = b.Number(i)
					break
				}
			}
		}
		c.Present.merge(m)
		if whole < b.X.Rows {
			m = gather(b.X, j, k.whole)
		}
		c.Whole.merge(m)
	}
	for _, name := range b.Labels {
		f.classes.add(name)
	}
	return nil
}

func (k *kernel) End(emit func(int64, []byte)) error {
	parts := []findings{k.found}
	parts[0].columns = nil
	for columns := range slices.Chunk(k.found.columns, columnsAKey) {
		parts = append(parts, findings{columns: columns})
	}
	for key, part := range parts {
		data, err := part.encode()
		if err != nil {
			return err
		}
		emit(int64(key), data)
	}
	return nil
}
