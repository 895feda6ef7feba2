package cobras

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// TestVerdictsAgainstAllPairs: cycles, and the pairs that are asked about to find mistakes, are
// those that looking at all statements and all pairs of nodes in each world finds.
func TestVerdictsAgainstAllPairs(t *testing.T) {
	asks := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "rows")
		data := dataset.Matrix{Rows: n, Cols: 1}
		cfg := Config{Askable: make([]bool, n), Certainty: rapid.SampledFrom([]float64{0.5, 0.95,
			0.999}).Draw(t, "certainty")}
		for i := range n {
			data.F64 = append(data.F64, float64(rapid.IntRange(0, 3).Draw(t, "value")))
			cfg.Askable[i] = rapid.IntRange(0, 5).Draw(t, "askable") > 0
		}
		b := newBelief(0.1, 0)
		none := func(int) bool { return false }
		p := &play{doubt: b, tree: &tree{data: data, cfg: cfg, out: none}}
		truth := rapid.SliceOfN(rapid.IntRange(0, 2), n, n).Draw(t, "classes")
		for range rapid.IntRange(0, 3*n).Draw(t, "links") {
			x := rapid.IntRange(0, n-1).Draw(t, "a")
			l := link.Link{A: x, B: (x + rapid.IntRange(1, n-1).Draw(t, "b")) % n, Kind: different}
			if truth[l.A] == truth[l.B] {
				l.Kind = same
			}
			if rapid.IntRange(0, 9).Draw(t, "err") == 0 {
				l.Kind = link.Kind(rapid.IntRange(0, 2).Draw(t, "kind"))
			}
			b.add(l, rapid.Bool().Draw(t, "told"))
			if b.clashes && rapid.Bool().Draw(t, "judge") {
				b.judge(b.explanations()[0])
			}
		}
		var flips []int32
		for i := range b.said {
			if rapid.IntRange(0, 4).Draw(t, "flip") == 0 {
				flips = append(flips, int32(i))
			}
		}
		if got, want := b.cycle(flips), b.cycleAnew(flips); !slices.Equal(got, want) {
			t.Fatalf("cycle %v, want %v", got, want)
		}
		var stands []int32
		for v := range b.rows {
			if rapid.Bool().Draw(t, "stands") {
				stands = append(stands, int32(v))
			}
		}
		var matter []int32
		for i, s := range b.said {
			if slices.Contains(stands, s.a) && slices.Contains(stands, s.b) {
				matter = append(matter, int32(i))
			}
		}
		if got := b.among(stands); !slices.Equal(got, matter) {
			t.Fatalf("statements %v matter, want %v", got, matter)
		}
		got, want := p.suspect(matter, stands), p.suspectAnew(matter, stands)
		if !b.clashes {
			got, want = p.doubtful(matter, stands), p.doubtfulAnew(matter, stands)
		}
		if got.ask != want.ask || got.u != want.u || got.v != want.v {
			t.Fatalf("it asks %v about %d and %d, want %v, %d and %d", got.ask, got.u, got.v,
				want.ask, want.u, want.v)
		}
		if got.ask {
			asks++
		}
	})
	t.Logf("%d questions", asks)
}

// cycleAnew returns the statements of a cycle with exactly one cannot-link, which comes last; nil
// where there is none.
func (b *belief) cycleAnew(flips []int32) []int32 {
	group := b.joined(flips)
	for i := range b.said {
		e := int32(i)
		if b.kind(e, flips) == link.CannotLink &&
			group.Root(b.said[i].a) == group.Root(b.said[i].b) {
			return append(b.path(b.said[i].a, b.said[i].b, flips), e)
		}
	}
	return nil
}

// joined returns the sets of the nodes that must-links join.
func (b *belief) joined(flips []int32) disjoint.Sets {
	group := disjoint.Singletons(len(b.rows))
	for i := range b.said {
		if b.kind(int32(i), flips) == link.MustLink {
			x, y := group.Root(b.said[i].a), group.Root(b.said[i].b)
			group[max(x, y)] = min(x, y)
		}
	}
	return group
}

// members returns a function that returns the nodes of the group of one, rising.
func members(w *view) func(v int32) []int32 {
	all := make([][]int32, len(w.group))
	for u := range w.group {
		root := w.group.Root(int32(u))
		all[root] = append(all[root], int32(u))
	}
	return func(v int32) []int32 { return all[w.group.Root(v)] }
}

// beside returns a function that returns the nodes that something is known of beside one, some of
// them twice.
func (w *view) beside() func(v int32) []int32 {
	with := members(w)
	return func(v int32) []int32 {
		all := slices.Clone(with(v))
		for _, u := range w.rivals[w.group.Root(v)] {
			all = append(all, with(u)...)
		}
		return all
	}
}

// doubtfulAnew chooses the redundant question to ask: the one whose answer, if what is believed is
// true, rules out most of the alternatives. There is none once the links that matter are right with
// enough certainty; alternatives that no question can rule out do not count against it.
func (p *play) doubtfulAnew(matter, stands []int32) verdict {
	worlds := p.doubt.alternatives(matter)
	worlds = worlds[:min(len(worlds), mostWorlds)]
	if len(worlds) == 0 {
		return verdict{}
	}
	now := p.doubt.see(nil)
	views := make([]*view, len(worlds))
	weight := make([]float64, len(worlds))
	for i, w := range worlds {
		views[i], weight[i] = p.doubt.see(w.flips), math.Exp(-w.cost)
	}
	fixed := make([]bool, len(worlds))
	// only what is known of two can be known otherwise
	best := p.bestAnew(stands, now.beside(), func(u, v int32) (score float64) {
		held := now.relation(u, v)
		if held == link.Unknown {
			return 0
		}
		for i, w := range views {
			if k := w.relation(u, v); k != link.Unknown && k != held {
				score += weight[i]
				fixed[i] = true
			}
		}
		return score
	})
	wrong := 0.0
	for i, m := range fixed {
		if m {
			wrong += weight[i]
		}
	}
	if best.ask = best.ask && 1/(1+wrong) < p.tree.cfg.certainty(); !best.ask {
		return verdict{}
	}
	return best
}

// suspectAnew chooses what to ask when answers contradict each other: the pair that parts the
// likeliest explanations most evenly, as long as they disagree about links that matter. Else the
// explanation to take comes first.
func (p *play) suspectAnew(matter, stands []int32) verdict {
	worlds := p.doubt.explanations()
	slices.SortStableFunc(worlds, func(v, w world) int {
		return cmp.Or(cmp.Compare(p.strain(w), p.strain(v)), slices.Compare(v.flips, w.flips))
	})
	out := verdict{worlds: worlds[:1]}
	if !disagree(worlds, matter) {
		return out
	}
	worlds = worlds[:min(len(worlds), mostWorlds)]
	views := make([]*view, len(worlds))
	for i, w := range worlds {
		views[i] = p.doubt.see(w.flips)
	}
	// two must be of one group in some of them
	together := func(v int32) (u []int32) {
		for _, w := range views {
			u = append(u, members(w)(v)...)
		}
		return u
	}
	best := p.bestAnew(stands, together, func(u, v int32) float64 {
		same, different := 0, 0
		for _, w := range views {
			switch w.relation(u, v) {
			case link.MustLink:
				same++
			case link.CannotLink:
				different++
			}
		}
		return float64(min(same, different))
	})
	if best.ask {
		return best
	}
	return out
}

// bestAnew returns the pair of nodes that nobody was asked about yet of the highest positive score:
// of two that stand for super-instances rather than of others, and of the nearest on a tie. Others
// returns the nodes that have a positive score with one, and more perhaps.
func (p *play) bestAnew(stands []int32, others func(v int32) []int32,
	score func(u, v int32) float64) verdict {
	current := make([]bool, len(p.doubt.rows))
	for _, v := range stands {
		current[v] = true
	}
	var out verdict
	most, rank, near := 0.0, 0, math.Inf(1)
	for v := range int32(len(p.doubt.rows)) {
		them := slices.Clone(others(v))
		slices.Sort(them)
		for _, u := range slices.Compact(them) {
			if u >= v {
				break
			}
			if _, asked := p.doubt.at[pairKey(u, v)]; asked || !p.tree.askable(p.doubt.rows[u]) ||
				!p.tree.askable(p.doubt.rows[v]) {
				continue
			}
			s := score(u, v)
			if s <= 0 || s < most {
				continue
			}
			r := 0
			if current[u] && current[v] {
				r = 1
			}
			if s == most && r < rank {
				continue
			}
			d := p.apart(u, v)
			if s == most && r == rank && d >= near {
				continue
			}
			out = verdict{ask: true, u: u, v: v}
			most, rank, near = s, r, d
		}
	}
	return out
}
