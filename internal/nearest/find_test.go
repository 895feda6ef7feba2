package nearest_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/nearest"
)

var ctx = context.Background()

// cloud draws n rows of d values between −1 and 1.
func cloud(n, d int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 7))
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		m.F64 = append(m.F64, 2*rng.Float64()-1)
	}
	return m
}

// find finds the neighbours of rows by Euclidean distance.
func find(x dataset.Matrix, cfg nearest.Config) (*nearest.Neighbours, error) {
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		return nil, err
	}
	return nearest.Find(ctx, src, cfg)
}

// all sorts the others of each row.
func all(t *testing.T, x dataset.Matrix, k int) (index []int32, dist []float32) {
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, x.Rows)
	for i := range x.Rows {
		src.Row(row, i, nil)
		var others []int32
		for j := range x.Rows {
			if j != i {
				others = append(others, int32(j))
			}
		}
		slices.SortStableFunc(others, func(a, b int32) int { return cmp.Compare(row[a], row[b]) })
		for _, j := range others[:k] {
			index, dist = append(index, j), append(dist, row[j])
		}
	}
	return index, dist
}

// Values on a coarse grid, so that many distances are equal; the tree serves the first columns, all
// pairs the last.
func TestExactNeighboursAreExact(t *testing.T) {
	columns := []int{1, 2, 3, 8, 12}
	if testing.Short() {
		columns = []int{2, 12}
	}
	for _, d := range columns {
		x := cloud(1010, d, uint64(d))
		for i, v := range x.F64 {
			x.F64[i] = math.Round(v * 20)
		}
		index, dist := all(t, x, 9)
		for _, threads := range []int{1, 3} {
			got, err := find(x,
				nearest.Config{K: 9, Search: nearest.Exact, Seed: 1, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Dist, dist) || !slices.Equal(got.Index, index) {
				t.Errorf("%d columns, %d threads: other neighbours", d, threads)
			}
		}
	}
}

// recall returns the share of neighbours found that are no farther than the last true one.
func recall(exact, found *nearest.Neighbours) float64 {
	hit := 0
	for at, d := range found.Dist {
		if last := exact.Dist[at/exact.K*exact.K+exact.K-1]; d <= last {
			hit++
		}
	}
	return float64(hit) / float64(len(found.Dist))
}

func TestApproximateNeighboursOnRealData(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS names no folder of data sets")
	}
	sets := map[string]float64{"optdigits_test": .98, "spambase_dedup": .96, "pendigits_test": .98}
	if testing.Short() {
		sets = map[string]float64{"optdigits_test": .98}
	}
	for name, least := range sets {
		table, err := dataset.Read(ctx, filepath.Join(folder, name+".csv"),
			dataset.ReadOptions{Label: "class"})
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := table.Prepare(ctx, dataset.Preparation{})
		if err != nil {
			t.Fatal(err)
		}
		x := prepared.X
		exact, err := find(x, nearest.Config{K: 20, Search: nearest.Exact, Seed: 1, Threads: 0})
		if err != nil {
			t.Fatal(err)
		}
		one, err := find(x, nearest.Config{K: 20, Search: nearest.Approximate, Recall: .99, Seed: 1,
			Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r := recall(exact, one); r < least {
			t.Errorf("%s: recall %.4f", name, r)
		}
		three, err := find(x,
			nearest.Config{K: 20, Search: nearest.Approximate, Recall: .99, Seed: 1, Threads: 3})
		if err != nil || !slices.Equal(one.Index, three.Index) {
			t.Errorf("%s: three threads find others, %v", name, err)
		}
	}
}

func TestApproximateNeighboursOfObjects(t *testing.T) {
	x := cloud(1500, 6, 4)
	src, err := dissim.Vectors(x, dissim.Manhattan)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := nearest.Find(ctx, src,
		nearest.Config{K: 10, Search: nearest.Exact, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	found, err := nearest.Find(ctx, src,
		nearest.Config{K: 10, Search: nearest.Approximate, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := recall(exact, found)
	if r < .95 || found.Search != nearest.Approximate {
		t.Errorf("recall %.4f by %v", r, found.Search)
	}
	if got, err := nearest.Recall(ctx, src, found, 0); err != nil || math.Abs(got-r) > .02 {
		t.Errorf("recall %.4f, %v, and it is %.4f", got, err, r)
	}
	clear(found.Index)
	for i := range found.Dist {
		found.Dist[i] = 100
	}
	if got, err := nearest.Recall(ctx, src, found, 0); err != nil || got != 0 {
		t.Errorf("recall %.4f, %v, of neighbours far away", got, err)
	}
}

// Neighbours of 20 000 rows, exactly by all pairs that bounds leave and by the tree, and
// approximately.
func BenchmarkNearest(b *testing.B) {
	for _, c := range []struct {
		name string
		d    int
		how  nearest.Search
	}{{"pairs", 16, nearest.Exact}, {"many columns", 384, nearest.Exact}, {"tree", 2, nearest.Exact},
		{"approximate", 16, nearest.Approximate}} {
		x := cloud(20_000, c.d, 1)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := find(x, nearest.Config{K: 20, Search: c.how, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
