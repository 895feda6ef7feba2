//go:build unix

package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// TestNobodyWaitsForAPipe: opening one ends only when somebody writes into it.
func TestNobodyWaitsForAPipe(t *testing.T) {
	folder := write(t, map[string]string{"in.csv": "x,y\n1,2\n3,4\n5,7\n",
		"m.csv": "0,1,2\n1,0,3\n2,3,0\n"})
	pipe := filepath.Join(folder, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here")
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, place := range map[string]Place{pipe: {}, "pipe.csv": {Root: root}} {
		if _, err := Open(t.Context(), place, name, New(), nil); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "no ordinary file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for setting, r := range map[string]*Recipe{
		"embedding": recipe(t, "embedding", "pipe.csv"),
		"links":     recipe(t, "links", "pipe.csv"),
		"labels":    recipe(t, "dissimilarity", "true", "clusters", "2", "labels", "pipe.csv"),
		"pictures":  recipe(t, "dissimilarity", "true", "clusters", "2", "pictures", "pipe.csv"),
		"focal":     recipe(t, "dissimilarity", "true", "clusters", "2", "focal", "pipe.csv"),
	} {
		name := "in.csv"
		if r.Square {
			name = "m.csv"
		}
		d, err := Open(t.Context(), Place{Root: root}, name, r, nil)
		if err == nil {
			_, err = r.Begin(t.Context(), d, nil)
		}
		if !fault.IsInput(err) {
			t.Errorf("--%s: %v", setting, err)
		}
	}
}

// TestPipesInAFolderOfTexts are left out, by themselves and behind a link.
func TestPipesInAFolderOfTexts(t *testing.T) {
	folder := write(t, map[string]string{"a.txt": "one", "b.txt": "two"})
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.txt"), 0o600); err != nil {
		t.Skip("no pipes here")
	}
	for from, to := range map[string]string{"link.txt": "pipe.txt", "c.txt": "a.txt"} {
		if err := os.Symlink(to, filepath.Join(folder, from)); err != nil {
			t.Skip("no links here")
		}
	}
	var s Source
	table, err := s.Read(t.Context(), Place{}, folder, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for row := range table.Rows {
		ids = append(ids, table.ID(row))
	}
	if want := []string{"a.txt", "b.txt", "c.txt"}; !slices.Equal(ids, want) {
		t.Errorf("the texts are %q, want %q", ids, want)
	}
}
