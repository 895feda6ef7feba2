package words

import (
	"slices"
	"strings"
)

// Nearest returns the one of names that a person may have meant by name, letter case aside: the
// first of the nearest, of which a third of the letters differ at most, but one of three or more;
// or the only one that begins with name, if that has three letters or more. Two letters that
// changed places differ once. ok is false where none is so near, so that no name is suggested by
// chance.
func Nearest(name string, names []string) (best string, ok bool) {
	low := []rune(strings.ToLower(name))
	most := len(low) / 3
	least := 2 * (most + 1)
	var begin []string
	for _, n := range names {
		other := strings.ToLower(n)
		d := 2 * distance(low, []rune(other))
		if d > 0 && d <= 2*most && []rune(other)[0] != low[0] {
			d++ // first letters are seldom wrong
		}
		if d < least {
			best, least, ok = n, d, true
		}
		if most > 0 && strings.HasPrefix(other, string(low)) {
			begin = append(begin, n)
		}
	}
	if least > 2 && len(begin) == 1 {
		return begin[0], true
	}
	return best, ok
}

// distance counts the letters to insert, delete, change, or swap with the next, to turn a into b.
func distance(a, b []rune) int {
	var before, last []int // the rows for two letters and one letter less of a
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = slices.Min([]int{last[j] + change, last[j+1] + 1, row[j] + 1})
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
