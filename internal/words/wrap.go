package words

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Wrap breaks text into lines of at most width columns: between words, and within those that are
// longer than a line.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && runewidth.StringWidth(line)+1+runewidth.StringWidth(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		broken := strings.Split(runewidth.Wrap(line+word, width), "\n")
		last := len(broken) - 1
		lines, line = append(lines, broken[:last]...), broken[last]
	}
	return append(lines, line)
}
