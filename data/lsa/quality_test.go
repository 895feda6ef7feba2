package lsa_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
)

// TestNewsgroups clusters real texts, 16 242 posts of four newsgroups cut down to a hundred words,
// and expects the vectors to serve k-means better than the bare words do.
func TestNewsgroups(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets")
	}
	texts, classes, bare := newsgroups(t, filepath.Join(folder, "news20_w100.csv.gz"))
	ari := func(x dataset.Matrix) float64 {
		fit, err := kmeans.Fit(t.Context(), x,
			kmeans.Config{Clusters: 4, Limits: fit.Limits{Starts: 10}})
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int, x.Rows)
		for i, l := range fit.Labels {
			labels[i] = int(l) + 1
		}
		report, err := eval.Compare(labels, classes)
		if err != nil {
			t.Fatal(err)
		}
		return report.AdjustedRand
	}
	m, x, err := lsa.Fit(t.Context(), texts, lsa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	got, plain := ari(x), ari(bare)
	t.Logf("ARI %.3f, %.3f by the bare words; %v", got, plain, m.Notes())
	if got < plain+0.1 {
		t.Errorf("ARI %.3f, and %.3f by the bare words", got, plain)
	}
}

// newsgroups reads a table of words that occur or do not, and a class, as texts, classes and the
// table's rows.
func newsgroups(t *testing.T, path string) (texts []string, classes []int, bare dataset.Matrix) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Scan()
	words := strings.Split(lines.Text(), ",")
	words = words[:len(words)-1]
	names := map[string]int{}
	bare.Cols = len(words)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), ",")
		var text []string
		for j, word := range words {
			value := 0.0
			if cells[j] == "1" {
				text, value = append(text, word), 1
			}
			bare.F64 = append(bare.F64, value)
		}
		class := cells[len(words)]
		if names[class] == 0 {
			names[class] = len(names) + 1
		}
		texts, classes, bare.Rows = append(texts, strings.Join(text, " ")),
			append(classes, names[class]), bare.Rows+1
	}
	return texts, classes, bare
}
