package shard

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/fault"
)

// blockRows and splitRows return the numbers that are used.
func (s Source) blockRows() int { return cmp.Or(max(0, s.BlockRows), DefaultBlockRows) }

func (s Source) splitRows() int64 { return int64(cmp.Or(max(0, s.SplitRows), DefaultSplitRows)) }

// Each reads a split and returns its rows to do, in order, in blocks of up to BlockRows rows,
// prepared. A block without rows is not given. An error of do ends the reading and is returned as
// it is.
//
// It fails with a [*fault.Input] that names file, row or line, and column, when the file is not as
// Plan found it, when a value is infinite, or is missing and to be refused, and when more rows are
// unreadable than BadRows.Most.
func (s Source) Each(ctx context.Context, split Split, do func(*Block) error) (Tally, error) {
	if err := s.Prepare.check(len(s.Columns)); err != nil {
		return Tally{}, err
	}
	kind := formatOf(split.File)
	if kind == nil {
		return Tally{}, &fault.Input{File: split.File,
			Problem: "is of no format that can be read in pieces",
			Fix:     "give .parquet, .csv or .tsv files"}
	}
	in, err := openFile(ctx, split.File)
	if err != nil {
		return Tally{}, err
	}
	defer in.Close()
	var counted Tally
	p := preparer{Preparation: s.Prepare, source: &s, tally: &counted}
	tally, err := kind.each(ctx, s, split, in, func(r *raw) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		own := *r // the reader's slices keep their lengths
		own.Split = split.Index
		if err := p.apply(&own); err != nil || own.X.Rows == 0 {
			return err
		}
		return do(&own.Block)
	})
	tally.Rows, tally.Dropped = counted.Rows, counted.Dropped
	return tally, err
}
