package arrowfile

import (
	"bufio"
	"context"
	"errors"
)

// Item is the field of the items of a list.
func (d *Field) Item() *Field {
	if len(d.Children) != 1 {
		return &Field{}
	}
	return &d.Children[0]
}

// IsVector reports whether values are lists of numbers.
func (d *Field) IsVector() bool { return d.Kind == List && !d.coded && d.Item().IsNumber() }

// ErrMissing is the error of a list that lacks a number.
var ErrMissing = errors.New("a number of the list is missing")

// ErrLong is the error of a list that is longer than was asked for.
var ErrLong = errors.New("the list is longer than others")

// Lists passes the lists of a column of a batch to do, which last until it returns; ok is false for
// those missing. A list of more than most numbers is ErrLong, and one that lacks a number
// ErrMissing; do has then been called for all rows before.
func (f *File) Lists(ctx context.Context, b *Batch, c *Column, most int,
	do func(row int, list []float64, ok bool) error) error {
	p, item := b.places[c.field], b.places[c.field+1]
	field := c.Item()
	values, err := f.open(b, item.buffer+1)
	if err != nil {
		return err
	}
	defer values.done()
	values.from = bufio.NewReaderSize(values.from, 256<<10)
	width := field.Bits / 8
	items, err := f.present(b, c.field+1)
	if err != nil {
		return err
	}
	defer items.close()
	marks := make([]*bufio.Reader, len(items.streams))
	for i, s := range items.streams {
		marks[i] = bufio.NewReader(s.from)
	}
	var ends *sizes // nil: all lists have one size
	if c.code != typeFixedList {
		offsets, err := f.open(b, p.buffer+1)
		if err != nil {
			return err
		}
		defer offsets.done()
		ends = newSizes(offsets, c.Bits/8)
	}
	at := int64(0) // among all items
	bit := byte(0)
	missing := false
	// over reads n items, into the list if it is not nil
	var list []float64
	over := func(n int64, keep bool) error {
		list, missing = list[:0], false
		if n > b.nodes[item.node]-at {
			return errOffsets
		}
		for n > 0 {
			k := int(min(n, piece))
			raw, err := values.next(k * width)
			if err != nil {
				return err
			}
			if keep {
				from := len(list)
				if cap(list) < from+k {
					list = append(list, make([]float64, k)...)
				}
				list = list[:from+k]
				field.decode(list[from:], raw)
			}
			for range k {
				if at%8 == 0 && len(marks) > 0 {
					if bit, err = marks[0].ReadByte(); err != nil {
						return cut(err)
					}
				}
				if len(marks) > 0 && bit>>(at%8)&1 == 0 {
					missing = true
				}
				at++
			}
			n -= int64(k)
		}
		return nil
	}
	if ends != nil && b.Rows > 0 {
		before, err := ends.next()
		if err != nil {
			return err
		}
		if err := over(before, false); err != nil {
			return err
		}
	}
	return f.pieces(ctx, b, c, func(row, n int, v *validity) error {
		for i := range n {
			size := int64(c.Size)
			if ends != nil {
				var err error
				if size, err = ends.next(); err != nil {
					return err
				}
			}
			ok := v.has(i)
			if ok && size > int64(most) {
				return ErrLong
			}
			if err := over(size, ok); err != nil {
				return err
			}
			if ok && missing {
				return ErrMissing
			}
			if err := do(row+i, list, ok); err != nil {
				return err
			}
		}
		return nil
	})
}
