package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// fixed is a value of five bytes.
var fixed = parquet.Leaf(parquet.FixedLenByteArrayType(5))

// written is how a column is written; every encoding of Parquet that parquet-go writes is there.
var written = map[string]parquet.Node{
	"plain":     parquet.String(),
	"dict":      parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
	"lengths":   parquet.Encoded(parquet.String(), &parquet.DeltaLengthByteArray),
	"prefixes":  parquet.Encoded(parquet.String(), &parquet.DeltaByteArray),
	"fixed":     fixed,
	"fixeddict": parquet.Encoded(fixed, &parquet.RLEDictionary),
	"fixedpre":  parquet.Encoded(fixed, &parquet.DeltaByteArray),
	"bool":      parquet.Leaf(parquet.BooleanType),
	"int":       parquet.Int(32),
	"intdelta":  parquet.Encoded(parquet.Int(32), &parquet.DeltaBinaryPacked),
	"uintdict":  parquet.Encoded(parquet.Uint(32), &parquet.RLEDictionary),
	"long":      parquet.Int(64),
	"longdelta": parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked),
	"ulong":     parquet.Uint(64),
	"float":     parquet.Leaf(parquet.FloatType),
	"split":     parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.ByteStreamSplit),
}

// drawn draws a value of a column, and how it reads as text.
func drawn(random *rand.Rand, typ parquet.Type) (parquet.Value, string) {
	switch typ.Kind() {
	case parquet.Boolean:
		v := random.IntN(2) == 0
		return parquet.BooleanValue(v), fmt.Sprint(v)
	case parquet.Int32:
		if v := random.Int32N(9); strings.Contains(typ.String(), "INT(32,false)") {
			return parquet.Int32Value(v - 9), fmt.Sprint(uint32(v - 9))
		}
		v := random.Int32()
		return parquet.Int32Value(v), fmt.Sprint(v)
	case parquet.Int64:
		v := random.Int64() - 1<<62
		if strings.Contains(typ.String(), "INT(64,false)") {
			return parquet.Int64Value(v), fmt.Sprint(uint64(v))
		}
		return parquet.Int64Value(v), fmt.Sprint(v)
	case parquet.Float:
		v := float32(random.IntN(100)) / 8
		return parquet.FloatValue(v), fmt.Sprint(v)
	case parquet.Double:
		v := float64(random.IntN(1000)) / 8
		return parquet.DoubleValue(v), fmt.Sprint(v)
	case parquet.FixedLenByteArray:
		v := fmt.Sprintf("v%04d", random.IntN(30))
		return parquet.FixedLenByteArrayValue([]byte(v)), v
	}
	v := strings.Repeat("long ", random.IntN(3)) + fmt.Sprint(random.IntN(40))
	return parquet.ByteArrayValue([]byte(v[:random.IntN(len(v)+1)])), ""
}

// writeColumns writes rows of all columns and returns, by column, how each value reads; "-" is
// none.
func writeColumns(tb interface{ Fatal(...any) }, n int, seed uint64, missing float64,
	options ...parquet.WriterOption) ([]byte, map[string][]string) {
	random := rand.New(rand.NewPCG(seed, 2))
	group := parquet.Group{}
	for name, node := range written {
		group[name], group[name+"?"] = node, parquet.Optional(node)
	}
	schema, want := parquet.NewSchema("rows", group), make(map[string][]string)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, append(options, schema)...)
	for range n {
		var row parquet.Row
		for j, path := range schema.Columns() {
			name := path[0]
			v, text := drawn(random, written[strings.TrimSuffix(name, "?")].Type())
			if v.Kind() == parquet.ByteArray {
				text = string(v.ByteArray())
			}
			level := 0
			if strings.HasSuffix(name, "?") {
				if level = 1; random.Float64() < missing {
					v, text, level = parquet.NullValue(), "-", 0
				}
			}
			row, want[name] = append(row, v.Level(0, level, j)), append(want[name], text)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), want
}

// TestValuesOfEveryKind reads columns of any encoding from any row on.
func TestValuesOfEveryKind(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rapid.Check(t, func(t *rapid.T) {
		file, want := writeColumns(t,
			rapid.IntRange(1, 150).Draw(t, "rows"), rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "missing"),
			codecs[rapid.SampledFrom([]string{"none", "snappy", "lz4"}).Draw(t, "codec")],
			parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "version")),
			parquet.PageBufferSize(rapid.IntRange(64, 3000).Draw(t, "page")),
			parquet.MaxRowsPerRowGroup(rapid.Int64Range(20, 200).Draw(t, "group")))
		f, in, leaves, err := openAll(file)
		if err != nil {
			t.Fatal(err)
		}
		p, base := NewReader(f, in), 0
		for group, g := range f.RowGroups() {
			for _, l := range leaves {
				from := rapid.Int64Range(0, g.NumRows()).Draw(t, "from")
				v, err := p.Values(group, l, from)
				if err != nil {
					t.Fatal(l.Name, err)
				}
				for row := int(from); ; row++ {
					value, ok, err := v.Next()
					if err == io.EOF && row == int(g.NumRows()) {
						break
					}
					if err != nil {
						t.Fatal(l.Name, row, err)
					}
					text := []byte("-")
					if ok {
						if l.Kind == parquet.FixedLenByteArray {
							text = value
						} else if text, err = l.Text(nil, value); err != nil {
							t.Fatal(err)
						}
					}
					if w := want[l.Name][base+row]; string(text) != w {
						t.Fatalf("row %d, %s: %q is read as %q", base+row, l.Name, w, text)
					}
				}
			}
			base += int(g.NumRows())
		}
	})
}

// TestValuesOfDamagedFiles changes a byte here and there: reading ends, with an error or with
// values.
func TestValuesOfDamagedFiles(t *testing.T) {
	for name, codec := range codecs {
		whole, _ := writeColumns(t, 60, 3, 0.3, codec, parquet.PageBufferSize(256))
		refused := 0
		for at := 0; at < len(whole); at += 97 {
			file := bytes.Clone(whole)
			file[at] ^= 1 << (at % 8)
			if err := guarded(file); err != nil {
				refused++
			}
		}
		if refused < len(whole)/291 {
			t.Errorf("%s: only %d of %d damaged files are refused", name, refused, len(whole)/97)
		}
	}
}

func guarded(file []byte) (err error) {
	defer Recover("a.parquet", &err)
	return readValues(file)
}

// TestDeltasOfMoreValuesThanThePage are refused before memory is allocated for what they claim.
func TestDeltasOfMoreValuesThanThePage(t *testing.T) {
	b, err := parquet.DeltaBinaryPacked.EncodeInt32(nil, []int32{3, 1, 4, 1, 5, 9, 2, 6})
	if err != nil {
		t.Fatal(err)
	}
	got, rest, err := deltas(nil, append(b, "texts"...), 8)
	if err != nil || len(got) != 8 || got[5] != 9 || string(rest) != "texts" {
		t.Errorf("%v and %q: %v", got, rest, err)
	}
	for _, n := range []int{0, 7, 9} {
		if _, _, err := deltas(nil, b, n); !errors.Is(err, ErrRows) {
			t.Errorf("8 values are taken for %d: %v", n, err)
		}
	}
	for end := range 10 { // up to the numbers themselves, of which the last may be cut
		if _, _, err := deltas(nil, b[:end], 8); err == nil {
			t.Errorf("%d bytes of %d are read", end, len(b))
		}
	}
}
