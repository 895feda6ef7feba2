package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/fault"
)

// TestPackedLists: lists are found in packed JSON lines as in plain ones, whether in a file or on
// stdin.
func TestPackedLists(t *testing.T) {
	const plain = `{"id":"a","curve":[1,2]}` + "\n" + `{"id":"b","curve":[3]}` + "\n"
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	io.WriteString(g, plain)
	g.Close()
	z, _ := zstd.NewWriter(&zst)
	io.WriteString(z, plain)
	z.Close()
	for name, text := range map[string]string{"lines.jsonl": plain, "lines.jsonl.gz": gz.String(),
		"lines.jsonl.zst": zst.String()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, data := range []string{path, "-"} {
			s := Source{Series: "curve", Format: "jsonl"}
			table, err := s.Read(t.Context(), Place{Stdin: strings.NewReader(text)}, data, true,
				nil)
			if err != nil {
				t.Errorf("%s by %s: %v", name, data, err)
				continue
			}
			if got := table.Cell(0, table.Column("curve")); got != "[1,2]" {
				t.Errorf("%s by %s: the first curve is %q", name, data, got)
			}
			if data != "-" && table.Name != path {
				t.Errorf("the table of %s is called %s", path, table.Name)
			}
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.jsonl.gz")
	if err := os.WriteFile(bad, append(gz.Bytes()[:gz.Len()-4:gz.Len()-4], 0, 0, 0, 0),
		0o600); err != nil {
		t.Fatal(err)
	}
	s := Source{Series: "curve"}
	var in *fault.Input
	if _, err := s.Read(t.Context(), Place{}, bad, true, nil); !errors.As(err, &in) ||
		in.File != bad {
		t.Errorf("a damaged file: %v", err)
	}
}
