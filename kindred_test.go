package kindred_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred"
	"github.com/kindred-go/kindred/fault"
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
	}
	text, err := os.ReadFile(filepath.Join(folder, "plain.csv"))
	if err != nil || strings.Count(string(text), "\n") != 179 {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
}
