package dataset

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"
)

// vectorRow is a row with a vector, as most writers of Parquet have it.
type vectorRow struct {
	ID string     `parquet:"id"`
	V  []float32  `parquet:"v,list"`
	N  float64    `parquet:"n"`
	D  [][]string `parquet:"d,list"`
}

// vectorValue is number k of the vector of a row.
func vectorValue(row, k int) float32 { return float32(row%1000) + float32(k)/1024 }

// vectorFile writes rows of vectors as Parquet.
func vectorFile(tb testing.TB, rows, width int, o ...parquet.WriterOption) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "v.parquet")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	type row struct {
		V []float32 `parquet:"v,list"`
	}
	w := parquet.NewGenericWriter[row](f, append(o, parquet.MaxRowsPerRowGroup(int64(64<<10)))...)
	batch := make([]row, 64)
	for lo := 0; lo < rows; lo += len(batch) {
		batch = batch[:min(len(batch), rows-lo)]
		for i := range batch {
			v := make([]float32, width)
			for k := range v {
				v[k] = vectorValue(lo+i, k)
			}
			batch[i] = row{v}
		}
		if _, err := w.Write(batch); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// arrowVectors writes rows of vectors of a fixed size as an Arrow file of one batch.
func arrowVectors(tb testing.TB, rows, width int) string {
	tb.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "v",
		Type: arrow.FixedSizeListOf(int32(width), arrow.PrimitiveTypes.Float32)}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	l := b.Field(0).(*array.FixedSizeListBuilder)
	values := l.ValueBuilder().(*array.Float32Builder)
	values.Reserve(rows * width)
	for i := range rows {
		l.Append(true)
		for k := range width {
			values.Append(vectorValue(i, k))
		}
	}
	path := filepath.Join(tb.TempDir(), "v.arrow")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(schema))
	if err != nil {
		tb.Fatal(err)
	}
	if err := w.Write(b.NewRecordBatch()); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestVectorsOfParquet(t *testing.T) {
	all := make([]vectorRow, 300)
	for i := range all {
		all[i] = vectorRow{ID: fmt.Sprint("r", i), N: float64(i), D: [][]string{{"a"}}}
		for k := range 5 {
			all[i].V = append(all[i].V, vectorValue(i, k))
		}
	}
	for name, o := range map[string][]parquet.WriterOption{
		"version 1": {parquet.DataPageVersion(1)}, "version 2": {parquet.DataPageVersion(2)},
		"small pages": {parquet.PageBufferSize(200), parquet.MaxRowsPerRowGroup(70)},
		"zstd":        {parquet.Compression(&parquet.Zstd)},
	} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[vectorRow](&b, o...)
		if _, err := w.Write(all); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		table := readString(t, b.String(), "a.parquet", ReadOptions{Vectors: "v", Threads: 2})
		if got := strings.Join(table.Features(), " "); got != "v_1 v_2 v_3 v_4 v_5" ||
			!table.values.Single() {
			t.Errorf("%s: the features are %s", name, got)
		}
		for i := range all {
			for k := range 5 {
				if got := table.Value(i, table.Column("v_1")+k); got != float64(all[i].V[k]) {
					t.Fatalf("%s: number %d of row %d is %g", name, k, i, got)
				}
			}
		}
		table = readString(t, b.String(), "a.parquet", ReadOptions{Lists: true, Keep: true})
		if got := table.Cell(2, table.Column("v")); !strings.HasPrefix(got, "[2, 2.0009766, ") {
			t.Errorf("%s: a list as text: %s", name, got)
		}
		_, err := readBytes(t.Context(), b.Bytes(), "a.parquet",
			ReadOptions{Vectors: "d"})
		wantFault(t, err, "a.parquet, column d: holds no lists of numbers")
	}
	all[250].V = all[250].V[:4]
	var b bytes.Buffer
	w := parquet.NewGenericWriter[vectorRow](&b, parquet.MaxRowsPerRowGroup(100))
	if _, err := w.Write(all); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := readBytes(t.Context(), b.Bytes(), "a.parquet", ReadOptions{Vectors: "v"})
	wantFault(t, err, "a.parquet, row 251, column v: has 4 numbers, and the lists before have 5")
}

// TestVectorsTakeLittleMoreThanTheirSize bounds all that is allocated, from first to last, by the
// size of the matrix.
func TestVectorsTakeLittleMoreThanTheirSize(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows, width = 60_000, 384
	for _, path := range []string{vectorFile(t, rows, width), arrowVectors(t, rows, width)} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		table, err := Read(context.Background(), path, ReadOptions{Vectors: "v", Threads: 2})
		runtime.ReadMemStats(&after)
		if err != nil || !table.values.Single() ||
			table.Value(rows-1, width-1) != float64(vectorValue(rows-1, width-1)) {
			t.Fatal(err)
		}
		ratio := float64(after.TotalAlloc-before.TotalAlloc) / (4 * rows * width)
		t.Logf("%s: %.2f times the matrix was allocated", filepath.Base(path), ratio)
		if ratio > 1.3 {
			t.Errorf("%s: %.2f times the matrix was allocated", filepath.Base(path), ratio)
		}
	}
}

// BenchmarkReadVectors opens a million vectors of 384 numbers of 32 bits.
func BenchmarkReadVectors(b *testing.B) {
	const rows, width = 1_000_000, 384
	for name, write := range map[string]func() string{
		"parquet": func() string { return vectorFile(b, rows, width) },
		"arrow":   func() string { return arrowVectors(b, rows, width) },
	} {
		path := write()
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4 * rows * width)
			b.ReportAllocs()
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				if _, err := Read(context.Background(), path,
					ReadOptions{Vectors: "v"}); err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/(4*rows*width),
					"times-size")
			}
		})
		os.Remove(path)
	}
}
