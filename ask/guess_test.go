package ask

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// TestLikeness holds guesses that are kept up to date, as answers come, go and change, against the
// definition: the five answers about pairs that are most nearly as far apart, the earlier on a tie.
func TestLikeness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 12
		place := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "places")
		if rapid.Bool().Draw(t, "ties") {
			for i := range place {
				place[i] = math.Floor(4 * place[i])
			}
		}
		apart := func(a, b int) (float64, bool) {
			return math.Abs(place[a] - place[b]), a+b != n
		}
		s, err := Begin(context.Background(), n, nil, link.Keep, nil)
		if err != nil {
			t.Fatal(err)
		}
		row := rapid.IntRange(0, n-1)
		kind := rapid.SampledFrom([]link.Kind{link.Unknown, link.MustLink, link.CannotLink})
		any := func() link.Link {
			a := row.Draw(t, "a")
			return link.Link{A: a, B: (a + rapid.IntRange(1, n-1).Draw(t, "b")) % n,
				Kind: kind.Draw(t, "kind")}
		}
		var k Likeness
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				s.Ledger.Undo()
			case 1:
				if answers := s.Answers(); len(answers) > 0 {
					l := rapid.SampledFrom(answers).Draw(t, "earlier")
					if err := s.Edit(l.A, l.B, kind.Draw(t, "now")); err != nil {
						t.Fatal(err)
					}
				}
			default:
				for range rapid.IntRange(1, 14).Draw(t, "answers") {
					if err := s.Tell(any()); err != nil {
						t.Fatal(err)
					}
				}
			}
			q := any()
			got, words := k.Guess(s.Ledger, q.A, q.B, apart)
			distance, _ := apart(q.A, q.B)
			var known []link.Link
			for _, l := range s.Answers() {
				if _, ok := apart(l.A, l.B); ok && l.Kind != link.Unknown {
					known = append(known, l)
				}
			}
			off := func(l link.Link) float64 {
				d, _ := apart(l.A, l.B)
				return math.Abs(d - distance)
			}
			slices.SortStableFunc(known, func(a, b link.Link) int {
				return cmp.Compare(off(a), off(b))
			})
			known = known[:min(5, len(known))]
			want := 0.5
			if len(known) > 0 {
				together := 0
				for _, l := range known {
					if l.Kind == link.MustLink {
						together++
					}
				}
				want = float64(together+1) / float64(len(known)+2)
			}
			if got != want {
				t.Fatalf("%v: %g (%s), want %g by %v", q, got, words, want, known)
			}
		}
	})
}
