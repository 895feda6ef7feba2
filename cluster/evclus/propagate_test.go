package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/link"
)

// fitted prepares a fit of blobs with links, and solves it without them.
func fitted(t testing.TB, src dissim.Source, cfg Config) (*fitter, *solution) {
	t.Helper()
	links := cfg.Links
	cfg.Links = nil
	f, err := newFitter(src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	base, err := f.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.links = newLinkTerms(f.n, links)
	return f, base
}

func TestLend(t *testing.T) {
	near := map[int32][]neighbour{
		0: {{0, 1}, {1, 0.5}},
		2: {{2, 1}, {3, 0.25}},
		4: {{4, 1}, {1, 0.8}},
	}
	ties := []tie{{0, 2, 1, 1}, {4, 2, 0, 1}, {4, 0, 1, 1}}
	got := lend(t.Context(), 5, ties, near).ties
	// 1–2: .5 from the first and −.8 from the second; 1–3 a quarter of that; 1–1 is no pair.
	want := []tie{{0, 1, 1, 0.8}, {0, 2, 1, ownWeight}, {0, 3, 1, 0.25}, {0, 4, 1, ownWeight},
		{1, 2, 0, 0.3}, {1, 3, 0, 0.075}, {1, 4, 1, 0.5}, {2, 4, 0, ownWeight}, {3, 4, 0, 0.25}}
	same := func(x, y tie) bool {
		return x.a == y.a && x.b == y.b && x.same == y.same && math.Abs(x.weight-y.weight) < 1e-15
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("lent\n%v, want\n%v", got, want)
	}
	if got := lend(t.Context(), 5, []tie{{0, 2, 1, 1}, {0, 2, 1, 1}}, near).ties; !same(got[0],
		tie{0, 2, 1, ownWeight}) || !same(got[3], tie{1, 3, 1, 0.25}) {
		t.Errorf("a link told twice: %v", got)
	}
	if got := lend(t.Context(), 5, []tie{{0, 2, 0.5, 1}}, near); !got.empty() {
		t.Errorf("a link that says nothing was lent: %v", got.ties)
	}
}

// TestChoice: links that predict each other are lent to neighbours, and others are not.
func TestChoice(t *testing.T) {
	const n = 120 // three blobs, fitted as two clusters, of which one holds two blobs
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(count int, kind func(a, b int) link.Kind) (links []link.Link) {
		for range count {
			a, b := rng.IntN(n), rng.IntN(n-1)
			if b >= a {
				b++
			}
			links = append(links, link.Link{A: a, B: b, Kind: kind(a, b)})
		}
		return links
	}
	joined := func(a, b int) link.Kind { // blobs 0 and 1 are one class
		if (a%3 == 2) == (b%3 == 2) {
			return link.MustLink
		}
		return link.CannotLink
	}
	noise := func(a, b int) link.Kind {
		return []link.Kind{link.MustLink, link.CannotLink}[rng.IntN(2)]
	}
	for name, c := range map[string]struct {
		links []link.Link
		want  Constraints
	}{
		"few":                     {draw(2, joined), Soft},
		"that predict each other": {draw(60, joined), Propagate},
		"that mean nothing":       {draw(60, noise), Soft},
	} {
		f, base := fitted(t, blobs(n, 3, 1), Config{Clusters: 2, Knowledge: fit.Knowledge{
			Links: c.links, Contradictions: link.Keep}})
		if _, err := f.constrain(t.Context(), base); err != nil {
			t.Fatal(err)
		}
		if f.res.Used != c.want {
			t.Errorf("links %s enter as %s, want %s; %d of %d are violated", name,
				constraints[f.res.Used], constraints[c.want], f.res.Violated, len(c.links))
		}
	}
}

// TestFoldsKeepPairsTogether, so that no link is predicted by itself.
func TestFoldsKeepPairsTogether(t *testing.T) {
	got := folds([]tie{{0, 1, 1, 1}, {1, 2, 1, 1}, {1, 0, 0, 1}, {2, 3, 1, 1}, {0, 1, 1, 1}})
	if want := []int{0, 1, 0, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("folds %v, want %v", got, want)
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct{ n, clusters, linked, links, want int }{
		{800, 2, 40, 20, 20},              // few links reach far
		{800, 2, 320, 200, 10},            // many less
		{150, 3, 20, 10, 12},              // no more than a quarter of a cluster
		{150, 3, 150, 500, 5},             //
		{4, 2, 2, 1, 3},                   // all there are
		{1 << 20, 4, 1 << 20, 1 << 20, 1}, // and memory
	} {
		f := &fitter{n: c.n, cfg: Config{Clusters: c.clusters},
			links: linkTerms{ties: make([]tie, c.links), linked: make([]int32, c.linked)}}
		if got := f.reach(); got != c.want {
			t.Errorf("%+v: reach %d", c, got)
		}
	}
}

// TestAnchorMovesLinkedRowsAlone, on all pairs and on sampled ones, and they heed their links.
func TestAnchorMovesLinkedRowsAlone(t *testing.T) {
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 4, Kind: link.CannotLink}}
	for _, partners := range []int{0, 8} {
		f, base := fitted(t, blobs(90, 2, 1),
			Config{Clusters: 2, Partners: partners, Knowledge: fit.Knowledge{Links: links},
				LinkWeight: 50})
		before := f.links.penalty(base.mass, f.fr.penalty, f.fr.f)
		s, err := f.anchor(t.Context(), base, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.n {
			moved := !slices.Equal(s.mass[i*f.fr.f:(i+1)*f.fr.f], base.mass[i*f.fr.f:(i+1)*f.fr.f])
			if linked := slices.Contains(f.links.linked, int32(i)); moved && !linked {
				t.Errorf("%d partners: row %d has no link and moved", partners, i)
			}
		}
		if after := f.links.penalty(s.mass, f.fr.penalty, f.fr.f); after > 0.5*before ||
			before < 3 {
			t.Errorf("%d partners: the links cost %v, before %v", partners, after, before)
		}
	}
}

// TestPropagationMovesNeighbours: a few links within a group that two clusters share, and across
// groups, join it.
func TestPropagationMovesNeighbours(t *testing.T) {
	n := 120
	links := []link.Link{}
	const linked = 20
	for k := range linked { // objects of blob 0 and blob 1 belong together, and blob 2 is apart
		links = append(links, link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink},
			link.Link{A: 3 * k, B: 3*k + 2, Kind: link.CannotLink})
	}
	for _, partners := range []int{0, 20} {
		f, base := fitted(t, blobs(n, 3, 1),
			Config{Clusters: 2, Partners: partners, Knowledge: fit.Knowledge{Links: links}})
		f.cfg.Constraints = Choose
		s, err := f.constrain(t.Context(), base)
		if err != nil {
			t.Fatal(err)
		}
		wrong := func(s *solution) (count int) {
			rest := newLinkTerms(n, nil)
			for k := linked; k < n/3; k++ {
				rest.ties = append(rest.ties, tie{int32(3 * k), int32(3*k + 1), 1, 1},
					tie{int32(3 * k), int32(3*k + 2), 0, 1})
			}
			keep := f.links
			defer func() { f.links = keep }()
			f.links = rest
			return f.violatedBy(s)
		}
		if before, after := wrong(base), wrong(s); f.violatedBy(s) > 2 || before < 10 ||
			after > before/5 {
			t.Errorf("%d partners: %d links are wrong, and %d other pairs of %d before", partners,
				f.violatedBy(s), after, before)
		}
	}
}

// TestOverwrittenMatrixLendsTheSame: dissimilarities are found again in δ, near enough.
func TestOverwrittenMatrixLendsTheSame(t *testing.T) {
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 7, B: 20, Kind: link.CannotLink}}
	plain, _ := fitted(t, blobs(60, 2, 3),
		Config{Clusters: 2, Knowledge: fit.Knowledge{Links: links}})
	over, _ := fitted(t, blobs(60, 2, 3),
		Config{Clusters: 2, Knowledge: fit.Knowledge{Links: links}, Consume: true})
	a, err := plain.neighbours(t.Context(), 6)
	if err != nil {
		t.Fatal(err)
	}
	b, err := over.neighbours(t.Context(), 6)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range plain.links.linked {
		same := func(x, y neighbour) bool {
			return x.object == y.object && math.Abs(x.share-y.share) < 1e-3
		}
		if !slices.EqualFunc(a[i], b[i], same) || len(a[i]) != 7 {
			t.Errorf("object %d: %v and overwritten %v", i, a[i], b[i])
		}
	}
}
