package dataset

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestListsHaveTheFingerprintOfTheFirstEdition: where rows are compared by lists or texts, it is
// that of the lines with their lists in quotes, of a file and of a stream.
func TestListsHaveTheFingerprintOfTheFirstEdition(t *testing.T) {
	const text = `{"id":"a","text":"a cat sat","v":[1,2,3]}
{"id":"b","text":"a dog ran","v":[1,2,4]}
{"id":"c","text":"rain in may","v":[3,2,3]}
`
	// sha256sum of the lines with "[1,2,3]" and the like as texts
	const (
		quoted = "986beb00b8678319ad361c9f62dda50226e799e401cfa3c2e33f33be07ff8e0d"
		raw    = "5ee528abc0f85f0fd6552c46506a0304c850348eb23ca67b4dc376eebcea42bb"
	)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]ReadOptions{quoted: {Lists: true}, raw: {Vectors: "v"}} {
		file, err := Read(context.Background(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := ReadStream(context.Background(), strings.NewReader(text), "t.jsonl", o)
		if err != nil {
			t.Fatal(err)
		}
		if file.Fingerprint != want || stream.Fingerprint != want {
			t.Errorf("%+v: %s, %s, want %s", o, file.Fingerprint, stream.Fingerprint, want)
		}
	}
}
