package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// longCSV is large enough for several blocks of statistics and many chunks.
func longCSV(rows int) string {
	var b strings.Builder
	b.WriteString("id,x,y,colour,note,class\n")
	for i := range rows {
		fmt.Fprintf(&b, "r%d,%g,%g,%s,\"n, %d\nmore\",%c\n", i, 1/float64(i+1), float64(i*i%1013)/7,
			[]string{"red", "green", "", "blue"}[i%4], i, 'a'+i%3)
		if i%1000 == 999 {
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

// TestThreadsAndChunksDoNotMatter reads one file in many ways and expects the same bits.
func TestThreadsAndChunksDoNotMatter(t *testing.T) {
	content := longCSV(9_000)
	path := writeFile(t, "a.csv", []byte(content))
	ctx := context.Background()
	var want *Table
	var wantX *Prepared
	for _, chunk := range []int{0, 1 << 14, 101} {
		for _, threads := range []int{1, 2, 7} {
			for _, how := range []string{"file", "stream"} {
				o := ReadOptions{Keep: true, Label: "class", chunk: chunk, Threads: threads}
				var table *Table
				var err error
				if how == "file" {
					table, err = Read(ctx, path, o)
				} else {
					table, err = ReadStream(ctx, strings.NewReader(content), path, o)
				}
				if err != nil {
					t.Fatal(err)
				}
				x := prepare(t, table,
					Preparation{Missing: MissingMean, Scale: ScaleZScore, Threads: threads})
				if want == nil {
					want, wantX = table, x
					continue
				}
				where := fmt.Sprintf("%s, %d threads, chunks of %d", how, threads, chunk)
				if !reflect.DeepEqual(want.Columns, table.Columns) {
					t.Fatalf("%s: other columns", where)
				}
				if diff := cmp.Diff(want.Notes, table.Notes); diff != "" ||
					want.Fingerprint != table.Fingerprint {
					t.Fatalf("%s: notes or fingerprint (-want +got):\n%s", where, diff)
				}
				if !slices.Equal(wantX.X.F64, x.X.F64) ||
					!reflect.DeepEqual(wantX.Encoding, x.Encoding) {
					t.Fatalf("%s: other matrix", where)
				}
			}
		}
	}
	if want.Rows != 9_000 || want.Notes[0] != "8 blank lines were skipped between rows" ||
		want.Cell(7, 4) != "n, 7\nmore" {
		t.Errorf("%d rows, notes %q, cell %q", want.Rows, want.Notes, want.Cell(7, 4))
	}
}

func TestParquetThreadsDoNotMatter(t *testing.T) {
	var b strings.Builder
	w := parquet.NewGenericWriter[flower](&b, parquet.MaxRowsPerRowGroup(700),
		parquet.PageBufferSize(512))
	for i := range 5000 {
		row := flower{Length: ptr(float64(i) / 3), Count: int32(i),
			Colour: []string{"red", "green"}[i%2], Class: ptr("c")}
		if i%5 == 0 {
			row.Length = nil
		}
		if _, err := w.Write([]flower{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := writeFile(t, "a.parquet", []byte(b.String()))
	var want [][]string
	for _, threads := range []int{1, 3, 8} {
		table, err := Read(context.Background(), path, ReadOptions{Threads: threads, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		got := cells(table)
		if want == nil {
			want = got
			if want[4999][1] != "4999" || want[4995][0] != "" || want[3][0] != "1" {
				t.Errorf("rows %q, %q, %q", want[4999], want[4995], want[3])
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d threads (-want +got):\n%s", threads, diff)
		}
	}
}

// endless returns rows for ever.
type endless struct{ begun bool }

func (e *endless) Read(p []byte) (int, error) {
	row := "1,2\n"
	if !e.begun {
		e.begun = true
		row = "a,b\n"
	}
	return copy(p, row), nil
}

// stuck never returns any bytes.
type stuck struct{ until <-chan struct{} }

func (s stuck) Read([]byte) (int, error) {
	<-s.until
	return 0, io.EOF
}

func TestCancel(t *testing.T) {
	for name, r := range map[string]io.Reader{"endless": &endless{},
		"stuck": stuck{t.Context().Done()}} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err := ReadStream(ctx, r, "a.csv", ReadOptions{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, content := range theSameTable(t) {
		if _, err := Read(ctx, writeFile(t, name, []byte(content)), ReadOptions{}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndlessStreamIsBounded(t *testing.T) {
	_, err := ReadStream(context.Background(), &endless{}, "a.csv",
		ReadOptions{InflateLimit: 100_000})
	wantFault(t, err, "a.csv: inflates to more than 100000 bytes")
}

func TestFailureOfTheMachineIsNoFault(t *testing.T) {
	broken := errors.New("broken cable")
	_, err := ReadStream(context.Background(),
		io.MultiReader(strings.NewReader("a,b\n1,2\n"), brokenReader{broken}), "a.csv",
		ReadOptions{})
	if !errors.Is(err, broken) || err.Error() != "reading a.csv: broken cable" {
		t.Errorf("got %v", err)
	}
}

type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }

func TestProgress(t *testing.T) {
	content := longCSV(5000)
	path := writeFile(t, "a.csv", []byte(content))
	last := int64(0)
	o := ReadOptions{chunk: 1000, Threads: 3, Progress: func(done, total int64) {
		if done < last || done > total || total != int64(len(content)) {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}}
	if _, err := Read(context.Background(), path, o); err != nil {
		t.Fatal(err)
	}
	if last < int64(len(content))/2 {
		t.Errorf("the last progress was %d of %d", last, len(content))
	}
}
