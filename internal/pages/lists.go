package pages

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/arrowfile"
)

// Lists passes the lists of a column of a row group to do, which last until it returns; ok is false
// for those missing. A list of more than most numbers is [arrowfile.ErrLong], and one that lacks a
// number [arrowfile.ErrMissing]; do has then been called for all rows before. The column must be
// one of vectors.
func (p *Reader) Lists(ctx context.Context, group int, l Leaf, most int,
	do func(row int, list []float64, ok bool) error) error {
	return l.in(group, p.lists(ctx, group, l, most, do))
}

func (p *Reader) lists(ctx context.Context, group int, l Leaf, most int,
	do func(row int, list []float64, ok bool) error) error {
	row, rows := -1, int(p.file.Metadata().RowGroups[group].NumRows)
	var list []float64
	ok, hole := false, false
	flush := func() error {
		switch {
		case row < 0:
			return nil
		case hole:
			return arrowfile.ErrMissing
		}
		return do(row, list, ok)
	}
	err := p.walk(ctx, group, l, math.MaxInt, true, func(int) error {
		next := 0
		for i, level := range p.levels {
			if p.repeats[i] == 0 {
				if err := flush(); err != nil {
					return err
				}
				if row++; row >= rows {
					return ErrRows
				}
				list, ok, hole = list[:0], level+1 >= l.listAt, false
			} else if row < 0 {
				return ErrRows
			}
			switch {
			case level == l.Defined:
				if len(list) >= most {
					return arrowfile.ErrLong
				}
				list = append(list, p.numbers[next])
				next++
			case level >= l.listAt:
				hole = true
			}
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil && row != rows-1 {
		err = ErrRows
	}
	return err
}
