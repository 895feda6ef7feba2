package spectral

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// published reads a data set scaled to 0…1, with its classes.
func published(t testing.TB, name string) (dataset.Matrix, []int) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, name+".csv"),
		dataset.ReadOptions{Label: "class"})
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

// moons returns n rows on two interleaved half circles, with noise of the given deviation.
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

// rings returns n rows on three circles about one centre.
func rings(n int, noise float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x, truth := dataset.Matrix{Rows: n, Cols: 2}, make([]int, n)
	for i := range n {
		a, r := 2*math.Pi*rng.Float64(), float64(1+i%3)
		truth[i] = i % 3
		x.F64 = append(x.F64, r*math.Cos(a)+noise*rng.NormFloat64(),
			r*math.Sin(a)+noise*rng.NormFloat64())
	}
	return x, truth
}

// blobs returns n rows about 10 centres in 16 columns.
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
