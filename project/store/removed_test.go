package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// A step is not called kept when the file that it went to is no longer there; put back, the project
// goes on.
func TestARemovedFileIsNoticed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be moved on Windows")
	}
	path := filepath.Join(t.TempDir(), "a.kindred")
	p, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	step := store.Event{Step: store.Same, A: "1", B: "2"}
	if err := p.Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	aside := path + ".aside"
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	step.B = "3"
	if err := p.Append(t.Context(), step); !errors.Is(err, fault.Moved) {
		t.Errorf("the file is gone, and a step is told %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Append(t.Context(), step); !errors.Is(err, fault.Moved) {
		t.Errorf("another file is in its place, and a step is told %v", err)
	}
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
	if err := p.Append(t.Context(), step); err != nil {
		t.Errorf("put back: %v", err)
	}
	events, err := p.Events(t.Context())
	if err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
}
