package stream

import (
	"testing"

	"pgregory.net/rapid"
)

// TestWaiting: at every time the links that wait are the latest that were added and not taken, by
// row and in their order.
func TestWaiting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 6).Draw(t, "most")
		h := newWaiting(most, 0)
		var want []heldState
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			row := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "row")
			if rapid.IntRange(0, 4).Draw(t, "take") == 0 {
				var left []heldState
				var taken []NamedLink
				for _, w := range want {
					if w.Row == row {
						taken = append(taken, w.NamedLink)
					} else {
						left = append(left, w)
					}
				}
				want = left
				got := h.take(row)
				if len(got) != len(taken) {
					t.Fatalf("took %v, want %v", got, taken)
				}
				for i := range got {
					if got[i] != taken[i] {
						t.Fatalf("took %v, want %v", got, taken)
					}
				}
			} else {
				reported := NamedLink{A: row, B: string(rune('0' + i))}
				dropped := h.add(reported, row)
				if want = append(want, heldState{NamedLink: reported, Row: row}); len(want) > most {
					if dropped == nil || dropped.link != want[0].NamedLink {
						t.Fatalf("dropped %v, want %v", dropped, want[0])
					}
					want = want[1:]
				} else if dropped != nil {
					t.Fatalf("dropped %v", dropped)
				}
			}
			got := h.state()
			if len(got) != len(want) || h.any() != (len(want) > 0) {
				t.Fatalf("%v wait, want %v", got, want)
			}
			for i := range got {
				if got[i] != want[i] || !h.waited([]byte(got[i].Row)) {
					t.Fatalf("%v wait, want %v", got, want)
				}
			}
		}
	})
}

// BenchmarkWaitingForOneRow: many links that wait for one row push each other out.
func BenchmarkWaitingForOneRow(b *testing.B) {
	h := newWaiting(0, 0)
	for range DefaultHold {
		h.add(NamedLink{A: "1", B: "2"}, "2")
	}
	for b.Loop() {
		h.add(NamedLink{A: "1", B: "2"}, "2")
	}
}
