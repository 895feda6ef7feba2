package dataset

import (
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/internal/words"
)

// Suggest returns which column of the table a person may have meant by a name, or what the columns
// are.
func (t *Table) Suggest(name string) string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return suggest(name, names)
}

// suggest proposes what a person may have meant by name.
func suggest(name string, names []string) string {
	if best, ok := words.Nearest(name, names); ok {
		return "did you mean " + strconv.Quote(best) + "?"
	}
	if len(names) == 0 {
		return ""
	}
	return "the columns are " + words.UpTo(names, 12)
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
