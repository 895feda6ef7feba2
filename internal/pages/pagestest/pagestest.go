// Package pagestest writes Parquet files with pages that do not inflate to what they state, for
// tests.
package pagestest

import (
	"bytes"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// Codecs are the codecs of Parquet that compress.
func Codecs() []compress.Codec {
	return []compress.Codec{
		&parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd, &parquet.Lz4Raw,
	}
}

// Damaged is a codec that damages the second half of what it writes. Check sums are of the damaged
// bytes.
type Damaged struct{ compress.Codec }

// Encode writes src, and zeros instead of the second half.
func (d Damaged) Encode(_, src []byte) ([]byte, error) {
	b, err := d.Codec.Encode(nil, src)
	clear(b[len(b)/2:])
	return b, err
}

// Oversized is a codec that writes what inflates to 16 MiB more than the page has.
type Oversized struct{ compress.Codec }

// Encode writes src and many zeros.
func (s Oversized) Encode(_, src []byte) ([]byte, error) {
	return s.Codec.Encode(nil, slices.Concat(src, make([]byte, 16<<20)))
}

// Bad are the codecs that compress, each damaged and swollen.
func Bad() []compress.Codec {
	var bad []compress.Codec
	for _, codec := range Codecs() {
		bad = append(bad, Damaged{codec}, Oversized{codec})
	}
	return bad
}

// Row is a row of the files.
type Row struct {
	X float64 `parquet:"x"`
	S string  `parquet:"s"`
	N *int64  `parquet:"n,optional"`
	T *string `parquet:"t,optional,dict"`
}

// File returns the bytes of a Parquet file of n rows. The pages of the column are written by the
// codec, the others as they are.
func File(codec compress.Codec, column string, n int) ([]byte, error) {
	nodes := parquet.Group{
		"x": parquet.Leaf(parquet.DoubleType),
		"s": parquet.String(),
		"n": parquet.Optional(parquet.Int(64)),
		"t": parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)),
	}
	nodes[column] = parquet.Compressed(nodes[column], codec)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[Row](&b, parquet.NewSchema("rows", nodes))
	for i := range n {
		number, text := int64(i/3), "text "+string(rune('a'+i%5))
		if _, err := w.Write([]Row{{float64(i % 7), "some " + text, &number, &text}}); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
