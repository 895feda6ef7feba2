package studio

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project/input"
)

// A sentence about data names only settings that the page has fields for, or flags of commands that
// the page cannot have caused.
func TestSentencesNameSettings(t *testing.T) {
	var known []string
	for _, p := range input.New().Declared() {
		known = append(known, p.Name)
	}
	// of commands alone: where a project is, answers in a terminal, another program's, and the
	// documentation of a name
	commands := []string{"project", "changed-data", "data", "oracle", "answers", "budget", "batch", "model",
		"name"}
	flag := regexp.MustCompile(`"[^"\n]*?--([a-z][a-z-]*[a-z])`)
	found := 0
	for _, folder := range []string{"../data", "../project/input", "../method", "../project"} {
		err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") ||
				strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(os.DirFS(folder), name)
			if err != nil {
				return err
			}
			for _, m := range flag.FindAllSubmatch(text, -1) {
				found++
				if f := string(m[1]); !slices.Contains(known, f) && !slices.Contains(commands, f) {
					t.Errorf("%s/%s names --%s, which is no setting", folder, name, f)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 80 {
		t.Errorf("only %d were found", found)
	}
}
