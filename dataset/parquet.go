package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// readParquet reads the flat columns of a Parquet file. Columns within groups are named "group.column".
func readParquet(ctx context.Context, src *source, t *Table, o ReadOptions) (err error) {
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	defer recoverParquet(src.name, &err)
	f, err := openParquet(src, in, size)
	if err != nil {
		return err
	}
	r := &parquetReader{name: src.name, in: in, file: f, size: size, limit: max(o.inflateLimit(), 64*size)}
	if err := r.check(); err != nil {
		return err
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

// recoverParquet turns a panic of the library over a damaged file into a fault.
func recoverParquet(name string, err *error) {
	if p := recover(); p != nil {
		*err = parquetFault(name, fmt.Errorf("%v", p))
	}
}

// parquetFault says that the file is damaged, unless the machine is what failed.
func parquetFault(name string, err error) error {
	var machine *fs.PathError
	if fault.IsInput(err) || errors.As(err, &machine) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &fault.Input{File: name, Problem: "is a damaged Parquet file: " + strings.TrimPrefix(err.Error(), "parquet: "),
		Mend: "fetch or write the file again", Err: err}
}

// openParquet reads the footer, whose size it holds against that of the file first.
func openParquet(src *source, in io.ReaderAt, size int64) (*parquet.File, error) {
	tail := make([]byte, 8)
	if size < 12 {
		return nil, parquetFault(src.name, errors.New("it has only "+itoa(int(size))+" bytes"))
	}
	if _, err := in.ReadAt(tail, size-8); err != nil && err != io.EOF {
		return nil, src.wrap(err)
	}
	if string(tail[4:]) != "PAR1" {
		return nil, parquetFault(src.name, errors.New("it ends too early, without its footer"))
	}
	if int64(binary.LittleEndian.Uint32(tail)) > size-12 {
		return nil, parquetFault(src.name, errors.New("its footer is longer than the file"))
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, parquetFault(src.name, err)
	}
	return f, nil
}

// parquetReader reads the columns of a file into a matrix.
type parquetReader struct {
	name   string
	in     io.ReaderAt
	file   *parquet.File
	size   int64
	limit  int64 // bytes that may be allocated for values
	leaves []leaf
	plan   *plan
	values Matrix

	lock sync.Mutex
	idle []*pageReader // those no stripe is using
}

// leaf is a column with values.
type leaf struct {
	index    int // among the chunks of a row group
	kind     parquet.Kind
	unsigned bool
	defined  byte // definition level of a value that is there
	lists    bool // more or fewer than one value a row
}

func (r *parquetReader) rows() int { return int(r.file.NumRows()) }

// columns describes the columns, in the order of the schema. Which texts are categories is decided
// by the first rows.
func (r *parquetReader) columns() ([]sampled, error) {
	schema := r.file.Schema()
	paths := schema.Columns()
	if len(paths) == 0 || len(paths) > maxColumns {
		return nil, parquetFault(r.name, errors.New("it has "+itoa(len(paths))+" columns"))
	}
	arrow, _ := r.file.Lookup("ARROW:schema")
	durations := arrowDurations(arrow)
	cols := make([]sampled, len(paths))
	for i, path := range paths {
		column, ok := schema.Lookup(path...)
		if !ok || !column.Node.Leaf() {
			return nil, parquetFault(r.name, errors.New("its schema has no leaf "+strings.Join(path, ".")))
		}
		typ := column.Node.Type()
		l := leaf{index: int(column.ColumnIndex), kind: typ.Kind(), defined: byte(column.MaxDefinitionLevel)}
		s := sampled{name: strings.Join(path, ".")}
		if logical := typ.LogicalType(); logical != nil && logical.Value != nil {
			switch v := logical.Value.(type) {
			case *format.IntType:
				l.unsigned = !v.IsSigned
			case *format.StringType, *format.EnumType:
			default:
				s.never = "holds values of type " + logical.String()
			}
		}
		if durations[s.name] {
			s.never = "holds durations"
		}
		if column.MaxRepetitionLevel > 0 {
			s.never, l.lists = "holds lists", true
		}
		switch l.kind {
		case parquet.Boolean:
			s.typ = Boolean
		case parquet.Int32, parquet.Int64, parquet.Float, parquet.Double:
		case parquet.ByteArray:
			if s.never == "" {
				v, texts, err := r.sample(l)
				if err != nil {
					return nil, parquetFault(r.name, err)
				}
				s.typ = v.typ()
				if !texts && typ.LogicalType() == nil {
					s.never = "holds bytes"
				}
			}
		default:
			s.never = "holds values of type " + typ.String()
		}
		if s.never != "" {
			s.typ = Text
		}
		cols[i], r.leaves = s, append(r.leaves, l)
	}
	return cols, nil
}

// sample looks at the first values of a column of texts, and whether they are texts at all.
func (r *parquetReader) sample(l leaf) (v vote, texts bool, err error) {
	v.declared, texts = true, true
	seen := 0
	for _, group := range r.file.RowGroups() {
		if group.NumRows() == 0 {
			continue
		}
		err := eachValue(group.ColumnChunks()[l.index], func(_ int, value parquet.Value) error {
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
			if r.leaves[i].kind != parquet.Float {
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
