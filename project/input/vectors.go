package input

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/internal/words"
)

// adopt prepares vectors, one for each row of the table that is kept, as features whose columns
// mean nothing to a person.
func (d *Data) adopt(ctx context.Context, x dataset.Matrix) error {
	t, err := dataset.FromMatrix(ctx, d.Table.Name, x)
	if err != nil {
		return err
	}
	if err := d.prepare(ctx, t, true, true); err != nil {
		return err
	}
	if d.columns != nil {
		for j, name := range d.columns {
			d.Ready.Names[j], d.Ready.Encoding.Columns[j].Source = name, name
		}
	}
	d.opaque = true
	if left := d.Ready.Rows; left != nil {
		d.narrow(left)
	}
	d.Ready.Rows = d.kept
	d.index()
	d.view()
	return d.classify()
}

// narrow keeps the given ones of the rows that are kept.
func (d *Data) narrow(rows []int32) {
	kept := make([]int32, len(rows))
	for i, row := range rows {
		kept[i] = int32(d.At(int(row)))
	}
	for _, of := range []*[]string{&d.texts, &d.images} {
		if *of == nil {
			continue
		}
		left := make([]string, len(rows))
		for i, row := range rows {
			left[i] = (*of)[row]
		}
		*of = left
	}
	d.kept = kept
}

// adoptEmbedding takes the vectors of the rows from the file of --embedding.
func (d *Data) adoptEmbedding(ctx context.Context, names []string, progress Progress) error {
	x, err := d.embedding(ctx, names, progress)
	if err != nil {
		return err
	}
	return d.adopt(ctx, x)
}

// embedding reads the vectors of the rows that are kept: by id where the file has ids, else in the
// order of all rows. Where the rows are pictures, names are theirs.
func (d *Data) embedding(ctx context.Context, names []string, progress Progress) (dataset.Matrix,
	error) {
	file := d.source.Embedding
	var none dataset.Matrix
	if dburl.Is(file) {
		_, err := d.place.open(ctx, file, "a file of vectors")
		return none, err
	}
	of := Source{InflateLimit: d.source.InflateLimit, Threads: d.source.Threads}
	t, err := of.Read(ctx, d.place, file, false, progress)
	if err != nil {
		return none, err
	}
	byID := slices.ContainsFunc(t.Columns,
		func(c dataset.Column) bool { return c.Role == dataset.ID })
	if err := numbersAlone(t, byID); err != nil {
		return none, err
	}
	p, err := t.Prepare(ctx,
		dataset.Preparation{Scale: dataset.ScaleNone, Consume: true, Threads: d.source.Threads})
	if err != nil {
		var in *fault.Input
		if errors.As(err, &in) {
			in.Fix = "give finite numbers, a row of them for each vector"
		}
		return none, err
	}
	order := make([]int, d.N())
	switch {
	case !byID && t.Rows != d.Table.Rows:
		return none, &fault.Input{
			File: file, Problem: fmt.Sprintf("has %s, and %s has %s", words.Count(t.Rows, "vector"),
				d.Name(), words.Count(d.Table.Rows, "row")),
			Fix: "give one vector a row, in the same order, or with a column id that names the row",
		}
	case !byID:
		for i := range order {
			order[i] = d.At(i)
		}
	case names != nil:
		ids := make([]string, t.Rows)
		for i := range ids {
			ids[i] = t.ID(i)
		}
		order, _ = images.Match(names, ids)
	default:
		for i := range order {
			if row, ok := t.RowOf(d.ID(i)); ok {
				order[i] = row
			} else {
				order[i] = -1
			}
		}
	}
	if i := slices.Index(order, -1); i >= 0 {
		return none, &fault.Input{File: file,
			Problem: fmt.Sprintf("there is no vector for row %s of %s", words.Short(d.ID(i)),
				d.Name()), Fix: "give one for each row, by its id"}
	}
	how := "in the order of the rows"
	if byID {
		how = "by id"
	}
	d.notes = append(d.notes,
		fmt.Sprintf("%s of %s, taken %s", words.Count(p.X.Cols, "dimension"), filepath.Base(file),
			how))
	d.made = fmt.Sprintf("vectors of %s from %s", words.Count(p.X.Cols, "dimension"),
		filepath.Base(file))
	d.mark(t.Fingerprint)
	if sources := p.Encoding.Sources(); len(sources) == p.X.Cols { // numbers all
		d.columns = sources
	}
	return p.X.Subset(order), nil
}

// numbersAlone refuses vectors beside which there are words: they may name the rows, which are then
// in an order of their own.
func numbersAlone(t *dataset.Table, byID bool) error {
	for _, c := range t.Columns {
		if c.Role == dataset.ID || isClass(c) || c.Type != dataset.Text &&
			c.Type != dataset.Category {
			continue
		}
		in := &fault.Input{File: t.Name, Column: c.Name,
			Problem: "holds words, and vectors are of numbers", Fix: "leave the column out"}
		if !byID {
			in.Fix = "leave the column out, or call it id where it names the rows"
		}
		return in
	}
	return nil
}

// mark takes what else the data are made of into the fingerprint.
func (d *Data) mark(other string) {
	sum := sha256.Sum256([]byte(d.Fingerprint() + "\n" + other))
	d.print = hex.EncodeToString(sum[:])
}

// vectorsAlone reports whether rows are compared by the numbers of one column of vectors.
func (s *Source) vectorsAlone() bool { return s.Vectors != "" && len(s.Features) == 0 }

// adoptColumn prepares the vectors of a column in the place that they were read into.
func (d *Data) adoptColumn(ctx context.Context) error {
	if err := d.prepare(ctx, d.Table, true, true); err != nil {
		return err
	}
	d.opaque, d.values, d.kept = true, false, d.Ready.Rows
	d.made = fmt.Sprintf("vectors of %s in %s", words.Count(d.Ready.X.Cols, "number"),
		words.Short(d.source.Vectors))
	d.index()
	d.view()
	return d.classify()
}
