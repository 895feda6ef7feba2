package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// TestOtherFilesAreWritten: where one of the files named cannot be written, the others are, and
// what failed first is returned; what else failed is said.
func TestOtherFilesAreWritten(t *testing.T) {
	folder := t.TempDir()
	var talk strings.Builder
	a := newApp(strings.NewReader(""), io.Discard, &talk, func(string) string { return "" })
	o := outputs{out: filepath.Join(folder, "o.csv"), model: filepath.Join(folder, "m.model"),
		answers: filepath.Join(folder, "gone", "a.csv")}
	out := &method.Outcome{Labels: []int{1, 2}, Clusters: 2,
		Asked: []link.Link{{A: 0, B: 1, Kind: link.CannotLink}}}
	err := o.write(t.Context(), a, &input.Data{}, out, nil)
	if err == nil || !strings.Contains(err.Error(), "no model") {
		t.Errorf("error %v, want that there is no model", err)
	}
	if text, err := os.ReadFile(o.out); err != nil || !strings.Contains(string(text), "\n2,2\n") {
		t.Errorf("groups %q, %v", text, err)
	}
	if said := talk.String(); !strings.Contains(said, "gone") ||
		!strings.Contains(said, "the group of each row is in "+o.out) {
		t.Errorf("said: %s", said)
	}
}
