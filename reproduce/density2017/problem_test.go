package density2017

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/reproduce/frame"
)

func TestKnownRowsHaveEveryClassAndGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := rapid.SliceOfN(rapid.Int32Range(0, 3), 5, 120).Draw(t, "truth")
		p := problem{name: "made", x: dataset.Matrix{Rows: len(truth), Cols: 1}, truth: truth}
		present := map[int32]bool{}
		for _, c := range truth {
			present[c] = true
		}
		seed := rapid.Uint64().Draw(t, "seed")
		var before []int32
		for _, share := range []float64{.01, .05, .2} {
			known := p.labelled(share, seed, 1)
			if !slices.Equal(known, p.labelled(share, seed, 1)) {
				t.Error("the same seed drew others")
			}
			count, seen := 0, map[int32]bool{}
			for i, c := range known {
				if c >= 0 {
					count++
					seen[c] = true
				}
				if c >= 0 && c != truth[i] {
					t.Errorf("row %d is known as %d, and is %d", i, c, truth[i])
				}
				if before != nil && before[i] >= 0 && c < 0 {
					t.Errorf("row %d was known at a lesser share", i)
				}
			}
			if want := max(len(present),
				int(math.Round(share*float64(len(truth))))); count != want ||
				len(seen) != len(present) {
				t.Errorf("%d rows of %d classes are known, want %d of %d", count, len(seen), want,
					len(present))
			}
			before = known
		}
	})
}

// Five unlabelled rows, two of them noise: pairs together in a cluster {2,3}; in a class {2,3},
// {4,5} with noise apart.
func TestMeasuresByHand(t *testing.T) {
	p := problem{truth: []int32{0, 1, 0, 0, 1, 1, 0}}
	known := []int32{0, 1, -1, -1, -1, -1, -1}
	v, err := p.measure([]int{9, 9, 1, 1, 0, 2, 0}, known)
	if err != nil {
		t.Fatal(err)
	}
	// Classes of the five: {2,3,6} and {4,5}, 4 pairs. Clusters, noise alone: {2,3}, {4}, {5}, {6}:
	// 1 pair, in a class, too. Of 10 pairs: expected 4·1/10, so (1 − .4)/((4+1)/2 − .4).
	near(t, "ARI", v["ari"], .6/2.1)
	near(t, "noise", v["noise"], 2./5)
	near(t, "ARI of what is claimed", v["ari_claimed"], 1) // {2,3} and {5}
	// Noise as one cluster {4,6}: 2 pairs, 1 in a class: (1 − .8)/(3 − .8).
	near(t, "ARI with noise as one", v["ari_joint"], .2/2.2)
	near(t, "clusters", v["clusters"], 2)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-12) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestScaledColumns(t *testing.T) {
	x := dataset.Matrix{Rows: 3, Cols: 2, F32: []float32{1, 7, 3, 7, 2, 7}}
	if got, want := frame.Scaled(x).F64, []float64{0, 0, 1, 0, .5, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(x.F32, []float32{1, 7, 3, 7, 2, 7}) {
		t.Error("the data changed")
	}
}

// longestStep is the longest edge of the minimum spanning tree of rows from to.
func (p problem) longestStep(from, to int) float64 {
	far := slices.Repeat([]float64{math.Inf(1)}, to-from)
	at, longest := from, 0.0
	for range to - from - 1 {
		far[at-from] = -1
		next := -1
		for i := from; i < to; i++ {
			if far[i-from] < 0 {
				continue
			}
			far[i-from] = min(far[i-from], p.distance(at, i))
			if next < 0 || far[i-from] < far[next-from] {
				next = i
			}
		}
		longest, at = max(longest, far[next-from]), next
	}
	return longest
}

func (p problem) distance(i, j int) float64 {
	return math.Hypot(p.x.F64[2*i]-p.x.F64[2*j], p.x.F64[2*i+1]-p.x.F64[2*j+1])
}

// What joins the points of a sparse disc joins the dense discs, too, when densities differ tenfold;
// not when they are equal.
func TestNoSingleRadiusFindsDiscsOfTenfoldDensity(t *testing.T) {
	for _, ratio := range ratios {
		d := discs(ratio, 0, 1)
		between := math.Inf(1)
		for i := range discPoints {
			for j := discPoints; j < 2*discPoints; j++ {
				between = min(between, d.distance(i, j))
			}
		}
		sparse := min(d.longestStep(2*discPoints, 3*discPoints),
			d.longestStep(3*discPoints, 4*discPoints))
		if ratio >= 10 && sparse <= between || ratio == 1 && sparse >= between {
			t.Errorf("1:%d: the longest step within the sparse discs is %.2f, and the dense ones "+
				"are %.2f apart", ratio, sparse, between)
		}
	}
}

// Twelve labels of the four hundred points are enough for several densities. The best of all radii
// is not, with the truth at hand to choose it.
func TestSeveralDensitiesBeatEverySingleOne(t *testing.T) {
	d := discs(10, 0, 1)
	known := d.labelled(.03, 0, 1)
	v, err := d.fit(context.Background(), methods[0], known, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := all.Find("dbscan")
	if err != nil {
		t.Fatal(err)
	}
	best := 0.0
	for eps := .1; eps < 3; eps *= 1.1 {
		dbscan, err := m.With(map[string]string{"eps": strconv.FormatFloat(eps, 'g', -1, 64)})
		if err != nil {
			t.Fatal(err)
		}
		out, err := dbscan.Fit(t.Context(), method.Problem{Data: d.x, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.measure(out.Labels, known)
		if err != nil {
			t.Fatal(err)
		}
		best = max(best, found["ari"], found["ari_joint"])
	}
	if v["ari"] < .97 || best > .9 || best < .5 {
		t.Errorf("several densities %.3f, the best single radius %.3f", v["ari"], best)
	}
}

// Every row of a problem is labelled by each method, and noise is left by those alone that may
// leave it.
func TestEveryMethodLabelsEveryRow(t *testing.T) {
	d := discs(1, 0, 1)
	d.x = d.x.Subset(every(d.x.Rows, 4))
	var truth []int32
	for _, i := range every(len(d.truth), 4) {
		truth = append(truth, d.truth[i])
	}
	d.truth = truth
	known := d.labelled(.1, 0, 1)
	for _, c := range methods {
		found, err := d.labels(context.Background(), c, known, 1)
		if err != nil {
			t.Errorf("%s: %v", c.title, err)
			continue
		}
		r, err := eval.Compare(found, upFromOne(truth))
		if err != nil {
			t.Fatal(err)
		}
		if r.N != d.x.Rows || r.Noise > 0 && !slices.Contains(noisy, c.title) {
			t.Errorf("%s: %d labels, %d of them noise", c.title, r.N, r.Noise)
		}
		if r.AdjustedRand < .3 {
			t.Errorf("%s: the adjusted Rand index is %.2f on four discs apart", c.title,
				r.AdjustedRand)
		}
	}
}

func every(n, step int) []int {
	var out []int
	for i := 0; i < n; i += step {
		out = append(out, i)
	}
	return out
}

func upFromOne(truth []int32) []int {
	out := make([]int, len(truth))
	for i, c := range truth {
		out[i] = int(c) + 1
	}
	return out
}
