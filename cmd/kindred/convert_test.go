package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// command runs the command in this process and returns its exit code and what it writes to stderr
// and stdout.
func command(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &out, func(string) string { return "" })
	code = run(t.Context(), a, args)
	return code, out.String()
}

// writeDates writes a Parquet file with columns that hold neither numbers nor texts.
func writeDates(t *testing.T, path string) {
	group := parquet.Group{
		"x":       parquet.Leaf(parquet.DoubleType),
		"date":    parquet.Optional(parquet.Date()),
		"milli":   parquet.Timestamp(parquet.Millisecond),
		"micro":   parquet.Optional(parquet.Timestamp(parquet.Microsecond)),
		"local":   parquet.TimestampAdjusted(parquet.Nanosecond, false),
		"old":     parquet.Leaf(parquet.Int96Type),
		"time":    parquet.Time(parquet.Millisecond),
		"clock":   parquet.TimeAdjusted(parquet.Nanosecond, false),
		"price":   parquet.Decimal(2, 9, parquet.Int32Type),
		"balance": parquet.Decimal(3, 18, parquet.Int64Type),
		"large":   parquet.Decimal(4, 20, parquet.FixedLenByteArrayType(9)),
		"uuid":    parquet.UUID(),
		"json":    parquet.JSON(),
	}
	at := time.Date(2024, 5, 17, 8, 30, 0, 250_000_000, time.UTC)
	values := []map[string]parquet.Value{{
		"x":       parquet.DoubleValue(1),
		"date":    parquet.Int32Value(19860),
		"milli":   parquet.Int64Value(at.UnixMilli()),
		"micro":   parquet.Int64Value(at.UnixMicro() + 7),
		"local":   parquet.Int64Value(at.UnixNano() + 1),
		"old":     parquet.Int96Value(deprecated.Int96{1_000_000_000, 0, 2440589}),
		"time":    parquet.Int32Value(30_600_000),
		"clock":   parquet.Int64Value(86_399_000_000_001),
		"price":   parquet.Int32Value(1999),
		"balance": parquet.Int64Value(-5),
		"large":   parquet.FixedLenByteArrayValue([]byte{0, 0, 0, 0, 0, 0, 1, 0, 0}),
		"uuid":    parquet.FixedLenByteArrayValue([]byte("0123456789abcde\xff")),
		"json":    parquet.ByteArrayValue([]byte(`{"a":1}`)),
	}, {
		"x":       parquet.DoubleValue(2),
		"milli":   parquet.Int64Value(-1),
		"local":   parquet.Int64Value(0),
		"old":     parquet.Int96Value(deprecated.Int96{0, 0, 2440588}),
		"time":    parquet.Int32Value(0),
		"clock":   parquet.Int64Value(0),
		"price":   parquet.Int32Value(-7),
		"balance": parquet.Int64Value(-1234567),
		"large":   parquet.FixedLenByteArrayValue(bytes.Repeat([]byte{255}, 9)),
		"uuid":    parquet.FixedLenByteArrayValue(make([]byte, 16)),
		"json":    parquet.ByteArrayValue([]byte("[]")),
	}}
	var file bytes.Buffer
	schema := parquet.NewSchema("dates", group)
	w := parquet.NewGenericWriter[any](&file, schema)
	for _, v := range values {
		var row parquet.Row
		for j, path := range schema.Columns() {
			value, level := v[path[0]], 0
			if group[path[0]].Optional() && !value.IsNull() {
				level = 1
			}
			row = append(row, value.Level(0, level, j))
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestConvertWritesDates writes dates, times, decimals and the like of Parquet as texts.
func TestConvertWritesDates(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "dates.parquet")
	out, lines := filepath.Join(folder, "dates.csv"), filepath.Join(folder, "dates.jsonl")
	writeDates(t, in)
	for _, to := range []string{out, lines} {
		if code, said := command(t, "data", "convert", in, to); code != 0 {
			t.Fatal(said)
		}
	}
	want := "balance,clock,date,json,large,local,micro,milli,old,price,time,uuid,x\n" +
		`-0.005,23:59:59.000000001,2024-05-17,"{""a"":1}",6.5536,` +
		"2024-05-17T08:30:00.250000001,2024-05-17T08:30:00.250007Z,2024-05-17T08:30:00.25Z," +
		"1970-01-02T00:00:01,19.99,08:30:00Z,30313233-3435-3637-3839-6162636465ff,1\n" +
		"-1234.567,00:00:00,,[],-0.0001,1970-01-01T00:00:00,,1969-12-31T23:59:59.999Z," +
		"1970-01-01T00:00:00,-0.07,00:00:00Z,00000000-0000-0000-0000-000000000000,2\n"
	if got, err := os.ReadFile(out); err != nil || string(got) != want {
		t.Errorf("got\n%s\nwant\n%s\n%v", got, want, err)
	}
	got, err := os.ReadFile(lines)
	if err != nil || !bytes.Contains(got, []byte(`"date":"2024-05-17"`)) ||
		!bytes.Contains(got, []byte(`"date":null`)) {
		t.Errorf("%s%v", got, err)
	}
	reported(t, in, "clock, time, each of which holds times of day: --dates auto compares them",
		"date, which holds dates: --dates auto compares them",
		"local, micro, milli, old, each of which holds dates and times: --dates auto compares them",
		"uuid, which holds UUIDs", "json, which holds JSON")
}

// reported checks that kindred data info and cluster report which columns are left out, and why.
func reported(t *testing.T, in string, left ...string) {
	t.Helper()
	for _, args := range [][]string{
		{"data", "info", in},
		{"cluster", in, "-k", "1", "--method", "kmeans"},
	} {
		code, said := command(t, args...)
		for _, want := range left {
			if code != 0 || !strings.Contains(said, want) {
				t.Errorf("%q exits with %d, and without %q:\n%s", args, code, want, said)
			}
		}
	}
}

// TestConvertRefusesWhatItCannotWrite refuses lists, maps and bytes, unless they are dropped or
// have no values.
func TestConvertRefusesWhatItCannotWrite(t *testing.T) {
	type row struct {
		X    float64        `parquet:"x"`
		Tags []string       `parquet:"tags,list"`
		Map  map[string]int `parquet:"map"`
		Raw  []byte         `parquet:"raw,optional"`
		In   struct {
			N int64 `parquet:"n"`
		} `parquet:"in"`
	}
	folder := t.TempDir()
	in, out := filepath.Join(folder, "lists.parquet"), filepath.Join(folder, "lists.csv")
	rows := []row{{X: 1, Tags: []string{"a", "b"}, Map: map[string]int{"k": 1}}, {X: 2}}
	rows[1].In.N = 7
	write := func() {
		if err := parquet.WriteFile(in, rows); err != nil {
			t.Fatal(err)
		}
	}
	write()
	const lists = "tags,map.key_value.key,map.key_value.value"
	code, said := command(t, "data", "convert", in, out)
	want := in + ", column tags: cannot be written: it holds lists; " +
		"leave out what cannot be written with --drop " + lists
	if _, err := os.Stat(out); code != 3 || !strings.Contains(said, want) || err == nil {
		t.Errorf("exits with %d: %s%v", code, said, err)
	}
	if code, said = command(t, "data", "convert", in, out, "--drop", lists); code != 0 {
		t.Errorf("exits with %d: %s", code, said)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "x,raw,in.n\n1,,0\n2,,7\n" {
		t.Errorf("%q %v", got, err)
	}
	rows[0].Raw = []byte{0xff, 0}
	write()
	code, said = command(t, "data", "convert", in, out, "--drop", lists)
	if code != 3 || !strings.Contains(said, "column raw: cannot be written: it holds bytes") {
		t.Errorf("exits with %d: %s", code, said)
	}
	reported(t, in, strings.ReplaceAll(lists, ",", ", ")+", each of which holds lists",
		"raw, which holds bytes")
}

// TestConvertKeepsTypes writes truths in any language as booleans, and numbers as numbers whatever
// the role of their column, but no number that would lose its digits.
func TestConvertKeepsTypes(t *testing.T) {
	folder := t.TempDir()
	in, lines := filepath.Join(folder, "a.csv"), filepath.Join(folder, "a.jsonl")
	var text, want strings.Builder
	text.WriteString("nr;customer_id;order_no;long_id;ja;wahr;vrai;class;betrag\n")
	for i := range 24 {
		word := func(no, yes string) string { return []string{no, yes}[i%2] }
		fmt.Fprintf(&text, "%d;%d;%d;900719925474099%02d;%s;%s;%s;%d;%d,5\n", i+1, 7+i%5, 4000+i,
			i, word("nein", "ja"), word("falsch", "wahr"), word("faux", "vrai"), i%3, i)
		fmt.Fprintf(&want, `{"nr":%d,"customer_id":%d,"order_no":%d,"long_id":"900719925474099%02d",`+
			`"ja":%t,"wahr":%t,"vrai":%t,"class":%d,"betrag":%d.5}`+"\n", i+1, 7+i%5, 4000+i, i,
			i%2 == 1, i%2 == 1, i%2 == 1, i%3, i)
	}
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--label", "ja"}, {"--id", "nr"}} {
		for _, through := range []string{"b.parquet", "b.jsonl"} {
			through = filepath.Join(folder, through)
			for _, step := range [][]string{
				append([]string{"data", "convert", in, through}, args...),
				{"data", "convert", through, lines},
			} {
				if code, said := command(t, step...); code != 0 {
					t.Fatal(said)
				}
			}
			got, err := os.ReadFile(lines)
			if err != nil || string(got) != want.String() {
				t.Errorf("%q through %s: %s%v", args, through, got, err)
			}
		}
	}
}
