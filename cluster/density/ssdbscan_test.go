package density_test

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/fault"
)

// reachability returns r of all pairs.
func reachability(d [][]float64, minPoints int) [][]float64 {
	n := len(d)
	core := make([]float64, n)
	for i := range n {
		sorted := slices.Sorted(slices.Values(d[i]))
		core[i] = math.Inf(1)
		if minPoints <= n {
			core[i] = sorted[minPoints-1]
		}
	}
	r := make([][]float64, n)
	for i := range n {
		r[i] = make([]float64, n)
		for j := range n {
			r[i][j] = max(d[i][j], core[i], core[j])
		}
	}
	return r
}

// twinSSDBSCAN grows a tree from each labelled object by Prim's algorithm, as the paper has it.
func twinSSDBSCAN(d [][]float64, class []int32, minPoints int) []int32 {
	r := reachability(d, minPoints)
	labels := slices.Repeat([]int32{density.Noise}, len(d))
	for p, c := range class {
		if c < 0 {
			continue
		}
		in, reach := make([]bool, len(d)), slices.Clone(r[p])
		in[p] = true
		added, edges := []int{p}, []float64{0}
		for len(added) < len(d) {
			next := -1
			for i := range d {
				if !in[i] && (next < 0 || reach[i] < reach[next]) {
					next = i
				}
			}
			in[next] = true
			added, edges = append(added, next), append(edges, reach[next])
			if class[next] >= 0 && class[next] != c {
				break
			}
			for i := range d {
				reach[i] = min(reach[i], r[next][i])
			}
		}
		cut := slices.Index(edges[1:], slices.Max(edges[1:])) + 1
		for _, i := range added[:cut] {
			labels[i] = c
		}
	}
	return labels
}

// drawClasses returns some rows classes; 0 and 4 are among them.
func drawClasses(t *rapid.T, n int) []int32 {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "classes"), 2))
	class := slices.Repeat([]int32{-1}, n)
	for range rapid.IntRange(0, min(n, 12)).Draw(t, "labelled") {
		class[rng.IntN(n)] = int32(rng.IntN(5))
	}
	class[0], class[n-1] = 0, 4
	return class
}

func TestSSDBSCANGrowsAsThePaperSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawData(t, 150)
		n := data.m.Rows
		if n < 2 {
			return
		}
		class := drawClasses(t, n)
		cfg := density.Config{
			MinPoints: rapid.IntRange(1, 9).Draw(t, "points"),
			Options:   fit.Options{Threads: rapid.IntRange(1, 3).Draw(t, "threads")},
		}
		want := twinSSDBSCAN(data.d, class, cfg.MinPoints)
		for name, o := range data.objects(t) {
			r, err := density.FitSSDBSCAN(context.Background(), o, class, cfg)
			if err != nil {
				t.Fatal(name, err)
			}
			if !slices.Equal(r.Labels, want) {
				t.Fatalf("%s: labels %v, and Prim gives %v", name, r.Labels, want)
			}
			for i, c := range class {
				if c >= 0 && r.Labels[i] != c {
					t.Fatalf("row %d of class %d has label %d", i, c, r.Labels[i])
				}
			}
		}
	})
}

func TestSSDBSCANNeedsTwoClasses(t *testing.T) {
	m, _ := blobs(1, [4]float64{0, 0, 1, 20})
	class := slices.Repeat([]int32{-1}, m.Rows)
	var in *fault.Input
	for name, class := range map[string][]int32{"none": class,
		"one": append([]int32{3}, class[1:]...), "short": {1, 2}} {
		if _, err := density.FitSSDBSCAN(context.Background(), density.Objects{Vectors: m}, class,
			density.Config{}); !errors.As(err, &in) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
