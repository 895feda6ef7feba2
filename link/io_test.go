package link_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

type reader func(context.Context, io.Reader, string, func(string) (int, bool)) ([]link.Link, error)

// among resolves the ids of a list.
func among(ids ...string) func(string) (int, bool) {
	return func(id string) (int, bool) {
		i := slices.Index(ids, id)
		return i, i >= 0
	}
}

func TestReadBothForms(t *testing.T) {
	at := time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC)
	want := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink, Plausibility: .9, Source: "ann", Time: at},
		{A: 2, B: 0, Kind: link.CannotLink},
		{A: 1, B: 2, Source: "bob, \"the\nthird\""},
	}
	ids := among("x", "12", "é 1")
	for name, text := range map[string]string{
		"plain": "a,b,link,p,source,time\nx,12,same,0.9,ann,2024-05-01T12:30:00Z\né " +
			"1,x,different,,,\n12,é 1,unknown,,\"bob, \"\"the\nthird\"\"\",\n",
		"reordered": "time,link,b,source,a,p\n2024-05-01T12:30:00Z,ML,12,ann,x,9e-1\n" +
			",cannot-link,x,,é 1,\n,unknown,é 1,\"bob, \"\"the\nthird\"\"\",12,\n",
		"typed": "\ufeffa , b, link, p, source, time\r\nx, 12, Same, 0.9,ann, " +
			"2024-05-01T14:30:00+02:00\r\n\r\né 1, x, Different, ,,\r\n 12,é 1 , unknown,,\"bob, " +
			"\"\"the\nthird\"\"\",\r\n",
		"json lines": "{\"a\":\"x\",\"b\":12,\"link\":\"same\",\"p\":0.9,\"source\":\"ann\"," +
			"\"time\":\"2024-05-01T12:30:00Z\"}\n\n{\"link\":\"different\",\"b\":\"x\",\"a\":\"é " +
			"1\"}\r\n {\"a\":12,\"b\":\"\\u00e9 1\",\"link\":\"unknown\",\"source\":\"bob, " +
			"\\\"the\\nthird\\\"\"}",
	} {
		t.Run(name, func(t *testing.T) {
			read := reader(link.Read)
			if name == "json lines" {
				read = link.ReadJSONL
			}
			got, err := read(t.Context(), iotest.OneByteReader(strings.NewReader(text)), "f", ids)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFaultsOfCSV(t *testing.T) {
	for name, c := range map[string][2]string{
		"unknown id": {"a,b,link\n1,2,same\n3,99,same\n",
			`f, line 3, column b: no row has the id "99"; use the ids of the data at hand`},
		"near id": {"a,b,link\n1,02,same\n",
			`f, line 2, column b: no row has the id "02"; did you mean "2"`},
		"decimal id": {"a,b,link\n1.0,2,same\n",
			`f, line 2, column a: no row has the id "1.0"; did you mean "1"`},
		"empty id": {"a,b,link\n,2,same\n",
			"f, line 2, column a: the id is empty; use the ids of the data at hand"},
		"self": {"a,b,link\n2,2,same\n",
			`f, line 2: "2" is linked to itself; link two different rows or remove the line`},
		"p is 0": {"a,b,link,p\n1,2,same,0\n",
			`f, line 2, column p: "0" is not a confidence in (0, 1]; say how sure the stated ` +
				`link is, 1 for certain; for the opposite, state the opposite link`},
		"p is NaN": {"a,b,link,p\n1,2,same,NaN\n",
			`f, line 2, column p: "NaN" is not a confidence in (0, 1]; say how sure`},
		"p is hex":    {"a,b,link,p\n1,2,same,0x1p-2\n", `f, line 2, column p: "0x1p-2" is not`},
		"p above 1":   {"a,b,link,p\n1,2,same,1.01\n", `f, line 2, column p: "1.01" is not`},
		"p far above": {"a,b,link,p\n1,2,same,1e400\n", `f, line 2, column p: "1e400" is not`},
		"p below":     {"a,b,link,p\n1,2,same,-1\n", `f, line 2, column p: "-1" is not`},
		"decimal comma": {"a,b,link,p\n1,2,same,\"0,9\"\n",
			`f, line 2, column p: "0,9" is not a confidence in (0, 1]; write the decimals ` +
				`after a point, as in 0.9`},
		"word": {"a,b,link\n1,2,1\n",
			`f, line 2, column link: "1" is not a link; write same, different or unknown`},
		"long word": {"a,b,link\n1,2," + strings.Repeat("é", 50) + "\n",
			`f, line 2, column link: "` + strings.Repeat("é", 40) +
				`"… is not a link; write same, different or unknown`},
		"time": {"a,b,link,time\n1,2,same,yesterday\n",
			`f, line 2, column time: "yesterday" is not a time; write it as in ` +
				`2024-05-01T12:30:00Z (RFC 3339)`},
		"missing": {"a,b\n1,2\n",
			"f, line 1, column link: the column is missing; the first line must be a,b,link, and " +
				"may add p, source and time"},
		"no header": {"1,2,same\n", "f, line 1, column a: the column is missing"},
		"semicolons": {"a;b;link;p\n1;2;same;0,5\n1;2;same;1,5\n",
			`f, line 3, column p: "1.5" is not a confidence in (0, 1]`},
		"below a title": {"sep=;\n# of May\na;b;link\n1;2;same\n1;1;same\n",
			`f, line 5: "1" is linked to itself`},
		"extra": {"a,b,link,why,x\n1,2,same,,\n",
			`f, line 1: nothing is known of the column "why" and "x"; keep only a, b, link, p, ` +
				`source, time`},
		"twice": {"a,b,link,a\n1,2,same,1\n",
			"f, line 1, column a: the column is there twice; keep one"},
		"short": {"a,b,link\n1,2\n",
			"f, line 2: there are 2 fields, but the header has 3; give every line the same " +
				"number; put a field with commas in double quotes"},
		"long": {"a,b,link\n1,2,same\n1,2,same,\n",
			"f, line 3: there are 4 fields, but the header has 3"},
		"lines in cell": {"a,b,link,source\n1,2,same,\"x\ny\"\n2,1,other,\n",
			`f, line 4, column link: "other" is not a link`},
		"not UTF-8": {"a,b,link,source\n1,2,same,\x81\n",
			"f, line 2, column source: the text is not UTF-8; save the file as UTF-8"},
		"NUL": {"a,b,link\n1,2\x00,same\n",
			"f, line 2, column b: there is a NUL character; save the file as plain text"},
		"UTF-32": {"\xff\xfe\x00\x00a\x00\x00\x00", "f, line 1, column a: the column is missing"},
		"empty":  {"", "f: there is nothing in it; begin with the line a,b,link"},
		"open quote": {"a,b,link\n1,2,same\n\"1,2,same\n1,2,same\n",
			`f, line 3: a double quote is not closed, or is inside a field; put the field in ` +
				`double quotes and write "" for one inside`},
		"bare quote": {"a,b,link\n1,2\"3,same\n",
			`f, line 2: a double quote is inside an unquoted field; put the field in double ` +
				`quotes and write "" for one inside`},
		"endless cell": {"a,b,link\n\"" + strings.Repeat("x", 2<<20) + "\",2,same\n",
			"f: a record is longer than 1048576 bytes; look for a double quote that is not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := link.Read(t.Context(), strings.NewReader(c[0]), "f", link.Numbered(3))
			wantFault(t, got, err, c[1])
		})
	}
}

func TestFaultsOfJSONLines(t *testing.T) {
	for name, c := range map[string][2]string{
		"unknown id": {`{"a":1,"b":2,"link":"same"}` + "\n" + `{"a":1,"b":"99","link":"same"}`,
			`f, line 2, column b: no row has the id "99"; use`},
		"self": {`{"a":1,"b":"1","link":"same"}`,
			`f, line 1: "1" is linked to itself; link`},
		"fraction": {`{"a":1.0,"b":2,"link":"same"}`,
			`f, line 1, column a: "1.0" is not a string or a whole number; write a string or a ` +
				`whole number`},
		"null id": {`{"a":null,"b":2,"link":"same"}`,
			`f, line 1, column a: "null" is not a string or a whole number; write`},
		"p as text": {`{"a":1,"b":2,"link":"same","p":"0.9"}`,
			`f, line 1, column p: "\"0.9\"" is not a number; write a number`},
		"p is 0": {`{"a":1,"b":2,"link":"same","p":0}`,
			`f, line 1, column p: "0" is not a confidence in (0, 1]; say`},
		"bool": {`{"a":1,"b":2,"link":true}`,
			`f, line 1, column link: "true" is not a string; write a string`},
		"word": {`{"a":1,"b":2,"link":"eq"}`,
			`f, line 1, column link: "eq" is not a link; write same, different or unknown`},
		"missing": {`{"a":1,"b":2}`,
			"f, line 1, column link: the key is missing; give a, b and link"},
		"extra": {`{"a":1,"b":2,"link":"same","A":3}`,
			`f, line 1: nothing is known of the key "A"; keep only a, b, link, p, source, time`},
		"twice": {`{"a":1,"b":2,"link":"same","link":"different"}`,
			"f, line 1, column link: the key is there twice; keep one"},
		"array": {"\n[1,2]", `f, line 2: the line is not one JSON object; write it as in ` +
			`{"a":"12","b":"40","link":"same"}`},
		"two on line": {`{"a":1,"b":2,"link":"same"} {"a":1}`,
			"f, line 1: the line is not one JSON object; write"},
		"not UTF-8": {"{\"a\":\"\x81\",\"b\":2,\"link\":\"same\"}",
			"f, line 1: the text is not UTF-8; save the file as UTF-8"},
		"endless line": {"\n" + strings.Repeat("x", 2<<20),
			"f, line 2: the line is longer than 1048576 bytes; put one link on each line"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := link.ReadJSONL(t.Context(), strings.NewReader(c[0]), "f", link.Numbered(3))
			wantFault(t, got, err, c[1])
		})
	}
}

// wantFault asks for an input fault that begins with want, and for no links beside it.
func wantFault(t *testing.T, got []link.Link, err error, want string) {
	t.Helper()
	if got != nil || !fault.IsInput(err) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v and %v\nwant a fault that begins %s", got, err, want)
	}
}

func TestReadMoreThanOneRecordMayHold(t *testing.T) {
	const lines = 50_000
	csv := "a,b,link,source\n" + strings.Repeat("1,2,same,\"a source of more than twenty bytes\"\n",
		lines)
	if got, err := link.Read(t.Context(), strings.NewReader(csv), "f", nil); err != nil ||
		len(got) != lines {
		t.Errorf("CSV: %d links, %v", len(got), err)
	}
	jsonl := strings.Repeat(`{"a":1,"b":2,"link":"same"}`+"\n", lines)
	if got, err := link.ReadJSONL(t.Context(), strings.NewReader(jsonl), "f", nil); err != nil ||
		len(got) != lines {
		t.Errorf("JSON lines: %d links, %v", len(got), err)
	}
}

func TestReadStops(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	broken := errors.New("the disk is away")
	for name, read := range map[string]reader{"CSV": link.Read, "JSON lines": link.ReadJSONL} {
		text := map[string]string{"CSV": "a,b,link\n1,2,same\n",
			"JSON lines": `{"a":1,"b":2,"link":"same"}`}[name]
		if _, err := read(done, strings.NewReader(text), "f", nil); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: cancelled reading gave %v", name, err)
		}
		_, err := read(t.Context(),
			io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "f", nil)
		if !errors.Is(err, broken) || fault.IsInput(err) || !strings.HasPrefix(err.Error(), "f: ") {
			t.Errorf("%s: a failing disk gave %v", name, err)
		}
	}
}

// awkward are ids that a spreadsheet, CSV or JSON could spoil.
var awkward = []string{"=1+1", "'=1+1", "''=1+1", "+5", "-5", "@x", "\tx", "\rx", "\nx", "＝x", "'",
	"'tis", "''", " lead", "trail ",
	"a,b", `say "hi"`, "x\ny", "", "é", "0012", "12", "<b>", "null", "\ufeffx", "\u2028", `\.`}

func TestRoundTrip(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		pool := append(slices.Clone(awkward),
			rapid.SliceOfN(rapid.StringMatching("['=+@ -]{0,3}[a-c,\"\n]{0,3}"), 0, 6).Draw(t,
				"more ids")...)
		slices.Sort(pool)
		pool = slices.Compact(pool)
		links := someLinks(len(pool), 12).Draw(t, "links")
		for i := range links {
			links[i].Plausibility = rapid.SampledFrom([]float64{0, 1, .1, 1e-300, 1.0 / 3}).Draw(t,
				"p")
			links[i].Source = rapid.SampledFrom(awkward).Draw(t, "source")
			if rapid.Bool().Draw(t, "timed") {
				links[i].Time = time.Unix(rapid.Int64Range(-1e10, 1e10).Draw(t, "s"),
					rapid.Int64Range(0, 999999999).Draw(t, "ns")).UTC()
			}
		}
		name := rapid.SampledFrom([]string{"l.csv", "l.CSV.gz", "l.csv.zst", "l.jsonl",
			"l.ndjson.gz", "l.jsonl.zst"}).Draw(t, "file")
		path := filepath.Join(folder, name)
		if err := link.WriteFile(path, links, func(i int) string { return pool[i] }); err != nil {
			t.Fatal(err)
		}
		back, err := link.ReadFile(context.Background(), path, among(pool...))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(links, back, sameLink) {
			t.Fatalf("wrote %v\nread  %v", links, back)
		}
	})
}

// TestPipes: what nobody named has the form that it shows, and what nobody writes ends with the
// context.
func TestPipes(t *testing.T) {
	csv, lines := "a,b,link\n1,3,same\n", `{"a":"1","b":"3","link":"same"}`
	packed := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		rows := []link.Link{{A: 0, B: 2, Kind: link.MustLink}}
		if err := link.WriteFile(path, rows, nil); err != nil {
			t.Fatal(err)
		}
		out, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for name, text := range map[string]string{
		"csv": csv, "csv after a mark": "\ufeff" + csv, "lines": lines,
		"lines after blank ones": "\n\r\n  " + lines, "lines after a mark": "\ufeff" + lines,
		"packed csv": packed("l.csv.gz"), "packed lines": packed("l.jsonl.zst"),
	} {
		got, err := throughPipe(t.Context(), t, text)
		if err != nil || len(got) != 1 || got[0].A != 0 || got[0].B != 2 ||
			got[0].Kind != link.MustLink {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{"nothing": "", "blanks": " \n\n", "text": "x"} {
		if got, err := throughPipe(t.Context(), t, text); !fault.IsInput(err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	ended, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := throughPipe(ended, t, "-"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a pipe that nobody writes to: %v", err)
	}
}

// throughPipe reads links from a pipe; of "-" the writer says nothing.
func throughPipe(ctx context.Context, t *testing.T, text string) ([]link.Link, error) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("the system has no names of pipes")
	}
	if text != "-" {
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	return link.ReadFile(ctx, path, nil)
}

func sameLink(a, b link.Link) bool {
	same := a.Time.Equal(b.Time)
	a.Time, b.Time = time.Time{}, time.Time{}
	return same && a == b
}

func TestNoCellIsAFormula(t *testing.T) {
	var out bytes.Buffer
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink, Source: "@SUM(A1)"}}
	if err := link.Write(&out, links,
		func(i int) string { return []string{"=cmd|' /C calc'!A0", "-2+3"}[i] }); err != nil {
		t.Fatal(err)
	}
	if want := "a,b,link,source\n'=cmd|' /C calc'!A0,'-2+3,same,'@SUM(A1)\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

func TestAnApostropheOfTheirOwn(t *testing.T) {
	got, err := link.Read(t.Context(), strings.NewReader("a,b,link\n'=x,y,same\n"), "",
		among("'=x", "y"))
	if err != nil || len(got) != 1 || got[0].A != 0 {
		t.Errorf("an id that really is '=x gave %v, %v", got, err)
	}
}

func TestRefusedToWrite(t *testing.T) {
	for name, l := range map[string]link.Link{
		"CRLF":         {A: 0, B: 1, Source: "x\r\ny"},
		"not UTF-8":    {A: 0, B: 1, Source: "\xe9"},
		"kind":         {A: 0, B: 1, Kind: 8},
		"plausibility": {A: 0, B: 1, Plausibility: 2},
		"year 10000":   {A: 0, B: 1, Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		path := filepath.Join(t.TempDir(), "links.csv")
		if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := link.WriteFile(path, []link.Link{l}, nil); !fault.IsInput(err) {
			t.Errorf("%s: got %v, want an input fault", name, err)
		}
		left, _ := os.ReadDir(filepath.Dir(path))
		if text, _ := os.ReadFile(path); string(text) != "before" || len(left) != 1 {
			t.Errorf("%s: the folder holds %v and the file %q; it should be as before", name, left,
				text)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"links.txt": "", "cut.csv.gz": "\x1f\x8b\x08",
		"not.jsonl.zst": "plain text"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := link.ReadFile(t.Context(), path, nil); !fault.IsInput(err) ||
			!strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: got %v, want an input fault that names it", name, err)
		}
	}
	if _, err := link.ReadFile(t.Context(), filepath.Join(folder, "none.csv"),
		nil); !fault.IsInput(err) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gave %v", err)
	}
	if err := link.WriteFile(filepath.Join(folder, "no", "links.csv"), nil, nil); err == nil ||
		fault.IsInput(err) {
		t.Errorf("an absent folder gave %v", err)
	}
}

// What a dash means depends on whether links are read or written.
func TestADashIsNoFileOfLinks(t *testing.T) {
	_, err := link.ReadFile(t.Context(), "-", nil)
	for said, err := range map[string]error{"/dev/stdin": err,
		"end it with .csv or .jsonl": link.CheckPath("-")} {
		if !fault.IsInput(err) || !strings.Contains(err.Error(), said) {
			t.Errorf("%v does not say %q", err, said)
		}
	}
}
