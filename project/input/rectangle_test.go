package input

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/kindred-go/kindred/fault"
)

// TestRectangles: what may stand between the numbers of a matrix may do so here, and the file may
// be packed.
func TestRectangles(t *testing.T) {
	want := []float64{0, 1.5, 2, 3, 4, 1e-3}
	for _, text := range []string{
		"0,1.5,2\n3,4,1e-3\n", "0, 1.5, 2\r\n\r\n3, 4, 1e-3", "0;1.5;2\n3;4;1e-3\n", "0;1,5;2\n3;4;0,001\n", "0 1,5 2\n3 4 0,001\n",
		"0\t1.5\t2\n3\t4\t1e-3\n", " 0  1.5 2\n 3 4 1e-3\n", "\ufeff0,1.5,2\n3,4,1e-3\n",
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(text))
		z.Close()
		for _, file := range []string{text, packed.String()} {
			m, err := parseRectangle(t.Context(), strings.NewReader(file), "d", "")
			if err != nil || m.Rows != 2 || m.Cols != 3 || !slices.Equal(m.F64, want) {
				t.Errorf("%q: %d×%d %v, %v", file, m.Rows, m.Cols, m.F64, err)
			}
		}
		var in *fault.Input
		if _, err := parseRectangle(t.Context(),
			strings.NewReader(packed.String()[:packed.Len()-6]), "d.gz", ""); !errors.As(err, &in) ||
			in.File != "d.gz" {
			t.Errorf("cut short: %v", err)
		}
	}
	for text, problem := range map[string]string{
		"0,1\n2\n":              "d, line 2: there are 1 numbers, and 2 in the lines before",
		"0,1\n\n2,x\n":          `d, line 3, column 2: "x" is no dissimilarity`,
		"0;1\n2;-1":             `d, line 2, column 2: "-1" is no dissimilarity`,
		"0,,1\n":                `d, line 1, column 2: "" is no dissimilarity`,
		"NaN 1\n":               `d, line 1, column 1: "NaN" is no dissimilarity`,
		"0;1,5\n1,5;2\n1;2.5\n": "d, line 3: has a point where other numbers have a decimal comma",
		"0;1,234\n1;2\n":        `d: "1,234" may be 1.234 or 1234; give the decimal mark`,
		" \n\n":                 "d: there is nothing in it",
		"\x1f\x8bnot so":        "d: cannot be unpacked",
	} {
		if _, err := parseRectangle(t.Context(), strings.NewReader(text), "d", ""); err == nil ||
			!strings.HasPrefix(err.Error(), problem) {
			t.Errorf("%q: %v, want %s", text, err, problem)
		}
	}
}
