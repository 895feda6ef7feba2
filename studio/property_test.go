package studio

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// A download has a name that every system takes, whatever the project is called.
func TestFileNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.SampledFrom([]string{"partition.csv", "project.kindred",
			"model.json"}).Draw(t, "file")
		name := fileName(rapid.String().Draw(t, "id"), file)
		if strings.Trim(name,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" ||
			strings.HasPrefix(name, ".") || strings.Contains(name, "..") || len(name) > 130 ||
			!strings.HasSuffix(name, file[strings.IndexByte(file, '.'):]) {
			t.Fatalf("the file is named %q", name)
		}
	})
	for id, want := range map[string]string{"iris": "iris-partition.csv",
		"a/b c": "a_b_c-partition.csv", "木": "partition.csv", "": "partition.csv"} {
		if got := fileName(id, "partition.csv"); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

// The id of a new project names a file right in the folder, whatever the data are called.
func TestIDsOfProjects(t *testing.T) {
	s, err := New(Config{Root: t.TempDir(), Secret: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rapid.Check(t, func(t *rapid.T) {
		id, err := s.freeID(rapid.String().Draw(t, "data"))
		if err != nil || id == "" || strings.ContainsAny(id, "/\\:*?\"<>|.\x00") ||
			len([]rune(id)) > 70 {
			t.Fatalf("the project is called %q", id)
		}
	})
	for data, want := range map[string]string{"iris": "iris", "sub/rows.csv.gz": "rows",
		"a b.csv": "a-b", "..": "project", ".csv": "csv", "日本.csv": "日本", "-": "project"} {
		if got, err := s.freeID(data); got != want || err != nil {
			t.Errorf("data %q: %q, %v, want %q", data, got, err, want)
		}
	}
	// A folder that cannot be looked at any more is no reason to look for ever.
	s.root.Close()
	if id, err := s.freeID("iris"); !fault.IsInput(err) {
		t.Errorf("in a folder that is gone: %q, %v", id, err)
	}
}

// FuzzJSON holds the limit of depth against the library's own reading of the text.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,"]",{"b":"\\\""}]}`, `"[[[[[[[[[[[[[[[[[[[["`,
		strings.Repeat("[", 17) + strings.Repeat("]", 17), `nul`, "\"\xff\"", `[`,
		`{"a":[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]],"a":1}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got any
		err := readJSON([]byte(text), &got)
		fine := json.Valid([]byte(text)) && utf8.ValidString(text) && depth(text) <= deepestJSON
		if fine != (err == nil) {
			t.Errorf("%q was read as %v, %v", text, got, err)
		}
	})
}

// depth returns how far the values of a text are nested.
func depth(text string) (most int) {
	in := json.NewDecoder(strings.NewReader(text))
	for now := 0; ; {
		token, err := in.Token()
		if err != nil {
			return most
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			now++
			most = max(most, now)
		case json.Delim(']'), json.Delim('}'):
			now--
		}
	}
}
