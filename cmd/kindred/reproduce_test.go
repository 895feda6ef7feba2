package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/internal/cli"
)

// TestAStoppedExperimentGoesOn: wherever it is stopped, what ran is kept, it is said how to go on,
// and doing so gives the tables of a run that was never stopped.
func TestAStoppedExperimentGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	args := []string{"reproduce", "competitive-learning-2013", "--sets", "iris", "--parts",
		"tables", "--trials", "2", "--threads", "1"}
	reproduced := func(ctx context.Context, more ...string) (code int, out, talk string) {
		var o, e bytes.Buffer
		a := newApp(strings.NewReader(""), &o, &e, func(string) string { return "" })
		code = run(ctx, a, append(args, more...))
		return code, o.String(), e.String()
	}
	code, whole, talk := reproduced(t.Context())
	if code != cli.Done {
		t.Fatalf("code %d: %s", code, talk)
	}
	folder := filepath.Join(t.TempDir(), "out")
	stopped := 0
	for asked := int64(1); ; asked++ {
		ctx, cancel := context.WithCancel(t.Context())
		p := &patient{Context: ctx, end: cancel}
		p.left.Store(asked)
		code, out, talk := reproduced(p, "--out", folder)
		cancel()
		if code == cli.Done {
			if out != whole {
				t.Errorf("another report:\n%s\nnot\n%s", out, whole)
			}
			break
		}
		stopped++
		if code != cli.Interrupted ||
			!strings.Contains(talk,
				"what ran is in "+folder+"; the same command goes on from there") {
			t.Fatalf("code %d: %s", code, talk)
		}
	}
	if stopped == 0 {
		t.Error("it was never stopped")
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := &patient{Context: ctx, end: cancel}
	p.left.Store(1)
	if code, _, talk := reproduced(p); code != cli.Interrupted ||
		!strings.Contains(talk, "with --out FOLDER the same command goes on") {
		t.Errorf("code %d: %s", code, talk)
	}
	cancel()
}

// TestFoldersOfAnExperimentAreLookedAt: a slip in the name of a folder is told, and what is shipped
// does not stand in for what was meant.
func TestFoldersOfAnExperimentAreLookedAt(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(folder, "nowhere")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"kevclus-2016", "--datasets", nowhere},
			"--datasets: there is no folder " + nowhere + ": check the spelling"},
		{[]string{"all", "--datasets", file},
			"--datasets: " + file +
				" is a file, not a folder: give the folder that the data sets are in"},
		{[]string{"list", "--datasets", nowhere},
			"--datasets: there is no folder " + nowhere + ": check the spelling"},
		{[]string{"kevclus-2016", "--out", file},
			"--out: " + file + " is a file, not a folder: give another name"},
	} {
		var o, e bytes.Buffer
		a := newApp(strings.NewReader(""), &o, &e, func(string) string { return "" })
		if code := run(t.Context(), a,
			append([]string{"reproduce"}, c.args...)); code != cli.Usage ||
			!strings.Contains(e.String(), c.says) || o.Len() > 0 {
			t.Errorf("%v: code %d, stdout %q, stderr %q", c.args, code, o.String(), e.String())
		}
	}
}

// TestPicturesThatAreNotKeptAreTold: figures without tables would else leave nothing but a title.
func TestPicturesThatAreNotKeptAreTold(t *testing.T) {
	said := func(more ...string) string {
		var o, e bytes.Buffer
		a := newApp(strings.NewReader(""), &o, &e, func(string) string { return "" })
		if code := run(t.Context(), a,
			append([]string{"reproduce", "kevclus-2016", "--parts", "butterfly"},
				more...)); code != cli.Done {
			t.Fatalf("code %d: %s", code, e.String())
		}
		return e.String()
	}
	if got, want := said(),
		"4 pictures are not kept: --out FOLDER keeps pictures, tables and raw runs\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := said("--out", filepath.Join(t.TempDir(), "out")); strings.Contains(got, "not kept") {
		t.Errorf("%q, though they are kept", got)
	}
}

func TestManyClustersAreNotListed(t *testing.T) {
	for _, c := range []struct {
		clusters []int
		all      int
		want     string
	}{
		{[]int{1, 3}, 3, "1 or 3"},
		{[]int{1, 2, 3}, 3, "1, 2 or 3"},
		{[]int{1, 2, 3, 4, 5, 6, 7}, 9, "one of 7 clusters, 1, 2, 3, 4, 5, 6, …"},
		{[]int{1, 2, 3, 4, 5, 6, 7}, 7, "any of the 7 clusters"},
	} {
		if got := either(c.clusters, c.all); got != c.want {
			t.Errorf("%v of %d: %q, not %q", c.clusters, c.all, got, c.want)
		}
	}
}
