package ask_test

import (
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// TestEntailed: what follows from answers is certain, what does not is left to a guess, and rows
// that are not there say nothing.
func TestEntailed(t *testing.T) {
	l, err := ask.NewLedger(5, []link.Link{{A: 0, B: 1, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.CannotLink}}, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b int
		same float64
		ok   bool
	}{{0, 1, 1, true}, {2, 0, 0, true}, {0, 3, 0, false}, {4, 3, 0, false}, {-1, 2, .5, true},
		{2, 5, .5, true}} {
		if same, words, ok := l.Entailed(c.a, c.b); same != c.same || ok != c.ok ||
			ok != (words != "") {
			t.Errorf("rows %d and %d: %g, %q, %v", c.a, c.b, same, words, ok)
		}
	}
}
