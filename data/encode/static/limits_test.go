package static

import (
	"strings"
	"testing"
)

// A text is read up to its limit; a word beyond is left out, and no character is cut in two.
func TestLongestText(t *testing.T) {
	for at, want := range map[int]string{maxText: "word", maxText + 1: "wor"} {
		text := strings.Repeat(" ", at-len("word")) + "word"
		if got := strings.TrimSpace(cut(text)); got != want {
			t.Errorf("of a text of %d bytes %q is read, want %q", len(text), got, want)
		}
	}
	if got := cut(strings.Repeat(" ", maxText-1) + "é"); len(got) != maxText-1 {
		t.Errorf("%d bytes are read, and a character is cut in two", len(got))
	}
}
