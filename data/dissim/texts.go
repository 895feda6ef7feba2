package dissim

import "unicode/utf8"

// Texts returns the Levenshtein distances among texts: the least number of characters (Unicode code
// points) inserted, deleted or replaced. Bytes that are no UTF-8 count as one replacement character
// each.
func Texts(texts []string) Source {
	return among{TextsTo(texts, texts), len(texts)}
}

// TextsTo returns the Levenshtein distances from each text of from to those of to.
func TextsTo(from, to []string) Rows {
	return objects[[]rune]{runes(from), runes(to),
		func(a, b []rune, s *scratch) float64 { return float64(levenshtein(a, b, s)) }}
}

func runes(texts []string) [][]rune {
	out := make([][]rune, len(texts))
	for i, t := range texts {
		out[i] = make([]rune, 0, utf8.RuneCountInString(t))
		for _, r := range t {
			out[i] = append(out[i], r)
		}
	}
	return out
}

// levenshtein fills the table of edit distances of prefixes row by row (Wagner and Fischer 1974),
// after what both texts begin or end with is taken off.
func levenshtein(a, b []rune, s *scratch) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) == 0 {
		return len(a)
	}
	row := s.integers(len(b))
	for j := range row {
		row[j] = j + 1
	}
	for i, r := range a {
		left, diagonal := i+1, i
		for j, t := range b {
			cost := diagonal
			if r != t {
				cost++
			}
			diagonal = row[j]
			left = min(cost, left+1, diagonal+1)
			row[j] = left
		}
	}
	return row[len(b)-1]
}
