package neighbours

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/kmeans"
	"github.com/kindred-go/kindred/score"
	"github.com/kindred-go/kindred/spectral"
)

// published reads a data set scaled to 0…1, with its classes.
func published(t testing.TB, name string) (dataset.Matrix, []int) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, name+".csv"), dataset.ReadOptions{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	codes, _, _ := table.Labels()
	x := p.X
	if x.F32 != nil {
		y := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
		for i := range x.Rows {
			y.F64 = x.AppendRow(y.F64, i)
		}
		x = y
	}
	return x, ints(codes)
}

func ints(labels []int32) []int {
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = int(l)
	}
	return out
}

// moons gives n rows on two interleaved half circles, with noise of the given deviation.
func moons(n int, noise float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, truth := dataset.Matrix{Rows: n, Cols: 2}, make([]int, n)
	for i := range n {
		a := math.Pi * rng.Float64()
		u, v := math.Cos(a), math.Sin(a)
		if truth[i] = i % 2; truth[i] == 1 {
			u, v = 1-u, 0.5-v
		}
		x.F64 = append(x.F64, u+noise*rng.NormFloat64(), v+noise*rng.NormFloat64())
	}
	return x, truth
}

// rings gives n rows on three circles about one centre.
func rings(n int, noise float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x, truth := dataset.Matrix{Rows: n, Cols: 2}, make([]int, n)
	for i := range n {
		a, r := 2*math.Pi*rng.Float64(), float64(1+i%3)
		truth[i] = i % 3
		x.F64 = append(x.F64, r*math.Cos(a)+noise*rng.NormFloat64(), r*math.Sin(a)+noise*rng.NormFloat64())
	}
	return x, truth
}

// blobs gives n rows about 10 centres in 16 columns.
func blobs(n int, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	centers := make([]float64, 160)
	for i := range centers {
		centers[i] = 2.5 * rng.NormFloat64()
	}
	x, truth := dataset.Matrix{Rows: n, Cols: 16}, make([]int, n)
	for i := range n {
		truth[i] = i % 10
		for j := range 16 {
			x.F64 = append(x.F64, centers[truth[i]*16+j]+rng.NormFloat64())
		}
	}
	return x, truth
}

// sets are what the methods are compared on, by name.
func set(b testing.TB, name string) (dataset.Matrix, []int) {
	switch name {
	case "moons 10⁵":
		return moons(100_000, 0.08, 1)
	case "moons 10⁶":
		return moons(1_000_000, 0.08, 1)
	case "rings 10⁵":
		return rings(100_000, 0.1, 1)
	case "blobs 10⁵":
		return blobs(100_000, 1)
	case "blobs 10⁶":
		return blobs(1_000_000, 1)
	}
	return published(b, name)
}

// BenchmarkAgainst compares landmark clustering with k-means and with the spectral method of one machine, all told the number of classes:
//
//	KINDRED_DATASETS=… go test -run ^$ -bench Against -benchtime 1x ./neighbours
//
// Set by set it gives seconds and the adjusted Rand index with the classes.
func BenchmarkAgainst(b *testing.B) {
	for _, name := range []string{"sipu_jain", "sipu_spiral", "sipu_pathbased", "sipu_flame", "sipu_compound", "sipu_aggregation", "sipu_d31", "optdigits_train", "pendigits", "letter",
		"moons 10⁵", "rings 10⁵", "blobs 10⁵", "moons 10⁶", "blobs 10⁶"} {
		methods := []struct {
			name   string
			most   int // rows
			labels func(x dataset.Matrix, k int) ([]int, error)
		}{
			{"kmeans", 1 << 30, func(x dataset.Matrix, k int) ([]int, error) {
				r, err := kmeans.Fit(b.Context(), x, kmeans.Config{Clusters: k, Starts: 10})
				if err != nil {
					return nil, err
				}
				return ints(r.Labels), nil
			}},
			{"spectral", 200_000, func(x dataset.Matrix, k int) ([]int, error) {
				g, err := spectral.VectorGraph(b.Context(), x, spectral.GraphConfig{})
				if err != nil {
					return nil, err
				}
				r, err := spectral.Fit(b.Context(), g, spectral.Config{Clusters: k})
				if err != nil {
					return nil, err
				}
				return ints(r.Labels), nil
			}},
			{"landmarks", 1 << 30, func(x dataset.Matrix, k int) ([]int, error) { return byLandmarks(b, x, Config{Clusters: k}) }},
		}
		for _, m := range methods {
			b.Run(name+"/"+m.name, func(b *testing.B) {
				x, truth := set(b, name)
				if x.Rows > m.most {
					b.Skip("too many rows")
				}
				classes := map[int]bool{}
				for _, c := range truth {
					classes[c] = true
				}
				for b.Loop() {
					found, err := m.labels(x, len(classes))
					if err != nil {
						b.Fatal(err)
					}
					r, err := score.Compare(found, truth)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(r.AdjustedRand, "ARI")
				}
			})
		}
	}
}

func byLandmarks(b testing.TB, x dataset.Matrix, cfg Config) ([]int, error) {
	m := inMemory{x: x, split: 1 << 18, block: 4096}
	src, sv := m.table()
	r, err := Fit(b.Context(), m, src, sv, cfg)
	if err != nil {
		return nil, err
	}
	labels, err := r.Model.Place(b.Context(), x, 0)
	return ints(labels), err
}
