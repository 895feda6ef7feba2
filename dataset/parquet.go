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

// readParquet reads the flat columns of a Parquet file. Columns within groups are named "group.column".
func readParquet(ctx context.Context, src *source, t *Table, o ReadOptions) (err error) {
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	defer pages.Recover(src.name, &err)
	f, err := pages.Open(in, size)
	if err != nil {
		return pages.Fault(src.name, err)
	}
	r := &parquetReader{name: src.name, in: in, file: f, limit: max(o.inflateLimit(), 64*size)}
	if err := pages.Check(f, in, r.limit); err != nil {
		return pages.Fault(src.name, err)
	}
	cols, err := r.columns()
	if err != nil {
		return err
	}
	columns, p, err := assignRoles(src.name, cols, o)
	if err != nil {
		return err
	}
	t.Columns, r.plan = columns, p
	p.single = r.isSingle()
	if width := 8 * uint64(p.width); width > 0 && uint64(r.rows()) > uint64(r.limit)/width {
		return &fault.Input{File: src.name, Problem: "claims " + itoa(r.rows()) + " rows, too many for a file of its size",
			Mend: "write the file again; if it is right, raise the limit"}
	}
	r.values = allocate(r.rows(), p.width, p.single)
	blocks, err := r.read(ctx, src, o)
	if err != nil {
		return err
	}
	assemble(t, p, blocks, &r.values, nil)
	return nil
}

// parquetReader reads the columns of a file into a matrix.
type parquetReader struct {
	name   string
	in     io.ReaderAt
	file   *parquet.File
	limit  int64 // bytes that may be allocated for values
	leaves []pages.Leaf
	plan   *plan
	values Matrix

	lock sync.Mutex
	idle []*pages.Reader // those no stripe is using
}

func (r *parquetReader) rows() int { return int(r.file.NumRows()) }

// columns describes the columns, in the order of the schema. Which texts are categories is decided
// by the first rows.
func (r *parquetReader) columns() (cols []sampled, err error) {
	if r.leaves, err = pages.Leaves(r.file); err != nil {
		return nil, pages.Fault(r.name, err)
	}
	for _, l := range r.leaves {
		s := sampled{name: l.Name, never: l.Never}
		switch {
		case l.Kind == parquet.Boolean:
			s.typ = Boolean
		case l.Kind == parquet.ByteArray && s.never == "":
			v, texts, err := r.sample(l)
			if err != nil {
				return nil, pages.Fault(r.name, err)
			}
			s.typ = v.typ()
			if !texts && !l.Declared {
				s.never = "holds bytes"
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
func (r *parquetReader) sample(l pages.Leaf) (v vote, texts bool, err error) {
	v.declared, texts = true, true
	seen := 0
	for _, group := range r.file.RowGroups() {
		if group.NumRows() == 0 {
			continue
		}
		err := pages.EachValue(group.ColumnChunks()[l.Index], func(_ int, value parquet.Value) error {
			if seen++; seen > sampleRows {
				return io.EOF
			}
			if !value.IsNull() {
				v.add(value.ByteArray())
				texts = texts && utf8.Valid(value.ByteArray())
			}
			return nil
		})
		if err == io.EOF {
			break
		}
		if err != nil {
			return v, texts, err
		}
	}
	return v, texts, nil
}

// isSingle tells whether every number that is a feature is a 32-bit float.
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

// stripe is the most columns that one goroutine reads side by side: the float64 values of a cache line.
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
		skip := k > failedTask // those before it go on, so that the fault told is always the first
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
			src.advance(int(src.size) / len(tasks))
		}
	})
	if failed != nil {
		return nil, failed
	}
	return blocks, err
}
