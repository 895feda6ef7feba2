package pages

import (
	"errors"
	"io"
	"math"
	"strconv"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/internal/memory"
)

// The fields of the metadata of a file that state how large something is (parquet.thrift).
const (
	fileSchema      = 2
	fileRowGroups   = 4
	elementType     = 1
	elementName     = 4
	elementChildren = 5
	groupColumns    = 1
)

// deepestColumn is how deep columns may lie in one another.
const deepestColumn = 64

// The fewest bytes of records that state something: their required fields.
const (
	leastElement = 3
	leastGroup   = 8
	leastChunk   = 20
)

// What the library makes of each record, in bytes: the record itself, and what it is opened as.
const (
	elementBytes = 1024 +
		int64(unsafe.Sizeof(format.SchemaElement{})+unsafe.Sizeof(parquet.Column{}))
	chunkBytes = 8 +
		int64(unsafe.Sizeof(format.ColumnChunk{})+unsafe.Sizeof(parquet.FileColumnChunk{}))
	groupBytes = 256 + int64(unsafe.Sizeof(format.RowGroup{}))
)

// footer is what a file states about itself, as far as it takes memory.
type footer struct {
	thriftWalker
	elements, leaves int64
	groups, chunks   int64
	open             []int64 // columns that are still to come, of each column above
	lengths          []int64 // of the paths to these columns
	paths            int64   // bytes of the paths of all columns
}

// checkFooter holds what the metadata of a file state against their own bytes, and what becomes of
// them against the memory that is free, before the library allocates it.
func checkFooter(data []byte) error {
	f := &footer{thriftWalker: thriftWalker{data: data}}
	err := f.record(deepestThrift, func(id int16, typ byte) (bool, error) {
		switch {
		case id == fileSchema && typ == thriftList:
			return true, f.list(deepestThrift-1, leastElement, f.element)
		case id == fileRowGroups && typ == thriftList:
			return true, f.list(deepestThrift-1, leastGroup, f.group)
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	switch {
	case f.elements == 0 || len(f.open) > 0:
		return errors.New("its schema is cut short")
	case f.leaves > maxColumns:
		return errors.New("it has " + strconv.FormatInt(f.leaves, 10) + " columns")
	case f.paths > 16*int64(len(data))+1<<20:
		return errors.New("the names of its columns are longer than its metadata")
	case f.chunks != f.leaves*f.groups:
		return errors.New("a row group has more or fewer columns than the schema")
	}
	takes := 2*int64(len(data)) + f.paths + f.elements*(elementBytes+16*deepestColumn) +
		f.groups*groupBytes + f.chunks*chunkBytes
	return memory.Check(float64(takes), "its metadata",
		"write it with fewer row groups or columns, or use a machine with more memory")
}

// element walks over a column of the schema. The columns are listed depth first.
func (f *footer) element() error {
	if f.elements++; f.elements > 1 && len(f.open) == 0 {
		return errors.New("its schema has columns that lie nowhere")
	}
	name, children, leaf := int64(0), int64(0), false
	err := f.record(deepestThrift-2, func(id int16, typ byte) (bool, error) {
		switch {
		case id == elementName && typ == thriftBinary:
			n, err := f.varint()
			name = int64(min(n, math.MaxInt32))
			if err == nil {
				err = f.pass(n)
			}
			return true, err
		case id == elementChildren && typ == thriftInteger:
			var err error
			children, err = f.integer()
			return true, err
		case id == elementType && typ == thriftInteger:
			leaf = true
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	if children < 0 || children > int64(len(f.data)) || len(f.open) >= deepestColumn ||
		leaf && children > 0 {
		return errors.New("its schema is too deep or has too many columns")
	}
	path := name + 1
	if k := len(f.lengths); k > 0 {
		path += f.lengths[k-1]
		f.open[k-1]--
	}
	f.paths += path
	if children > 0 {
		f.open, f.lengths = append(f.open, children), append(f.lengths, path)
		return nil
	}
	if leaf {
		f.leaves++
	}
	for k := len(f.open); k > 0 && f.open[k-1] == 0; k-- {
		f.open, f.lengths = f.open[:k-1], f.lengths[:k-1]
	}
	return nil
}

// group walks over a row group.
func (f *footer) group() error {
	f.groups++
	return f.record(deepestThrift-2, func(id int16, typ byte) (bool, error) {
		if id != groupColumns || typ != thriftList {
			return false, nil
		}
		return true, f.list(deepestThrift-3, leastChunk, func() error {
			f.chunks++
			return f.record(deepestThrift-4, nil)
		})
	})
}

// readFooter returns the metadata, of so many bytes, of a file.
func readFooter(in io.ReaderAt, size, length int64) ([]byte, error) {
	data := make([]byte, length)
	if n, err := in.ReadAt(data, size-8-length); n < len(data) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return data, nil
}
