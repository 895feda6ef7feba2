package lines

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// failer is a test of either kind.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// decode decodes a whole text in pieces of the given sizes, over and over; nil takes it whole.
func decode(tb failer, d *Decoder, text []byte, sizes ...int) *stream.Block {
	tb.Helper()
	all := &stream.Block{Cols: d.cols}
	b := &stream.Block{}
	var have []byte
	for k := 0; ; k++ {
		n := len(text)
		if len(sizes) > 0 {
			n = min(n, sizes[k%len(sizes)])
		}
		have, text = append(have, text[:n]...), text[n:]
		for {
			b.Reset()
			used := d.Decode(have, len(text) == 0, b, 7)
			have = have[used:]
			for i, note := range b.Notes {
				if note.Before < 0 || note.Before > b.Len() ||
					i > 0 && note.Before < b.Notes[i-1].Before {
					tb.Fatalf("note %d of %d rows comes before row %d", i, b.Len(), note.Before)
				}
				note.Before += all.Len()
				all.Notes = append(all.Notes, note)
			}
			for i := range b.Len() {
				all.IDText = b.AppendID(all.IDText, i)
				all.IDEnd = append(all.IDEnd, int32(len(all.IDText)))
			}
			if len(b.Rows) != b.Len()*b.Cols || len(b.Class) != b.Len() && d.layout.Label != "" {
				tb.Fatalf("%d values and %d classes of %d rows of %d", len(b.Rows), len(b.Class),
					b.Len(), b.Cols)
			}
			all.Rows, all.Numbers, all.Class = append(all.Rows, b.Rows...),
				append(all.Numbers, b.Numbers...), append(all.Class, b.Class...)
			all.After = b.After
			if b.Len() == 0 && len(b.Notes) == 0 {
				break
			}
		}
		if len(text) == 0 {
			break
		}
	}
	if len(have) > 0 && d.fault() == nil {
		tb.Fatalf("%d bytes were never taken: %q", len(have), have[:min(len(have), 50)])
	}
	return all
}

// cell draws a value of a kind of column, as text and as it is written in CSV and in JSON.
func cell(t *rapid.T, kind int, sep string) (csv, jsonText string) {
	number := func() string {
		v := rapid.OneOf(rapid.Float64Range(-1e3, 1e3), rapid.Float64Range(-1e300, 1e300),
			rapid.Just(0.0)).Draw(t, "v")
		form := rapid.SampledFrom([]byte("gfe")).Draw(t, "form")
		return strconv.FormatFloat(v, form, rapid.IntRange(-1, 20).Draw(t, "digits"), 64)
	}
	if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
		return rapid.SampledFrom([]string{"", "NA", "?", "null", "nan", " "}).Draw(t, "word"),
			"null"
	}
	var s string
	switch kind {
	case 0:
		s = number()
		if rapid.Bool().Draw(t, "short") {
			s = strconv.Itoa(rapid.IntRange(-99, 9999).Draw(t, "int"))
		}
		jsonText = s
	case 1:
		s = rapid.SampledFrom([]string{"true", "false", "Yes", "no", "T"}).Draw(t, "bool")
		jsonText = strconv.Quote(s)
	default:
		s = rapid.SampledFrom([]string{"red", "green", "blue", "a" + sep + "b", "say \"hi\"",
			"two\nlines", "größe"}).Draw(t, "level")
		jsonText = strconv.Quote(s)
	}
	csv = s
	if strings.ContainsAny(s, sep+"\"\n") || rapid.IntRange(0, 5).Draw(t, "quoted") == 0 {
		csv = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	if rapid.IntRange(0, 9).Draw(t, "blank") == 0 {
		csv = " " + csv + "  "
	}
	return csv, jsonText
}

// TestRowsAreThoseOfTheReader: whatever package dataset reads, the decoder reads to the same bits.
func TestRowsAreThoseOfTheReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		kinds := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 5).Draw(t, "kinds")
		var csv, jsonl strings.Builder
		csv.WriteString("key")
		for k := range kinds {
			fmt.Fprintf(&csv, "%sc%d", sep, k)
		}
		csv.WriteString(end)
		n := rapid.IntRange(4, 25).Draw(t, "rows")
		for i := range n {
			fmt.Fprintf(&csv, "k%d", i)
			fmt.Fprintf(&jsonl, `{"key":"k%d"`, i)
			for k, kind := range kinds {
				c, j := cell(t, kind, sep)
				csv.WriteString(sep + c)
				if j != "null" || i == 0 || rapid.Bool().Draw(t, "there") {
					fmt.Fprintf(&jsonl, `, "c%d": %s`, k, j)
				}
			}
			csv.WriteString(end)
			jsonl.WriteString("}" + end)
		}
		p := dataset.Preparation{
			Missing: rapid.SampledFrom([]dataset.Missing{dataset.MissingDrop, dataset.MissingMean,
				dataset.MissingMedian, dataset.MissingKeep}).Draw(t, "missing"),
			Scale: rapid.SampledFrom([]dataset.Scale{dataset.ScaleNone, dataset.ScaleMinMax,
				dataset.ScaleZScore}).Draw(t, "scale"),
		}
		cuts := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 5).Draw(t, "cuts")
		for name, text := range map[string]string{"rows.csv": csv.String(),
			"rows.jsonl": jsonl.String()} {
			o := dataset.ReadOptions{ID: "key"}
			table, err := dataset.ReadStream(t.Context(), strings.NewReader(text), name, o)
			if err != nil {
				continue // a column of one level, say
			}
			ready, err := table.Prepare(t.Context(), p)
			if err != nil {
				continue
			}
			want, rows, err := ready.Encoding.Apply(t.Context(), table)
			if err != nil {
				t.Fatal(err)
			}
			if !learnable(want) {
				continue // such rows are bad
			}
			w := WarmUp{Read: o, Prepare: p, Rows: n}
			s := From(strings.NewReader(text), name)
			first, err := s.WarmUp(t.Context(), w)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !reflect.DeepEqual(first.Layout.Encoding, ready.Encoding) {
				t.Fatalf("the layout is %+v, want %+v", first.Layout.Encoding, ready.Encoding)
			}
			d, err := NewDecoder(name, first.Layout, 0)
			if err != nil {
				t.Fatal(err)
			}
			d.expectFront()
			got := decode(t, d, []byte(text), cuts...)
			if got.Len() != want.Rows {
				t.Fatalf("%d rows, want %d; notes %+v\n%s", got.Len(), want.Rows, got.Notes, text)
			}
			for i := range want.Rows {
				row := i
				if rows != nil {
					row = int(rows[i])
				}
				if int(got.Numbers[i]) != row+1 ||
					string(got.IDText[idStart(got, i):got.IDEnd[i]]) != table.ID(row) {
					t.Fatalf("row %d has number %d and id %s, want %d and %s", i, got.Numbers[i],
						got.AppendID(nil, i), row+1, table.ID(row))
				}
				for j := range want.Cols {
					if v := got.Row(i)[j]; math.Float64bits(v) != math.Float64bits(want.At(i, j)) {
						t.Fatalf("%s: row %d column %d is %v, want %v\n%s", name, i, j, v,
							want.At(i, j), text)
					}
				}
			}
		}
	})
}

func idStart(b *stream.Block, i int) int32 {
	if i == 0 {
		return 0
	}
	return b.IDEnd[i-1]
}

// plainLayout has numbers a and b, a category c of red and blue, ids and classes; missing values of
// b are filled in by 2.
func plainLayout(format dataset.Format) stream.Layout {
	two := 2.0
	l := stream.Layout{Format: format, Columns: []string{"id", "a", "b", "c", "class"}, ID: "id",
		Label: "class",
		Encoding: dataset.Encoding{Scale: dataset.ScaleNone, Columns: []dataset.EncodedColumn{
			{Source: "a", Type: dataset.Number}, {Source: "b", Type: dataset.Number, Fill: &two},
			{Source: "c", Type: dataset.Category, Levels: []string{"blue", "red"}}}}}
	if format == dataset.FormatJSONL {
		l.Columns = nil
	}
	return l
}

// summary describes what came of a text, in a line per row or note.
func summary(d *Decoder, b *stream.Block) string {
	var s strings.Builder
	notes := b.Notes
	for i := 0; ; i++ {
		for ; len(notes) > 0 && notes[0].Before <= i; notes = notes[1:] {
			switch n := notes[0]; n.Kind {
			case stream.LinkNote:
				fmt.Fprintf(&s, "link %s %s %s %v\n", n.A, n.B, n.Link, n.Confidence)
			case stream.ForgetNote:
				fmt.Fprintf(&s, "forget %s\n", n.A)
			default:
				fmt.Fprintf(&s, "%s\n", n.Problem)
			}
		}
		if i == b.Len() {
			return s.String()
		}
		class := "none"
		if c := b.Class[i]; c >= 0 {
			class = d.names[c]
		}
		fmt.Fprintf(&s, "%d %s %v %s\n", b.Numbers[i], b.IDText[idStart(b, i):b.IDEnd[i]], b.Row(i),
			class)
	}
}

// TestNotesOnRows goes through everything that can be right or wrong with a line.
func TestNotesOnRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		format dataset.Format
		text   string
		want   string
	}{
		{"CSV", dataset.FormatCSV, "\xef\xbb\xbfid,a,b,c,class\r\n" +
			"x,1,2,red,A\r\n\r\n \t\r\n" +
			"\"y\",-1.5e1,,\"blue\",B\r\n" +
			"@link,x,y,same,0.5\n@link, y ,\"z,1\",different\n@link,x,y,unknown\n@forget,x\n" +
			"\"two\nlines\", +.5 ,NA,green,\n" +
			"@link,x,y,maybe\n@link,x,y\n@link,x,x,same\n@link,x,,same\n@link,x,y,same,2\n" +
			"@forget\n@forget,\n@link,\"x,y,same\n" +
			"z,one,2,red,A\n" + // 4
			"z,1,2,red\n" +
			"z,,2,red,A\n" +
			"z,1,inf,red,A\n" +
			",1,2,red,A\n" + // 8
			"z,1,2,r\"ed,A\n" +
			"z,1,2,\"red\"!,A\n" +
			"z,1,2,red,A,extra\n" +
			"z,1,2,r\x00ed,A\n" + // 12
			"z,1,2,r\xffed,A\n" +
			"z,1e999,2,red,A\n" +
			"@rest,1,2,red,A\n" +
			"open,1,2,\"red,A\n" + // 16
			"last,7,8,red,B",
			`1 x [1 2 0 1] A
2 y [-15 2 1 0] B
link x y same 0.5
link y z,1 different 0
link x y unknown 0
forget x
3 two
lines [0.5 2 0 0] none
rows: in a line with @ before row 4 "maybe" is not a link; write it as @link,12,15,same,0.9: two
	ids, then same, different or unknown, and the confidence where it is not 1
rows: in a line with @ before row 4 it has 3 fields; write it as @link,12,15,same,0.9: two ids,
	then same, different or unknown, and the confidence where it is not 1
rows: in a line with @ before row 4 "x" is linked to itself; link two different rows
rows: in a line with @ before row 4 an id is missing; write it as @link,12,15,same,0.9: two ids,
	then same, different or unknown, and the confidence where it is not 1
rows: in a line with @ before row 4 "2" is not a confidence in (0, 1]; write it as
	@link,12,15,same,0.9: two ids, then same, different or unknown, and the confidence where it is
	not 1
rows: in a line with @ before row 4 it has 1 fields; write it as @forget,12
rows: in a line with @ before row 4 the id is missing; write it as @forget,12
rows: in a line with @ before row 4 a quote opens in it and is never closed; write it as
	@link,12,15,same,0.9: two ids, then same, different or unknown, and the confidence where it is
	not 1
rows, row 4, column a: "one" is not a number; fix the value, leave it empty if it is missing, or
	leave the column out (--drop)
rows, row 5: has 4 fields, not 5 as the columns are; add what is missing; an empty field still
	needs its separator
rows, row 6, column a: the value is missing; keep such rows (--missing keep), pass over
	them (--missing drop), fill such values in (--missing mean or median), or leave the column out
	(--drop a)
rows, row 7, column b: "inf" is infinite or too large for a 64-bit number; give a finite number,
	or leave the field empty for a missing value
rows, row 8, column id: has no id; give each row an id of its own
rows, row 9: has a quote inside a field that does not begin with one; put the whole field in
	quotes and double the quotes in it, as in "5"" disk"
rows, row 10: has text after a closing quote; put the whole field in quotes and double the
	quotes in it
rows, row 11: has 6 fields, not 5 as the columns are; put fields that contain the separator in
	quotes
rows, row 12: has a NUL byte, so it is not plain text; write UTF-8 text (from UTF-16: iconv -f
	UTF-16 -t UTF-8)
rows, row 13: has a byte that is not UTF-8; write UTF-8 (older text may be iconv -f WINDOWS-1252
	-t UTF-8)
rows, row 14, column a: "1e999" is infinite or too large for a 64-bit number; give a finite
	number, or leave the field empty for a missing value
15 @rest [1 2 0 1] A
rows, row 16: a quote opens here and is never closed; close it, or double it if it is part of
	the text
17 last [7 8 0 1] B
`},
		{"JSON lines", dataset.FormatJSONL, "\xef\xbb\xbf" +
			`{"id":"x","a":1,"b":2,"c":"red","class":"A"}` + "\r\n" +
			`  {"more": true, "class":"B" , "c":"blue","a":"-15", "id": 7}` + "\n\n" +
			`{"@link":"same","a":"x","b":7,"p":0.5}` + "\n" + `{"@forget":7}` + "\n" +
			`{"a":1,"b":2,"@link":"different"}` + "\n" + `{"@link":"no","a":"x","b":"y"}` + "\n" +
			`{"@link":"same","a":"x","b":"y","z":1}` + "\n" + `{"@link":"same","@forget":"x"}` +
			"\n" +
			`{"id":"\u00e9\"","a":1,"b":null,"c":"green"}` + "\n" +
			`{"id":"z","a":1,"a":2}` + "\n" + // 4
			`{"id":"z","a":[1]}` + "\n" +
			`{"id":"z","a":1,"q":{}}` + "\n" +
			`{"id":"z"}` + "\n" +
			`[1,2]` + "\n" + // 8
			`{"id":"z","a":1` + "\n" +
			`{"id":"z","a":one}` + "\n" +
			`{"id":"z","a":Infinity}` + "\n" +
			`{"id":"z","a":true}` + "\n" + // 12
			`{"id":"z` + "\n" +
			`{"id":"\x"}` + "\n" +
			"{\"id\":\"\xff\",\"a\":1,\"b\":2,\"c\":\"red\"}\n" +
			`{"id":"last","a":1,"b":2,"c":"red"}`,
			`1 x [1 2 0 1] A
2 7 [-15 2 1 0] B
link x 7 same 0.5
forget 7
link 1 2 different 0
rows: in a line with @ before row 3 "no" is not a link; write it as
	{"@link":"same","a":"12","b":"15","p":0.9} or {"@forget":"12"}
rows: in a line with @ before row 3 it cannot be read; write it as
	{"@link":"same","a":"12","b":"15","p":0.9} or {"@forget":"12"}
rows: in a line with @ before row 3 it holds neither one link nor one row to forget; write it as
	{"@link":"same","a":"12","b":"15","p":0.9} or {"@forget":"12"}
3 é" [1 2 0 0] none
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, sizes := range [][]int{nil, {1}, {5, 17}} {
				d, err := NewDecoder("rows", plainLayout(c.format), 0)
				if err != nil {
					t.Fatal(err)
				}
				d.expectFront()
				got := summary(d, decode(t, d, []byte(c.text), sizes...))
				want := strings.ReplaceAll(c.want, "\n\t", " ") // lines are wrapped
				if c.format == dataset.FormatJSONL {
					lines := strings.SplitAfter(got, "\n")
					if n := strings.Count(got, "rows, row"); n != 12 ||
						!strings.HasSuffix(got, "16 last [1 2 0 1] none\n") {
						t.Errorf("%d bad rows: %s", n, got)
					}
					got = strings.Join(lines[:strings.Count(want, "\n")], "")
				}
				if got != want {
					t.Errorf("in pieces of %v:\n%s\nwant\n%s", sizes, got, want)
				}
			}
		})
	}
}

// TestMissingDrop: such rows have no note, but are counted and have a number.
func TestMissingDrop(t *testing.T) {
	l := plainLayout(dataset.FormatCSV)
	l.Encoding.Missing = dataset.MissingDrop
	d, err := NewDecoder("rows", l, 5)
	if err != nil {
		t.Fatal(err)
	}
	b := decode(t, d, []byte("x,,2,red,A\ny,1,2,pink,A\n"))
	if b.Len() != 1 || b.Numbers[0] != 7 || len(b.Notes) != 0 {
		t.Errorf("rows %v, notes %v", b.Numbers, b.Notes)
	}
	reported := strings.Join(d.Notes(), "; ")
	if !strings.Contains(reported, `the first "pink" in row 7`) ||
		!strings.Contains(reported, "1 row with missing values left out") {
		t.Errorf("got %s", reported)
	}
}

// TestLongLines: a line over 1 MiB is one bad row, and a quote that is never closed costs its own
// line alone.
func TestLongLines(t *testing.T) {
	good := "x,1,2,red,A\n"
	for name, c := range map[string]struct {
		text string
		want []int64
	}{
		"a long line":     {good + strings.Repeat("1", 2*MaxLine) + "\n" + good, []int64{1, 3}},
		"a long last one": {good + strings.Repeat("1", 2*MaxLine), []int64{1}},
		"an open quote": {good + "\"y,1,2,red,A\n" + strings.Repeat(good,
			2*MaxLine/len(good)) + "\"", nil},
	} {
		for _, sizes := range [][]int{nil, {100 << 10}, {128 << 10, 1}} {
			d, err := NewDecoder("rows", plainLayout(dataset.FormatCSV), 0)
			if err != nil {
				t.Fatal(err)
			}
			b := decode(t, d, []byte(c.text), sizes...)
			if c.want == nil {
				if b.Len() != 1+2*MaxLine/len(good) || b.Numbers[1] != 3 || len(b.Notes) != 2 {
					t.Errorf("%s, in pieces of %v: %d rows, %d notes", name, sizes, b.Len(),
						len(b.Notes))
				}
			} else if fmt.Sprint(b.Numbers) != fmt.Sprint(c.want) || len(b.Notes) != 1 {
				t.Errorf("%s, in pieces of %v: rows %v, notes %v", name, sizes, b.Numbers, b.Notes)
			}
		}
	}
}

// FuzzDecode: no text makes the decoder panic, rows are finite, numbers rise, and cuts do not
// matter.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("id,a,b,c,class\nx,1,2,red,A\n@link,x,y,same\n\"q\n,1"), uint8(3), false)
	f.Add([]byte(`{"id":"x","a":1,"b":2,"c":"red"}`+"\r\n{\"@forget\":1}"), uint8(1), true)
	f.Add([]byte("{\"0\",\r\n0"), uint8(0), true)
	f.Add([]byte("\"1,2\nx,1,2,pink,A\n\"\"\"\r\r\n"), uint8(2), false)
	f.Fuzz(func(t *testing.T, text []byte, cut uint8, jsonl bool) {
		format := dataset.FormatCSV
		if jsonl {
			format = dataset.FormatJSONL
		}
		var stories [2]string
		for k, sizes := range [][]int{nil, {int(cut) + 1 + len(text)/1000}} {
			d, err := NewDecoder("rows", plainLayout(format), 0)
			if err != nil {
				t.Fatal(err)
			}
			d.expectFront()
			b := decode(t, d, text, sizes...)
			for _, v := range b.Rows {
				if v-v != 0 {
					t.Fatalf("a value is %v", v)
				}
			}
			for i := 1; i < b.Len(); i++ {
				if b.Numbers[i] <= b.Numbers[i-1] {
					t.Fatalf("numbers %v", b.Numbers)
				}
			}
			stories[k] = summary(d, b) + fmt.Sprint(d.fault(), d.Notes(), d.Rows())
		}
		if stories[0] != stories[1] {
			t.Fatalf("whole:\n%s\nin pieces:\n%s", stories[0], stories[1])
		}
	})
}
