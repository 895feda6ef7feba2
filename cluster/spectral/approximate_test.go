package spectral_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

// blobs draws n rows of d values around some centres.
func blobs(n, d, centres int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(3, 3))
	middle := make([]float64, centres*d)
	for i := range middle {
		middle[i] = rng.NormFloat64()
	}
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n {
		for _, v := range middle[rng.IntN(centres)*d:][:d] {
			m.F64 = append(m.F64, v+rng.NormFloat64()/2)
		}
	}
	return m
}

// Neighbours that an approximate search has missed change little. At a recall of .99 the index of
// pendigits is .97: few links hold some of its clusters together, and some of these are missed.
func TestApproximateGraphsClusterAsExactOnes(t *testing.T) {
	type set struct {
		x        dataset.Matrix
		clusters int
	}
	sets := map[string]set{"blobs": {blobs(6000, 12, 10), 10}}
	if folder := os.Getenv("KINDRED_DATASETS"); folder != "" && !testing.Short() {
		for name, clusters := range map[string]int{"pendigits": 10, "optdigits_train": 10} {
			table, err := dataset.Read(ctx, filepath.Join(folder, name+".csv"),
				dataset.ReadOptions{Label: "class"})
			if err != nil {
				t.Fatal(err)
			}
			prepared, err := table.Prepare(ctx, dataset.Preparation{})
			if err != nil {
				t.Fatal(err)
			}
			sets[name] = set{prepared.X, clusters}
		}
	}
	for name, s := range sets {
		var labels [2][]int32
		for i, how := range []spectral.Search{spectral.Exact, spectral.Approximate} {
			g := graph(t, s.x, spectral.GraphConfig{Search: how})
			if g.Search != how || g.Recall < .99 || how == spectral.Exact && g.Recall != 1 {
				t.Errorf("%s, %v: the search was %v, of recall %.4f", name, how, g.Search, g.Recall)
			}
			r, err := spectral.Fit(ctx, g, spectral.Config{Clusters: s.clusters})
			if err != nil {
				t.Fatal(err)
			}
			labels[i] = r.Labels
		}
		ari := rand0(t, ints(labels[0]), labels[1])
		if ari < .98 {
			t.Errorf("%s: adjusted Rand index %.4f with an exact graph", name, ari)
		}
	}
}

// The report says how many of the neighbours of an approximate graph are true.
func TestRecallIsReported(t *testing.T) {
	i := slices.IndexFunc(spectral.Methods(),
		func(m method.Method) bool { return m.Name == "spectral" })
	c, err := spectral.Methods()[i].With(map[string]string{"graph": "approximate",
		"clusters": "10", "starts": "1"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Fit(t.Context(), method.Problem{Data: blobs(6000, 12, 10)})
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile("^20 nearest neighbours of each row, found approximately: " +
		"(100|99[.][0-9]+) % are no farther than the last true one, measured on a sample$")
	if !slices.ContainsFunc(out.Notes, want.MatchString) {
		t.Errorf("the notes are %q", out.Notes)
	}
}
