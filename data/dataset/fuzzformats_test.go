package dataset

import (
	"archive/zip"
	"bytes"
	"context"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

// readAny reads bytes by any option, and expects a table with rows or a fault.
func readAny(t *testing.T, name string, content []byte, o ReadOptions) {
	t.Helper()
	o.InflateLimit, o.Threads = 1<<22, 1
	table, err := ReadStream(context.Background(), bytes.NewReader(content), name, o)
	if err != nil && !fault.IsInput(err) {
		t.Fatal(err)
	}
	if err == nil && table.Rows == 0 {
		t.Fatal("a table without rows")
	}
}

// damage flips bits of a byte, and cuts the end off.
func damage(whole []byte, at int, flip byte, length int) []byte {
	content := bytes.Clone(whole[:max(0, min(length, len(whole)))])
	if at >= 0 && at < len(content) {
		content[at] ^= flip
	}
	return content
}

func FuzzXLSXSheet(f *testing.F) {
	f.Add(sheetOf(smallSheet), "")
	f.Add(sheetOf(`<row><c/><c t="b"><v>1</v></c></row><row/><mergeCell ref="A1:B2"/>`), "1")
	f.Fuzz(func(t *testing.T, sheet, asked string) {
		readAny(t, "a.xlsx", bare(t, sheet, nil), ReadOptions{Keep: true, Sheet: asked})
	})
}

func FuzzXLSXFile(f *testing.F) {
	whole := bare(f, sheetOf(smallSheet), nil)
	f.Add(40, byte(255), len(whole))
	f.Add(len(whole)-20, byte(1), len(whole))
	f.Fuzz(func(t *testing.T, at int, flip byte, length int) {
		readAny(t, "a.xlsx", damage(whole, at, flip, length), ReadOptions{})
	})
}

// FuzzNPZ damages whole files, whose arrays are any bytes.
func FuzzNPZ(f *testing.F) {
	array := npyFile("<f8", "False", "(2, 3)", []float64{1, 2, 3, 4, 5, 6})
	f.Add(array, true, 40, byte(255), 1000, "x")
	f.Add(npyFile("<f4", "True", "(3, 2)", []float32{1, 2, 3, 4, 5, 6}), false, 3, byte(0), 1000, "")
	f.Fuzz(func(t *testing.T, x []byte, packed bool, at int, flip byte, length int, asked string) {
		method := zip.Store
		if packed {
			method = zip.Deflate
		}
		whole := npzFile(t, method, map[string][]byte{"x.npy": x, "y.npy": array, "z.txt": x})
		readAny(t, "a.npz", damage(whole, at, flip, length), ReadOptions{Sheet: asked})
	})
}

// FuzzVectors reads lists of numbers of any lengths, some missing, and damages the file that holds
// them in two places.
func FuzzVectors(f *testing.F) {
	f.Add([]byte{3, 3, 3, 3}, false, -1, byte(0), -1, byte(0), 100_000)
	f.Add([]byte{2, 2, 255, 2}, true, -1, byte(0), -1, byte(0), 100_000)
	f.Add([]byte{1, 2, 0}, false, 60, byte(1), 200, byte(128), 100_000)
	type row struct {
		V []float32 `parquet:"v,list,optional"`
		N int64     `parquet:"n"`
	}
	f.Fuzz(func(t *testing.T, lengths []byte, small bool, at int, flip byte, also int, other byte,
		length int) {
		rows := make([]row, min(len(lengths), 200))
		even := len(rows) > 0
		for i := range rows {
			if rows[i].N = int64(i); lengths[i] < 128 {
				rows[i].V = make([]float32, lengths[i])
			}
			even = even && lengths[i] == lengths[0] && lengths[i] > 0 && lengths[i] < 128
			for k := range rows[i].V {
				rows[i].V[k] = vectorValue(i, k)
			}
		}
		o := []parquet.WriterOption{parquet.MaxRowsPerRowGroup(50)}
		if small {
			o = append(o, parquet.PageBufferSize(64), parquet.Compression(&parquet.Snappy))
		}
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, o...)
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		table, err := ReadStream(context.Background(), bytes.NewReader(whole), "a.parquet",
			ReadOptions{Vectors: "v"})
		if err != nil && (even || !fault.IsInput(err)) {
			t.Fatalf("lists of %v numbers: %v", lengths, err)
		}
		if even {
			last, width := len(rows)-1, int(lengths[0])
			if got := table.Value(last, table.Column("v_1")+width-1); table.Rows != len(rows) ||
				got != float64(vectorValue(last, width-1)) {
				t.Fatalf("lists of %v numbers: %d rows, the last number is %v", lengths, table.Rows,
					got)
			}
		}
		content := damage(damage(whole, at, flip, length), also, other, length)
		readAny(t, "a.parquet", content, ReadOptions{Vectors: "v"})
		readAny(t, "a.parquet", content, ReadOptions{Keep: true, Lists: true})
	})
}

func FuzzFirstBytes(f *testing.F) {
	for _, k := range unreadFormats {
		f.Add([]byte(string(make([]byte, k.at)) + k.magic + "\x00\x01"))
	}
	f.Fuzz(func(t *testing.T, content []byte) { readAny(t, "", content, ReadOptions{}) })
}
