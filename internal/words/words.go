// Package words writes counts, numbers, and names from data the way that sentences and small tables
// need them.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/internal/safe"
)

// Count writes a number with its noun: "1 row", "2 rows".
func Count[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Short makes text from a file fit a table: one line of at most 32 characters, harmless to a
// terminal.
func Short(s string) string {
	return Cut(safe.Line(s), 32)
}

// Cut shortens a text to at most so many characters, of which the last is … then. What is seen as one
// character, such as joined emoji, is not cut in two, unless nothing else is there.
func Cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	end, count := 0, 0
	for g := graphemes.FromString(s); g.Next(); {
		if count += utf8.RuneCountInString(g.Value()); count > most-1 {
			break
		}
		end += len(g.Value())
	}
	if end == 0 {
		return string([]rune(s)[:most-1]) + "…"
	}
	return s[:end] + "…"
}

// List joins names by commas, and the last one by a word, as in "a, b or c".
func List(names []string, last string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

// UpTo lists names, the first of many.
func UpTo(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Round writes a number at four digits, or all those before the point.
func Round(v float64) string {
	if v == 0 {
		return "0" // and so of minus zero
	}
	size := math.Abs(v)
	if size != 0 && (size < 1e-4 || size >= 1e9) {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	decimals := 3
	for limit := 10.0; decimals > 0 && size >= limit; limit *= 10 {
		decimals--
	}
	for limit := 1.0; size != 0 && size < limit; limit /= 10 {
		decimals++
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Cause returns the last part of the text of an error, which wraps none.
func Cause(err error) string {
	text := err.Error()
	return text[strings.LastIndex(": "+text, ": "):]
}

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

// Shell returns a text as a shell takes it: within quotes, where it has more than letters of ASCII,
// digits and signs that mean nothing to one.
func Shell(text string) string {
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:+%@,", r)) {
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return text
}
