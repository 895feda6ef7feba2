package dataset

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// numericCSV makes rows×16 numbers with the given number of decimals (−1: the shortest exact form).
func numericCSV(rows, decimals int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for j := range 16 {
		b = fmt.Appendf(b, "c%d,", j)
	}
	b[len(b)-1] = '\n'
	for range rows {
		for range 16 {
			b = strconv.AppendFloat(b, r.NormFloat64()*100, 'f', decimals, 64)
			b = append(b, ',')
		}
		b[len(b)-1] = '\n'
	}
	return b
}

func writeFile(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func BenchmarkReadCSV(b *testing.B) {
	for _, c := range []struct {
		name     string
		decimals int
	}{{"decimals=3", 3}, {"exact", -1}} {
		content := numericCSV(250_000, c.decimals)
		path := writeFile(b, "big.csv", content)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := Read(context.Background(), path, ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/stream", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := ReadStream(context.Background(), bytes.NewReader(content), "big.csv",
					ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type sixteen struct {
	A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P float64
}

func parquetFile(tb testing.TB, rows int, options ...parquet.WriterOption) string {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var buffer bytes.Buffer
	w := parquet.NewGenericWriter[sixteen](&buffer, options...)
	x := r.NormFloat64
	for range rows {
		if _, err := w.Write([]sixteen{{x(), x(), x(), x(), x(), x(), x(), x(), x(), x(), x(), x(),
			x(), x(), x(), x()}}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return writeFile(tb, "big.parquet", buffer.Bytes())
}

func BenchmarkReadParquet(b *testing.B) {
	path := parquetFile(b, 1_000_000)
	b.SetBytes(1_000_000 * 16 * 8)
	for b.Loop() {
		if _, err := Read(context.Background(), path, ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadNPY(b *testing.B) {
	values := make([]float64, 1_000_000*16)
	for i := range values {
		values[i] = float64(i)
	}
	path := writeFile(b, "big.npy", npyFile("<f8", "False", "(1000000, 16)", values))
	b.SetBytes(int64(len(values)) * 8)
	for b.Loop() {
		if _, err := Read(context.Background(), path, ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	table, err := Read(context.Background(), parquetFile(b, 1_000_000), ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(1_000_000 * 16 * 8)
	for b.Loop() {
		if _, err := table.Prepare(context.Background(), Preparation{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadMemory reports the peak of the heap while a table is read, as a multiple of its
// matrix.
func BenchmarkReadMemory(b *testing.B) {
	const rows = 300_000
	matrix := float64(rows * 16 * 8)
	content := numericCSV(rows, -1)
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		b.Fatal(err)
	}
	packed := encoder.EncodeAll(content, nil)
	files := map[string]string{
		"csv": writeFile(b, "big.csv", content), "csv.zst": writeFile(b, "big.csv.zst", packed),
		"parquet":                     parquetFile(b, rows),
		"parquet of small row groups": parquetFile(b, rows, parquet.MaxRowsPerRowGroup(1000))}
	content, packed = nil, nil
	for _, name := range []string{"csv", "csv.zst", "parquet", "parquet of small row groups"} {
		b.Run(name, func(b *testing.B) {
			worst := 0.0
			for b.Loop() {
				peak := peakHeap(func() {
					if _, err := Read(context.Background(), files[name],
						ReadOptions{}); err != nil {
						b.Fatal(err)
					}
				})
				worst = max(worst, float64(peak)/matrix)
			}
			b.ReportMetric(worst, "heap/matrix")
		})
	}
}

// peakHeap returns the largest growth of the heap, garbage included, while do runs.
func peakHeap(do func()) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	start, peak := m.HeapInuse, m.HeapInuse
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
			time.Sleep(2 * time.Millisecond)
		}
	}()
	do()
	over.Store(true)
	<-done
	return peak - start
}
