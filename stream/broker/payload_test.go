package broker

import (
	"runtime"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// TestLyingMatrix: a head that claims more columns than there are values takes no memory for
// them.
func TestLyingMatrix(t *testing.T) {
	head := "\x93NUMPY\x01\x00\x56\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, " +
		"99999999), }  "
	m := message{data: []byte(head + strings.Repeat(" ", 96-len(head)) + "12345678")}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var g firstText
	g.take(SourceConfig{}, &m)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 || g.rows != 0 {
		t.Errorf("%d rows, and %d bytes for them", g.rows, took)
	}
}

// FuzzMessage: whatever a message holds, its rows are whole and finite, their numbers rise, and
// notes stand in order.
func FuzzMessage(f *testing.F) {
	matrix := "\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, " +
		"2), }          \n\x00\x00\x80\x3f\x00\x00\x00\x40"
	for _, seed := range [][3]string{
		{"1,2\n3,x\n@link,1,2,same\n", "", ""},
		{`{"x":1,"y":2}` + "\n{", "application/x-ndjson", ""},
		{matrix, "", ""},
		{matrix, "application/x-npy", "y,x"},
		{"1;\"2\n", "text/csv", "y,\"x\""},
		{"", "a/b", ","},
	} {
		f.Add([]byte(seed[0]), seed[1], seed[2])
	}
	layout := stream.Layout{
		Format: dataset.FormatCSV, Columns: []string{"x", "y"},
		Encoding: dataset.Encoding{Scale: dataset.ScaleMinMax, Columns: []dataset.EncodedColumn{
			{Source: "x", Type: dataset.Number, Shift: []float64{1}, Divisor: []float64{1e-300}},
			{Source: "y", Type: dataset.Number, Shift: []float64{0}, Divisor: []float64{0}},
		}},
	}
	if err := layout.Encoding.Check(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, kind, columns string) {
		p := payload{layout: layout}
		var rows int64
		for sequence := range uint64(2) { // the second time with what the first left
			var b stream.Block
			m := message{sequence: sequence, kind: kind, columns: columns, data: data}
			before := rows
			rows = p.decode(SourceConfig{Subject: "rows"}, &m, rows, &b)
			if len(b.Rows) != b.Len()*2 || b.Cols != 2 {
				t.Fatalf("%d values of %d rows", len(b.Rows), b.Len())
			}
			for _, v := range b.Rows {
				if v-v != 0 {
					t.Fatalf("a value is %v", v)
				}
			}
			for _, n := range b.Numbers {
				if n <= before || n > rows {
					t.Fatalf("numbers %v, %d rows in the end", b.Numbers, rows)
				}
				before = n
			}
			last := 0
			for _, n := range b.Notes {
				if n.Before < last || n.Before > b.Len() || n.Kind == stream.BadNote &&
					n.Problem.File == "" {
					t.Fatalf("notes %+v", b.Notes)
				}
				last = n.Before
			}
			var g firstText
			g.take(SourceConfig{}, &m)
		}
	})
}
