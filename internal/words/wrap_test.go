package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/words"
)

// TestWrapKeepsAllWords in lines that fit.
func TestWrapKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.StringMatching(`[a-zä木]{1,9}`)).Draw(t, "words")
		lines := words.Wrap(strings.Join(all, " "), 20)
		if got := strings.Fields(strings.Join(lines, " ")); !slices.Equal(got, all) {
			t.Fatalf("%q became %q", all, lines)
		}
		for _, l := range lines {
			if runewidth.StringWidth(l) > 20 {
				t.Fatalf("%q is too wide", l)
			}
		}
	})
	if got := words.Wrap("a "+strings.Repeat("x", 25)+" b", 10); !slices.Equal(got,
		[]string{"a", "xxxxxxxxxx", "xxxxxxxxxx", "xxxxx b"}) {
		t.Errorf("%q", got)
	}
}
