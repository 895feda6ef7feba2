package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// part returns rows from some objects on of another source.
type part struct {
	src  dissim.Rows
	from int
}

func (p part) Row(dst []float32, i int, js []int32) { p.src.Row(dst, i+p.from, js) }

func every(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// TestFittedObjectsArePlacedWhereTheyAre: each row of a settled fit is the answer to its own row
// programme, but for the term of the object with itself.
func TestFittedObjectsArePlacedWhereTheyAre(t *testing.T) {
	const n = 400
	src := blobs(n, 4, 2)
	for _, transform := range []Transform{Exponential, Linear, Rank} {
		r, err := Fit(t.Context(), src,
			Config{Clusters: 4, Limits: fit.Limits{Tolerance: 1e-12}, Transform: transform})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Model(every(n))
		if err != nil {
			t.Fatal(err)
		}
		placed, err := m.Place(t.Context(), src, n, 2)
		if err != nil {
			t.Fatal(err)
		}
		if far := distance(placed.Mass, r.Credal.Mass); far > 0.05 {
			t.Errorf("transform %d: masses are up to %v apart", transform, far)
		}
		if !slices.Equal(placed.ArgMax(belief.MaxPlausibility),
			r.Credal.ArgMax(belief.MaxPlausibility)) {
			t.Errorf("transform %d: other clusters", transform)
		}
	}
}

// TestPlacingMinimises the squared differences to the landmarks over all mass functions.
func TestPlacingMinimises(t *testing.T) {
	for seed, family := range familyNames {
		p := newProblem(family, 80, 0, uint64(seed))
		// 60 landmarks; the other 20 objects are placed.
		m := &Model{Clusters: p.clusters, Focal: p.focal, Mass: p.mass[:60*len(p.focal)],
			Transform: Linear, D0: 1}
		to := dissim.To(p.delta, every(60))
		placed, err := m.Place(t.Context(), part{to, 60}, 20, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := placed.Check(); err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		c := &contest{problem: p, byRow: make([][]term, p.n)}
		for i := 60; i < p.n; i++ {
			for j := range 60 {
				c.byRow[i] = append(c.byRow[i], term{i, j, float64(p.delta.D[i*p.n+j])})
			}
			h, g := c.programme(p.mass, i)
			if far := gap(h, g, placed.Row(i-60)); far > 1e-8 {
				t.Errorf("%s: object %d is off its KKT conditions by %v: %v", family, i, far,
					placed.Row(i-60))
			}
		}
	}
}

// TestPlacingIsTheSameInAnyCompany: on any number of threads, all at once or one by one.
func TestPlacingIsTheSameInAnyCompany(t *testing.T) {
	const n = 700
	src := blobs(n, 3, 7)
	r, err := Fit(t.Context(), src, Config{Clusters: 3, Partners: 30})
	if err != nil {
		t.Fatal(err)
	}
	marks := r.Landmarks(50, 3)
	m, err := r.Model(marks)
	if err != nil {
		t.Fatal(err)
	}
	rows := dissim.To(src, marks)
	all, err := m.Place(t.Context(), rows, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 5} {
		again, err := m.Place(t.Context(), rows, n, threads)
		if err != nil || !slices.Equal(again.Mass, all.Mass) {
			t.Errorf("%d threads give other masses (%v)", threads, err)
		}
	}
	f := len(m.Focal)
	for _, cut := range []struct{ from, count int }{{0, 1}, {255, 2}, {311, 300}, {699, 1}} {
		mass := make([]float64, cut.count*f)
		err := m.Placer().PlaceInto(t.Context(), mass, part{rows, cut.from}, cut.count, 1)
		if err != nil ||
			!slices.Equal(mass, all.Mass[cut.from*f:(cut.from+cut.count)*f]) {
			t.Errorf("%d objects from %d on get other masses (%v)", cut.count, cut.from, err)
		}
	}
	if none, err := m.Place(t.Context(), rows, 0, 1); err != nil || none.Len() != 0 {
		t.Errorf("none to place: %v, %v", none, err)
	}
}

// TestOnePlacerServesMany goroutines, each with blocks of its own size.
func TestOnePlacerServesMany(t *testing.T) {
	const n = 900
	src := blobs(n, 3, 7)
	r, err := Fit(t.Context(), src, Config{Clusters: 3, Partners: 30})
	if err != nil {
		t.Fatal(err)
	}
	marks := r.Landmarks(40, 3)
	m, err := r.Model(marks)
	if err != nil {
		t.Fatal(err)
	}
	rows := dissim.To(src, marks)
	want, err := m.Place(t.Context(), rows, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, f := m.Placer(), len(m.Focal)
	var all sync.WaitGroup
	for _, size := range []int{1, 13, 256, 300, n} {
		all.Go(func() {
			for lo := 0; lo < n; lo += size {
				mass := make([]float64, min(size, n-lo)*f)
				if err := p.PlaceInto(t.Context(), mass, part{rows, lo}, len(mass)/f,
					1); err != nil || !slices.Equal(mass, want.Mass[lo*f:lo*f+len(mass)]) {
					t.Errorf("blocks of %d: other masses from object %d on (%v)", size, lo, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestModelsOutliveAFile: written and read as JSON they place the same.
func TestModelsOutliveAFile(t *testing.T) {
	src := blobs(200, 3, 2)
	for _, transform := range []Transform{Exponential, Linear, Rank} {
		r, err := Fit(t.Context(), src, Config{Clusters: 3, Transform: transform, Pairs: 1})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Model(r.Landmarks(40, 1))
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var read Model
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		if err := read.Check(); err != nil {
			t.Fatal(err)
		}
		rows := dissim.To(src, r.Landmarks(40, 1))
		a, err := m.Place(t.Context(), rows, 200, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := read.Place(t.Context(), rows, 200, 1)
		if err != nil || !slices.Equal(a.Mass, b.Mass) {
			t.Errorf("transform %d: a model that was read places otherwise (%v)", transform, err)
		}
	}
}

func TestModelsThatCannotBe(t *testing.T) {
	good := func() *Model {
		return &Model{Clusters: 2, Focal: []belief.Set{0, 1, 2, 3},
			Mass: []float64{0, 1, 0, 0, 0, 0, 1, 0}, Gamma: 1, D0: 1}
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Model){
		"no landmarks":     func(m *Model) { m.Mass = nil },
		"no focal sets":    func(m *Model) { m.Focal = nil },
		"unsorted":         func(m *Model) { m.Focal[1], m.Focal[2] = m.Focal[2], m.Focal[1] },
		"beyond the frame": func(m *Model) { m.Focal[3] = 4 },
		"no clusters":      func(m *Model) { m.Clusters = 0 },
		"64 clusters":      func(m *Model) { m.Clusters = 64 },
		"half a row":       func(m *Model) { m.Mass = m.Mass[:6] },
		"sum":              func(m *Model) { m.Mass[1] = 0.5 },
		"negative":         func(m *Model) { m.Mass[0], m.Mass[1] = -1, 2 },
		"NaN":              func(m *Model) { m.Mass[0] = math.NaN() },
		"no γ":             func(m *Model) { m.Gamma = 0 },
		"infinite γ":       func(m *Model) { m.Gamma = math.Inf(1) },
		"NaN for γ":        func(m *Model) { m.Gamma = math.NaN() },
		"no d0":            func(m *Model) { m.Transform, m.D0 = Linear, 0 },
		"no ranks":         func(m *Model) { m.Transform = Rank },
		"ranks that fall":  func(m *Model) { m.Transform, m.Ranks = Rank, []float32{2, 1} },
		"NaN for a rank": func(m *Model) {
			m.Transform, m.Ranks = Rank, []float32{1, float32(math.NaN())}
		},
		"transform 3": func(m *Model) { m.Transform = 3 },
	} {
		m := good()
		spoil(m)
		if err := m.Check(); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := Fit(t.Context(), blobs(30, 2, 1), Config{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, marks := range [][]int32{nil, {30}, {-1}, r.Landmarks(-1, 0), r.Landmarks(0, 0)} {
		if _, err := r.Model(marks); !fault.IsInput(err) {
			t.Errorf("landmarks %v: %v", marks, err)
		}
	}
	if got := r.Landmarks(100, 0); !slices.Equal(got, every(30)) {
		t.Errorf("more landmarks than objects: %v", got)
	}
}

// FuzzModel: a model that passes Check places any object without a panic and without a NaN.
func FuzzModel(f *testing.F) {
	f.Add([]byte(`{"clusters":2,"focal":[0,1,2,3],"mass":[0,1,0,0,0,0,1,0],` +
		`"transform":0,"d0":1,"gamma":3}`))
	f.Add([]byte(`{"clusters":2,"focal":[1,2],"mass":[1,0,0.5,0.5],"transform":1,"d0":1e-300}`))
	f.Add([]byte(`{"clusters":3,"focal":[7],"mass":[1],"transform":2,"ranks":[0,1,1,3e38]}`))
	f.Add([]byte(`{"clusters":1,"focal":[0,1],"mass":[0,1],"gamma":1e308}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Model
		if json.Unmarshal(data, &m) != nil || len(m.Focal) > 20 || m.Check() != nil {
			return
		}
		values := []float32{0, 1e-30, 1, 1e30, math.MaxFloat32}
		d := &dissim.Dense{N: max(m.Len(), 6)}
		for i := range d.N * d.N {
			d.D = append(d.D, values[(i*i+i/d.N)%len(values)])
		}
		placed, err := m.Place(t.Context(), dissim.To(d, every(m.Len())), 6, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := placed.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestLandmarksOf: linked objects come first, the rest is drawn, ascending and without repeats.
func TestLandmarksOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "n")
		count := rapid.IntRange(3, n).Draw(t, "count")
		cfg := Config{Options: fit.Options{Seed: rapid.Uint64().Draw(t, "seed")}}
		linked := map[int32]bool{}
		for range rapid.IntRange(0, 20).Draw(t, "links") {
			a := rapid.IntRange(0, n-1).Draw(t, "a")
			b := (a + 1) % n
			cfg.Links = append(cfg.Links, link.Link{A: a, B: b, Kind: link.MustLink})
			linked[int32(a)], linked[int32(b)] = true, true
		}
		marks := landmarksOf(n, count, cfg)
		held := 0
		for _, i := range marks {
			if linked[i] {
				held++
			}
		}
		if len(marks) != count || !slices.IsSorted(marks) ||
			len(slices.Compact(slices.Clone(marks))) != count || marks[count-1] >= int32(n) ||
			held != min(count, len(linked)) {
			t.Fatalf("%d of %d, %d linked: %v", count, n, len(linked), marks)
		}
	})
}

// TestLandmarksCarryAFit to all objects, and links between them count.
func TestLandmarksCarryAFit(t *testing.T) {
	const n = 1200
	src := blobs(n, 4, 2)
	links := []link.Link{{A: 3, B: 7, Kind: link.MustLink}, {A: 0, B: 1, Kind: link.CannotLink}}
	r, err := FitLandmarks(t.Context(), src, 150,
		Config{Clusters: 4, Knowledge: fit.Knowledge{Links: links}, D0: D0{Value: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Credal.Check(); err != nil || r.Credal.Len() != n {
		t.Fatalf("%d objects: %v", r.Credal.Len(), err)
	}
	labels := r.Credal.ArgMax(belief.MaxPlausibility)
	for i, l := range labels {
		if l != labels[i%4] {
			t.Fatalf("object %d in cluster %d, its group in %d", i, l, labels[i%4])
		}
	}
	all, err := FitLandmarks(t.Context(), src, n, Config{Clusters: 4, Partners: 20})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Fit(t.Context(), src, Config{Clusters: 4, Partners: 20})
	if err != nil || !slices.Equal(all.Credal.Mass, plain.Credal.Mass) {
		t.Errorf("as many landmarks as objects are another fit (%v)", err)
	}
	// More links than there are landmarks for.
	var many []link.Link
	for i := range 40 {
		many = append(many, link.Link{A: i, B: i + 40, Kind: link.MustLink})
	}
	r, err = FitLandmarks(t.Context(), src, 30,
		Config{Clusters: 4, Knowledge: fit.Knowledge{Links: many, Contradictions: link.Keep}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(r.Notes[len(r.Notes)-1],
		"links are not between landmarks and were left out.") {
		t.Errorf("no word on links left out: %q", r.Notes)
	}
}
