package main

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
)

// silent runs a command line in this process.
func silent(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(context.Background(), newApp(&o, &e, func(string) string { return "" }), args)
	return code, o.String(), e.String()
}

// TestEveryFlagIsTakenOrRefusedWithAReason: none of kindred cluster is passed over in silence,
// whatever the method.
func TestEveryFlagIsTakenOrRefusedWithAReason(t *testing.T) {
	values := map[string]string{"oracle": "labels"}
	for _, p := range input.New().Declared() {
		values[p.Name] = cmp.Or(p.Example, p.Default, "1")
		if len(p.Choices) > 0 {
			values[p.Name] = p.Choices[0]
		}
	}
	flags := newCluster(newApp(nil, nil, nil)).Flags()
	for _, m := range methods() {
		takes := taken(m.takes())
		flags.VisitAll(func(f *pflag.Flag) {
			if slices.Contains(takes, f.Name) || slices.Contains(ofReadingElsewhere, f.Name) {
				return
			}
			code, _, said := silent("cluster", "nothing.csv", "--method", m.name,
				"--"+f.Name+"="+cmp.Or(values[f.Name], "1"))
			if code != cli.Usage || !strings.Contains(said, "--"+f.Name+": ") {
				t.Errorf("%s --%s: exit code %d: %s", m.name, f.Name, code, said)
			}
		})
	}
}

// TestMethodsAreThoseOfKindred: each is there on one machine, and every flag that it takes is one
// of the command.
func TestMethodsAreThoseOfKindred(t *testing.T) {
	flags := newCluster(newApp(nil, nil, nil)).Flags()
	for _, m := range methods() {
		if _, err := all.Find(m.name); err != nil {
			t.Error(err)
		}
		for _, name := range m.takes() {
			if flags.Lookup(name) == nil {
				t.Errorf("%s takes --%s, which there is not", m.name, name)
			}
		}
	}
}

// TestEveryCommandShowsHowItIsUsed.
func TestEveryCommandShowsHowItIsUsed(t *testing.T) {
	for _, c := range newRoot(newApp(nil, nil, nil)).Commands() {
		if c.Example == "" || c.Short == "" {
			t.Errorf("%s has no example", c.Name())
		}
		code, out, _ := silent(c.Name(), "--help")
		if code != cli.Done || !strings.Contains(out, "kindred-scale "+c.Name()) {
			t.Errorf("%s --help: exit code %d", c.Name(), code)
		}
	}
	if code, out, _ := silent("version"); code != cli.Done || !strings.Contains(out, "Beam v2") {
		t.Errorf("version: %q", out)
	}
	if code, out, _ := silent("completion", "bash"); code != cli.Done ||
		!strings.Contains(out, "kindred-scale") {
		t.Error("there is no completion")
	}
}

func TestBadRowsAreANumberOrAShare(t *testing.T) {
	for text, want := range map[string]shard.Bad{"0": {}, "12": {Most: 12}, "0.5%": {Share: 0.005},
		"100%": {Share: 1}} {
		if got, err := parseBad(text); err != nil || got != want {
			t.Errorf("%q is %+v (%v)", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "101%", "-1%", "NaN%", "%", "few"} {
		if got, err := parseBad(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestSizesOfClustersAreThoseOfTheirCentres(t *testing.T) {
	if got := bySize([]int64{5, 7, 0, 2}, []int{1, 2, 3, 1}); !slices.Equal(got, []int64{7, 7}) {
		t.Errorf("sizes %v", got)
	}
	if got := bySize([]int64{5, 7, 2}, []int{0, 1, 2}); !slices.Equal(got, []int64{7, 2}) {
		t.Errorf("sizes without a row of none %v", got)
	}
	if got := kmeans.Ranks([]int64{5, 9, 0, 9}); !slices.Equal(got, []int{3, 1, 4, 2}) {
		t.Errorf("ranks %v", got)
	}
	if got := sizes([]int64{9, 8, 7, 6, 5, 4, 3, 2, 1, 1},
		4); got != "(9, 8, 7, 6, 5, 4, 3, 2 rows, and 2 smaller, and 4 in none)" {
		t.Error(got)
	}
}

func TestProgressSaysWhichRoundOfAJobIsUnderWay(t *testing.T) {
	for want, p := range map[string]engine.Progress{
		"lloyd: round 4, 500 rows of 1000, 250 rows/s": {Plan: "lloyd", Round: 4, Rows: 500,
			Of: 1000, Since: 2 * time.Second},
		"lloyd: round 6, 100 rows of 1000, 1050 rows/s": {Plan: "lloyd", Round: 4, Rows: 2100,
			Of: 1000, Since: 2 * time.Second},
		"lloyd: round 5, 1000 rows of 1000, 1000 rows/s": {Plan: "lloyd", Round: 4, Rows: 2000,
			Of: 1000, Since: 2 * time.Second},
		"survey: round 1, 700 rows, 350 rows/s": {Plan: "survey", Round: 1, Rows: 700,
			Since: 2 * time.Second},
		"lloyd: round 1, 9 s, on the engine as kindred-1-a": {Plan: "lloyd", Round: 1, Of: 1000,
			Since: 9 * time.Second, Job: "kindred-1-a"},
	} {
		if got := describe(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestProgressIsSaidAfterAWhileAndNotToTheQuiet, and rarely where no terminal shows it.
func TestProgressIsSaidAfterAWhileAndNotToTheQuiet(t *testing.T) {
	var said bytes.Buffer
	p := &progress{app: newApp(nil, &said, nil)}
	now := engine.Progress{Plan: "lloyd", Round: 1, Rows: 10, Of: 20, Since: time.Second}
	p.update(now)
	if said.Len() > 0 {
		t.Errorf("too early: %s", said.String())
	}
	now.Since = 3 * time.Second
	p.update(now)
	p.update(now)
	if lines := strings.Count(said.String(), "\n"); lines != 1 {
		t.Errorf("%d lines: %s", lines, said.String())
	}
	said.Reset()
	q := &progress{app: newApp(nil, &said, nil)}
	q.app.quiet = true
	q.update(now)
	if said.Len() > 0 {
		t.Errorf("in spite of --quiet: %s", said.String())
	}
}
