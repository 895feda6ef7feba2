package ask_test

import (
	"testing"

	"github.com/kindred-go/kindred/ask"
)

// TestBetween: the bounds of what is left are those of the scale that are 0.7 and 1.3 times as many,
// and no more than what can be asked.
func TestBetween(t *testing.T) {
	for _, c := range []struct{ likely, most, least, upto int }{
		{0, 100, 0, 0}, {1, 100, 1, 3}, {8, 100, 5, 20}, {30, 1000, 20, 50}, {45, 1000, 20, 0},
		{1, 1, 1, 1}, {3, 3, 1, 3}, {8, 15, 5, 15}, {45, 45, 20, 45},
	} {
		if least, upto := ask.Between(c.likely, c.most); least != c.least || upto != c.upto {
			t.Errorf("%d of %d: %d to %d, want %d to %d", c.likely, c.most, least, upto, c.least,
				c.upto)
		}
	}
}
