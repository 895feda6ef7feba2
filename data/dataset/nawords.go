package dataset

import "strings"

// naWords are the words of ReadOptions.NA.
type naWords struct {
	words  map[string]bool
	values map[float64]bool // of those that are numbers
}

// newNAWords returns nil for no words.
func newNAWords(words []string) *naWords {
	if len(words) == 0 {
		return nil
	}
	n := &naWords{words: make(map[string]bool), values: make(map[float64]bool)}
	for _, w := range words {
		w = strings.TrimSpace(w)
		n.words[w] = true
		if v, ok := ParseNumber([]byte(w)); ok {
			n.values[v] = true
		}
	}
	return n
}

// has reports whether a cell is one of the words.
func (n *naWords) has(s []byte) bool { return n != nil && n.words[string(s)] }

// numbers reports whether some of the words are numbers.
func (n *naWords) numbers() bool { return n != nil && len(n.values) > 0 }
