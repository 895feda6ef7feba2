package knn_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/knn"
)

var ctx = context.Background()

var graph = knn.Graph{K: 2, Index: []int32{1, 2, 0, 2, 1, -1},
	Dist: []float32{.1, 3, .1, 2.5, 2.5, 0}}

func names(row int) string { return []string{"a", "=b", "c,d"}[row] }

func TestGraphsAsText(t *testing.T) {
	want := map[dataset.Format]string{
		dataset.FormatCSV: "id,neighbour,rank,distance\na,'=b,1,0.1\na,\"c,d\",2,3\n'=b,a,1,0.1\n" +
			"'=b,\"c,d\",2,2.5\n\"c,d\",'=b,1,2.5\n",
		dataset.FormatJSONL: `{"id":"a","neighbour":"=b","rank":1,"distance":0.1}
{"id":"a","neighbour":"c,d","rank":2,"distance":3}
{"id":"=b","neighbour":"a","rank":1,"distance":0.1}
{"id":"=b","neighbour":"c,d","rank":2,"distance":2.5}
{"id":"c,d","neighbour":"=b","rank":1,"distance":2.5}
`}
	for format, text := range want {
		var b strings.Builder
		if err := knn.Write(ctx, &b, format, graph, names); err != nil || b.String() != text {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
	if err := knn.Write(ctx, &bytes.Buffer{}, dataset.FormatNPY, graph, names); err == nil {
		t.Error("a graph as .npy")
	}
}

func TestGraphsInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.parquet")
	if err := knn.WriteFile(ctx, path, graph, names); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.ReadFile[knn.Edge](path)
	want := []knn.Edge{{"a", "=b", 1, .1}, {"a", "c,d", 2, 3}, {"=b", "a", 1, .1},
		{"=b", "c,d", 2, 2.5}, {"c,d", "=b", 1, 2.5}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if err := knn.WriteFile(ctx, path[:len(path)-8]+".xlsx", graph, names); err == nil {
		t.Error("a graph as .xlsx")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	other := filepath.Join(t.TempDir(), "graph.csv")
	if err := knn.WriteFile(done, other, graph, names); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if _, err := os.Stat(other); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file that was not finished is left")
	}
}
