package kindred_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestBadInput: what is wrong is an error that says where, never a panic.
func TestBadInput(t *testing.T) {
	ctx := t.Context()
	var setting fault.Setting
	if _, err := kindred.Read(ctx, "none.csv"); !fault.IsInput(err) {
		t.Errorf("a file that does not exist: %v", err)
	}
	if _, err := kindred.Read(ctx, "iris", kindred.Params{"colour": "red"}); !errors.As(err,
		&setting) {
		t.Errorf("a setting that does not exist: %v", err)
	}
	table, err := kindred.Read(ctx, "iris")
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]kindred.Params{
		"no clusters": nil, "a word": {"clusters": "many"}, "too few": {"clusters": "0"},
	} {
		if _, err := table.Cluster(ctx, "kmeans", params); !errors.As(err, &setting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := table.Cluster(ctx, "kmeens", nil); err == nil ||
		!strings.Contains(err.Error(), "kmeans") {
		t.Errorf("a method that does not exist: %v", err)
	}
	if _, err := table.Ask(ctx, nil, kindred.Params{"budget": "-1"}); !errors.As(err, &setting) {
		t.Errorf("a budget below 0: %v", err)
	}
}

// TestDataAreReadOnce: a file that changes after it was read changes no result.
func TestDataAreReadOnce(t *testing.T) {
	ctx := t.Context()
	for name, c := range map[string]struct {
		before, after string
		params        kindred.Params
	}{
		"table.csv": {"x,y\n1,1\n1,2\n8,8\n8,9\n", "x,y\n1,1\n2,9\n", nil},
		"matrix.csv": {"0,1,9,9\n1,0,9,9\n9,9,0,1\n9,9,1,0\n", "0,1,2\n1,0,3\n2,3,0\n",
			kindred.Params{"dissimilarity": "true"}},
		"texts.jsonl": {`{"t":"red apples and green pears on the tree"}
{"t":"green pears and red apples in the basket"}
{"t":"fast cars and slow lorries on the road"}
{"t":"slow lorries and fast cars in the town"}
`, `{"t":"one"}`, kindred.Params{"text": "t"}},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.before), 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := kindred.Read(ctx, path, c.params)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.after), 0o644); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, method := range []string{"agglomerative", "evclus"} {
				result, err := table.Cluster(ctx, method, kindred.Params{"clusters": "2"})
				if err != nil || len(result.Labels) != 4 {
					t.Errorf("%s: %s: %v of the file that was read (%v)", name, method, result, err)
				}
			}
		}
		_, err = table.Ask(ctx, func(context.Context, kindred.Question) (kindred.Answer, error) {
			return 0, kindred.ErrStop
		}, kindred.Params{"method": "evclus", "clusters": "2"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAskStops: an answering function ends the questions, and its own error is returned.
func TestAskStops(t *testing.T) {
	table, err := kindred.Read(t.Context(), "iris", kindred.Params{"label": "class"})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	result, err := table.Ask(t.Context(),
		func(context.Context, kindred.Question) (kindred.Answer, error) {
			if asked++; asked > 3 {
				return 0, kindred.ErrStop
			}
			return kindred.Unknown, nil
		}, nil)
	if err != nil || result.Outcome.Queries != 3 || len(result.Labels) != 150 {
		t.Errorf("%+v, %v", result, err)
	}
	broken := errors.New("broken")
	if _, err := table.Ask(t.Context(),
		func(context.Context, kindred.Question) (kindred.Answer, error) {
			return 0, broken
		}, nil); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestAskNamesRowsThatContradict by their ids.
func TestAskNamesRowsThatContradict(t *testing.T) {
	file := filepath.Join(t.TempDir(), "line.csv")
	if err := os.WriteFile(file, []byte("id,x\nann,1\nbob,2\ncy,9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := kindred.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	_, err = table.Ask(t.Context(),
		func(context.Context, kindred.Question) (kindred.Answer, error) {
			if asked++; asked > 2 {
				return kindred.Different, nil
			}
			return kindred.Same, nil
		}, kindred.Params{"method": "pckmeans", "clusters": "2", "strategy": "random"})
	if err == nil || !strings.Contains(err.Error(), "ann = bob, bob = cy, but ann ≠ cy") {
		t.Errorf("%v", err)
	}
}

// TestResultsAreWritten as files that the command reads.
func TestResultsAreWritten(t *testing.T) {
	table, err := kindred.Read(t.Context(), "wine", kindred.Params{"label": "class"})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, method := range map[string]string{"plain": "kmeans", "masses": "evclus"} {
		result, err := table.Cluster(t.Context(), method, kindred.Params{"clusters": "3"})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Certainty) != 178 || slices.Max(result.Certainty) > 1 {
			t.Errorf("%s: certainty %v", name, result.Certainty)
		}
		for _, file := range []string{name + ".csv", name + ".parquet"} {
			if err := result.Write(filepath.Join(folder, file)); err != nil {
				t.Error(err)
			}
		}
		if err := result.Plot(t.Context(), filepath.Join(folder, name+".svg"), ""); err != nil {
			t.Error(err)
		}
		result.Layout = "neighbours"
		if err := result.Plot(t.Context(), filepath.Join(folder, name+".svg"), ""); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "plain.csv"))
	if err != nil || strings.Count(string(text), "\n") != 179 {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
}

// Rows in memory are clustered as those of a file, with what is known of them.
func TestMatricesInMemory(t *testing.T) {
	ctx := t.Context()
	file, err := kindred.Read(ctx, "iris", kindred.Params{"label": "class"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := file.Cluster(ctx, "kmeans", kindred.Params{"clusters": "3"})
	if err != nil {
		t.Fatal(err)
	}
	x := irisRows(t)
	names := []string{"sepal", "width", "petal", "length"}
	table, err := kindred.FromMatrix(ctx, x, names)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Cluster(ctx, "kmeans", kindred.Params{"clusters": "3"})
	if err != nil || !slices.Equal(got.Labels, want.Labels) {
		t.Errorf("the labels are others: %v", err)
	}
	apart := []link.Link{{A: 0, B: 1, Kind: link.CannotLink}}
	if got, err = table.Know(apart, nil).Cluster(ctx, "copkmeans",
		kindred.Params{"clusters": "3"}); err != nil || got.Labels[0] == got.Labels[1] {
		t.Errorf("a cannot-link is not met: %v", err)
	}
	classes := slices.Repeat([]int32{-1}, x.Rows)
	classes[0], classes[60], classes[120] = 7, 2, 4
	if got, err = table.Know(nil, classes).Cluster(ctx, "seeded-kmeans",
		kindred.Params{}); err != nil || got.Clusters != 3 {
		t.Errorf("known classes: %+v, %v", got, err)
	}
	path := filepath.Join(t.TempDir(), "known.csv")
	if err := got.Write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for row, class := range map[int]string{0: "7", 60: "2", 120: "4"} {
		if want := fmt.Sprintf("%d,%d,%s", row+1, got.Labels[row], class); lines[row+1] != want {
			t.Errorf("row %d is %q in the file, and should be %q", row, lines[row+1], want)
		}
	}
	for _, bad := range []func() error{
		func() error { _, err := kindred.FromMatrix(ctx, x, names[:2]); return err },
		func() error {
			_, err := kindred.FromMatrix(ctx, x, []string{"a", "b", "a", "c"})
			return err
		},
		func() error {
			_, err := kindred.FromMatrix(ctx, x, nil, kindred.Params{"dissimilarity": "true"})
			return err
		},
		func() error {
			_, err := table.Know([]link.Link{{A: 0, B: 150}}, nil).Cluster(ctx, "copkmeans",
				kindred.Params{"clusters": "3"})
			return err
		},
		func() error {
			_, err := table.Know(nil, classes[:3]).Cluster(ctx, "seeded-kmeans", nil)
			return err
		},
	} {
		if err := bad(); !fault.IsInput(err) {
			t.Errorf("the error is %v", err)
		}
	}
}

// irisRows returns the rows of iris.
func irisRows(t *testing.T) dataset.Matrix {
	t.Helper()
	found, _ := sample.Find("iris")
	r, err := found.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := dataset.ReadStream(t.Context(), r, "iris",
		dataset.ReadOptions{Format: dataset.FormatCSV, Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	return p.X
}
