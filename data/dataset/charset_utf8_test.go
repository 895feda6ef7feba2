package dataset

import "testing"

// TestTextsCutWithinALetter are UTF-8 as far as they go.
func TestTextsCutWithinALetter(t *testing.T) {
	for _, text := range []string{"", "a", "aé", "a€", "a𝄞"} {
		for n := range len(text) + 1 {
			if !isUTF8([]byte(text[:n]), false) {
				t.Errorf("%q is taken for another encoding", text[:n])
			}
		}
		if !isUTF8([]byte(text), true) {
			t.Errorf("%q, all of it, is taken for another encoding", text)
		}
	}
	for _, text := range []string{"\xe9", "a\xe9b", "\xe2\x82", "\x80\x80\x80\x80\x80"} {
		if isUTF8([]byte(text), true) {
			t.Errorf("%q is taken for UTF-8", text)
		}
	}
}
