package spectral

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/scale/shard"
)

func mustFit(t testing.TB, x dataset.Matrix, split, block int, cfg Config) *Result {
	t.Helper()
	m := inMemory{x: x, split: split, block: block}
	src, sv := m.table()
	r, err := Fit(t.Context(), m, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// clouds returns n rows in three overlapping clouds, so that no two eigenvalues are alike.
func clouds(n, d int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(7, 7))
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for j := range d {
			x.F64 = append(x.F64, rng.NormFloat64()+float64(i%3)*float64(1+j))
		}
	}
	return x
}

// mixtures are Z by its definition: all distances, sorted.
func mixtures(m *Model, x dataset.Matrix) *mat.Dense {
	p, d := m.landmarks(), m.Columns
	z := mat.NewDense(x.Rows, p, nil)
	for i := range x.Rows {
		distance, order := make([]float64, p), make([]int, p)
		for l := range p {
			order[l] = l
			for j := range d {
				distance[l] += math.Pow(x.At(i, j)-m.Landmarks[l*d+j], 2)
			}
		}
		slices.SortFunc(order, func(a, b int) int {
			if distance[a] < distance[b] {
				return -1
			}
			return 1
		})
		sum := 0.0
		for _, l := range order[:m.Nearest] {
			z.Set(i, l, math.Exp(-distance[l]/(2*m.Bandwidth*m.Bandwidth)))
			sum += z.At(i, l)
		}
		for _, l := range order[:m.Nearest] {
			z.Set(i, l, z.At(i, l)/sum)
		}
	}
	return z
}

// TestLayoutIsTheSingularVectors: the layout found by sums over pairs of landmarks is that of the
// singular value decomposition of the whole n×p matrix Ẑ = Z D^−½, by another solver, each row
// brought to length 1.
func TestLayoutIsTheSingularVectors(t *testing.T) {
	x := clouds(500, 3)
	r := mustFit(t, x, 130, 37, Config{Clusters: 4, Landmarks: 60, Nearest: 6, Rounds: -1})
	m := r.Model
	z := mixtures(m, x)
	for l := range m.landmarks() {
		column := mat.Col(nil, l, z)
		sum := 0.0
		for _, v := range column {
			sum += v
		}
		for i, v := range column {
			z.Set(i, l, v/math.Sqrt(sum))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(z, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var u mat.Dense
	svd.UTo(&u)
	singular := svd.Values(nil)
	if r.Components != 1 || m.Dimensions != 4 || m.landmarks() != 60 {
		t.Fatalf("%d components, %d dimensions, %d landmarks", r.Components, m.Dimensions,
			m.landmarks())
	}
	for c, v := range r.Values {
		if math.Abs(1-v-singular[c]*singular[c]) > 1e-9 {
			t.Errorf("eigenvalue %d: %v, want %v", c, v, 1-singular[c]*singular[c])
		}
	}
	w := m.prepare().workspace()
	sign := make([]float64, m.Dimensions)
	for i := range x.Rows {
		place := w.layOut(x.F64[i*3 : i*3+3])
		length := 0.0
		for c := range place {
			length = math.Hypot(length, u.At(i, c))
		}
		for c, v := range place {
			want := u.At(i, c) / length
			if sign[c] == 0 {
				sign[c] = math.Copysign(1, v*want)
			}
			// the solver of sparse matrices stops at residuals of 1e-6
			if math.Abs(v-sign[c]*want) > 1e-5 {
				t.Fatalf("row %d lies at %v in dimension %d, want %v", i, v, c, sign[c]*want)
			}
		}
	}
}

// TestRoundsAreLloyd: rounds over splits come to the centres and labels of k-means on the whole
// layout, from the same start.
func TestRoundsAreLloyd(t *testing.T) {
	x := clouds(3000, 2)
	cfg := Config{Clusters: 5, Landmarks: 40, Sample: 200, Rounds: -1, Seed: 3}
	start := mustFit(t, x, 700, 64, cfg)
	cfg.Rounds = 200
	end := mustFit(t, x, 700, 64, cfg)
	if !end.Converged || end.Rounds < 2 {
		t.Fatalf("%d rounds, converged: %v", end.Rounds, end.Converged)
	}
	m := start.Model
	layout := dataset.Matrix{Rows: x.Rows, Cols: m.Dimensions}
	w := m.prepare().workspace()
	for i := range x.Rows {
		layout.F64 = append(layout.F64, w.layOut(x.F64[2*i:2*i+2])...)
	}
	want, err := kmeans.Fit(t.Context(), layout,
		kmeans.Config{
			Clusters: 5,
			Limits:   fit.Limits{Tolerance: -1, MaxIterations: 1000},
			Centers:  dataset.Matrix{Rows: 5, Cols: m.Dimensions, F64: m.Centers},
		})
	if err != nil {
		t.Fatal(err)
	}
	got, err := end.Model.Place(t.Context(), x, 0)
	if err != nil {
		t.Fatal(err)
	}
	sizes := make([]int64, 5)
	for _, c := range got {
		sizes[c]++
	}
	if !slices.Equal(sizes, end.Sizes) ||
		!slices.IsSortedFunc(sizes, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("sizes %v, reported as %v", sizes, end.Sizes)
	}
	if math.Abs(end.Inertia-want.Objective) > 1e-9*want.Objective {
		t.Errorf("inertia %v, want %v", end.Inertia, want.Objective)
	}
	if r, err := eval.Compare(ints(got), ints(want.Labels)); err != nil || r.AdjustedRand != 1 {
		t.Errorf("labels agree by %v (%v), want all", r.AdjustedRand, err)
	}
}

// TestMoonsAreTwo: k-means cuts both moons; landmarks follow them.
func TestMoonsAreTwo(t *testing.T) {
	x, truth := moons(6000, 0.07, 1)
	r := mustFit(t, x, 1000, 128, Config{Clusters: 2, Landmarks: 150})
	labels, err := r.Model.Place(t.Context(), x, 0)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := kmeans.Fit(t.Context(), x, kmeans.Config{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := eval.Compare(ints(labels), truth)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := eval.Compare(ints(flat.Labels), truth)
	if err != nil {
		t.Fatal(err)
	}
	if ours.AdjustedRand < 0.98 || theirs.AdjustedRand > 0.6 {
		t.Errorf("ARI %v, and %v by k-means", ours.AdjustedRand, theirs.AdjustedRand)
	}
}

// TestPartsAreTold: rows in parts far from each other make a graph of as many components, whose
// eigenvalues are 0, and clusters are the parts; with fewer clusters than parts the nearest parts
// are joined.
func TestPartsAreTold(t *testing.T) {
	x := dataset.Matrix{Rows: 400, Cols: 1}
	truth := make([]int, x.Rows)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range x.Rows {
		truth[i] = i % 4
		x.F64 = append(x.F64, []float64{0, 100, 1000, 1100}[truth[i]]+rng.Float64())
	}
	for _, k := range []int{4, 2} {
		r := mustFit(t, x, 100, 10, Config{Clusters: k, Landmarks: 40, Nearest: 3})
		labels, err := r.Model.Place(t.Context(), x, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range truth {
			truth[i] = i % 4 * k / 4
		}
		if c, err := eval.Compare(ints(labels), truth); err != nil || c.AdjustedRand != 1 ||
			r.Components < 4 {
			t.Errorf("%d clusters: ARI %v, %d components (%v)", k, c.AdjustedRand, r.Components,
				err)
		}
	}
}

// TestBlocksAndThreadsDoNotMatter, to the bit; nor does the order in which splits are done, which
// inMemory shuffles.
func TestBlocksAndThreadsDoNotMatter(t *testing.T) {
	x := clouds(2000, 2)
	var first []byte
	for _, c := range []struct{ block, threads int }{{4096, 1}, {13, 2}, {100, 5}} {
		r := mustFit(t, x, 300, c.block,
			Config{Clusters: 3, Landmarks: 100, Sample: 500, Seed: 9, Threads: c.threads})
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if string(data) != string(first) {
			t.Errorf("blocks of %d, %d threads: another result", c.block, c.threads)
		}
	}
}

// TestOddTables: repeated rows, constant columns, one row, as many clusters as rows, rows far out.
func TestOddTables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(rt, "rows"), rapid.IntRange(1, 3).Draw(rt, "columns")
		x := dataset.Matrix{Rows: n, Cols: d}
		distinct := map[string]bool{}
		for range n {
			row := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 1.5, -3, 1e6}), d, d).Draw(rt,
				"row")
			x.F64 = append(x.F64, row...)
			text, _ := json.Marshal(row)
			distinct[string(text)] = true
		}
		k := rapid.IntRange(1, len(distinct)).Draw(rt, "clusters")
		p := max(k, rapid.IntRange(1, 40).Draw(rt, "landmarks"))
		r := mustFit(t, x, rapid.IntRange(1, 40).Draw(rt, "split"), 8,
			Config{Clusters: k, Landmarks: p, Nearest: rapid.IntRange(1, 6).Draw(rt, "nearest"),
				Sample: 100})
		labels, err := r.Model.Place(t.Context(), x, 1)
		if err != nil {
			rt.Fatal(err)
		}
		seen := map[string]int32{}
		for i, c := range labels {
			text, _ := json.Marshal(x.F64[i*d : (i+1)*d])
			if was, ok := seen[string(text)]; ok && was != c || int(c) >= k || c < 0 {
				rt.Fatalf("row %d is in cluster %d, and one like it in %d", i, c, was)
			}
			seen[string(text)] = c
		}
		total := int64(0)
		for _, s := range r.Sizes {
			total += s
		}
		if total != int64(n) {
			rt.Fatalf("%d rows in clusters, of %d", total, n)
		}
	})
}

func TestRefused(t *testing.T) {
	m := inMemory{x: dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{1, 1, 2, 2}}, split: 2,
		block: 2}
	src, sv := m.table()
	for name, cfg := range map[string]Config{
		"no clusters":            {},
		"too many landmarks":     {Clusters: 2, Landmarks: MostLandmarks + 1},
		"more than landmarks":    {Clusters: 6, Landmarks: 5},
		"negative neighbours":    {Clusters: 2, Nearest: -1},
		"bandwidth":              {Clusters: 2, Bandwidth: math.NaN()},
		"sample under landmarks": {Clusters: 2, Landmarks: 10, Sample: 9},
		"distinct rows":          {Clusters: 3},
	} {
		if _, err := Fit(t.Context(), m, src, sv, cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := Fit(t.Context(), m, src, sv, Config{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]dataset.Matrix{"columns": {Rows: 1, Cols: 2,
		F64: []float64{1, 2}}, "NaN": {Rows: 1, Cols: 1, F64: []float64{math.NaN()}}} {
		if _, err := r.Model.Place(t.Context(), x, 0); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Label(t.Context(), m, shard.Source{Columns: []string{"a", "b"}}, sv, r.Model,
		t.TempDir(), ""); !fault.IsInput(err) {
		t.Errorf("columns of labels: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, m, src, sv, Config{Clusters: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
