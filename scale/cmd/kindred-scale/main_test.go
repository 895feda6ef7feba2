package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the command itself, for scripts and for the tests that kill it.
func TestMain(m *testing.M) {
	if os.Getenv("KINDRED_TEST_AS_COMMAND") != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"kindred-scale": main})
}

// TestScripts runs the command as a user would: each file in testdata/script is a story.
func TestScripts(t *testing.T) {
	p := testscript.Params{
		Dir: "testdata/script", ContinueOnError: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"join":      join,
			"cut":       cut,
			"kindred":   single,
			"sameshape": sameShape,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("KINDRED_DATASETS", "")
			e.Setenv("TMPDIR", e.WorkDir)
			return nil
		},
	}
	if testing.Short() { // the others run whole fits, and build kindred to compare with
		p.Dir, p.Files = "", []string{"testdata/script/bad.txtar"}
	}
	testscript.Run(t, p)
}

// exits runs a command that must end with a given code: exits 3 kindred-scale cluster nothing.csv
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// join writes the rows of all parts of a folder to one file, under one header: join groups
// groups.csv
func join(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: join folder file")
	}
	parts, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "part-*.csv"))
	ts.Check(err)
	var all []byte
	for _, p := range parts {
		text, err := os.ReadFile(p)
		ts.Check(err)
		head, rows, _ := bytes.Cut(text, []byte("\n"))
		if all == nil {
			all = append(append(all, head...), '\n')
		}
		all = append(all, rows...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), all, 0o600))
}

// cut keeps the first bytes of a file: cut 1000 whole.parquet cut.parquet
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut bytes file file")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), text[:n], 0o600))
}

// sameShape holds the mean silhouettes of two outputs to each other: sameshape stdout other
func sameShape(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sameshape file file")
	}
	var means []string
	for _, file := range args {
		_, after, ok := strings.Cut(ts.ReadFile(file), "Silhouette 0")
		if !ok {
			ts.Fatalf("%s has no silhouettes", file)
		}
		mean, _, _ := strings.Cut(after, " ")
		means = append(means, mean)
	}
	if means[0] != means[1] {
		ts.Fatalf("silhouettes 0%s and 0%s", means[0], means[1])
	}
}

// one builds the command for one machine, which the results are held to, once.
var one = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "kindred-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "kindred")
	build := exec.Command("go", "build", "-o", path, "./cmd/kindred")
	build.Dir = filepath.Join("..", "..", "..")
	if said, err := build.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(said)))
	}
	return path, nil
})

// single runs kindred itself, on one machine: kindred cluster iris.csv -k 3
func single(ts *testscript.TestScript, neg bool, args []string) {
	path, err := one()
	ts.Check(err)
	if err := ts.Exec(path, args...); (err != nil) != neg {
		ts.Fatalf("kindred: %v", err)
	}
}
