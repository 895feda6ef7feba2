package competitive

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// clashing reports whether must-links and cannot-links contradict each other, by going over them
// until nothing changes.
func clashing(held map[[2]int64]link.Kind, rows int64) bool {
	group := make([]int64, rows+1)
	for i := range group {
		group[i] = int64(i)
	}
	for changed := true; changed; {
		changed = false
		for p, kind := range held {
			if a, b := group[p[0]], group[p[1]]; kind == link.MustLink && a != b {
				group[p[0]], group[p[1]] = min(a, b), min(a, b)
				changed = true
			}
		}
	}
	for p, kind := range held {
		if kind == link.CannotLink && group[p[0]] == group[p[1]] {
			return true
		}
	}
	return false
}

// Whatever links came, were changed, taken back, forgotten and evicted: a link is refused just
// where the links held contradict it.
func TestContradictionsAreThoseOfTheLinksHeld(t *testing.T) {
	refused, evicted := 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 5))
		cfg := Config{Clusters: 2, Rule: OLCVQE, Remember: []int{-1, 1, 5, 30}[rng.IntN(4)],
			MostLinked: []int{2, 3, 7, 20}[rng.IntN(4)], Rehearse: rng.IntN(3)}
		l := placed(t, cfg, 0, 10)
		see(t, l, 1)
		for range 300 {
			a, b := l.Rows()-int64(rng.IntN(15)), l.Rows()-int64(rng.IntN(15))
			switch rng.IntN(24) {
			case 0, 1, 2, 3, 4, 5:
				see(t, l, 10*rng.Float64())
				continue
			case 6, 7:
				if remembered := l.Remembers(a); (l.Forget(a) == nil) != remembered ||
					l.Remembers(a) {
					t.Fatalf("seed %d: row %d was to be forgotten", seed, a)
				}
				continue
			}
			if a == b || !l.Remembers(a) || !l.Remembers(b) {
				continue
			}
			held := map[[2]int64]link.Kind{}
			for _, s := range l.State().Links {
				held[[2]int64{min(s.A, s.B), max(s.A, s.B)}] = s.Kind
			}
			before, kind := len(held), link.Kind(rng.IntN(3))
			delete(held, [2]int64{min(a, b), max(a, b)})
			if kind != link.Unknown {
				held[[2]int64{min(a, b), max(a, b)}] = kind
			}
			r, err := l.Link(a, b, kind, 0)
			after := len(l.State().Links)
			var clash *link.Contradiction
			switch {
			case errors.As(err, &clash) != clashing(held, l.Rows()):
				t.Fatalf("seed %d, row %d: %d and %d %v among %v: %v", seed, l.Rows(), a, b, kind,
					held, err)
			case err != nil && after != before, err == nil && r.Evicted == 0 && after != len(held):
				t.Fatalf("seed %d, row %d: %d links are held, before %d", seed, l.Rows(), after,
					before)
			case err == nil && kind != link.Unknown && !(l.Remembers(a) && l.Remembers(b)),
				l.Statistics().Linked > cfg.MostLinked:
				t.Fatalf("seed %d, row %d: what was just linked is gone, or too much is held", seed,
					l.Rows())
			}
			if err != nil {
				refused++
			}
			evicted += r.Evicted
		}
	}
	if refused < 10 || evicted < 100 {
		t.Errorf("%d links refused and %d rows evicted: too few to show anything", refused, evicted)
	}
}
