package lines

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// TestSixDigits: numbers are those of strconv, whatever they are.
func TestSixDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(v float64) {
		if got, want := string(appendSix(nil, v)), strconv.FormatFloat(v, 'g', 6, 64); got != want {
			t.Fatalf("%v is %s, want %s", v, got, want)
		}
	}
	for e := -310; e < 309; e++ {
		for _, m := range []float64{1, 9.99999, 9.999995, 9.9999949, 9.9999951, 1.000005,
			1.0000049999999, 1.0000050000001, 2.5, 1.5} {
			v, _ := strconv.ParseFloat(strconv.FormatFloat(m, 'g', -1, 64)+"e"+strconv.Itoa(e), 64)
			for _, v := range []float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)),
				-v} {
				check(v)
			}
		}
	}
	for _, v := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.MaxFloat64,
		math.SmallestNonzeroFloat64} {
		check(v)
	}
	for range 300_000 {
		check(rng.Float64())
		check(math.Exp(rng.Float64()*30 - 12))
		check(float64(rng.IntN(2_000_000)) / 8)
		check(float64(rng.IntN(20_000_000)) / 1e7)
		check(math.Float64frombits(rng.Uint64()))
	}
}

// some returns a block with odd ids, and its labels.
func some() (*stream.Block, []competitive.Label) {
	b := &stream.Block{Cols: 1}
	var labels []competitive.Label
	for i, id := range []string{"plain-1", "a,b", `say "hi"`, "two\nlines", "=1+2", "-7", " blank ",
		"größe", "@x", "'=y"} {
		b.Rows, b.Numbers = append(b.Rows, 0), append(b.Numbers, int64(i+3))
		b.IDText = append(b.IDText, id...)
		b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
		labels = append(labels,
			competitive.Label{Cluster: int32(i % 3), RunnerUp: int32(i%3) - 1,
				Distance: float64(i) / 7, Margin: 1e-9})
	}
	return b, labels
}

// TestLabelsCanBeRead by readers of others.
func TestLabelsCanBeRead(t *testing.T) {
	b, labels := some()
	records, err := csv.NewReader(
		strings.NewReader(labelHeader + string(AppendLabels(nil, dataset.FormatCSV, b, labels)))).
		ReadAll()
	if err != nil || len(records) != len(labels)+1 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if got := strings.Join(records[2], "|"); got != "a,b|2|0.142857|1|1e-09" {
		t.Errorf("the second label is %s", got)
	}
	if got := strings.Join(records[1], "|"); got != "plain-1|1|0||1e-09" {
		t.Errorf("the first label is %s", got)
	}
	d := json.NewDecoder(bytes.NewReader(AppendLabels(nil, dataset.FormatJSONL, b, labels)))
	for i := range labels {
		var l struct {
			ID       string `json:"id"`
			Cluster  int    `json:"cluster"`
			Distance float64
			RunnerUp *int `json:"runner_up"`
			Margin   float64
		}
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		id := string(b.IDText[idStart(b, i):b.IDEnd[i]])
		if l.ID != id || l.Cluster != i%3+1 || (l.RunnerUp == nil) != (i%3 == 0) ||
			math.Abs(l.Distance-float64(i)/7) > 1e-5 {
			t.Errorf("label %d is %+v", i, l)
		}
		guarded := map[string]string{"=1+2": "'=1+2", "@x": "'@x", "'=y": "''=y"}[id]
		if guarded == "" {
			guarded = id
		}
		if records[i+1][0] != guarded {
			t.Errorf("CSV has the id %q for %q", records[i+1][0], id)
		}
	}
}

// TestAFileIsCutBack to where the state knows it, and then goes on as if nothing had happened.
func TestAFileIsCutBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.csv")
	b, labels := some()
	put := func(from *stream.Position, times int) stream.Position {
		w, err := OpenFile(path, dataset.FormatCSV, from)
		if err != nil {
			t.Fatal(err)
		}
		var at stream.Position
		for range times {
			if err := w.Put(t.Context(), b, labels); err != nil {
				t.Fatal(err)
			}
			if at, err = w.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return at
	}
	put(nil, 3)
	want, _ := os.ReadFile(path)
	first := put(nil, 1)
	if first.Rows != 10 {
		t.Errorf("position %+v", first)
	}
	put(&first, 1)
	put(&first, 2)
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if err := os.Truncate(path, first.Offset-1); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path, dataset.FormatCSV, &first); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "has 281 bytes") {
		t.Errorf("a file that is too short: %v", err)
	}
	for text, format := range map[string]dataset.Format{
		string(want):                             dataset.FormatJSONL,
		strings.Repeat("rows of somebody\n", 90): dataset.FormatCSV,
		// no line ends where the state's do
		labelHeader + strings.Repeat("1,2,3,4", 99): dataset.FormatCSV,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenFile(path, format, &first)
		if left, _ := os.ReadFile(path); !fault.IsInput(err) || string(left) != text {
			t.Errorf("a file of something else: %v, and %d bytes are left of %d", err, len(left),
				len(text))
		}
	}
	gone := filepath.Join(t.TempDir(), "gone.csv")
	_, err := OpenFile(gone, dataset.FormatCSV, &first)
	if _, is := os.Stat(gone); !fault.IsInput(err) || is == nil {
		t.Errorf("a file that is gone: %v", err)
	}
	if _, err := OpenFile(os.DevNull, dataset.FormatCSV, nil); !fault.IsInput(err) {
		t.Errorf("a device: %v", err)
	}
}

// TestAReaderThatWaits keeps Put waiting, not the memory growing, and does not outlast the context.
func TestAReaderThatWaits(t *testing.T) {
	r, pipe := io.Pipe()
	w := NewWriter(pipe, dataset.FormatCSV, stream.Position{})
	b, labels := some()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		io.ReadFull(r, make([]byte, 1000))
		cancel()
	}()
	put := 0
	var err error
	for ; err == nil && put < 1_000_000; put++ {
		err = w.Put(ctx, b, labels)
	}
	if !errors.Is(err, context.Canceled) || put > 10*bufferSize/300 {
		t.Errorf("%v after %d blocks", err, put)
	}
	if _, err := w.Settle(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it settles with %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	r.Close()
}

// TestAFailedWriteIsReported, if not at once.
func TestAFailedWriteIsReported(t *testing.T) {
	r, pipe := io.Pipe()
	r.CloseWithError(errors.New("no space left"))
	w := NewWriter(pipe, dataset.FormatJSONL, stream.Position{})
	b, labels := some()
	if err := w.Put(t.Context(), b, labels); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Settle(t.Context()); err == nil || err.Error() != "no space left" {
		t.Errorf("it settles with %v", err)
	}
	if err := w.Put(t.Context(), b, labels); err == nil {
		t.Error("more is taken")
	}
	labels[0].Distance = math.Inf(1)
	if err := NewWriter(io.Discard, dataset.FormatCSV, stream.Position{}).Put(t.Context(), b,
		labels); err == nil {
		t.Error("an infinite distance is written")
	}
	w.Close()
}

func BenchmarkAppendLabels(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	block := &stream.Block{Cols: 1}
	var labels []competitive.Label
	for i := range stream.MostRows {
		block.Numbers = append(block.Numbers, int64(i+1_000_000))
		labels = append(labels,
			competitive.Label{Cluster: int32(rng.IntN(8)), RunnerUp: int32(rng.IntN(8)),
				Distance: rng.Float64(), Margin: rng.ExpFloat64()})
	}
	var dst []byte
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		dst = AppendLabels(dst[:0], dataset.FormatCSV, block, labels)
		rows += len(labels)
	}
	b.SetBytes(int64(len(dst)))
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
