package dataset

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/kindred-go/kindred/fault"
)

// book writes a workbook that fill fills, and returns its path.
func book(t *testing.T, fill func(f *excelize.File)) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f)
	path := filepath.Join(t.TempDir(), "book.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows sets the rows of a sheet from a row on, counted from 1.
func rows(t *testing.T, f *excelize.File, sheet string, from int, rows ...[]any) {
	t.Helper()
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, from+i)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.SetSheetRow(sheet, cell, &row); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAWorkbookIsReadAsItIs(t *testing.T) {
	at := time.Date(2024, 5, 17, 8, 30, 0, 0, time.UTC)
	path := book(t, func(f *excelize.File) {
		f.SetSheetName("Sheet1", "Notes")
		if _, err := f.NewSheet("Sales"); err != nil {
			t.Fatal(err)
		}
		rows(t, f, "Sales", 1, []any{"Report of the year"}, nil,
			[]any{"name", "amount", "share", "when", "paid"},
			[]any{"Ada", 12.5, 0.25, at, true},
			[]any{"Bob", -3, 0.5, at.AddDate(0, 0, 1), false},
			nil,
			[]any{"Cyd", nil, 0.125, at.AddDate(0, 1, 0), true})
		if err := f.SetCellFormula("Sales", "B7", "NA()"); err != nil {
			t.Fatal(err)
		}
		if err := f.MergeCell("Sales", "A1", "E1"); err != nil {
			t.Fatal(err)
		}
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.SetCellStyle("Sales", "C4", "C7", percent); err != nil {
			t.Fatal(err)
		}
	})
	table, err := Read(t.Context(), path, ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != 3 || len(table.Columns) != 5 || table.Format != FormatXLSX {
		t.Fatalf("%d rows of %d columns, read as %s", table.Rows, len(table.Columns), table.Format)
	}
	for i, want := range []string{"name", "amount", "share", "when", "paid"} {
		if got := table.Columns[i].Name; got != want {
			t.Errorf("column %d is %q", i, got)
		}
	}
	if c := table.Columns[1]; c.Type != Number || c.Missing != 1 || c.Min != -3 || c.Max != 12.5 {
		t.Errorf("amount: %+v", c)
	}
	if got := table.Cell(0, 3); !strings.HasPrefix(got, "2024-05-17") {
		t.Errorf("the date is shown as %q", got)
	}
	if c := table.Columns[4]; c.Type != Boolean || c.Mean != 2.0/3 {
		t.Errorf("paid: %+v", c)
	}
	if got := table.Value(0, 2); got != 0.25 {
		t.Errorf("25%% is %g", got)
	}
	for _, want := range []string{"sheet Sales; other sheets: Notes", "1 row above the header",
		"1 blank row", "1 formula without a stored result", "1 range of merged cells"} {
		if !slices.ContainsFunc(table.Notes, func(n string) bool {
			return strings.Contains(n, want)
		}) {
			t.Errorf("no note of %q in %q", want, table.Notes)
		}
	}
}

func TestASheetIsChosenByNameOrNumber(t *testing.T) {
	path := book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"a"}, []any{1}, []any{2})
		for _, name := range []string{"second", "hidden"} {
			if _, err := f.NewSheet(name); err != nil {
				t.Fatal(err)
			}
			rows(t, f, name, 1, []any{name}, []any{3}, []any{4})
		}
		if err := f.SetSheetVisible("hidden", false); err != nil {
			t.Fatal(err)
		}
	})
	for asked, want := range map[string]string{"": "a", "1": "a", "second": "second",
		"2": "second", "hidden": "hidden", "3": "hidden"} {
		table, err := Read(t.Context(), path, ReadOptions{Sheet: asked})
		if err != nil {
			t.Errorf("%q: %v", asked, err)
		} else if got := table.Columns[0].Name; got != want {
			t.Errorf("%q is the sheet of column %s", asked, got)
		}
	}
	_, err := Read(t.Context(), path, ReadOptions{Sheet: "secnd"})
	var in *fault.Input
	if !errors.As(err, &in) || !strings.Contains(in.Fix, "Sheet1, second, hidden") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

// bare makes a workbook of bare parts: one sheet, whose XML is given.
func bare(t testing.TB, sheet string, more map[string]string) []byte {
	t.Helper()
	parts := map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="r1" Type="x/officeDocument" ` +
			`Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>` +
			`</workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" ` +
			`Target="sheet1.xml"/><Relationship Id="r2" Type="x/styles" Target="styles.xml"/>` +
			`<Relationship Id="r3" Type="x/sharedStrings" Target="strings.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/>` +
			`<numFmt numFmtId="165" formatCode="[Red]0.0&quot; days&quot;"/></numFmts><cellXfs>` +
			`<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/>` +
			`<xf numFmtId="165"/></cellXfs></styleSheet>`,
		"xl/strings.xml": `<sst><si><t>day</t></si><si><r><t>ti</t></r><r><t>me</t></r>` +
			`<rPh><t>no</t></rPh></si></sst>`,
		"xl/sheet1.xml": sheet,
	}
	for name, text := range more {
		parts[name] = text
	}
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sheetOf(rows string) string {
	return `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`
}

const smallSheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>` +
	`<c r="C1" t="inlineStr"><is><t>late</t></is></c><c r="D1" t="str"><v>n</v></c></row>` +
	`<row r="2"><c r="A2" s="1"><v>59</v></c><c r="B2" s="2"><v>45429.354166666664</v></c>` +
	`<c r="C2" s="3"><v>1.5</v></c><c r="D2" s="4"><v>1E2</v></c></row>` +
	`<row r="3"><c r="A3" s="1"><v>61</v></c><c r="B3" s="2"><v>45429</v></c>` +
	`<c r="C3" s="3"><v>0.25</v></c><c r="D3" t="e"><v>#N/A</v></c></row>`

func readBytes(ctx context.Context, b []byte, name string, o ReadOptions) (*Table, error) {
	return ReadStream(ctx, bytes.NewReader(b), name, o)
}

// TestTheSheetWithATableIsTaken, not a word on it before.
func TestTheSheetWithATableIsTaken(t *testing.T) {
	read := func(fill func(f *excelize.File)) *Table {
		t.Helper()
		table, err := Read(t.Context(), book(t, func(f *excelize.File) {
			for _, name := range []string{"Data", "More"} {
				if _, err := f.NewSheet(name); err != nil {
					t.Fatal(err)
				}
			}
			f.SetSheetName("Sheet1", "Readme")
			fill(f)
		}), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := read(func(f *excelize.File) {
		rows(t, f, "Readme", 1, []any{"Sales of the year"}, []any{"asked of", "the shop"})
		rows(t, f, "Data", 1, []any{"a", "b"}, []any{1, 2}, []any{3, 4})
		rows(t, f, "More", 1, []any{"c", "d"}, []any{1, 2}, []any{3, 4})
	})
	if table.Columns[0].Name != "a" || table.Parts.Chosen != "Data" ||
		!slices.Contains(table.Notes, "sheet Data is the first with two columns and two rows, "+
			"so it was taken, not Readme") ||
		!slices.Contains(table.Notes, "sheet Data; other sheets: Readme, More (--sheet chooses)") {
		t.Errorf("%s: %q", table.Columns[0].Name, table.Notes)
	}
	table = read(func(f *excelize.File) { // there is no other
		rows(t, f, "Readme", 1, []any{"a"}, []any{1}, []any{2})
	})
	if table.Columns[0].Name != "a" || table.Rows != 2 {
		t.Errorf("%s: %q", table.Columns[0].Name, table.Notes)
	}
}

// TestFormulasWithoutResults are named as such, as openpyxl writes them, too.
func TestFormulasWithoutResults(t *testing.T) {
	path := book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"a", "twice", "words"}, []any{1}, []any{2}, []any{3})
		for i, row := range []string{"2", "3", "4"} {
			err := errors.Join(f.SetCellFormula("Sheet1", "B"+row, "2*A"+row),
				f.SetCellValue("Sheet1", "C"+row, []string{"x", "y", "x"}[i]))
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	empty := rezipped(t, path, "xl/worksheets/sheet1.xml", func(s string) string {
		return strings.NewReplacer("</f>", "</f><v></v>", ` t="str"`, "").Replace(s)
	})
	const says = "formulas without stored results"
	const fix = "open and save the file in Excel or LibreOffice to compute them"
	for _, path := range []string{path, empty} {
		table, err := Read(t.Context(), path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c := table.Columns[1]; c.Role != Unused || c.Why != "has "+says+", and no values: "+fix {
			t.Errorf("%v: %q", c.Role, c.Why)
		}
		if want := "3 formulas without a stored result taken as missing: " + fix; !slices.Contains(
			table.Notes, want) {
			t.Errorf("no note of them in %q", table.Notes)
		}
		table, err = Read(t.Context(), path, ReadOptions{Features: []string{"a", "twice"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Prepare(t.Context(), Preparation{Missing: MissingMean})
		wantFault(t, err, path+", column twice: has "+says+", so there is nothing to fill it in "+
			"with; "+fix)
	}
	texts := rezipped(t, path, "xl/worksheets/sheet1.xml", func(s string) string {
		return strings.ReplaceAll(s, "</f>", "</f><v></v>")
	})
	table, err := Read(t.Context(), texts, ReadOptions{})
	if err != nil || table.Columns[1].Why != "has no values" {
		t.Errorf("results that are empty texts: %q, %v", table.Columns[1].Why, err)
	}
	none := book(t, func(f *excelize.File) {
		if err := f.SetCellFormula("Sheet1", "A1", "1+1"); err != nil {
			t.Fatal(err)
		}
	})
	_, err = Read(t.Context(), none, ReadOptions{Sheet: "1"})
	wantFault(t, err, none+": the sheet Sheet1 has no values but "+says+"; "+fix)
}

// rezipped copies a zip archive with one of its files changed, and returns its path.
func rezipped(t *testing.T, path, name string, change func(string) string) string {
	t.Helper()
	from, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == name {
			content = []byte(change(string(content)))
		}
		w, err := to.Create(f.Name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "changed.xlsx", b.Bytes())
}

func TestCellsOfAWorkbookAreDatesByTheirFormat(t *testing.T) {
	table, err := readBytes(t.Context(), bare(t, sheetOf(smallSheet), nil), "b.xlsx",
		ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"1900-02-28", "2024-05-17T08:30:00", "129600", "100"},
		{"1900-03-01", "2024-05-17T00:00:00", "21600", ""}}
	for i := range want {
		for j := range want[i] {
			if got := table.Cell(i, j); got != want[i][j] {
				t.Errorf("row %d, column %d: %q, want %q", i, j, got, want[i][j])
			}
		}
	}
	if table.Columns[1].Name != "time" {
		t.Errorf("a text in pieces: %q", table.Columns[1].Name)
	}
	if !slices.ContainsFunc(table.Notes, func(n string) bool {
		return strings.Contains(n, "1 cell with an error is taken as missing, the first in D3 (#N/A)")
	}) {
		t.Errorf("notes: %q", table.Notes)
	}
}

// TestNumbersOfAWorkbookNeedNoDecimalMark: a column of texts with decimal commas does not change
// how cells that are numbers are read.
func TestNumbersOfAWorkbookNeedNoDecimalMark(t *testing.T) {
	text := func(at, s string) string {
		return `<c r="` + at + `" t="inlineStr"><is><t>` + s + `</t></is></c>`
	}
	sheet := sheetOf(`<row r="1">` + text("A1", "load") + text("B1", "price") + `</row>` +
		`<row r="2"><c r="A2"><v>1.584</v></c>` + text("B2", "1,5") + `</row>` +
		`<row r="3"><c r="A3"><v>2.125</v></c>` + text("B3", "2,25") + `</row>`)
	table, err := readBytes(t.Context(), bare(t, sheet, nil), "b.xlsx", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	load, price := table.Columns[0], table.Columns[1]
	if load.Min != 1.584 || load.Max != 2.125 || price.Min != 1.5 || price.Max != 2.25 {
		t.Errorf("load %g to %g, price %g to %g", load.Min, load.Max, price.Min, price.Max)
	}
}

func TestADamagedWorkbookIsAFault(t *testing.T) {
	good := bare(t, sheetOf(smallSheet), nil)
	bomb := bare(t, sheetOf(strings.Repeat(" ", 1<<20)+smallSheet), nil)
	for name, c := range map[string]struct {
		bytes []byte
		o     ReadOptions
		want  string
	}{
		"a bomb": {bomb, ReadOptions{InflateLimit: 1 << 20}, "inflates to more than 1048576 bytes"},
		"cut":    {good[:len(good)/2], ReadOptions{}, "damaged Excel workbook"},
		"no text": {bare(t, sheetOf(`<row><c t="s"><v>7</v></c></row>`), nil), ReadOptions{},
			"a text that the workbook does not have"},
		"order": {bare(t, sheetOf(`<row r="2"/><row r="1"/>`), nil), ReadOptions{},
			"out of order"},
		"far column": {bare(t, sheetOf(`<row><c r="ZZZZZZ1"><v>1</v></c></row>`), nil),
			ReadOptions{}, "more than the 16384 columns"},
		"far row": {bare(t, sheetOf(`<row r="99999999"/>`), nil), ReadOptions{},
			"more than the 1048576 rows"},
		"beside": {bare(t, sheetOf(strings.Repeat(`<row><c><v>1</v></c></row>`, 1200)+
			`<row><c/><c><v>2</v></c></row>`), nil), ReadOptions{}, "row 1201, column B: has a value"},
		"empty": {bare(t, sheetOf(""), nil), ReadOptions{}, "no sheet with values"},
		"no number": {bare(t, sheetOf(`<row><c><v>x1</v></c></row>`), nil), ReadOptions{},
			"is not a number"},
		"no book": {bare(t, "", map[string]string{"_rels/.rels": "<a/>"}), ReadOptions{},
			"zip archive without an Excel workbook"},
		"latin": {bare(t, `<?xml version="1.0" encoding="ISO-8859-1"?>`+sheetOf(""), nil),
			ReadOptions{}, "not UTF-8"},
		"header alone": {bare(t, sheetOf(`<row><c t="s"><v>0</v></c></row>`), nil),
			ReadOptions{}, "a header but no rows"},
	} {
		_, err := readBytes(t.Context(), c.bytes, "b.xlsx", c.o)
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(err.Error(), c.want) || in.Fix == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readBytes(ctx, good, "b.xlsx", ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAnUnreadFormatIsNamedWithTheWayOut(t *testing.T) {
	old := append([]byte{0x72, 2, 1, 0}, make([]byte, 64)...)
	tar := append(make([]byte, 257), "ustar\x0000"...)
	tar[0] = 'a'
	for want, head := range map[string]string{
		"pickle":    "\x80\x04\x95\x00\x00",
		".xls":      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"HDF5":      "\x89HDF\r\n\x1a\n",
		".sas7bdat": strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14\x11\xcf",
		".sav":      "$FL2@(#) SPSS DATA FILE\x00\x02",
		"Stata":     "<stata_dta><header>\x00",
		".dta":      string(old),
		".RData":    "RDX3\nX\n\x00\x00\x00\x03",
		".rds":      "X\n\x00\x00\x00\x03",
		"MATLAB":    "MATLAB 5.0 MAT-file, Platform: GLNXA64\x00\x01",
		"ORC":       "ORC\n\x03\x00\x00\x12",
		"Avro":      "Obj\x01\x04\x14avro.codec",
		"COPY":      "\x00\x00\x00\x00\x00\x00\x00\x00DUCK\x40\x00",
		"LFS":       "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n",
		"PDF":       "%PDF-1.7\n%\xe2\xe3",
		"HTML":      " <!DOCTYPE html><html>",
		"XML":       "<?xml version=\"1.0\"?><rows/>",
		"tar":       string(tar),
		"PNG":       "\x89PNG\r\n\x1a\n",
		"JPEG":      "\xff\xd8\xff\xe0\x00\x10JFIF",
		"version 1": "FEA1\x00\x00\x00\x00",
		"bunzip2":   "BZh91AY&SY\x00",
		"unxz":      "\xfd7zXZ\x00\x00",

		"is a Python pickle, which is not read": "\x80\x05\x95\x00\x00",
	} {
		_, err := readBytes(t.Context(), []byte(head), "stdin", ReadOptions{})
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(err.Error(), want) || in.Fix == "" {
			t.Errorf("%q: %v", want, err)
		}
	}
	for want, files := range map[string][]string{"xlsb": {"xl/workbook.bin"},
		"ods": {"mimetype", "content.xml"}, "several files": {"a.csv", "b.csv"},
		`archive of "a.csv"`: {"a.csv"}, "presentation": {"word/document.xml"}} {
		path := filepath.Join(t.TempDir(), "x.zip")
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range files {
			if _, err := z.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, read := range []func() error{
			func() error { _, err := Read(t.Context(), path, ReadOptions{}); return err },
			func() error { _, err := readBytes(t.Context(), b.Bytes(), "", ReadOptions{}); return err },
		} {
			if err := read(); !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", want, err)
			}
		}
	}
	// a table whose header begins as a binary format does
	for _, text := range []string{"ORC,b\n1,2\n3,4\n", "RDX\tb\n1\t2\n", "BZh,x\n1,2\n"} {
		if _, err := readBytes(t.Context(), []byte(text), "", ReadOptions{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnArrayOfAnArchiveIsChosen(t *testing.T) {
	array := func(v ...float64) []byte {
		var b bytes.Buffer
		if err := (Matrix{Rows: len(v), Cols: 1, F64: v}).WriteNPY(&b, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	two := map[string][]byte{"x.npy": array(1, 2, 3), "y.npy": array(4, 5, math.Pi)}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		packed := npzFile(t, method, two)
		for asked, want := range map[string]float64{"x": 3, "y": math.Pi, "2": math.Pi} {
			table, err := readBytes(t.Context(), packed, "a.npz", ReadOptions{Sheet: asked})
			if err != nil {
				t.Errorf("%s: %v", asked, err)
			} else if got := table.Value(2, 0); got != want {
				t.Errorf("%s: %g", asked, got)
			}
		}
		if _, err := readBytes(t.Context(), packed, "a.npz", ReadOptions{}); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "holds 2 arrays: x, y") {
			t.Errorf("none chosen: %v", err)
		}
		one := npzFile(t, method, map[string][]byte{"x.npy": array(1, 2, 3)})
		if table, err := readBytes(t.Context(), one, "", ReadOptions{}); err != nil ||
			table.Rows != 3 {
			t.Errorf("an only array: %v", err)
		}
		if _, err := readBytes(t.Context(), one, "", ReadOptions{InflateLimit: 16}); !fault.IsInput(err) {
			t.Errorf("a bomb: %v", err)
		}
		if _, err := readBytes(t.Context(), one[:len(one)-9], "a.npz",
			ReadOptions{}); !fault.IsInput(err) {
			t.Errorf("a cut one: %v", err)
		}
	}
}

// TestWideSheetsTakeMemoryForTheirValues reads a sheet of few values and very many columns.
func TestWideSheetsTakeMemoryForTheirValues(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<row r="1"><c r="A1" t="str"><v>n</v></c><c r="XFD1" t="str"><v>m</v></c></row>`)
	for i := range sampleRows {
		fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><v>%d</v></c></row>`, i+2, i+2, i)
	}
	content := bare(t, sheetOf(b.String()), nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := readBytes(t.Context(), content, "a.xlsx", ReadOptions{Features: []string{"n"}})
	runtime.ReadMemStats(&after)
	if err != nil || table.Rows != sampleRows || table.Value(999, 0) != 999 {
		t.Fatal(err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 50 {
		t.Errorf("it took %d MiB", took)
	}
}

// npzFile is the .npz file of arrays.
func npzFile(tb testing.TB, method uint16, arrays map[string][]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(arrays[name]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestCellsThatShareATextAreCounted bounds what a small workbook becomes whose cells all have one
// long text.
func TestCellsThatShareATextAreCounted(t *testing.T) {
	many := book(t, func(f *excelize.File) {
		text := strings.Repeat("long ", 6000)
		for row := range 500 {
			rows(t, f, "Sheet1", row+1, []any{text, row})
		}
	})
	for limit, want := range map[int64]string{10_000_000: "inflates to more than 10000000 bytes",
		20_000_000: ""} {
		switch _, err := Read(t.Context(), many, ReadOptions{InflateLimit: limit}); {
		case want == "" && err != nil:
			t.Error(err)
		case want != "" && (!fault.IsInput(err) || !strings.Contains(err.Error(), want)):
			t.Errorf("%d: %v", limit, err)
		}
	}
}
