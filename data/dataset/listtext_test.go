package dataset

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestListsBecomeTexts(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"a","angles":[1, -2.5,3e4],"n":2}`: `{"id":"a","angles":"[1, -2.5,3e4]",` +
			`"n":2}`,
		`{"a":[],"b":[1]}`: `{"a":"[]","b":"[1]"}`,
		`{"a":"no [1] \"[2]\" \\"}` + "\n" + `{"a":[2]}`: `{"a":"no [1] \"[2]\" \\"}` + "\n" +
			`{"a":"[2]"}`,
		`{"a":[1,"x"]}`:              `{"a":[1,"x"]}`,
		`{"a":[[1]]}`:                `{"a":["[1]"]}`,
		`{"a":[1,2`:                  `{"a":[1,2`,
		"{\"a\":\"open\n{\"b\":[1]}": "{\"a\":\"open\n{\"b\":\"[1]\"}",
		"":                           "",
	} {
		for _, r := range []io.Reader{strings.NewReader(text),
			iotest.OneByteReader(strings.NewReader(text))} {
			got, err := io.ReadAll(newListText(r))
			if err != nil || string(got) != want {
				t.Errorf("%q becomes %q (%v), want %q", text, got, err, want)
			}
		}
	}
}

// FuzzListText: nothing is lost or added but quotes around lists, and JSON stays JSON.
func FuzzListText(f *testing.F) {
	f.Add([]byte(`{"a":[1,2],"b":"[\"","c":[true]}`))
	f.Add([]byte("[1\n]\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := io.ReadAll(newListText(bytes.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		plain := func(b []byte) string { return strings.ReplaceAll(string(b), `"`, "") }
		if plain(got) != plain(text) {
			t.Fatalf("%q became %q", text, got)
		}
		if !bytes.ContainsAny(text, "\r\n") && json.Valid(text) && !json.Valid(got) {
			t.Fatalf("%q became %q, which is not JSON", text, got)
		}
	})
}

func TestListsOfLinesBecomeVectors(t *testing.T) {
	const lines = `{"id":"a","v":[1, -2.5,3e4],"n":2}` + "\n" + `{"v":null,"id":"b","n":1}` + "\n" +
		`{"n":0,"v":[0.5,1,2],"id":"c"}` + "\n"
	file := readString(t, lines, "a.jsonl", ReadOptions{Vectors: "v"})
	stream, err := readBytes(t.Context(), []byte(lines), "a.jsonl",
		ReadOptions{Vectors: "v", Features: []string{"n"}})
	if err != nil {
		t.Fatal(err)
	}
	if file.Fingerprint != stream.Fingerprint {
		t.Error("a file and a stream have different fingerprints")
	}
	if got := strings.Join(file.Features(), " "); got != "v_1 v_2 v_3" {
		t.Errorf("the features are %s", got)
	}
	if got := strings.Join(stream.Features(), " "); got != "v_1 v_2 v_3 n" {
		t.Errorf("beside another: %s", got)
	}
	for _, table := range []*Table{file, stream} {
		if table.Value(0, table.Column("v_3")) != 3e4 || table.Value(2, table.Column("v_1")) != 0.5 ||
			table.Columns[table.Column("v_2")].Missing != 1 || table.ID(1) != "b" {
			t.Errorf("the table is %q", cells(table))
		}
	}
	for want, text := range map[string]string{
		"line 2, column v: has 1 number, and the lists before have 2": `{"v":[1,2]}` + "\n" +
			`{"v":[3]}`,
		`line 2, column v: "" in the list is not a number`: `{"v":[1,2]}` + "\n" + `{"v":[3,]}`,
		"column v: holds no lists of numbers":              `{"v":1}` + "\n" + `{"v":2}`,
		"line 2, column v: the value is a list":            `{"v":[1,2]}` + "\n" + `{"v":[[1],2]}`,
	} {
		_, err := readBytes(t.Context(), []byte(text), "a.jsonl", ReadOptions{Vectors: "v"})
		wantFault(t, err, "a.jsonl, "+want)
	}
}
