package hierarchy_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// under returns the configuration for so many clusters under links.
func under(clusters int, links ...link.Link) hierarchy.CCLConfig {
	return hierarchy.CCLConfig{Clusters: clusters, Knowledge: fit.Knowledge{Links: links}}
}

// constrained is CCL as Klein, Kamvar and Manning print it, on objects one by one: must-links to 0,
// Floyd–Warshall through every must-linked object, cannot-links to the greatest plus 1, and
// complete linkage by the definition, down to k clusters.
func constrained(src dissim.Source, links []link.Link, k int) []int32 {
	n := src.Len()
	d := make([][]float32, n)
	linked := make([]bool, n)
	for i := range d {
		d[i] = make([]float32, n)
		src.Row(d[i], i, nil)
	}
	for _, l := range links {
		if l.Kind == link.MustLink {
			d[l.A][l.B], d[l.B][l.A] = 0, 0
			linked[l.A], linked[l.B] = true, true
		}
	}
	most := float32(0)
	for via := range n {
		for i := range n {
			for j := range n {
				if linked[via] {
					d[i][j] = min(d[i][j], d[i][via]+d[via][j])
				}
			}
		}
	}
	for i := range n {
		most = max(most, slices.Max(d[i]))
	}
	for _, l := range links {
		if l.Kind == link.CannotLink {
			d[l.A][l.B], d[l.B][l.A] = most+1, most+1
		}
	}
	labels := make([]int32, n)
	for i := range labels {
		labels[i] = int32(i)
	}
	for clusters := n; clusters > k; clusters-- {
		far := map[[2]int32]float32{}
		for i := range n {
			for j := range i {
				if labels[i] != labels[j] {
					pair := [2]int32{min(labels[i], labels[j]), max(labels[i], labels[j])}
					far[pair] = max(far[pair], d[i][j])
				}
			}
		}
		var best [2]int32
		least := float32(math.Inf(1))
		for pair, v := range far {
			if v < least || v == least &&
				(pair[0] < best[0] || pair[0] == best[0] && pair[1] < best[1]) {
				best, least = pair, v
			}
		}
		for i := range labels {
			if labels[i] == best[1] {
				labels[i] = best[0]
			}
		}
	}
	return labels
}

// samePartition reports whether two labellings put the same objects together.
func samePartition(a, b []int32) bool {
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return true
}

// linksOf draws links that a partition into classes fulfils.
func linksOf(classes []int32, count int, rng *rand.Rand) (out []link.Link) {
	for len(out) < count {
		a, b := rng.IntN(len(classes)), rng.IntN(len(classes))
		if a == b {
			continue
		}
		kind := link.CannotLink
		if classes[a] == classes[b] {
			kind = link.MustLink
		}
		out = append(out, link.Link{A: a, B: b, Kind: kind})
	}
	return out
}

func TestCCLIsTheOneOfThePaper(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		data := scattered(40, 2, seed)
		src, err := dissim.Vectors(data,
			[]dissim.Metric{dissim.Euclidean, dissim.SqEuclidean}[seed%2])
		if err != nil {
			t.Fatal(err)
		}
		classes := make([]int32, 40)
		for i := range classes {
			classes[i] = int32(rng.IntN(3))
		}
		links := linksOf(classes, int(seed)*2, rng)
		r, err := hierarchy.FitCCL(context.Background(), src, under(6, links...))
		if err != nil {
			t.Fatal(err)
		}
		if want := constrained(src, links, 6); len(r.Violated) == 0 &&
			!samePartition(r.Labels, want) {
			t.Errorf("seed %d, %d links: %v, by the paper %v", seed, len(links), r.Labels, want)
		}
		for _, l := range r.Violated {
			if l.Kind == link.MustLink {
				t.Errorf("seed %d: the must-link %v is broken", seed, l)
			}
		}
		cut, err := r.Tree.Cut(6)
		if err != nil || !samePartition(cut, r.Labels) || len(r.Tree.Merges) != 39 ||
			r.Tree.Merges[38].Size != 40 {
			t.Errorf("seed %d: the tree is of another partition", seed)
		}
		if broken := r.Tree.Merges[39-6].Height > r.Bound; broken != (len(r.Violated) > 0) {
			t.Errorf("seed %d: %d links are broken, and the last merge is at %g, the bound at %g",
				seed, len(r.Violated), r.Tree.Merges[39-6].Height, r.Bound)
		}
	}
}

func TestWithoutLinksCCLIsCompleteLinkage(t *testing.T) {
	src, err := dissim.Vectors(scattered(50, 3, 1), dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	want, err := hierarchy.FitSource(context.Background(), src,
		hierarchy.Config{Linkage: hierarchy.Complete})
	if err != nil {
		t.Fatal(err)
	}
	got, err := hierarchy.FitCCL(context.Background(), src, under(4, link.Link{A: 3, B: 4}))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Tree.Merges, want.Merges) {
		t.Error("another tree")
	}
}

func TestCCLNamesWhatCannotBe(t *testing.T) {
	src, err := dissim.Vectors(scattered(31, 2, 1), dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	var apart []link.Link
	for i, a := range []int{2, 7, 19, 30} {
		for _, b := range []int{2, 7, 19, 30}[:i] {
			apart = append(apart, link.Link{A: a, B: b, Kind: link.CannotLink})
		}
	}
	apart = append(apart, link.Link{A: 2, B: 5, Kind: link.CannotLink})
	for _, c := range []struct {
		links []link.Link
		k     int
		says  string
	}{
		{apart, 3, "rows 3, 8, 20 and 31 are all different from each other: 4 of them, and there " +
			"are 3 clusters; ask for at least 4 clusters, or take back one of their links"},
		{apart[:1], 1, "rows 3 and 8 are all different from each other: 2 of them, and there is " +
			"1 cluster; ask for at least 2 clusters, or take back one of their links"},
		{[]link.Link{{A: 0, B: 1, Kind: link.MustLink}}, 31,
			"31 clusters asked for, and must-links leave only 30 groups of objects; ask for at " +
				"most 30"},
		{nil, 0, "0 clusters asked for; ask for at least 1"},
		{nil, 32, "32 clusters asked for and only 31 rows given; ask for at most 31"},
	} {
		_, err := hierarchy.FitCCL(context.Background(), src, under(c.k, c.links...))
		var in *fault.Input
		if !errors.As(err, &in) || err.Error() != c.says {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
	if _, err := hierarchy.FitCCL(context.Background(), src, under(4, apart...)); err != nil {
		t.Errorf("four of them, and 4 clusters: %v", err)
	}
	clash := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 0, B: 1, Kind: link.CannotLink}}
	var contradiction *link.Contradiction
	if _, err := hierarchy.FitCCL(context.Background(), src, under(2, clash...)); !errors.As(err,
		&contradiction) {
		t.Errorf("links that clash: %v", err)
	}
	keep := under(2, clash...)
	keep.Contradictions = link.Keep
	r, err := hierarchy.FitCCL(context.Background(), src, keep)
	if err != nil || len(r.Clashing) != 1 || len(r.Violated) != 1 || r.Labels[0] != r.Labels[1] {
		t.Errorf("links that clash, kept: %v", err)
	}
}

// Complete linkage sees one join ahead: with the links of a cycle of five it can be left with more
// clusters than two, or be forced; it reports what it breaks.
func TestCCLReportsWhatItBreaks(t *testing.T) {
	src, err := dissim.Vectors(dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{0, 1, 3, 7, 15}},
		dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	var cycle []link.Link
	for i := range 5 {
		cycle = append(cycle, link.Link{A: i, B: (i + 1) % 5, Kind: link.CannotLink})
	}
	r, err := hierarchy.FitCCL(context.Background(), src, under(2, cycle...))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Violated) == 0 {
		t.Error("an odd cycle cannot be kept by two clusters")
	}
}

func TestBadInputAndCancellation(t *testing.T) {
	ctx := context.Background()
	var in *fault.Input
	for name, data := range map[string]dataset.Matrix{
		"no rows":    {},
		"no columns": {Rows: 2},
		"NaN":        {Rows: 2, Cols: 1, F64: []float64{1, math.NaN()}},
		"infinite":   {Rows: 2, Cols: 1, F32: []float32{1, float32(math.Inf(1))}},
		"huge":       {Rows: 2, Cols: 1, F64: []float64{1, 1e200}},
	} {
		for _, linkage := range linkages {
			if _, err := hierarchy.Fit(ctx, data,
				hierarchy.Config{Linkage: linkage}); !errors.As(err, &in) {
				t.Errorf("%s, %v: %v", name, linkage, err)
			}
		}
	}
	if _, err := hierarchy.Fit(ctx, six, hierarchy.Config{Linkage: 99}); !errors.As(err, &in) {
		t.Errorf("linkage 99: %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	src, err := dissim.Vectors(six, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, linkage := range linkages {
		if _, err := hierarchy.Fit(done, six, hierarchy.Config{Linkage: linkage}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%v of vectors, cancelled: %v", linkage, err)
		}
		if _, err := hierarchy.FitSource(done, src,
			hierarchy.Config{Linkage: linkage}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, cancelled: %v", linkage, err)
		}
	}
	if _, err := hierarchy.FitCCL(done, src, hierarchy.CCLConfig{Clusters: 2}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("CCL, cancelled: %v", err)
	}
}

// float32 rows are joined as their values are, and dissimilarities near the ends of float32 as any
// others.
func TestScalesAndTypes(t *testing.T) {
	m := scattered(30, 3, 2)
	single := dataset.Matrix{Rows: 30, Cols: 3}
	for _, v := range m.F64 {
		single.F32 = append(single.F32, float32(v))
	}
	widened := dataset.Matrix{Rows: 30, Cols: 3}
	for _, v := range single.F32 {
		widened.F64 = append(widened.F64, float64(v))
	}
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, linkage := range linkages {
		a, err := hierarchy.Fit(context.Background(), single, hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		b, err := hierarchy.Fit(context.Background(), widened, hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, linkage.String(), a.Merges, b.Merges, 1e-6)
		want, err := hierarchy.FitSource(context.Background(), src,
			hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		for _, power := range []int{120, -120} {
			d, err := dissim.NewDense(context.Background(), src, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.D {
				d.D[i] = float32(math.Ldexp(float64(d.D[i]), power))
			}
			got, err := hierarchy.FitSource(context.Background(), d,
				hierarchy.Config{Linkage: linkage})
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range got.Merges {
				w := want.Merges[i]
				w.Height = math.Ldexp(w.Height, power)
				if e != w {
					t.Fatalf("%v at 2^%d: merge %d is %v, want %v", linkage, power, i, e, w)
				}
			}
		}
	}
}

func ExampleFitCCL() {
	data, err := dataset.NewMatrix(6, 1, []float64{0, 1, 2, 3, 10, 11})
	if err != nil {
		panic(err)
	}
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		panic(err)
	}
	r, err := hierarchy.FitCCL(context.Background(), src,
		under(2, link.Link{A: 1, B: 2, Kind: link.CannotLink},
			link.Link{A: 3, B: 4, Kind: link.MustLink}))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels)
	// Output: [0 0 1 1 1 1]
}
