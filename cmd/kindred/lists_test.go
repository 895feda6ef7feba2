package main

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
		`{"id":"a","angles":[1, -2.5,3e4],"n":2}`:        `{"id":"a","angles":"[1, -2.5,3e4]","n":2}`,
		`{"a":[],"b":[1]}`:                               `{"a":"[]","b":"[1]"}`,
		`{"a":"no [1] \"[2]\" \\"}` + "\n" + `{"a":[2]}`: `{"a":"no [1] \"[2]\" \\"}` + "\n" + `{"a":"[2]"}`,
		`{"a":[1,"x"]}`:                                  `{"a":[1,"x"]}`,
		`{"a":[[1]]}`:                                    `{"a":["[1]"]}`,
		`{"a":[1,2`:                                      `{"a":[1,2`,
		"{\"a\":\"open\n{\"b\":[1]}":                     "{\"a\":\"open\n{\"b\":\"[1]\"}",
		"":                                               "",
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
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
