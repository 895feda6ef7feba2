package dataset

import (
	"context"
	"errors"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages"
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
	cols, err := describeColumns(readers, o.Plain)
	if err != nil {
		return err
	}
	s, err := spreadVectors(readers[0].name, cols, &o,
		func(col int) bool { return readers[0].leaves[col].Vector },
		func(col int) (int, error) { return vectorWidth(ctx, readers, col) })
	if err != nil {
		return err
	}
	columns, p, err := assignRoles(readers[0].name, s.cols, o)
	if err != nil {
		return err
	}
	if s.vector >= 0 {
		t.Notes = append(t.Notes, s.note(o.Vectors))
	}
	t.Columns, p.single = s.mark(columns, o.Vectors), true
	for _, r := range readers {
		r.plan, r.spread = p, s
		p.single = p.single && r.isSingle()
	}
	if err := p.claim(src.name, int(rows), max(o.inflateLimit(), 64*size)); err != nil {
		return err
	}
	values, err := allocate(src.name, rows, p.width, p.single)
	if err != nil {
		return err
	}
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
	return assemble(t, p, blocks, &values, nil)
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
	columnar
	spread

	lock sync.Mutex
	idle []*pages.Reader // those no stripe is using
}

func (r *parquetReader) rows() int { return int(r.file.NumRows()) }

// describeColumns describes the columns of a table, in the order of the schema. Which texts are
// categories is decided by the first rows.
func describeColumns(readers []*parquetReader, plain bool) (cols []sampled, err error) {
	for i, l := range readers[0].leaves {
		s := sampled{name: l.Name, never: l.Never, hidden: l.Hidden}
		moment, utc := l.Moment()
		switch {
		case moment != pages.NoTime:
			s.typ, s.never = Time, ""
			s.moments = moments{zoned: utc && moment != pages.Date, kind: map[pages.Moment]momentKind{
				pages.Timestamp: stamps, pages.Date: dates, pages.Clock: clocks}[moment]}
		case l.IsDecimal(), l.IsDuration():
			s.never = ""
		case l.Kind == parquet.Boolean:
			s.typ = Boolean
		case l.Kind == parquet.ByteArray && s.never == "":
			v, texts := vote{declared: true}, true
			for seen, k := 0, 0; seen < sampleRows && k < len(readers); k++ {
				if err := readers[k].sample(readers[k].leaves[i], &seen, &v, &texts); err != nil {
					return nil, err
				}
			}
			v.plain = plain
			s.typ = v.typ()
			s.observe(&v)
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
	for i, l := range r.leaves {
		if i == r.vector || r.plan.columns[r.at[i]].keep == asNumber {
			if l.Kind != parquet.Float || l.IsDecimal() {
				return false
			}
			floats++
		}
	}
	return floats > 0
}

// read reads row groups, and stripes of their columns, in parallel.
func (r *parquetReader) read(ctx context.Context, src *source, o ReadOptions) ([]*block, error) {
	var groups []int
	for _, group := range r.file.RowGroups() {
		groups = append(groups, int(group.NumRows()))
	}
	return readStripes(ctx, src, r.plan, groups, len(r.leaves), r.size, o,
		func(b *block, group, base, lo, hi int) error {
			return r.readStripe(ctx, b, group, base, lo, hi)
		})
}

// vectorWidth finds how many numbers the vectors of a column have.
func vectorWidth(ctx context.Context, readers []*parquetReader, col int) (width int, err error) {
	for _, r := range readers {
		defer pages.Recover(r.name, &err)
		l, base := r.leaves[col], 0
		p := r.takeReader()
		defer r.giveBack(p)
		for group, g := range r.file.RowGroups() {
			if g.NumRows() == 0 {
				continue
			}
			last := -1
			err := p.Lists(ctx, group, l, maxColumns, func(row int, list []float64, ok bool) error {
				last = row
				if ok {
					width = len(list)
					return errFound
				}
				return nil
			})
			if errors.Is(err, errFound) {
				return width, nil
			}
			if err != nil {
				return 0, pages.Fault(r.name, listFault(err, r.name, l.Name, base+last+1))
			}
			base += int(g.NumRows())
		}
	}
	return 0, &fault.Input{File: readers[0].name, Column: readers[0].leaves[col].Name,
		Problem: "every list is missing", Fix: "name another column with --vectors"}
}
