package dataset

import (
	"context"
	"io"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages"
	"github.com/kindred-go/kindred/internal/parallel"
)

// readParquet reads the flat columns of a Parquet file, or of several with the same ones. Columns
// within groups are named "group.column".
func readParquet(ctx context.Context, src *source, t *Table, o ReadOptions) (err error) {
	parts := src.parts
	if parts == nil {
		in, size, err := src.bytesAt(ctx)
		if err != nil {
			return err
		}
		parts = []part{{src.name, in, size}}
	}
	var readers []*parquetReader
	rows, size := 0, int64(0)
	for _, in := range parts {
		r, err := openParquet(in, o)
		if err != nil {
			return err
		}
		readers = append(readers, r)
		rows += r.rows()
		size += in.size
	}
	for _, r := range readers {
		if err := r.follow(readers[0]); err != nil {
			return err
		}
	}
	cols, err := describeColumns(readers)
	if err != nil {
		return err
	}
	columns, p, err := assignRoles(readers[0].name, cols, o)
	if err != nil {
		return err
	}
	t.Columns, p.single = columns, true
	for _, r := range readers {
		r.plan = p
		p.single = p.single && r.isSingle()
	}
	if width := 8 * uint64(p.width); width > 0 &&
		uint64(rows) > uint64(max(o.inflateLimit(), 64*size))/width {
		return &fault.Input{File: src.name,
			Problem: "claims " + itoa(rows) + " rows, too many for a file of its size",
			Fix:     "write the file again; if it is right, raise the limit"}
	}
	values := allocate(rows, p.width, p.single)
	var blocks []*block
	first := 0
	for _, r := range readers {
		r.values = values.slice(first, first+r.rows())
		first += r.rows()
		more, err := r.read(ctx, src, o)
		if err != nil {
			return err
		}
		blocks = append(blocks, more...)
	}
	assemble(t, p, blocks, &values, nil)
	return nil
}

// openParquet opens a file whose pages are no larger than they may be.
func openParquet(in part, o ReadOptions) (r *parquetReader, err error) {
	defer pages.Recover(in.name, &err)
	f, err := pages.Open(in.from, in.size)
	if err != nil {
		return nil, pages.Fault(in.name, err)
	}
	if err := pages.Check(f, in.from, max(o.inflateLimit(), 64*in.size)); err != nil {
		return nil, pages.Fault(in.name, err)
	}
	return &parquetReader{name: in.name, in: in.from, file: f, size: in.size}, nil
}

// parquetReader reads the columns of a file into a matrix.
type parquetReader struct {
	name   string
	in     io.ReaderAt
	file   *parquet.File
	size   int64
	leaves []pages.Leaf
	plan   *plan
	values Matrix

	lock sync.Mutex
	idle []*pages.Reader // those no stripe is using
}

func (r *parquetReader) rows() int { return int(r.file.NumRows()) }

// describeColumns describes the columns of a table, in the order of the schema. Which texts are
// categories is decided by the first rows.
func describeColumns(readers []*parquetReader) (cols []sampled, err error) {
	for i, l := range readers[0].leaves {
		s := sampled{name: l.Name, never: l.Never, hidden: l.Hidden}
		switch {
		case l.Kind == parquet.Boolean:
			s.typ = Boolean
		case l.Kind == parquet.ByteArray && s.never == "":
			v, texts := vote{declared: true}, true
			for seen, k := 0, 0; seen < sampleRows && k < len(readers); k++ {
				if err := readers[k].sample(readers[k].leaves[i], &seen, &v, &texts); err != nil {
					return nil, err
				}
			}
			s.typ = v.typ()
			if !texts && !l.Declared {
				s.never, s.hidden = "holds bytes", true
			}
		}
		if s.never != "" {
			s.typ = Text
		}
		cols = append(cols, s)
	}
	return cols, nil
}

// sample looks at the first values of a column of texts, and whether they are texts at all.
func (r *parquetReader) sample(l pages.Leaf, seen *int, v *vote, texts *bool) (err error) {
	defer pages.Recover(r.name, &err)
	p := r.takeReader()
	defer r.giveBack(p)
	for group := range r.file.RowGroups() {
		values, err := p.Values(group, l, 0)
		for err == nil {
			value, ok, failed := values.Next()
			if err = failed; err != nil {
				break
			}
			if *seen++; *seen > sampleRows {
				return nil
			}
			if ok {
				v.add(value)
				*texts = *texts && utf8.Valid(value)
			}
		}
		if err != io.EOF {
			return pages.Fault(r.name, err)
		}
	}
	return nil
}

// isSingle reports whether every number that is a feature is a 32-bit float.
func (r *parquetReader) isSingle() bool {
	floats := 0
	for i, c := range r.plan.columns {
		if c.keep == asNumber {
			if r.leaves[i].Kind != parquet.Float {
				return false
			}
			floats++
		}
	}
	return floats > 0
}

// stripe is the most columns that one goroutine reads side by side: the float64 values of a cache
// line.
const stripe = 8

// read reads row groups, and stripes of their columns, in parallel.
func (r *parquetReader) read(ctx context.Context, src *source, o ReadOptions) ([]*block, error) {
	type task struct{ group, base, lo, hi int }
	groups := r.file.RowGroups()
	blocks := make([]*block, len(groups))
	columns := len(r.plan.columns)
	wide := min(stripe, max(1, (columns+o.threads()-1)/o.threads()))
	var tasks []task
	base := 0
	for g, group := range groups {
		blocks[g] = newBlock(r.plan, nil)
		blocks[g].rows = int(group.NumRows())
		for lo := 0; lo < columns && blocks[g].rows > 0; lo += wide {
			tasks = append(tasks, task{g, base, lo, min(columns, lo+wide)})
		}
		base += blocks[g].rows
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
		if err := r.readStripe(ctx, blocks[t.group], t.group, t.base, t.lo, t.hi); err != nil {
			lock.Lock()
			if k < failedTask {
				failed, failedTask = err, k
			}
			lock.Unlock()
			return
		}
		if src.file != nil {
			src.advance(int(r.size) / len(tasks))
		}
	})
	if failed != nil {
		return nil, failed
	}
	return blocks, err
}
