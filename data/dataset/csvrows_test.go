package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
)

// csvText reads a text that comes in pieces, the first of size bytes and each other as many more,
// and writes what it found.
func csvText(front *dataset.CSVFront, text string, size int) string {
	rows := dataset.NewCSVRows(front,
		[]dataset.CSVPlace{{Keep: dataset.CSVNumber}, {Keep: dataset.CSVText}}, false)
	var out strings.Builder
	numbers, texts := make([]float64, 1), make([][]byte, 1)
	line := 0
	for from, to := 0, 0; to < len(text); {
		to = min(to+size, len(text))
		rows.Take([]byte(text[from:to]+"\n"), to == len(text))
		for rows.Next(numbers, texts) {
			fmt.Fprintf(&out, "byte %d line %d: ", from+rows.Start, line+rows.Line)
			if rows.Fault != nil {
				fmt.Fprintf(&out, "line %d %s\n", line+rows.Fault.Line, rows.Fault.Problem)
				continue
			}
			fmt.Fprintf(&out, "%v %q\n", numbers[0], texts[0])
		}
		place, lines := rows.Rest()
		from, line = from+place, line+lines
	}
	fmt.Fprintf(&out, "%d lines", line)
	return out.String()
}

// Whatever the text, and wherever its pieces end, the rows and the faults are the same.
func TestRowsDoNotDependOnHowTheTextIsCut(t *testing.T) {
	front, err := dataset.ReadCSVFront("t.csv", []byte("a,b\n1,x\n"), true, dataset.FormatCSV, 0)
	if err != nil || front.Start != 4 || front.Line != 2 || front.Rows != 1 {
		t.Fatalf("%+v, %v", front, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"1,x", "2.5,y", ",", "\n", "\n", "\r\n",
			"\r", `"`, `"a ""b"""`, " ", "é", "\xff", "\x00", "3,\"p\nq\"\n"}), 0, 30).Draw(t,
			"parts")
		text := strings.Join(parts, "")
		want := csvText(front, text, len(text)+1)
		for _, size := range []int{1, 2, 3, 7} {
			if got := csvText(front, text, size); got != want {
				t.Fatalf("%q in pieces of %d:\n%s\nwant\n%s", text, size, got, want)
			}
		}
	})
}

func TestOneStrayQuoteCostsItsLineAlone(t *testing.T) {
	front, err := dataset.ReadCSVFront("t.csv", []byte("a,b\n"), true, dataset.FormatCSV, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := csvText(front, "1,x\n2,\"y\n3,z\n4\n5,\"q\"\n", 5)
	want := `byte 0 line 0: 1 "x"
byte 4 line 1: line 4 text after a closing quote
byte 9 line 2: 3 "z"
byte 13 line 3: line 3 has 1 field where the header has 2
byte 15 line 4: 5 "q"
5 lines`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}
