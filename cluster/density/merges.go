package density

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// merges asks about the merges of a condensed tree: whether what parts at one of them belongs
// together. "Same" decides all merges within it, and "different" all around it. It asks about the
// open merge at which most is at stake: where the cluster is about as stable as the best clusters
// within it, so that either answer loses much, and both parts have many rows. A branch is
// represented by the rows that stay in it longest. This is ours; the answers count as any links do
// (Campello, Moulavi, Zimek and Sander 2013).
type merges struct {
	h     *hierarchy
	known []int32 // classes known before; nil: none are
	parts [][]int // of each cluster of the tree
	order []int   // rows by falling λ
	depth []int
}

// spokesmen is how many rows represent a branch: where one pair of them cannot be told, the next is
// asked about, and after as many answers the merge is left aside.
const spokesmen = 2

func newMerges(h *hierarchy, known []int32) *merges {
	t := h.tree
	m := &merges{h: h, known: known, parts: t.parts(), depth: t.depths()}
	m.order = linalg.Order(len(t.Lambda),
		func(a, b int) int { return cmp.Compare(t.Lambda[b], t.Lambda[a]) })
	return m
}

// state is what is known of each merge.
type mergeState struct {
	same, different []bool  // at the merge, in the end around or within it
	rows            [][]int // that represent each cluster
}

// state works out what a ledger has of the merges.
func (m *merges) state(known *ask.Ledger) *mergeState {
	t := m.h.tree
	k := len(t.Clusters)
	s := &mergeState{same: make([]bool, k), different: make([]bool, k),
		rows: m.represent(known)}
	decide := func(c int, kind link.Kind) {
		s.same[c] = s.same[c] || kind == link.MustLink
		s.different[c] = s.different[c] || kind == link.CannotLink
	}
	for _, l := range known.Facts() {
		decide(t.around(m.depth, int(t.Cluster[l.A]), int(t.Cluster[l.B])), l.Kind)
	}
	for c, parts := range m.parts {
		if len(parts) == 2 {
			for _, pair := range m.pairs(s, c) {
				if kind, ok := known.Known(pair[0], pair[1]); ok {
					decide(c, kind)
				}
			}
		}
	}
	m.classes(decide)
	for c := 1; c < k; c++ { // what a cluster is part of comes before
		s.same[c] = s.same[c] || s.same[t.Clusters[c].Parent]
	}
	for c := k - 1; c > 0; c-- {
		up := t.Clusters[c].Parent
		s.different[up] = s.different[up] || s.different[c]
	}
	return s
}

// classes decides merges whose branches have rows of known classes.
func (m *merges) classes(decide func(c int, kind link.Kind)) {
	if m.known == nil {
		return
	}
	t := m.h.tree
	in := make([]map[int32]bool, len(t.Clusters))
	for c := range in {
		in[c] = map[int32]bool{}
	}
	meet := func(c int, class int32) {
		for other := range in[c] {
			if other == class {
				decide(c, link.MustLink)
			} else {
				decide(c, link.CannotLink)
			}
		}
	}
	for i, class := range m.known {
		if class >= 0 {
			c := int(t.Cluster[i])
			meet(c, class)
			in[c][class] = true
		}
	}
	for c := len(in) - 1; c > 0; c-- {
		up := t.Clusters[c].Parent
		for class := range in[c] {
			meet(up, class)
		}
		for class := range in[c] {
			in[up][class] = true
		}
	}
}

// represent returns the rows that stay longest in each cluster of the tree, but those left out.
func (m *merges) represent(known *ask.Ledger) [][]int {
	t := m.h.tree
	rows := make([][]int, len(t.Clusters))
	for _, row := range m.order {
		if !known.Askable(row) {
			continue
		}
		// A cluster that has enough is part of clusters that have.
		for c := int(t.Cluster[row]); c >= 0 && len(rows[c]) < spokesmen; c = t.Clusters[c].Parent {
			rows[c] = append(rows[c], row)
		}
	}
	return rows
}

// pairs returns the pairs of rows that represent the two parts of a cluster, the best first.
func (m *merges) pairs(s *mergeState, c int) (pairs [][2]int) {
	left, right := s.rows[m.parts[c][0]], s.rows[m.parts[c][1]]
	for sum := range len(left) + len(right) {
		for i, a := range left {
			if j := sum - i; j >= 0 && j < len(right) {
				pairs = append(pairs, [2]int{a, right[j]})
			}
		}
	}
	return pairs
}

// open is a merge to ask about.
type open struct {
	cluster int
	a, b    int
	stake   float64
}

// open returns the open merges, the one with most at stake first.
func (m *merges) open(known *ask.Ledger) (all []open) {
	t, s := m.h.tree, m.state(known)
	best := make([]float64, len(t.Clusters)) // stability of the best choice within
	for c := len(t.Clusters) - 1; c >= 0; c-- {
		within := 0.0
		for _, part := range m.parts[c] {
			within += best[part]
		}
		own := t.Clusters[c].Stability
		switch {
		case s.different[c] || c == 0 && !m.h.cfg.Single:
			best[c] = within
		case s.same[c]:
			best[c] = own
		default:
			best[c] = max(own, within)
		}
		if s.same[c] || s.different[c] || len(m.parts[c]) != 2 || c == 0 && !m.h.cfg.Single ||
			t.near(m.parts[c][0], m.h.cfg.SelectionEps) { // joined whatever is answered
			continue
		}
		unsure := 0
		for _, pair := range m.pairs(s, c) {
			if _, ok := known.Known(pair[0], pair[1]); ok {
				unsure++
				continue
			}
			if unsure < spokesmen {
				all = append(all, open{c, pair[0], pair[1], m.stake(own, within, c)})
			}
			break
		}
	}
	slices.SortStableFunc(all, func(a, b open) int {
		return cmp.Or(cmp.Compare(b.stake, a.stake), cmp.Compare(a.cluster, b.cluster))
	})
	return all
}

// stake returns what is at stake at a merge: the share of stability that the less stable answer
// keeps, times the mean number of rows of the two parts.
func (m *merges) stake(own, within float64, c int) float64 {
	t := m.h.tree
	left, right := t.Clusters[m.parts[c][0]].Size, t.Clusters[m.parts[c][1]].Size
	rows := math.Sqrt(float64(left) * float64(right))
	if own+within <= 0 {
		return rows / 2
	}
	return min(own, within) / (own + within) * rows
}

// Questions implements [ask.Chooser].
func (m *merges) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt, error) {
	var found []ask.Prompt
	for _, o := range m.open(known) {
		if len(found) == most {
			break
		}
		found = append(found, ask.Prompt{Question: link.Question{A: o.a, B: o.b,
			Why: m.why(o.cluster)}})
	}
	return found, ctx.Err()
}

// why returns why a merge is asked about.
func (m *merges) why(c int) string {
	size := func(part int) string { return words.Count(m.h.tree.Clusters[part].Size, "row") }
	return fmt.Sprintf("the first stands for a dense part of %s, the second for one of %s, and the "+
		"two part at a distance of %s", size(m.parts[c][0]), size(m.parts[c][1]),
		words.Round(1/m.h.tree.Clusters[m.parts[c][0]].Birth))
}

// Remaining implements [ask.Chooser]: an answer decides several merges, half of them say.
func (m *merges) Remaining(known *ask.Ledger) (likely, most int) {
	n := len(m.open(known))
	return max(1, (n+1)/2), max(1, spokesmen*n)
}

// Guess implements [ask.Guesser].
func (m *merges) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	t := m.h.tree
	in := t.within(t.choose(m.h.cfg, t.keeps(known.Facts(), m.known)))
	switch x, y := in[t.Cluster[a]], in[t.Cluster[b]]; {
	case x == Noise || y == Noise:
		return 0.5, "the groups so far leave one of the two out"
	case x == y:
		return 0.75, "the groups so far hold both in one"
	}
	return 0.25, "the groups so far part them"
}

var (
	_ ask.Chooser = (*merges)(nil)
	_ ask.Guesser = (*merges)(nil)
)

// begin begins to ask about merges.
func (s *hierarchical) begin(ctx context.Context, p method.Problem) (*method.Session, error) {
	o, err := objectsOf(p)
	if err != nil {
		return nil, err
	}
	cfg := s.cfg
	cfg.Options, cfg.Knowledge = p.Options(0), p.Knowledge
	h, err := newHierarchy(ctx, o, cfg)
	if err != nil {
		return nil, err
	}
	session, err := ask.Begin(ctx, o.Len(), p.Links, p.Contradictions, newMerges(h, p.Known))
	if err == nil {
		err = session.AskOnly(p.Askable)
	}
	if err != nil {
		return nil, err
	}
	return &method.Session{Session: session,
		Outcome: func(ctx context.Context) (*method.Outcome, error) {
			p := p
			p.Links = session.Facts()
			excluded := session.Excluded()
			out, err := s.outcome(ctx, p, h, excluded)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			out.Asked, out.Excluded = session.Answers(), excluded
			out.Queries = len(out.Asked)
			out.LeaveOut()
			return out, nil
		}}, nil
}
