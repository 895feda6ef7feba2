// Package pages reads columns of numbers from Parquet files: whole pages at a time, or a block of
// rows of many columns at a time. Files, their schemas and the rarer encodings are left to
// parquet-go.
package pages

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

// ErrRows reports that a file contradicts itself.
var ErrRows = errors.New("a column has more or fewer values than the file has rows")

// maxColumns is the most columns a file may have.
const maxColumns = 1 << 20

// Recover turns a panic of the library over a damaged file into a fault.
func Recover(name string, err *error) {
	if p := recover(); p != nil {
		*err = Fault(name, fmt.Errorf("%v", p))
	}
}

// Fault reports a damaged file, or a failure of the machine as it is.
func Fault(name string, err error) error {
	var machine *fs.PathError
	if about, ok := errors.AsType[*fault.Input](err); ok && about.File == "" {
		about.File = name
	}
	if fault.IsInput(err) || errors.As(err, &machine) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	in := &fault.Input{File: name, Fix: "fetch or write the file again", Err: err}
	var at *placed
	if errors.As(err, &at) {
		in.Column = at.column
		in.Problem = "is damaged in row group " + strconv.Itoa(at.group+1) + ": " + trim(at.err)
	} else {
		in.Problem = "is a damaged Parquet file: " + trim(err)
	}
	var codec codecError
	if errors.As(err, &codec) {
		in.Problem, in.Fix = codec.Error(), "write the file with snappy or zstd"
	}
	return in
}

func trim(err error) string { return strings.TrimPrefix(err.Error(), "parquet: ") }

// placed is an error in a column of a row group, counted from 0.
type placed struct {
	column string
	group  int
	err    error
}

func (p *placed) Error() string {
	return "row group " + strconv.Itoa(p.group+1) + ", column " + p.column + ": " + p.err.Error()
}

func (p *placed) Unwrap() error { return p.err }

// in names the column and the row group where err, if there is one, happened.
func (l Leaf) in(group int, err error) error {
	if err == nil || fault.IsInput(err) {
		return err
	}
	return &placed{l.Name, group, err}
}

// Open reads the footer of a file, after what it states was held against its bytes and the memory
// that is free.
func Open(in io.ReaderAt, size int64) (f *parquet.File, err error) {
	tail := make([]byte, 8)
	if size < 12 {
		return nil, errors.New("it has only " + strconv.FormatInt(size, 10) + " bytes")
	}
	if _, err := in.ReadAt(tail, size-8); err != nil && err != io.EOF {
		return nil, err
	}
	if string(tail[4:]) != "PAR1" {
		return nil, errors.New("it ends too early, without its footer")
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if length > size-12 {
		return nil, errors.New("its footer is longer than the file")
	}
	footer, err := readFooter(in, size, length)
	if err == nil {
		err = checkFooter(footer)
	}
	if err != nil {
		return nil, err
	}
	return parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// Leaf is a column with values.
type Leaf struct {
	Name     string // columns within groups are named "group.column"
	Index    int    // among the chunks of a row group
	Kind     parquet.Kind
	Length   int // of a value of a fixed length
	Unsigned bool
	Defined  byte   // definition level of a value that is there
	Lists    bool   // more or fewer than one value per row
	Declared bool   // its type states more than how its bytes are stored
	Never    string // why it can be neither a number nor a text, as "holds lists"; "" when it can
	Hidden   bool   // Text cannot write its values
	Vector   bool   // a list of plain numbers a row
	listAt   byte   // definition level of an item of the list, missing ones too
	logical  logical
}

// Leaves returns the columns of a file, in the order of the schema.
func Leaves(f *parquet.File) ([]Leaf, error) {
	schema := f.Schema()
	paths := schema.Columns()
	if len(paths) == 0 || len(paths) > maxColumns {
		return nil, errors.New("it has " + strconv.Itoa(len(paths)) + " columns")
	}
	arrow, _ := f.Lookup("ARROW:schema")
	durations := arrowDurations(arrow)
	leaves := make([]Leaf, len(paths))
	for i, path := range paths {
		column, ok := schema.Lookup(path...)
		if !ok || !column.Node.Leaf() {
			return nil, errors.New("its schema has no leaf " + strings.Join(path, "."))
		}
		typ := column.Node.Type()
		l := Leaf{Name: strings.Join(path, "."), Index: int(column.ColumnIndex), Kind: typ.Kind(),
			Defined: byte(column.MaxDefinitionLevel)}
		if l.Kind == parquet.FixedLenByteArray {
			if l.Length = typ.Length(); l.Length < 1 {
				return nil, errors.New("a value of the column " + l.Name + " has no bytes")
			}
		}
		l.describe(typ)
		if unit := durations[l.Name]; unit > 0 && l.Kind == parquet.Int64 {
			l.Never, l.Hidden = "holds durations", false
			l.logical = logical{form: asDuration, unit: unit}
		}
		if column.MaxRepetitionLevel > 0 {
			plain := l.Never == "" && !l.Hidden && l.logical.form == asStored &&
				l.bits() > 1
			l.Never, l.Hidden, l.Lists = "holds lists", true, true
			list := findList(schema, path)
			l.listAt = list.level
			l.Vector = plain && column.MaxRepetitionLevel == 1 && list.alone
			if list.only && list.outer > 0 { // not "l.list.element"
				l.Name = strings.Join(path[:list.outer], ".")
			}
		}
		leaves[i] = l
	}
	return leaves, nil
}

// list is the first list on a path; the zero value: there is none.
type list struct {
	level byte // definition level at which an item is there
	outer int  // how many names lead to the list
	alone bool // its items are values, not structs or pairs of a map
	only  bool // it has one leaf
}

// findList finds the first list on a path.
func findList(node parquet.Node, path []string) (l list) {
	for i, name := range path {
		found := false
		for _, f := range node.Fields() {
			if f.Name() == name {
				node, found = f, true
				break
			}
		}
		switch {
		case !found:
			return list{}
		case node.Repeated():
			return list{level: l.level + 1, outer: i, only: hasOneLeaf(node),
				alone: node.Leaf() || len(node.Fields()) == 1 && len(path) == i+2}
		case node.Optional():
			l.level++
		}
	}
	return list{}
}

func hasOneLeaf(node parquet.Node) bool {
	for !node.Leaf() {
		fields := node.Fields()
		if len(fields) != 1 {
			return false
		}
		node = fields[0]
	}
	return true
}
