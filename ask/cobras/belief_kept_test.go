package cobras

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// TestBeliefKeptUpToDate: however links come, asked for or not, about pairs that were linked
// already, and are judged anew: what a belief keeps up to date is what its statements amount to,
// and it notices each time that more is known of rows that are watched.
func TestBeliefKeptUpToDate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "rows")
		b := newBelief(rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "error rate"), 0)
		var watched []int
		var then [][]link.Kind
		relations := func() (all [][]link.Kind) {
			for _, x := range watched {
				var one []link.Kind
				for _, y := range watched {
					one = append(one, b.relation(x, y))
				}
				all = append(all, one)
			}
			return all
		}
		watch := func() {
			watched = nil
			for row := range n {
				if rapid.Bool().Draw(t, "watched") {
					watched = append(watched, row)
				}
			}
			b.mark(watched)
			then = relations()
		}
		watch()
		for range rapid.IntRange(1, 40).Draw(t, "links") {
			x := rapid.IntRange(0, n-1).Draw(t, "a")
			l := link.Link{A: x, B: (x + rapid.IntRange(1, n-1).Draw(t, "b")) % n,
				Kind: link.Kind(rapid.IntRange(0, 2).Draw(t, "kind"))}
			before := b.known()
			b.add(l, rapid.Bool().Draw(t, "told"))
			if b.rate > 0 && rapid.IntRange(0, 3).Draw(t, "judge") == 0 && b.clashes {
				b.judge(b.explanations()[0])
			}

			var told []int32
			edges := make([][]int32, len(b.rows))
			for i, s := range b.said {
				if s.told {
					told = append(told, int32(i))
				}
				edges[s.a] = append(edges[s.a], int32(i))
				edges[s.b] = append(edges[s.b], int32(i))
			}
			if !slices.Equal(told, b.told) {
				t.Fatalf("nobody was asked for %v, and it has %v", told, b.told)
			}
			now, anew := b.known(), b.see(nil)
			for v := range int32(len(b.rows)) {
				if got := slices.Collect(b.edges(v)); !slices.Equal(got, edges[v]) {
					t.Fatalf("statements %v at node %d, want %v", got, v, edges[v])
				}
				for u := range v {
					if got, want := now.relation(u, v), anew.relation(u, v); got != want {
						t.Fatalf("nodes %d and %d are %v, and worked out anew %v", u, v, got, want)
					}
				}
			}
			if now != before { // whoever watched has to begin again
				watch()
				continue
			}
			if got := relations(); !now.moved && !slices.EqualFunc(got, then,
				slices.Equal[[]link.Kind]) {
				t.Fatalf("rows %v were %v and are %v, and nobody notices", watched, then, got)
			}
			if rapid.IntRange(0, 3).Draw(t, "watch again") == 0 {
				watch()
			}
		}
	})
}
