package mutate_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/mutate"
)

// bomb is a small file that states, or inflates to, far more than a reader may take for it.
type bomb struct {
	name string // of the file, whose ending says what it is
	file []byte
	read func(ctx context.Context, path string) (string, error)
	says string // part of the error; "": the file is read
	most uint64 // MB that may be allocated
}

// whatever stands for any error, or none.
const whatever = "*"

// explode reads a bomb under a limit of memory, in MB; 0: none but that of the machine.
func explode(t *testing.T, b bomb, limit int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), b.name)
	if err := os.WriteFile(path, b.file, 0o600); err != nil {
		t.Fatal(err)
	}
	if limit > 0 {
		before := debug.SetMemoryLimit(limit << 20)
		defer debug.SetMemoryLimit(before)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := b.read(t.Context(), path)
	runtime.ReadMemStats(&after)
	took := (after.TotalAlloc - before.TotalAlloc) >> 20
	t.Logf("%s of %d bytes: %d MB are allocated", b.name, len(b.file), took)
	if b.says == whatever {
		b.says = ""
	} else if b.says == "" && err != nil {
		t.Errorf("%s of %d bytes: %v", b.name, len(b.file), err)
	}
	if b.says != "" && (err == nil || !strings.Contains(err.Error(), b.says)) {
		t.Errorf("%s of %d bytes: %v, not %q", b.name, len(b.file), err, b.says)
	}
	var in *fault.Input
	if err != nil && (!errors.As(err, &in) || in.Fix == "" || in.File == "") {
		t.Errorf("%s: the error has no location or no fix: %#v", b.name, err)
	}
	if took > b.most {
		t.Errorf("%s of %d bytes: %d MB are allocated, and %d are fit (%v)", b.name, len(b.file), took,
			b.most, err)
	}
}

// TestBombs reads files of few bytes that state or hold very much more.
func TestBombs(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	objects := strings.Repeat(`{"a":`, 1<<20)
	long := `{"l":[` + strings.Repeat(`"a",`, 1<<18) + `"a"],"x":1}` + "\n"
	for _, b := range []bomb{
		{"deep.json", []byte(deep), readTable, "nested deeper than 32", 20},
		{"deep.jsonl", []byte(`{"x":` + deep + "}\n"), readTable, "nested deeper than 32",
			20},
		{"objects.jsonl", []byte(objects + "\n"), readTable, "32 levels", 60},
		{"deep.model", []byte(`{"format":"kindred model","means":` + deep), readModel, "not a kindred",
			20},
		{"list.jsonl", []byte(long + long + long), readTable, "", 60},
		{"links.jsonl", []byte(`{"a":` + deep + "\n"), readLinks, "longer than 1048576 bytes", 40},
		{"credal.jsonl", []byte(`{"id":` + deep + "\n"), readCredal, "cannot be read", 40},
		{"credal.csv", []byte("id,m_{1},pl_40,m_{1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17+18+19+20+" +
			"21+22+23+24+25+26+27+28+29+30+31+32+33+34+35+36+37+38+39+40}\na,0.5,0.5,0.5\n"),
			readCredal, "", 20},
		{"means.model", []byte(`{"format":"kindred model","version":1,"columns":3,"means":[` +
			strings.Repeat("[],", 1<<20) + "[]]}"), readModel, "a recipe for 0", 200},
		{"word2vec.txt", []byte("2000000000 300\nking 0.1 0.2 0.3\nqueen 0.2 0.3 0.4\n"), readTable,
			"no column can be a feature", 20},
		{"phylip.phy", []byte("2000000000\na 0 1 2\nb 1 0 3\nc 2 3 0\n"), readMatrix,
			"at least 3 objects", 20},
		{"header.csv", []byte("0" + strings.Repeat(",1", 70000) + "\n"), readMatrix, "too short", 60},
		{"matrix.npy", npy("<f4", "(60000, 60000)", 24), readMatrix, "ends too early", 20},
		{"matrix.npy.gz", mutate.Gzip(npy("<f4", "(60000, 60000)", 24)), readMatrix, "ends too early",
			20},
		{"wide.npy", npy("<f8", "(2147483647, 2147483647)", 72), readTable, "more than 1048576", 20},
		{"condensed.npy", npy("<f8", "(1799970000,)", 72), readMatrix, "ends too early", 20},
		{"long.npy", append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), make([]byte, 64)...), readTable,
			"states a header of 4294967295 bytes", 20},
		{"array.npz", lyingZip(t, npy("<f8", "(134217728, 8)", 72)), readTable, "states more bytes",
			20},
	} {
		t.Run(b.name, func(t *testing.T) { explode(t, b, 0) })
	}
}

// readCredal reads a credal partition.
func readCredal(ctx context.Context, path string) (string, error) {
	p, _, err := credal.Read(ctx, path)
	if err != nil {
		return "", err
	}
	return digest(p.Clusters), nil
}

// lyingZip is an archive of an array whose directory states the bytes that its header promises.
func lyingZip(t *testing.T, array []byte) []byte {
	t.Helper()
	b := zipped(t, "x.npy", array)
	at := bytes.LastIndex(b, []byte("PK\x01\x02")) + 24
	binary.LittleEndian.PutUint32(b[at:], 1<<30)
	return b
}

// TestBombsThatInflate reads files that inflate to many times the memory of a small machine: they
// are refused before they have taken more than that.
func TestBombsThatInflate(t *testing.T) {
	if testing.Short() {
		t.Skip("packs and unpacks hundreds of megabytes")
	}
	const limit = 128 // MB
	zeros := make([]byte, 400<<20)
	array := append(npy("<f8", fmt.Sprintf("(%d, 8)", len(zeros)/64), 0), zeros...)
	for _, b := range []bomb{
		{"zeros.npy.gz", mutate.Gzip(array), readTable, "memory are free", limit * 13 / 10},
		{"zeros.npy.zst", mutate.Zstd(array), readTable, "memory are free", limit*13/10 + 10},
		{"blank.csv.gz", mutate.Gzip(bytes.Repeat([]byte("1,2,3\n"), 40<<20)), readTable,
			"memory are free", limit * 2},
		{"texts.xlsx", bookOf(t, map[string][]byte{"xl/strings.xml": []byte("<sst>" +
			strings.Repeat("<si><t>"+strings.Repeat("x", 5000)+"</t></si>", 60000) + "</sst>")}),
			readTable, "memory are free", limit * 3},
		{"styles.xlsx", bookOf(t, map[string][]byte{"xl/styles.xml": []byte("<styleSheet><numFmts>" +
			formatCodes(3000000) + "</numFmts></styleSheet>")}), readTable, "memory are free", 3000},
	} {
		t.Run(b.name, func(t *testing.T) { explode(t, b, limit) })
	}
}

func formatCodes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<numFmt numFmtId="%d" formatCode="0"/>`, i)
	}
	return b.String()
}

// TestBombsOfWorkbooks reads workbooks whose XML is hostile.
func TestBombsOfWorkbooks(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes of XML")
	}
	sheet := func(rows string) []byte {
		return []byte(`<worksheet><dimension ref="A1:XFD1048576"/><sheetData>` + rows +
			"</sheetData></worksheet>")
	}
	attributes := "<row>" + `<c ` + strings.Repeat(`a="" `, 3<<20) + "/></row>"
	for _, b := range []bomb{
		{"entities.xlsx", bookOf(t, map[string][]byte{"xl/sheet1.xml": []byte(
			`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>` +
				`<worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`)}),
			readTable, "damaged", 20},
		{"corner.xlsx", bookOf(t, map[string][]byte{"xl/sheet1.xml": sheet(
			`<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>`)}),
			readTable, "", 60},
		{"attributes.xlsx", bookOf(t, map[string][]byte{"xl/sheet1.xml": sheet(attributes)}), readTable,
			"longer than 4 MiB", 250},
	} {
		t.Run(b.name, func(t *testing.T) { explode(t, b, 0) })
	}
}

// bookOf is a workbook of a few parts, some of them replaced.
func bookOf(t *testing.T, more map[string][]byte) []byte {
	t.Helper()
	parts := map[string][]byte{
		"_rels/.rels": []byte(`<Relationships><Relationship Id="r1" Type="x/officeDocument" ` +
			`Target="xl/workbook.xml"/></Relationships>`),
		"xl/workbook.xml": []byte(`<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>` +
			`</workbook>`),
		"xl/_rels/workbook.xml.rels": []byte(`<Relationships><Relationship Id="r1" ` +
			`Type="x/worksheet" Target="sheet1.xml"/><Relationship Id="r2" Type="x/styles" ` +
			`Target="styles.xml"/><Relationship Id="r3" Type="x/sharedStrings" ` +
			`Target="strings.xml"/></Relationships>`),
		"xl/sheet1.xml": []byte(`<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>x</v></c>` +
			`<c r="B1" t="str"><v>y</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v>` +
			`</c></row></sheetData></worksheet>`),
	}
	for name, text := range more {
		parts[name] = text
	}
	return zippedAll(t, parts)
}

// TestBombsOfDatabases reads databases whose views and generated columns make more than they hold.
func TestBombsOfDatabases(t *testing.T) {
	const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x AS a, 2 AS b " +
		"FROM c ORDER BY x DESC"
	for _, b := range []bomb{
		{"zeros.db", database(t, "CREATE VIEW v AS SELECT zeroblob(1000000000) AS a, 1 AS b"),
			readTable, "more than 64 MiB", 20},
		{"generated.db", database(t, "CREATE TABLE t (a INT, b TEXT GENERATED ALWAYS AS "+
			"(printf('%.*c',100000000,'x')))", "INSERT INTO t(a) VALUES (1),(2),(3)"), readTable,
			"more than 64 MiB", 20},
		{"texts.db", database(t, "CREATE VIEW v AS SELECT replace(printf('%.*c',30000,'x'),'x',"+
			"printf('%.*c',30000,'y')) AS a, 1 AS b"), readTable, "more than 64 MiB", 20},
	} {
		t.Run(b.name, func(t *testing.T) { explode(t, b, 0) })
	}
	if testing.Short() {
		t.Skip("sorts until hundreds of megabytes are taken")
	}
	explode(t, bomb{"endless.db", database(t, "CREATE VIEW v AS "+endless), readTable,
		"the query takes more than", 20}, 512)
}

// TestNumbersOfModelsAndStates sets each number of models and states to some that no method has
// written, with the check sum right: none is believed before it is held against what is there.
func TestNumbersOfModelsAndStates(t *testing.T) {
	if testing.Short() {
		t.Skip("reads thousands of files")
	}
	digits := regexp.MustCompile(`[0-9][0-9.e+-]*`)
	numbers := []string{"-1", "0", "400000000", "1e15", "9223372036854775807"}
	for _, of := range []mutate.Format{
		{Ending: ".model", Samples: models(t), Read: readModel},
		{Ending: ".state", Samples: [][]byte{state(t)}, Read: readState, Seal: seal},
	} {
		folder := t.TempDir()
		for _, sample := range of.Samples {
			places := digits.FindAllIndex(sample, -1)
			every := max(1, len(places)/300) // of those alike
			for i := 0; i < len(places); i += every {
				for _, number := range numbers {
					file := slices.Concat(sample[:places[i][0]], []byte(number),
						sample[places[i][1]:])
					if of.Seal != nil {
						file = of.Seal(file)
					}
					c := of.One(t, folder, file)
					if c.MostHeap > 64<<20 {
						t.Errorf("%s with %s at %d: %d bytes are allocated", of.Ending, number,
							places[i][0], c.MostHeap)
					}
				}
			}
		}
	}
}

// TestBombsOfPictures reads pictures whose headers state sizes that no memory holds, or that
// inflate.
func TestBombsOfPictures(t *testing.T) {
	of := drawn(t)
	dark := mutate.Chunk("zTXt", append([]byte("Comment\x00\x00"), flate(make([]byte, 64<<20))...))
	profile := mutate.Chunk("iCCP", append([]byte("a\x00\x00"), flate(make([]byte, 64<<20))...))
	png := of["png"][0]
	after := 8 + 25 // the signature and the header
	put := func(file []byte, at int, bytes ...byte) []byte {
		file = slices.Clone(file)
		copy(file[at:], bytes)
		return file
	}
	frame := bytes.Index(of["jpeg"][0], []byte("\xff\xc0")) + 5
	for _, b := range []bomb{
		{"side.png", mutate.Header(png, 1<<31-1, 1<<31-1), readPicture, "is a PNG", 20},
		{"wide.png", mutate.Header(png, 40000, 40000), readPicture, "40000 × 40000 pixels", 20},
		{"comment.png", slices.Concat(png[:after], dark, png[after:]), readPicture, "", 20},
		{"profile.png", slices.Concat(png[:after], profile, png[after:]), readPicture, "", 20},
		{"wide.jpeg", put(of["jpeg"][0], frame, 0xff, 0xff, 0xff, 0xff), readPicture,
			"65535 × 65535 pixels", 20},
		{"wide.gif", put(of["gif"][0], 6, 0xff, 0xff, 0xff, 0xff), readPicture,
			"65535 × 65535 pixels", 20},
		{"frames.gif", frames(of["gif"][0]), readPicture, "", 20},
		{"wide.bmp", put(of["bmp"][0], 18, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f), readPicture,
			"", 20},
	} {
		if b.says == "" {
			b.says = whatever
		}
		t.Run(b.name, func(t *testing.T) { explode(t, b, 0) })
	}
}

// flate packs bytes as zlib does.
func flate(plain []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(plain)
	w.Close()
	return b.Bytes()
}

// frames is a picture that moves, of very many frames.
func frames(one []byte) []byte {
	first := bytes.IndexByte(one[13+3*256:], 0x2c) + 13 + 3*256 // behind the colours
	body := one[first : len(one)-1]
	return slices.Concat(one[:first], bytes.Repeat(body, 2000), []byte{0x3b})
}
