package lines

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// kdd returns the front of the KDD'99 rows as CSV and the layout of their first thousand.
func kdd(tb testing.TB, rows int) (text []byte, layout stream.Layout) {
	tb.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		tb.Skip("KINDRED_DATASETS names no folder of data sets")
	}
	f, err := os.Open(filepath.Join(folder, "kddcup99_10pct_ge1000.csv.gz"))
	if err != nil {
		tb.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	text, err = io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	end := 0
	for range rows + 1 {
		end = nextLine(text, end)
	}
	text = text[:end]
	return text, layoutOf(tb, text, dataset.ReadOptions{Drop: []string{"class"}},
		dataset.Preparation{})
}

// layoutOf makes a layout of a whole CSV table with a header.
func layoutOf(tb testing.TB, text []byte, o dataset.ReadOptions,
	p dataset.Preparation) stream.Layout {
	tb.Helper()
	t, err := dataset.ReadStream(tb.Context(), bytes.NewReader(text), "rows.csv", o)
	if err != nil {
		tb.Fatal(err)
	}
	ready, err := t.Prepare(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	l := stream.Layout{Format: dataset.FormatCSV, Encoding: ready.Encoding}
	for _, c := range t.Columns {
		l.Columns = append(l.Columns, c.Name)
	}
	return l
}

func BenchmarkDecodeCSV(b *testing.B) {
	text, layout := kdd(b, 100_000)
	benchmarkDecode(b, text[nextLine(text, 0):], layout)
}

// BenchmarkDecodeJSON reads the same rows as JSON lines.
func BenchmarkDecodeJSON(b *testing.B) {
	text, layout := kdd(b, 20_000)
	var jsonl []byte
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if i == 0 {
			continue
		}
		jsonl = append(jsonl, '{')
		for j, value := range bytes.Split(line, []byte(",")) {
			if j > 0 {
				jsonl = append(jsonl, ',')
			}
			jsonl = append(strconv.AppendQuote(jsonl, layout.Columns[j]), ':')
			if layout.Columns[j] == "class" {
				jsonl = strconv.AppendQuote(jsonl, string(value))
			} else {
				jsonl = append(jsonl, value...)
			}
		}
		jsonl = append(jsonl, "}\n"...)
	}
	layout.Format, layout.Columns = dataset.FormatJSONL, nil
	benchmarkDecode(b, jsonl, layout)
}

// benchmarkDecode decodes a text of whole lines over and over, as much at a time as a source reads.
func benchmarkDecode(b *testing.B, text []byte, layout stream.Layout) {
	d, err := NewDecoder("rows", layout, 0)
	if err != nil {
		b.Fatal(err)
	}
	block := &stream.Block{}
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	rows := 0
	for b.Loop() {
		for at := 0; at < len(text); {
			block.Reset()
			at += d.Decode(text[at:min(len(text), at+chunkSize)], false, block, stream.MostRows)
			rows += block.Len()
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
