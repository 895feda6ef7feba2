package dataset_test

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Tables are read up to each limit of their format, and one beyond is refused with the limit.
func TestLimitsOfTables(t *testing.T) {
	nested := func(n int) string {
		line := strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "\n"
		return line + line
	}
	npy := func(columns int) string {
		header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (2, %d), }\n",
			columns)
		b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
		return string(b) + header + strings.Repeat("\x01", columns) + strings.Repeat("\x02", columns)
	}
	for _, c := range []struct {
		what, name string
		most       int
		slow       bool
		make       func(n int) string
	}{
		{"levels of JSON", "rows.jsonl", 32, false, nested},
		{"bytes of a key", "rows.jsonl", 1000, false, func(n int) string {
			line := `{"` + strings.Repeat("k", n) + `":1}` + "\n"
			return line + line
		}},
		{"columns", "rows.npy", 1 << 20, true, npy},
		{"columns", "rows.csv", 1 << 20, true, func(n int) string {
			line := strings.Repeat("1,", n-1) + "1\n"
			return line + line
		}},
	} {
		if c.slow && testing.Short() {
			continue
		}
		read := func(n int) error {
			path := filepath.Join(t.TempDir(), c.name)
			write(t, path, c.make(n))
			_, err := dataset.Read(t.Context(), path, dataset.ReadOptions{Threads: 1})
			return err
		}
		if err := read(c.most); err != nil {
			t.Errorf("%d %s of %s: %.300v", c.most, c.what, c.name, err)
		}
		if err := read(c.most + 1); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), fmt.Sprint(c.most)) {
			t.Errorf("%d %s of %s: %.300v", c.most+1, c.what, c.name, err)
		}
	}
}

// A sheet has the rows and columns that it may have in Excel, and its cells the letters.
func TestLimitsOfSheets(t *testing.T) {
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	read := func(rows string) error {
		path := filepath.Join(t.TempDir(), "book.xlsx")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := zip.NewWriter(f)
		for name, text := range map[string]string{
			"_rels/.rels": `<Relationships><Relationship Id="a" Type="` + office +
				`officeDocument" Target="xl/workbook.xml"/></Relationships>`,
			"xl/workbook.xml": `<workbook><sheets><sheet name="s" r:id="b"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="b" Type="` + office +
				`worksheet" Target="s.xml"/></Relationships>`,
			"xl/s.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
		} {
			part, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := part.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		_, err = dataset.Read(t.Context(), path, dataset.ReadOptions{Threads: 1})
		return err
	}
	row := func(at, place, text string) string {
		return `<row` + at + `><c` + place + ` t="inlineStr"><is><t>` + text + `</t></is></c></row>`
	}
	two := row("", "", "head") + row("", "", "text")
	for what, c := range map[string]struct{ at, beyond, want string }{
		"letters": {row("", "", "head") + row("", "", strings.Repeat("x", 32767)),
			row("", "", "head") + row("", "", strings.Repeat("x", 32768)),
			"row 2: the cell in column A has more than 32767 letters"},
		"columns": {two + row("", ` r="XFD3"`, "x"), two + row("", ` r="XFE3"`, "x"), "16384 columns"},
		"rows":    {two + row(` r="1048576"`, "", "x"), two + row(` r="1048577"`, "", "x"), "1048576 rows"},
	} {
		if err := read(c.at); err != nil {
			t.Errorf("%s at the limit: %v", what, err)
		}
		if err := read(c.beyond); !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s beyond the limit: %v", what, err)
		}
	}
}
