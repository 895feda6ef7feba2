package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/internal/cli"
)

// TestFilesAreWrittenThoughNobodyReads: where the reader of a pipe is gone, as that of kindred … |
// head is soon, named files are written and the command ends without a word.
func TestFilesAreWrittenThoughNobodyReads(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, files string
		both        bool // nobody reads stderr, too
		code        int
	}{
		{"cluster iris -k 3 --out g.csv --model g.model --plot g.svg", "g.csv g.model g.svg", true,
			cli.Done},
		{"cluster iris -k 3 --out g.csv --json", "g.csv", false, cli.Unread},
		{"cluster iris -k 3 --model g.model --plot g.svg", "g.model g.svg", false, cli.Unread},
		{"cluster iris -k 3 --model g.model --plot g.svg", "g.model g.svg", true, cli.Unread},
		{"cluster iris -k 3", "", false, cli.Unread},
		{"ask iris --oracle labels --label class --budget 9 --out g.csv --answers a.csv",
			"g.csv a.csv iris.kindred", true, cli.Unread},
		{"stream iris --drop class -k 3 --state g.state", "", false, cli.Unread},
		{"data list", "", false, cli.Unread},
	} {
		cmd := exec.Command(self, strings.Fields(c.args)...)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "KINDRED_DATASETS=", "CI=1")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var talk bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &talk
		if c.both {
			cmd.Stderr = w
		}
		err = cmd.Run()
		w.Close()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit code %d (%v), want %d: %s", c.args, code, err, c.code, &talk)
		}
		if strings.Contains(talk.String(), "kindred:") {
			t.Errorf("%s: an error is reported: %s", c.args, &talk)
		}
		for _, name := range strings.Fields(c.files) {
			if _, err := os.Stat(filepath.Join(cmd.Dir, name)); err != nil {
				t.Errorf("%s: %v", c.args, err)
			}
		}
	}
}
