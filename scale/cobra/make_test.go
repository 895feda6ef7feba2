package cobra_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	scalecobra "github.com/kindred-go/kindred/scale/cobra"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// surveyed writes rows to two files of CSV, with an id and a class each, and returns them as
// methods take them.
func surveyed(t *testing.T, x dataset.Matrix, classes []int32) (shard.Source, *survey.Survey) {
	t.Helper()
	folder := t.TempDir()
	for file := range 2 {
		var b strings.Builder
		b.WriteString("key,a,b,class\n")
		for i := file * x.Rows / 2; i < (file+1)*x.Rows/2; i++ {
			fmt.Fprintf(&b, "row%d,%v,%v,c%d\n", i, x.At(i, 0), x.At(i, 1), classes[i])
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.csv", file)),
			[]byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{folder}, ID: "key", Label: "class", SplitRows: 50})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	return src, sv
}

// TestLinksBetweenAnyRowsCountAsOnOneMachine: the rows that links name are found in the files, join
// their super-instances, and COBRA comes to the groups that it finds with all rows at hand.
func TestLinksBetweenAnyRowsCountAsOnOneMachine(t *testing.T) {
	x, classes := blobs(400, 2, 4, 11)
	src, sv := surveyed(t, x, classes)
	si, err := cobra.Build(t.Context(), x, cobra.Config{SuperInstances: 20,
		Options: fit.Options{Seed: 5}})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := scalecobra.Make(t.Context(), fold.Local{}, src, sv,
		scalecobra.Config{SuperInstances: 20, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for s, row := range si.Medoids {
		if table.IDs[s] != fmt.Sprintf("row%d", row) ||
			table.Classes[s] != fmt.Sprintf("c%d", classes[row]) ||
			table.Sizes[s] != int64(si.Sizes[s]) {
			t.Fatalf("super-instance %d is %s of class %s for %d rows, and on one machine row %d "+
				"for %d", s, table.IDs[s], table.Classes[s], table.Sizes[s], row, si.Sizes[s])
		}
		if table.Raw.At(s, 1) != x.At(row, 1) {
			t.Errorf("row %d has the value %v, want %v", row, table.Raw.At(s, 1), x.At(row, 1))
		}
	}
	var links, named []link.Link
	var ids []string
	for i := range 30 {
		a, b := i*7, 399-i*5
		l := link.Link{A: a, B: b, Kind: link.CannotLink}
		if classes[a] == classes[b] {
			l.Kind = link.MustLink
		}
		links = append(links, l)
		l.A, l.B = len(ids), len(ids)+1
		named, ids = append(named, l), append(ids, fmt.Sprintf("row%d", a), fmt.Sprintf("row%d", b))
	}
	run, err := cobra.Start(si, x, cobra.Config{Knowledge: fit.Knowledge{Links: links}})
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := table.Resolve(t.Context(), fold.Local{}, src, sv, named, ids)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Join(resolved, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	want := run.Result()
	if !slices.Equal(got.ClusterOf, want.ClusterOf) || len(got.Unmet) != len(want.Unmet) {
		t.Errorf("groups %v with %d links unmet, want %v with %d", got.ClusterOf, len(got.Unmet),
			want.ClusterOf, len(want.Unmet))
	}
	if _, err := table.Resolve(t.Context(), fold.Local{}, src, sv, []link.Link{{A: 0, B: 1}},
		[]string{"row1", "nobody"}); !fault.IsInput(err) {
		t.Errorf("a link with a stranger: %v", err)
	}
}

// TestFindReadsTheRowsThatAreWanted, by number and by id, in order of the table.
func TestFindReadsTheRowsThatAreWanted(t *testing.T) {
	x, classes := blobs(300, 2, 3, 2)
	src, sv := surveyed(t, x, classes)
	for _, c := range []struct {
		numbers []int64
		ids     []string
		want    []int64
	}{
		{numbers: []int64{0, 149, 150, 299}, want: []int64{0, 149, 150, 299}},
		{ids: []string{"row7", "row299", "nobody"}, want: []int64{7, 299}},
		{numbers: []int64{5, 1000}, ids: []string{"row2"}, want: []int64{2, 5}},
		{},
	} {
		found, err := sample.Find(t.Context(), fold.Local{}, "find", src, sv,
			sample.Wanted{Numbers: c.numbers, IDs: c.ids})
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, r := range found.Named {
			got = append(got, r.Number)
			if r.ID != fmt.Sprintf("row%d", r.Number) ||
				r.Label != fmt.Sprintf("c%d", classes[r.Number]) ||
				r.Values[0] != x.At(int(r.Number), 0) {
				t.Errorf("row %d is %+v", r.Number, r)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("found %v, want %v", got, c.want)
		}
	}
}
