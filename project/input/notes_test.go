package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestClassesAndTextsAmongTheFeaturesAreNamed: no column of words or of classes is a feature
// without a note.
func TestClassesAndTextsAmongTheFeaturesAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	text := "x,cluster,colour\n1,1,red\n2,1,red\n8,2,blue\n9,2,blue\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	notes := func(set ...string) []string {
		r := New()
		for i := 0; i < len(set); i += 2 {
			if err := r.Set(set[i], set[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Open(t.Context(), Place{}, path, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d.Notes()
	}
	named := func(notes []string, column string) bool {
		return slices.ContainsFunc(notes,
			func(n string) bool { return strings.Contains(n, column) })
	}
	if got := notes(); !named(got, "cluster") || !named(got, "colour") {
		t.Errorf("the notes %q do not name cluster and colour", got)
	}
	for _, setting := range []string{"label", "drop"} {
		if got := notes(setting, "cluster"); named(got, "column cluster") {
			t.Errorf("with --%s: %q", setting, got)
		}
	}
}
