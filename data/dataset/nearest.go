package dataset

import (
	"slices"
	"strconv"
	"strings"
)

// suggest proposes what a person may have meant by name.
func suggest(name string, names []string) string {
	if best, ok := nearest(name, names); ok {
		return "did you mean " + strconv.Quote(best) + "?"
	}
	if len(names) == 0 {
		return ""
	}
	return "the columns are " + listNames(names, 12)
}

// nearest returns the name with the smallest edit distance, letter case aside, the first of
// several; ok is false when even that is nothing like it.
func nearest(name string, names []string) (best string, ok bool) {
	low := strings.ToLower(name)
	least := max(1, len([]rune(low))/2) + 1
	for _, n := range names {
		if d := editDistance(low, strings.ToLower(n)); d < least {
			best, least, ok = n, d, true
		}
	}
	return best, ok
}

// editDistance counts the letters to insert, delete or change to turn a into b (Levenshtein).
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j := range t {
			change := diagonal
			if s[i] != t[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}

// ordinal returns "1st", "2nd", … for a position counted from 0.
func ordinal(i int) string {
	n := i + 1
	suffix := "th"
	if !slices.Contains([]int{11, 12, 13}, n%100) {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
