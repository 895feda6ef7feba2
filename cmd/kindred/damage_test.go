package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/internal/cli"
)

// TestMutatedFilesExitWith3: of a project, a model, a state and a credal partition whose bytes
// changed, the command makes what it makes of the whole file, or ends with exit code 3 and one
// sentence that names the file. The codes of kindred check agree.
func TestMutatedFilesExitWith3(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	run := func(keys string, args ...string) (code int, said string) {
		var talk strings.Builder
		a := newApp(strings.NewReader(keys), io.Discard, &talk,
			func(string) string { return "" })
		return run(t.Context(), a, args), talk.String()
	}
	must := func(keys string, args ...string) {
		t.Helper()
		if code, said := run(keys, args...); code != cli.Done {
			t.Fatalf("%q exits with %d: %s", args, code, said)
		}
	}
	must("s\nd\nd\nu\ns\nd\nd\nq\n", "ask", "iris", "--terminal", "--project", "p.kindred", "--who",
		"ana")
	must("", "cluster", "iris", "-k", "3", "--model", "g.model", "--out", "g.csv")
	must("", "cluster", "iris", "--method", "evclus", "-k", "3", "--out", "m.parquet")
	if err := os.WriteFile("rows.csv", []byte("x,y\n1,2\n1,3\n8,8\n8,9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must("", "stream", "rows.csv", "-k", "2", "--state", "s.state", "--out", "labels.csv")
	n := 60
	if testing.Short() {
		n = 4
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for _, x := range []struct {
		file string
		args []string
		out  string
	}{
		{"p.kindred", []string{"plot", "p.kindred", "--out", "p.svg"}, "p.svg"},
		{"p.kindred", []string{"ask", "iris", "--project", "p.kindred", "--terminal", "--answers",
			"a.csv"}, "a.csv"},
		{"g.model", []string{"predict", "g.model", "iris", "--out", "o.csv"}, "o.csv"},
		{"m.parquet", []string{"plot", "m.parquet", "--data", "iris", "--out", "m.svg"}, "m.svg"},
		{"s.state", []string{"stream", "rows.csv", "-k", "2", "--state", "s.state", "--out",
			"labels.csv"}, "labels.csv"},
	} {
		whole, err := os.ReadFile(x.file)
		if err != nil {
			t.Fatal(err)
		}
		must("q\n", x.args...)
		want, err := os.ReadFile(x.out)
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for range n {
			if x.file != "s.state" { // its labels are gone on with
				os.Remove(x.out)
			}
			bad := bytes.Clone(whole)
			at := rng.IntN(len(bad))
			what := fmt.Sprintf("%s, byte %d", x.file, at)
			if rng.IntN(8) == 0 {
				bad, what = bad[:at+1], what+", cut"
			} else {
				bad[at] ^= 1 << rng.IntN(8)
			}
			os.Remove(x.file + "-wal")
			if err := os.WriteFile(x.file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			checked, _ := run("", "check", x.file)
			code, said := run("q\n", x.args...)
			if code == cli.Done && checked == cli.Done {
				if got, err := os.ReadFile(x.out); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %q makes something else of it", what, x.args)
				}
				continue
			}
			refused++
			lines := strings.Split(strings.TrimSpace(said), "\n")
			last := lines[len(lines)-1]
			if code == cli.Done && x.file == "m.parquet" { // what is not drawn is damaged
				continue
			}
			if code != cli.Input || checked != cli.Input ||
				!strings.Contains(last, filepath.Base(x.file)) {
				t.Errorf("%s: check exits with %d, %q with %d: %s", what, checked, x.args, code, said)
			}
		}
		t.Logf("%s: of %d mutated files %d are refused", strings.Join(x.args[:2], " "), n, refused)
		if err := os.WriteFile(x.file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
