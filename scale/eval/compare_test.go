package eval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	scaleeval "github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// TestCompareIsScore: from parts of every format that can be read, with ids and without, and from
// columns, all indices are those of eval.Compare on the labels in memory, to the bit.
func TestCompareIsScore(t *testing.T) {
	class, cluster := labels(1000, 6)
	want, err := eval.Compare(cluster, class)
	if err != nil {
		t.Fatal(err)
	}
	if want.Noise == 0 || want.AdjustedRand < 0.3 || want.AdjustedRand > 0.9 {
		t.Fatalf("labels that mean little: %+v", want)
	}
	for _, ids := range []bool{false, true} {
		tab := groups(t, class, 2, ids)
		for _, format := range []string{"csv", "parquet"} {
			folder := tab.parts(t, cluster, format)
			counts, err := scaleeval.Compare(t.Context(), fold.Local{Threads: 3}, tab.source,
				tab.survey, scaleeval.Side{Folder: folder}, scaleeval.Side{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := counts.Report(); err != nil || got != want {
				t.Errorf("%s, ids %v: %+v (%v), want %+v", format, ids, got, err, want)
			}
			apart, err := eval.Compare(eval.Singletons(cluster), class)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := counts.ReportApart(); err != nil ||
				got.AdjustedRand != apart.AdjustedRand || got.Clusters != apart.Clusters {
				t.Errorf("noise apart: %+v (%v), want %+v", got, err, apart)
			}
			again, err := scaleeval.Compare(t.Context(), fold.Local{Threads: 1}, tab.source,
				tab.survey, scaleeval.Side{Folder: folder}, scaleeval.Side{})
			if err != nil || !reflect.DeepEqual(again, counts) {
				t.Errorf("another table on one thread (%v)", err)
			}
		}
	}
}

// TestTwoSides: two columns of the table, and two of parts.
func TestTwoSides(t *testing.T) {
	class, cluster := labels(700, 5)
	tab := groups(t, class, 1, true)
	counts, err := scaleeval.Compare(t.Context(), fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Column: "other"}, scaleeval.Side{Column: "class"})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := counts.Report(); err != nil || r.AdjustedRand != 1 || r.N != 700 ||
		r.Clusters != 5 {
		t.Errorf("two names of one partition: %+v (%v)", r, err)
	}
	half := make([]int, len(cluster))
	for i, c := range cluster {
		half[i] = c / 2
	}
	want, err := eval.Compare(half, cluster)
	if err != nil {
		t.Fatal(err)
	}
	counts, err = scaleeval.Compare(t.Context(), fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Folder: tab.parts(t, cluster, "parquet"), Column: "half"},
		scaleeval.Side{Folder: tab.parts(t, cluster, "csv")})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := counts.Report(); err != nil || r != want {
		t.Errorf("%+v (%v), want %+v", r, err, want)
	}
}

// TestRowsWithoutAClass are left out and counted.
func TestRowsWithoutAClass(t *testing.T) {
	class, cluster := labels(650, 4)
	var found, truth []int
	for i := range class {
		if i%10 == 3 {
			class[i] = -1
			continue
		}
		found, truth = append(found, cluster[i]), append(truth, class[i])
	}
	want, err := eval.Compare(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	tab := groups(t, class, 1, false)
	counts, err := scaleeval.Compare(t.Context(), fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Folder: tab.parts(t, cluster, "csv")}, scaleeval.Side{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := counts.Report(); err != nil || r != want || counts.Left != 65 {
		t.Errorf("%+v, %d left (%v), want %+v and 65", r, counts.Left, err, want)
	}
}

// TestPartsOfAnotherTable are refused by what is wrong with them.
func TestPartsOfAnotherTable(t *testing.T) {
	class, cluster := labels(900, 3)
	tab := groups(t, class, 1, false)
	edit := func(name string, change func(text string) string) func(folder string) error {
		return func(folder string) error {
			path := filepath.Join(folder, name)
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(change(string(text))), 0o644)
		}
	}
	for name, c := range map[string]struct {
		spoil func(folder string) error
		want  string
	}{
		"id": {edit("part-00001.csv",
			func(s string) string { return strings.Replace(s, "\n400,", "\n4000,", 1) }),
			`part-00001.csv: row 100 is of the id "4000", and of split 1 of the table of "400"`},
		"fewer": {edit("part-00002.csv",
			func(s string) string { return s[:strings.LastIndex(s, "900,")] }),
			"part-00002.csv: has fewer rows than split 2"},
		"more": {edit("part-00000.csv", func(s string) string { return s + "301,1,1\n" }),
			"part-00000.csv: has more rows than split 0"},
		"lacking": {func(folder string) error {
			return os.Remove(filepath.Join(folder, "part-00001.csv"))
		}, "holds no part of split 1 of the table; let the run"},
		"one extra": {func(folder string) error {
			return os.Rename(filepath.Join(folder, "part-00002.csv"),
				filepath.Join(folder, "part-00003.csv"))
		}, "part-00003.csv: is a part of a split that the table does not have"},
		"name": {func(folder string) error {
			return os.Rename(filepath.Join(folder, "part-00002.csv"),
				filepath.Join(folder, "labels.csv"))
		}, "labels.csv: is no part by its name"},
	} {
		folder := tab.parts(t, cluster, "csv")
		if err := c.spoil(folder); err != nil {
			t.Fatal(err)
		}
		_, err := scaleeval.Compare(t.Context(), fold.Local{}, tab.source, tab.survey,
			scaleeval.Side{Folder: folder}, scaleeval.Side{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", name, err, c.want)
		}
	}
	tab.source.Label = ""
	if _, err := scaleeval.Compare(t.Context(), fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Folder: tab.parts(t, cluster, "csv")},
		scaleeval.Side{}); !fault.IsInput(err) {
		t.Errorf("no truth: %v", err)
	}
}

func TestCompareIsCancelled(t *testing.T) {
	class, cluster := labels(600, 3)
	tab := groups(t, class, 1, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := scaleeval.Compare(ctx, fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Folder: tab.parts(t, cluster, "csv")}, scaleeval.Side{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestRowsThatAreNoRows: parts that were written without unreadable rows, and without those with
// missing values, are of the rows that are compared, though no feature is.
func TestRowsThatAreNoRows(t *testing.T) {
	class, cluster := labels(500, 3)
	for _, c := range []struct {
		value  string
		change func(src *shard.Source)
	}{
		{"", func(src *shard.Source) { src.Prepare.Missing = shard.MissingDrop }},
		{"many", func(src *shard.Source) { src.BadRows = shard.Bad{Most: 3} }},
	} {
		tab := groups(t, class, 1, true)
		file := filepath.Join(tab.source.Paths[0], "rows-000.csv")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		lines[8] = "-r7," + c.value + ",c1,2"
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
		src := tab.source
		c.change(&src)
		src, splits, err := shard.Plan(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
		if err != nil {
			t.Fatal(err)
		}
		folder := tab.parts(t, cluster, "csv")
		part := filepath.Join(folder, "part-00000.csv")
		if text, err = os.ReadFile(part); err != nil {
			t.Fatal(err)
		}
		lines = strings.Split(string(text), "\n")
		if err := os.WriteFile(part, []byte(strings.Join(append(lines[:8:8], lines[9:]...), "\n")),
			0o644); err != nil {
			t.Fatal(err)
		}
		counts, err := scaleeval.Compare(t.Context(), fold.Local{}, src, sv,
			scaleeval.Side{Folder: folder}, scaleeval.Side{})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := counts.Report(); err != nil || r.N != 499 {
			t.Errorf("value %q: %+v (%v)", c.value, r, err)
		}
	}
}
