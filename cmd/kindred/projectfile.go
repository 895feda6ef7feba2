package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/project/store"
)

// isProject reports whether a name is that of a project file.
func isProject(name string) bool { return strings.EqualFold(filepath.Ext(name), ".kindred") }

// projectName is NAME.kindred in this folder, NAME being that of the data without its endings.
func projectName(data string) string {
	base := filepath.Base(data)
	if base == "." || base == ".." {
		if abs, err := filepath.Abs(data); err == nil {
			base = filepath.Base(abs)
		}
	}
	for _, end := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, end)
	}
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".kindred"
}

// inUse says of a project that is open elsewhere what to do.
func inUse(err error, path string) error {
	if errors.Is(err, store.ErrInUse) {
		return fmt.Errorf("%s: %w by Ctrl-C, or keep another project with --project", path,
			store.ErrInUse)
	}
	return err
}
