package dataset

import (
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/internal/words"
)

// suggest proposes what a person may have meant by name.
func suggest(name string, names []string) string {
	if best, ok := words.Nearest(name, names); ok {
		return "did you mean " + strconv.Quote(best) + "?"
	}
	if len(names) == 0 {
		return ""
	}
	return "the columns are " + listNames(names, 12)
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
