// Package shard reads tables that lie in many files: it cuts them into splits, reads a split in
// blocks of rows, and writes what became of them in parts, one a split.
package shard

import (
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
)

// Rows of a block and of a split, by default.
const (
	DefaultBlockRows = 4096
	DefaultSplitRows = 1 << 18
)

// Source describes where a table lies and how its rows are read. It travels to workers as JSON.
type Source struct {
	// files, folders or patterns; local or mounted, gs:// or s3://. The format follows from the
	// ending: .parquet, .csv, .tsv, .csv.gz (one split)
	Paths []string
	// numeric columns, in order; empty: Plan fills in all numeric ones but ID, Label and Ignore
	Columns []string
	// column of row ids; "": none, rows are numbered from 1 over all files in order of path
	ID        string
	Label     string   // column of true classes; "": none
	Ignore    []string // columns that Plan does not fill in
	Delimiter string   // of CSV; "": found by looking at the first file
	Decimal   string   // of CSV; "": found by looking at the first file
	BlockRows int      // 0: DefaultBlockRows
	SplitRows int      // about how many rows make a split; 0: DefaultSplitRows
	BadRows   Bad      // how many unreadable rows are borne; zero: none
	Prepare   Preparation

	// found by Plan: all columns are 32-bit floats, to which values are rounded, as dataset does
	Single bool
	// found by Plan: of Columns, those that hold true and false in all files; they count as 1 and 0
	Booleans []string
	// found by Plan: the columns left out without being asked for, each with the reason, for people
	Left []string
}

// Bare returns the source without ids and labels, which take time to read.
func (s Source) Bare() Source {
	s.ID, s.Label = "", ""
	return s
}

// Treatments of missing values.
const (
	MissingRefuse = "refuse" // they are a fault; "" means the same
	MissingDrop   = "drop"   // rows that have any are left out
	MissingMean   = "mean"   // Preparation.Fill stands for them
	MissingKeep   = "keep"   // they stay NaN, for a survey
)

// Preparation is applied to every row as it is read: missing values first, then x' =
// (x−Shift)/Divisor by column, which is 0 where Divisor is 0: the arithmetic of
// [dataset.Table.Prepare], bit for bit. The zero value refuses missing values and leaves the others
// as they are.
type Preparation struct {
	Missing string    // "": MissingRefuse
	Fill    []float64 // one a column, with MissingMean
	Shift   []float64 // one a column; nil: values stay as they are
	Divisor []float64 // one a column; nil: values stay as they are
}

// Split is a piece of a file that is read by itself. Splits depend on the files, Source.SplitRows
// and the format alone, never on who reads them.
type Split struct {
	Index int    // from 0, in order of file and place
	File  string // as listed
	Rows  int64  // readable rows in it; −1: not known before a survey
	First int64  // number of its first row in the table, from 0; −1: not known before a survey

	Row int64 // Parquet: its first row in the file, from 0
	// text: the bytes in the file at which its lines begin, from Start up to End; both 0 with a
	// compressed file
	Start, End int64
}

// Block is some rows of a split. It is used again for the next, so what is to last must be copied.
type Block struct {
	Split  int            // Index of the split
	First  int64          // number, in the split and from 0, of the block's first row
	X      dataset.Matrix // rows×len(Columns), float64, prepared
	IDs    []string       // one a row; nil without Source.ID
	Labels []string       // one a row, "" where missing; nil without Source.Label
	// number, in the split and from 0, of each row where rows are left out; nil: First, First+1, …
	Numbers []int64
}

// Number returns the number of row i of the block in its split, from 0.
func (b *Block) Number(i int) int64 {
	if b.Numbers != nil {
		return b.Numbers[i]
	}
	return b.First + int64(i)
}

// ID returns the id of row i of the block, in a split whose first row has the given number in the
// table: the row's number in the table, from 1, where there are no ids.
func (b *Block) ID(i int, first int64) string {
	if b.IDs != nil {
		return b.IDs[i]
	}
	return strconv.FormatInt(first+b.Number(i)+1, 10)
}
