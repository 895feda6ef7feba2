package shard

import (
	"context"
	"io"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// format reads the files of one kind.
type format interface {
	// look finds the columns of a file, and where its rows lie.
	look(ctx context.Context, s Source, in input) (*looked, error)

	// each returns the rows of a split, in order, in blocks of up to Source.BlockRows that are not
	// prepared: missing values are NaN. Rows that cannot be read are left out and counted, up to
	// Source.BadRows.Most; Tally.Rows and Dropped are the caller's.
	each(ctx context.Context, s Source, split Split, in input, do func(*raw) error) (Tally, error)
}

// looked is what a file holds.
type looked struct {
	file    string // filled in by Plan
	columns []column
	splits  []Split // with Row, Rows or Start, End; the rest is filled in by Plan
	// the source given to look, with what this file settles for the others (Delimiter, Decimal)
	source Source
}

// column is one that a file has.
type column struct {
	name    string
	numeric bool   // can be a feature: numbers, or true and false
	text    bool   // can be an id or a label
	single  bool   // 32-bit floats
	boolean bool   // true and false
	typ     string // for people: "double", "text", …
	why     string // why it cannot be a feature, as "holds lists"; "": it can
}

// raw is a block before it is prepared. Numbers is set only where unreadable rows are left out.
type raw struct {
	Block
	place func(i int) fault.Input // where row i of the block is: File and Line or Row
}

// formatOf returns the format of the ending of a path, nil for none.
func formatOf(path string) format {
	name := strings.ToLower(path)
	packed := false
	for _, ending := range []string{".gz", ".zst"} {
		if rest, ok := strings.CutSuffix(name, ending); ok {
			name, packed = rest, true
		}
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return csvFormat{packed: packed}
	case strings.HasSuffix(name, ".tsv"):
		return csvFormat{tsv: true, packed: packed}
	case !packed && (strings.HasSuffix(name, ".parquet") || strings.HasSuffix(name, ".pq")):
		return parquetFormat{}
	}
	return nil
}

// files is a file system.
type files interface {
	// list returns the files that a path stands for: itself, those in a folder (and below), those
	// that fit a pattern. No order is promised; hidden ones are included.
	list(ctx context.Context, path string) ([]entry, error)

	// stamp returns what a file differs by from other states of it.
	stamp(ctx context.Context, path string) (Stamp, error)

	// open returns a file to read at places. A remote one is spooled to a temporary file, once for
	// all who have it open.
	open(ctx context.Context, path string) (input, error)

	// create writes a file whole or not at all.
	create(ctx context.Context, path string) (File, error)

	// remove deletes a file; one that is not there is no error.
	remove(ctx context.Context, path string) error
}

// entry is a file that is listed.
type entry struct {
	path string
	size int64
}

// input is a file to read at places.
type input interface {
	io.ReaderAt
	io.Closer
	Size() int64
	Name() string // as listed, for faults
}
