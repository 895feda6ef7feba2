package stream

import (
	"context"
	"errors"
	"strconv"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// MostRows is how many rows a block holds at most, unless what they come in (a message of a broker)
// cannot be parted.
const MostRows = 1024

// Position is the position of a source or a sink. Each uses the fields that mean something to it.
type Position struct {
	Rows   int64 `json:"rows"`             // rows so far, bad ones included
	Offset int64 `json:"offset,omitempty"` // bytes of a file
	// of a broker's log: the last message that was taken whole
	Sequence uint64 `json:"sequence,omitempty"`
	// of a pipe: text that was read and is not yet a whole line
	Rest []byte `json:"rest,omitempty"`
}

// Layout reports how what comes in becomes rows. It is found from the first rows and is part of the
// state.
type Layout struct {
	Format dataset.Format `json:"format"` // csv, tsv, jsonl or npy
	// of a line of CSV or a row of a matrix, in order; nil: rows name them
	Columns   []string `json:"columns,omitempty"`
	Separator string   `json:"separator,omitempty"` // of the fields of CSV; "": a comma
	Decimal   string   `json:"decimal,omitempty"`   // mark of numbers of CSV, ","; "": a point
	// encoding of a text, by its name in the WHATWG standard; "": UTF-8
	Charset string `json:"charset,omitempty"`
	// column of ids; "": rows are numbered from 1
	ID string `json:"id,omitempty"`
	// column of true classes, which only scores see; "": none
	Label string `json:"label,omitempty"`
	// which columns are features, and how they are prepared
	Encoding dataset.Encoding `json:"encoding"`
}

// NoteKind describes what a [Note] is about.
type NoteKind uint8

// The kinds of notes.
const (
	LinkNote   NoteKind = iota // two rows are linked, or (link.Unknown) no longer
	ForgetNote                 // row A leaves
	BadNote                    // a row, or a line, that could not be read
)

// Note is a remark between two rows of a block.
type Note struct {
	Before     int // it comes before this row of the block; the number of rows: after the last
	Kind       NoteKind
	A, B       string    // ids of rows; Forget has A alone
	Link       link.Kind // of a LinkNote
	Confidence float64   // of a LinkNote, in (0, 1]; 0 means 1
	Problem    *fault.Input
	More       int64 // of a BadNote: bad rows right behind it, which are counted only
	Lacking    int64 // of a BadNote: how many of these rows, and it, lack a value
}

// ErrMissing is the reason of a problem with a row that lacks a value.
var ErrMissing = errors.New("stream: a value is missing")

// Block is rows that came together, and the notes in between. The zero value is an empty block;
// its memory is used again.
type Block struct {
	Cols    int
	Rows    []float64 // n×Cols, prepared, finite
	Numbers []int64   // n: number of each row in the input, from 1, bad rows counted
	IDText  []byte    // ids one after the other; empty where numbers are the ids
	IDEnd   []int32   // n: end of each id in IDText; empty where numbers are the ids
	// n: true class of each row, from 0, negative where missing; empty without a label column
	Class []int32
	Notes []Note   // by Before, rising
	After Position // the position of the source behind this block
}

// Reset empties the block and keeps its memory.
func (b *Block) Reset() {
	b.Rows, b.Numbers, b.IDText, b.IDEnd, b.Class = b.Rows[:0], b.Numbers[:0], b.IDText[:0],
		b.IDEnd[:0], b.Class[:0]
	clear(b.Notes)
	b.Notes, b.After = b.Notes[:0], Position{}
}

// Len returns the number of rows.
func (b *Block) Len() int { return len(b.Numbers) }

// Row returns row i, Cols values.
func (b *Block) Row(i int) []float64 { return b.Rows[i*b.Cols : (i+1)*b.Cols] }

// AppendID appends the id of row i: the text of its column, or its number.
func (b *Block) AppendID(dst []byte, i int) []byte {
	if len(b.IDEnd) == 0 {
		return strconv.AppendInt(dst, b.Numbers[i], 10)
	}
	from := int32(0)
	if i > 0 {
		from = b.IDEnd[i-1]
	}
	return append(dst, b.IDText[from:b.IDEnd[i]]...)
}

// mostTold is how many notes a block may have before bad rows that follow each other are counted
// only, so that a message of nothing else takes little memory.
const mostReported = 4 * MostRows

// Bad notes a row, or a line, that could not be read.
func (b *Block) Bad(problem *fault.Input) {
	lacking := int64(0)
	if errors.Is(problem, ErrMissing) {
		lacking = 1
	}
	if n := len(b.Notes); n >= mostReported && b.Notes[n-1].Kind == BadNote &&
		b.Notes[n-1].Before == b.Len() {
		b.Notes[n-1].More++
		b.Notes[n-1].Lacking += lacking
		return
	}
	b.Notes = append(b.Notes, Note{Before: b.Len(), Kind: BadNote, Problem: problem,
		Lacking: lacking})
}

// Source returns rows. One goroutine calls Fill; Stop may be called from another.
type Source interface {
	// Fill waits until something has come and takes what is there into b, which is empty: rows,
	// notes, or both; it does not wait for more. A block has at most [MostRows] rows, unless they
	// cannot be parted. At the end it returns io.EOF, with nothing in b but After. A bad row is a
	// note; an error means that nothing more can be read.
	Fill(ctx context.Context, b *Block) error

	// Stop ends the reading: Fill then returns what cannot be read again, and io.EOF. It does not
	// wait.
	Stop()

	// Close releases what the source holds. Fill has returned, and is not called again.
	Close() error
}

// Sink takes labels, in order. One goroutine uses it.
type Sink interface {
	// Put takes the labels of the rows of b, one per row. It may keep them for a while, but not b.
	Put(ctx context.Context, b *Block, labels []competitive.Label) error

	// Flush lets go of what was put: no more rows wait at the moment. It need not wait until they
	// are taken.
	Flush(ctx context.Context) error

	// Settle waits until all that was put is written, or confirmed, and returns the position of the
	// sink then.
	Settle(ctx context.Context) (Position, error)

	// Close releases what the sink holds, after Settle.
	Close() error
}
