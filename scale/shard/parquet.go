package shard

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages"
)

// parquetFormat reads Parquet files. A split is a range of rows: whole row groups, small ones
// together, or a piece of a large one, whose pages before the piece are gone over without being
// decoded.
type parquetFormat struct{}

func (parquetFormat) look(_ context.Context, s Source, in input) (l *looked, err error) {
	defer pages.Recover(in.Name(), &err)
	f, leaves, err := openParquet(in)
	if err != nil {
		return nil, err
	}
	l = &looked{source: s}
	for _, leaf := range leaves {
		l.columns = append(l.columns, describeLeaf(leaf))
	}
	row, want := int64(0), s.splitRows()
	piece := Split{}
	flush := func() {
		if piece.Rows > 0 {
			l.splits = append(l.splits, piece)
		}
		piece = Split{Row: row}
	}
	for _, g := range f.Metadata().RowGroups {
		if g.NumRows < 0 || g.NumRows > 1<<40 {
			return nil, pages.Fault(in.Name(), pages.ErrRows)
		}
		if piece.Rows > 0 && piece.Rows+g.NumRows > want+want/2 {
			flush()
		}
		if g.NumRows <= want+want/2 {
			piece.Rows += g.NumRows
			row += g.NumRows
			continue
		}
		parts := (g.NumRows + want - 1) / want
		block := int64(s.blockRows())
		each := ((g.NumRows+parts-1)/parts + block - 1) / block * block
		for left := g.NumRows; left > 0; {
			piece = Split{Row: row, Rows: min(each, left)}
			left -= piece.Rows
			row += piece.Rows
			flush()
		}
	}
	flush()
	if row != f.NumRows() {
		return nil, pages.Fault(in.Name(), pages.ErrRows)
	}
	return l, nil
}

// openParquet reads the footer of a file.
func openParquet(in input) (*parquet.File, []pages.Leaf, error) {
	f, err := pages.Open(in, in.Size())
	if err != nil {
		return nil, nil, pages.Fault(in.Name(), err)
	}
	leaves, err := pages.Leaves(f)
	if err != nil {
		return nil, nil, pages.Fault(in.Name(), err)
	}
	return f, leaves, nil
}

func describeLeaf(l pages.Leaf) column {
	c := column{name: l.Name, why: l.Never, typ: strings.ToLower(l.Kind.String())}
	if l.IsDuration() { // in seconds
		c.why = ""
	}
	switch {
	case c.why != "":
	case l.Kind == parquet.ByteArray:
		c.text, c.typ = true, "texts"
	default:
		c.text, c.numeric, c.single, c.boolean = true, true, l.Kind == parquet.Float,
			l.Kind == parquet.Boolean
	}
	return c
}

// pick returns the leaf of a column that Plan found.
func pick(file string, leaves []pages.Leaf, name string) (pages.Leaf, error) {
	for _, l := range leaves {
		if l.Name == name {
			return l, nil
		}
	}
	return pages.Leaf{},
		&fault.Input{File: file, Column: name, Problem: "there is no such column",
			Fix: "name one that there is, and keep the files as they are while they are read"}
}

func (parquetFormat) each(ctx context.Context, s Source, split Split, in input,
	do func(*raw) error) (_ Tally, err error) {
	r := &parquetSplit{ctx: ctx, source: s, split: split, name: in.Name(), do: do}
	defer r.recovered(&err)
	f, all, err := openParquet(in)
	if err != nil {
		return Tally{}, err
	}
	leaves := make([]pages.Leaf, len(s.Columns))
	for j, name := range s.Columns {
		if leaves[j], err = pick(in.Name(), all, name); err != nil {
			return Tally{}, err
		}
		if !describeLeaf(leaves[j]).numeric {
			return Tally{}, &fault.Input{File: in.Name(), Column: name, Problem: "holds no numbers",
				Fix: "keep the files as they are while they are read"}
		}
	}
	size := int(max(0, min(int64(s.blockRows()), split.Rows)))
	r.file, r.rows, r.x = f, pages.NewRows(f, in, leaves), make([]float64, size*len(s.Columns))
	for _, t := range []struct {
		name string
		into *[]string
		id   bool
	}{{s.ID, &r.ids, true}, {s.Label, &r.labels, false}} {
		if t.name == "" {
			continue
		}
		leaf, err := pick(in.Name(), all, t.name)
		if err != nil {
			return Tally{}, err
		}
		*t.into = make([]string, size)
		reader := pages.NewReader(f, in)
		r.texts = append(r.texts, &textColumn{reader: reader, leaf: leaf, into: *t.into, id: t.id})
	}
	err = r.read(size)
	if own, ok := errors.AsType[doError](err); ok {
		return Tally{}, own.err
	}
	if err != nil {
		err = pages.Fault(in.Name(), err)
	}
	return Tally{}, err
}

// doError is an error of who takes the blocks, and not of the file.
type doError struct{ err error }

func (e doError) Error() string { return e.err.Error() }

// parquetSplit is a split being read.
type parquetSplit struct {
	ctx    context.Context
	source Source
	split  Split
	file   *parquet.File
	name   string
	rows   *pages.Rows
	x      []float64
	texts  []*textColumn
	ids    []string
	labels []string
	do     func(*raw) error
	block  raw
	away   bool // while do runs
}

// recovered turns a panic over a damaged file into a fault; one of who takes the blocks goes on.
func (r *parquetSplit) recovered(err *error) {
	if p := recover(); p != nil {
		if r.away {
			panic(p)
		}
		*err = pages.Fault(r.name, fmt.Errorf("%v", p))
	}
}

// read goes through the row groups that the split has a part in, and hands on blocks of so many
// rows. A block may have rows of several groups.
func (r *parquetSplit) read(size int) error {
	d := len(r.source.Columns)
	have, done, base := 0, int64(0), int64(0)
	for g, group := range r.file.Metadata().RowGroups {
		lo, hi := max(r.split.Row, base), min(r.split.Row+r.split.Rows, base+group.NumRows)
		from := lo - base
		base += group.NumRows
		if lo >= hi {
			continue
		}
		if err := r.rows.Seek(g, from); err != nil {
			return err
		}
		for _, t := range r.texts {
			if err := t.seek(g, from); err != nil {
				return err
			}
		}
		for lo < hi {
			n := min(size-have, int(min(hi-lo, int64(size))))
			if err := r.rows.Read(r.x[have*d:], n); err != nil {
				return err
			}
			for _, t := range r.texts {
				if err := t.read(have, n); err != nil {
					if errors.Is(err, pages.ErrText) {
						err = &fault.Input{File: r.name, Row: int(lo) + t.at + 1,
							Column: t.leaf.Name, Problem: err.Error(), Fix: "write texts as UTF-8"}
					}
					return err
				}
			}
			lo += int64(n)
			if have += n; have == size {
				if err := r.emit(have, done); err != nil {
					return err
				}
				done += int64(have)
				have = 0
			}
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
	}
	if done+int64(have) != r.split.Rows {
		return &fault.Input{File: r.name, Problem: "has fewer rows than when it was looked at",
			Fix: "keep the files as they are while they are read"}
	}
	return r.emit(have, done)
}

// emit hands on the rows of a block.
func (r *parquetSplit) emit(rows int, first int64) error {
	if rows == 0 {
		return nil
	}
	d := len(r.source.Columns)
	r.block.Block = Block{First: first, X: dataset.Matrix{Rows: rows, Cols: d, F64: r.x[:rows*d]}}
	if r.ids != nil {
		r.block.IDs = r.ids[:rows]
	}
	if r.labels != nil {
		r.block.Labels = r.labels[:rows]
	}
	r.block.place = func(i int) fault.Input {
		return fault.Input{File: r.name, Row: int(r.split.Row+first) + i + 1}
	}
	r.away = true
	err := r.do(&r.block)
	r.away = false
	if err != nil {
		return doError{err}
	}
	return nil
}
