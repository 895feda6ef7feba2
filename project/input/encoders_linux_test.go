package input

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
)

// TestPipesInTheFolderOfAnEncoder: a pipe is refused, as it would be waited for without end.
func TestPipesInTheFolderOfAnEncoder(t *testing.T) {
	for _, name := range []string{"modules.json", "config.json", "model.safetensors"} {
		dir := t.TempDir()
		err := os.CopyFS(dir, os.DirFS("../../data/encode/folder/testdata/mean"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
		_, err = new(Source).openOutside(t.Context(), Place{}, encode.Identity{Name: dir})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "no ordinary file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
