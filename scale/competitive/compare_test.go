package competitive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// made writes a set of groups under the name of a published one.
func made(t *testing.T, n int) string {
	t.Helper()
	x := groups(n)
	var b strings.Builder
	b.WriteString("x,y,class\n")
	for i := range n {
		fmt.Fprintf(&b, "%v,%v,c%d\n", x.At(i, 0), x.At(i, 1), i%3)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, trials[0].file), []byte(b.String()),
		0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The tables have each number of learners and each staleness, and are the same on any number of
// threads.
func TestCompareMakesTables(t *testing.T) {
	t.Parallel()
	cfg := CompareConfig{Folder: made(t, 90), Seeds: 2, Labelled: 3, Threads: 1}
	got, err := Compare(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"over 2 seeds, all cannot-links among 3 labelled rows a class",
		"| Letters | 1 |", "| | 16 |", "| Letters | O-LCVQE | 2 | 0 |", "| | | | any |",
		"\nNot here, and so left out: Pendigits (pendigits389.csv), ",
		"KDD'99 in the order of the file (kddcup99_10pct_ge1000.csv.gz).\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, table := range strings.Split(got, "\n\n") {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		for _, l := range lines {
			if strings.HasPrefix(l, "|") && strings.Count(l, "|") != strings.Count(lines[0], "|") {
				t.Errorf("%q has not the columns of %q", l, lines[0])
			}
		}
	}
	cfg.Threads = 3
	again, err := Compare(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if again != got {
		t.Errorf("on three threads\n%s", again)
	}
}

func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	if _, err := Compare(t.Context(), CompareConfig{Folder: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(),
			"none of the data sets is here: Letters (letterIJL_227.csv), ") {
		t.Errorf("an empty folder: %v", err)
	}
	_, err := Compare(t.Context(), CompareConfig{Folder: made(t, 90),
		Sets: []string{"Letters", "Leters"}})
	if err == nil || !strings.Contains(err.Error(),
		`no data set "Leters"; name some of Letters, Pendigits, `) {
		t.Errorf("a set of a name unheard of: %v", err)
	}
	if _, err := Compare(t.Context(), CompareConfig{Folder: made(t, 90), Seeds: -1}); err == nil {
		t.Error("-1 seeds are taken")
	}
	if _, err := Compare(t.Context(), CompareConfig{Folder: made(t, 2)}); err == nil {
		t.Error("a set of two rows is taken")
	}
}

// On the digits 3, 8 and 9, in ten passes, learners that are averaged every 100 rows come to the
// squared error of one learner, within a twentieth for C-RPCL, though each has an eighth of the
// rows.
func TestAveragingOnPendigits(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" || testing.Short() {
		t.Skip("set KINDRED_DATASETS to the folder of published data sets, and do not use -short")
	}
	r, err := trials[2].run(t.Context(), CompareConfig{Folder: folder, Seeds: 2, Labelled: 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.rows != 3165 {
		t.Fatalf("%d rows", r.rows)
	}
	for _, rule := range rules {
		one, _ := moments(r.got[rule][alone], func(f figures) float64 { return f.nmi })
		many, _ := moments(r.got[rule][mode{learners: 8, period: 100}],
			func(f figures) float64 { return f.nmi })
		off, _ := moments(r.got[rule][mode{learners: 8, period: 100}],
			func(f figures) float64 { return f.squared })
		if off > 1.05 || many < one-0.05 {
			t.Errorf("%v: NMI %.3f by eight learners, %.3f by one; the squared error is %.3f "+
				"times as much", rule, many, one, off)
		}
	}
}

// More rows than prototypes are placed by: a sample of them is drawn, each at its place.
func TestGatherDrawsRows(t *testing.T) {
	t.Parallel()
	const n = sampled + 700
	x := groups(n)
	src, sv := lay(t, x, 3, 4000, 1000)
	cfg := Config{Passes: 1,
		Links: []Link{{A: "r3", B: fmt.Sprintf("r%d", n-1), Kind: link.CannotLink}}}
	cfg.Clusters, cfg.Seed = 3, 4
	ids := []string{"r3", fmt.Sprintf("r%d", n-1)}
	found, err := gather(t.Context(), fold.Local{}, src, sv, cfg, ids)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(found.Rows); n < sampled-200 || n > sampled+200 {
		t.Fatalf("%d rows drawn", len(found.Rows))
	}
	last := int64(-1)
	for _, r := range found.Rows {
		if r.Number <= last || r.Values[0] != x.At(int(r.Number), 0) ||
			r.Values[1] != x.At(int(r.Number), 1) {
			t.Fatalf("row %d after row %d has %v", r.Number, last, r.Values)
		}
		last = r.Number
	}
	if last < n-100 {
		t.Errorf("the last row drawn is %d of %d", last, n)
	}
	if len(found.Linked) != 2 || found.Linked[1].Number != n-1 ||
		found.Linked[0].Values[0] != x.At(3, 0) {
		t.Errorf("linked rows %+v", found.Linked)
	}
	got, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil || got.Rows != n {
		t.Errorf("%v, %v", got, err)
	}
}

// A table of two files is learnt by two learners, who are averaged after each pass.
func ExampleFit() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for f, rows := range []string{"id,x\na,1\nb,9\nc,2\nd,8\n", "id,x\ne,1.5\nf,8.5\ng,1\nh,9\n"} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.csv", f)), []byte(rows),
			0o600); err != nil {
			panic(err)
		}
	}
	var cfg Config
	cfg.Clusters, cfg.Passes = 2, 50
	cfg.Links = []Link{{A: "a", B: "f", Kind: link.CannotLink}}
	ctx := context.Background()
	src, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{dir}, ID: "id"})
	if err != nil {
		panic(err)
	}
	sv, err := survey.Run(ctx, fold.Local{}, src, splits)
	if err != nil {
		panic(err)
	}
	r, err := Fit(ctx, fold.Local{}, src, sv, cfg)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d rounds, %v rows each, %d links not met\n", r.Rounds, r.Nearest, len(r.Violated))
	// Output: 50 rounds, [4 4] rows each, 0 links not met
}
