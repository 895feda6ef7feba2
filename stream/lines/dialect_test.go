package lines

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// readAll returns the rows that a source has, and what was wrong with some.
func readAll(t *testing.T, s *Source) (rows []float64, bad []string, at stream.Position) {
	t.Helper()
	for {
		b := &stream.Block{}
		err := s.Fill(context.Background(), b)
		rows = append(rows, b.Rows...)
		for _, n := range b.Notes {
			bad = append(bad, n.Problem.Error())
		}
		at = b.After
		if err == io.EOF {
			return rows, bad, at
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestDialects reads the same rows in the dialects that spreadsheets write, from a pipe by single
// bytes and from a file, and goes on in the file where an earlier run ended.
func TestDialects(t *testing.T) {
	var text strings.Builder
	text.WriteString("größe;x;wort\r\n")
	var want []float64
	for i := range 3000 {
		fmt.Fprintf(&text, "%d,%d;%d;é\r\n", i%50, 5, i%7)
		want = append(want, float64(i%50)+.5, float64(i%7))
	}
	encode := func(to interface{ String(string) (string, error) }) string {
		s, err := to.String(text.String())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	bare := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	for name, c := range map[string]struct{ text, charset, asked string }{
		"UTF-8":        {text.String(), "", ""},
		"mark":         {"\ufeff" + text.String(), "", ""},
		"Windows-1252": {encode(charmap.Windows1252.NewEncoder()), "windows-1252", ""},
		"UTF-16":       {encode(little.NewEncoder()), "utf-16le", ""},
		"UTF-16BE":     {encode(big.NewEncoder()), "utf-16be", ""},
		"no mark":      {encode(bare.NewEncoder()), "utf-16le", "utf-16le"},
		"tabs":         {strings.ReplaceAll(text.String(), ";", "\t"), "", ""},
	} {
		w := WarmUp{Rows: 20, Prepare: dataset.Preparation{Scale: dataset.ScaleNone},
			Read: dataset.ReadOptions{Encoding: c.asked, Drop: []string{"wort"}}}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		pipe := From(iotest.OneByteReader(bytes.NewReader([]byte(c.text))), "stdin")
		if c.charset == "windows-1252" { // by single bytes its first four show nothing
			pipe = From(bytes.NewReader([]byte(c.text)), "stdin")
		}
		for _, s := range []*Source{file, pipe} {
			first, err := s.WarmUp(t.Context(), w)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if l := first.Layout; l.Decimal != "," || l.Charset != c.charset {
				t.Errorf("%s: decimal %q, encoding %q", name, l.Decimal, l.Charset)
			}
			rows, bad, at := readAll(t, s)
			if fmt.Sprint(rows) != fmt.Sprint(want) || len(bad) > 0 {
				t.Errorf("%s: %d of %d values, %v", name, len(rows), len(want), bad)
			}
			if s == file {
				resume(t, name, path, first.Layout, at)
			}
			s.Close()
		}
	}
}

// resume goes on with a row that was added to a file.
func resume(t *testing.T, name, path string, layout stream.Layout, at stream.Position) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := "49,5" + cmp.Or(layout.Separator, "\t") + "3" + cmp.Or(layout.Separator, "\t") + "é\r\n"
	if code, _, err := dataset.FindEncoding(nil, true, layout.Charset); err != nil {
		t.Fatal(err)
	} else if code != nil {
		if last, err = code.NewEncoder().String(last); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, append(old, []byte(last)...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Resume(layout, at, false); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if rows, bad, _ := readAll(t, s); fmt.Sprint(rows) != "[49.5 3]" || len(bad) > 0 {
		t.Errorf("%s: went on with %v, %v", name, rows, bad)
	}
}

// TestPointsAmongCommas: a number of the other kind is a bad row.
func TestPointsAmongCommas(t *testing.T) {
	text := "x;y\n" + strings.Repeat("1,5;2\n", 30) + "1.234,5;2\n1.5;3\n2,5;4\n"
	s := From(strings.NewReader(text), "stdin")
	defer s.Close()
	if _, err := s.WarmUp(t.Context(), WarmUp{Rows: 20}); err != nil {
		t.Fatal(err)
	}
	_, bad, at := readAll(t, s)
	if len(bad) != 2 || !strings.Contains(bad[0], "row 31, column x: \"1.234,5\" has a point in a") ||
		at.Rows != 33 {
		t.Errorf("%q, %d rows", bad, at.Rows)
	}
}
