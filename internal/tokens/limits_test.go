package tokens

import (
	"strings"
	"testing"
)

// A text is read up to its limit; a word beyond is left out.
func TestLongestText(t *testing.T) {
	for at, want := range map[int]int{maxText: 2, maxText + 1: 1} {
		text := "first" + strings.Repeat(" ", at-len("first")-len("word")) + "word"
		var found []string
		new(Cutter).Each(text, func(word []byte) { found = append(found, string(word)) })
		if last := found[len(found)-1]; want == 2 && last != "word" || want == 1 && last == "word" {
			t.Errorf("a text of %d bytes has the words %q", len(text), found)
		}
	}
}
