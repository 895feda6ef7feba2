package constrained

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// scattered returns random rows, some of them equal, and links between any.
func scattered(t *rapid.T) (dataset.Matrix, []link.Link, *rand.Rand) {
	n, d := rapid.IntRange(4, 40).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
	m := dataset.Matrix{Rows: n, Cols: d}
	for i := range n * d {
		m.F64 = append(m.F64, float64(1+i%d)*10*rng.Float64())
	}
	for i := 4; i < n; i += 5 {
		copy(m.F64[i*d:(i+1)*d], m.F64[(i-1)*d:])
	}
	set := link.NewSet(n)
	for range rapid.IntRange(0, 30).Draw(t, "links") {
		l := link.Link{A: rng.IntN(n), B: rng.IntN(n), Kind: link.Kind(1 + rng.IntN(2))}
		if rng.IntN(4) == 0 {
			l.Plausibility = 1 - rng.Float64()
		}
		if l.A != l.B {
			set.Add(l) // those that contradict stay out
		}
	}
	return m, set.Given(), rng
}

// Given the farthest pairs, neither step of MPCK-means raises the objective, which is the one that
// its documentation defines.
func TestMPCKStepsDescend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		data, links, rng := scattered(t)
		k := rapid.IntRange(1, 4).Draw(t, "k")
		cfg := MPCKConfig{Metric: fit.Metric(rng.IntN(3)), Shared: rng.IntN(2) == 0,
			LinkWeight: rapid.SampledFrom([]float64{0.1, 1, 5}).Draw(t, "weight")}
		table := newTable(data, k, 1)
		l := newLinked(data, links, k)
		set, _, err := link.Build(data.Rows, links, link.Keep)
		if err != nil {
			t.Fatal(err)
		}
		for j := 0; j < data.Cols; { // blocks, and columns that are none
			block := []int{j}
			for j++; j < data.Cols && rng.IntN(2) == 0; j++ {
				block = append(block, j)
			}
			if len(block) > 1 {
				cfg.Blocks = append(cfg.Blocks, block)
			}
		}
		units, err := table.variances(ctx, cfg.Blocks)
		if err != nil {
			t.Fatal(err)
		}
		groups := l.components(set)
		centers, err := table.neighbourhoods(ctx, l, groups, rng)
		if err != nil {
			t.Fatal(err)
		}
		m := newMPCK(table, newField(l, groups), newMetrics(cfg.Metric, k, units, cfg.Blocks),
			centers, cfg)
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		least := math.Inf(1)
		check := func(step string) {
			got, err := m.objective(ctx)
			must(err)
			if want := defined(m, data, links, cfg); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("%s: the objective is %g, by the definition %g", step, got, want)
			}
			if got > least+1e-9*(1+math.Abs(least)) {
				t.Fatalf("%s: the objective rises from %g to %g", step, least, got)
			}
			least = got
		}
		for range 5 {
			must(m.lookUp(ctx))
			// the price of the partition before, with the pairs looked up again
			if len(m.f.now) > 0 && m.f.now[0] >= 0 {
				least, err = m.objective(ctx)
				must(err)
			} else {
				least = math.Inf(1)
			}
			must(m.assign(ctx, rng))
			check("assigning")
			must(m.learn(ctx))
			m.reprice()
			check("learning")
		}
	})
}

// reprice prices the links by the metrics as they stand, while the farthest pairs stay.
func (m *mpck) reprice() {
	for c := range m.k {
		if gap := m.rivals[c].gap; gap != nil {
			out := make([]float64, m.d)
			m.rooted(out, gap, c)
			m.rivals[c].distance = simd.SquaredDistance(out, make([]float64, m.d))
		}
	}
	m.lengths()
	m.price()
}

// measured returns a squared distance from W alone.
func (m *mpck) measured(gap []float64, c int) (sum float64) {
	size := m.size()
	root := m.root[c*size : (c+1)*size]
	for r := range gap {
		v := 0.0
		switch m.kind {
		case fit.Full:
			for q := range r + 1 {
				v += root[r*(r+1)/2+q] * gap[q]
			}
		default:
			v = root[r] * gap[r]
		}
		sum += v * v
	}
	return sum
}

// defined is the objective from its formula; only the farthest pairs are taken from m.
func defined(m *mpck, data dataset.Matrix, links []link.Link, cfg MPCKConfig) (sum float64) {
	gap := func(a, b []float64) (out []float64) {
		for j := range a {
			out = append(out, a[j]-b[j])
		}
		return out
	}
	row := func(i int) []float64 { return data.AppendRow(nil, i) }
	for i, c := range m.labels {
		det := 0.0
		for j := range m.d {
			det += 2 * math.Log(m.root[int(c)*m.size()+m.diagonal(j)])
		}
		sum += m.measured(gap(row(i), m.centers[int(c)*m.d:][:m.d]), int(c)) - det
	}
	for _, l := range links {
		a, b := m.labels[l.A], m.labels[l.B]
		g, w := gap(row(l.A), row(l.B)), cfg.LinkWeight*l.Confidence()
		switch {
		case l.Kind == link.MustLink && a != b:
			sum += w * (m.measured(g, int(a)) + m.measured(g, int(b))) / 2
		case l.Kind == link.CannotLink && a == b:
			sum += w * (m.measured(m.rivals[a].gap, int(a)) - m.measured(g, int(a)))
		}
	}
	return sum
}

// TestBlocksShareAWeight, whatever their variances are, and covary with no other column. A column
// that is taken apart into equal ones comes to the partition that it comes to whole, as each learns
// the weight that all do.
func TestBlocksShareAWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, d = 60, 6
	data := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, d*n)}
	even := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, d*n)}
	var links []link.Link
	for i := range n {
		for j := range d {
			data.F64[d*i+j] = rng.NormFloat64() * float64(1+j)
		}
		data.F64[d*i+1] += float64(9 * (i % 3))
		copy(even.F64[d*i:], data.F64[d*i:][:d])
		for j := 1; j < 5; j++ {
			even.F64[d*i+j] = data.F64[d*i+1]
		}
		if i > 5 && i%4 == 0 {
			links = append(links, link.Link{A: i, B: i - 3, Kind: link.MustLink},
				link.Link{A: i, B: i - 1, Kind: link.CannotLink},
				link.Link{A: i, B: i - 2, Kind: link.MustLink}) // which is wrong
		}
	}
	blocks := [][]int{{1, 2, 3, 4}}
	for _, kind := range []fit.Metric{fit.Diagonal, fit.Full} {
		cfg := MPCKConfig{Config: Config{Clusters: 3}, Metric: kind, Blocks: blocks}
		cfg.Links, cfg.Contradictions = links, link.Keep
		r, err := FitMPCK(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		size := len(r.Roots) / 3
		for c := range 3 {
			root := r.Roots[c*size:][:size]
			at := func(i, j int) float64 {
				switch {
				case kind == fit.Full:
					return root[i*(i+1)/2+j]
				case i == j:
					return root[i]
				}
				return 0
			}
			for i := range d {
				if i > 0 && i < 5 && math.Abs(at(i, i)/at(1, 1)-1) > 1e-12 {
					t.Errorf("%v: cluster %d weighs column %d by %v, and 1 by %v", kind, c, i,
						at(i, i), at(1, 1))
				}
				for j := range i {
					if (i != 5 || j != 0) && at(i, j) != 0 {
						t.Errorf("%v: columns %d and %d covary", kind, i, j)
					}
				}
			}
		}
	}
	cfg := MPCKConfig{Config: Config{Clusters: 3}, Metric: fit.Diagonal}
	cfg.Links, cfg.Contradictions = links, link.Keep
	want, err := FitMPCK(t.Context(), even, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Blocks = blocks
	got, err := FitMPCK(t.Context(), even, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Labels, want.Labels) || math.Abs(got.Objective-want.Objective) > 1e-9 {
		t.Errorf("objective %v, without the block %v", got.Objective, want.Objective)
	}
}

// The farthest pair is that of all pairs, and of more points than are looked at it is at least half
// as far apart.
func TestDiameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 80).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		var x []float64
		for range n * d {
			x = append(x, float64(rng.IntN(9)))
		}
		i, j, got, err := diameter(t.Context(), x, d)
		if err != nil {
			t.Fatal(err)
		}
		if v := simd.SquaredDistance(x[i*d:(i+1)*d], x[j*d:(j+1)*d]); v != got {
			t.Fatalf("%d and %d are %g apart, not %g", i, j, v, got)
		}
		want := 0.0
		for a := range n {
			for b := range n {
				want = max(want, simd.SquaredDistance(x[a*d:(a+1)*d], x[b*d:(b+1)*d]))
			}
		}
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("%g apart, and the farthest are %g", got, want)
		}
	})
	const n, d = 4000, 12
	rng := rand.New(rand.NewPCG(1, 1))
	var x []float64
	for range n * d {
		x = append(x, rng.NormFloat64())
	}
	_, _, got, err := diameter(t.Context(), x, d)
	if err != nil {
		t.Fatal(err)
	}
	want, from := 0.0, make([]float64, n)
	for a := range n {
		simd.SquaredDistances(from, x[a*d:(a+1)*d], x)
		want = max(want, slices.Max(from))
	}
	if got > want || got < want/4 {
		t.Errorf("%g apart, and the farthest are %g", got, want)
	}
	t.Logf("of %d points: %.4f of the diameter", n, math.Sqrt(got/want))
}

// The metric of a matrix is the best of those that reckon with the least variance: no other
// symmetric change is better.
func TestMetricsAreBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 5).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		units := make([]float64, d)
		for j := range units {
			units[j] = 0.1 + 10*rng.Float64()
		}
		m := newMetrics(fit.Full, 1, units, nil)
		v := make([]float64, m.size())
		// often singular, sometimes with negative eigenvalues
		for range rapid.IntRange(0, 4).Draw(t, "rank") {
			gap := make([]float64, d)
			for j := range gap {
				gap[j] = rng.NormFloat64() * math.Sqrt(units[j])
			}
			m.add(v, gap, rng.Float64()*2-0.5)
		}
		given := slices.Clone(v)
		m.set(t.Context(), 0, v)
		// A = WᵀW, and its eigenvalues in units of the columns, by trying directions.
		inner := func(root, x []float64) float64 {
			sum := 0.0
			for r := range d {
				sum += math.Pow(linalg.Dot(root[r*(r+1)/2:][:r+1], x[:r+1]), 2)
			}
			return sum
		}
		for range 50 {
			x, norm := make([]float64, d), 0.0
			for j := range x {
				x[j] = rng.NormFloat64()
				norm += x[j] * x[j] / units[j]
			}
			if got := inner(m.root, x); got > norm/floor*(1+1e-9) || !(got > 0) {
				t.Fatalf("A measures %g where %g is the most", got, norm/floor)
			}
		}
		// tr(A V) − ln det A, against metrics made of other matrices with the floor.
		cost := func(m *metrics) float64 {
			sum := -m.logDet[0]
			for a := range d { // tr(WᵀW V) = Σ_r w_rᵀ V w_r
				row := m.root[a*(a+1)/2:][:a+1]
				for i, x := range row {
					for j, y := range row {
						sum += x * y * given[max(i, j)*(max(i, j)+1)/2+min(i, j)]
					}
				}
			}
			return sum
		}
		least := cost(m)
		for range 20 {
			other := newMetrics(fit.Full, 1, units, nil)
			w := slices.Clone(given)
			gap := make([]float64, d)
			for j := range gap {
				gap[j] = rng.NormFloat64() * math.Sqrt(units[j])
			}
			other.add(w, gap, (rng.Float64()-0.5)*0.3)
			other.set(t.Context(), 0, w)
			if got := cost(other); got < least-1e-7*(1+math.Abs(least)) {
				t.Fatalf("another metric costs %g, this one %g", got, least)
			}
		}
	})
}

// No row and no group of the linked rows can be moved alone to lower what they cost, and the sums
// are those of single looks.
func TestFieldSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, links, rng := scattered(t)
		k := rapid.IntRange(1, 4).Draw(t, "k")
		l := newLinked(data, links, k)
		set, _, err := link.Build(data.Rows, links, link.Keep)
		if err != nil {
			t.Fatal(err)
		}
		f := newField(l, l.components(set))
		for i := range f.alone {
			f.alone[i] = rng.Float64()
		}
		for i := range f.ends {
			f.ends[i] = rng.Float64()
		}
		if err := f.settle(context.Background(), rng); err != nil {
			t.Fatal(err)
		}
		cost := func(now []int32) (sum float64) {
			for i, c := range now {
				sum += f.alone[i*k+int(c)]
			}
			for n, p := range f.pairs {
				a, b := int(now[p.x]), int(now[p.y])
				if p.must && a != b {
					sum += f.ends[n*k+a] + f.ends[n*k+b]
				} else if !p.must && a == b {
					sum += f.ends[n*k+a]
				}
			}
			return sum
		}
		least := cost(f.now)
		try := func(group []int32) {
			for c := range k {
				now := slices.Clone(f.now)
				for _, i := range group {
					now[i] = int32(c)
				}
				if got := cost(now); got < least-1e-9 {
					t.Fatalf("rows %v in cluster %d cost %g, and they cost %g", group, c, got,
						least)
				}
			}
		}
		for i := range f.now {
			try([]int32{int32(i)})
		}
		for _, g := range f.groups {
			try(g)
		}
	})
}

func TestBlocksAreChecked(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 3, F64: []float64{0, 1, 2, 1, 0, 2, 5, 6, 7, 6, 5, 7}}
	for _, c := range []struct {
		blocks [][]int
		want   string
	}{
		{[][]int{{0, 3}}, "block 0 has the column 3"},
		{[][]int{{-1}}, "block 0 has the column -1"},
		{[][]int{{0, 1}, {}}, "block 1 has no columns"},
		{[][]int{{0, 1}, {1, 2}}, "column 1 is in block 0 and in block 1"},
		{[][]int{{2, 2}}, "column 2 is in block 0 and in block 0"},
	} {
		cfg := MPCKConfig{Config: Config{Clusters: 2}, Metric: fit.Diagonal, Blocks: c.blocks}
		_, err := FitMPCK(t.Context(), x, cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.blocks, err, c.want)
		}
	}
	cfg := MPCKConfig{Config: Config{Clusters: 2}, Metric: fit.Diagonal, Blocks: [][]int{{0, 2}}}
	if _, err := FitMPCK(t.Context(), x, cfg); err != nil {
		t.Error(err)
	}
}
