package dataset

import (
	"bytes"
	"strconv"
)

// LooksLikePHYLIP reports whether a text begins as a matrix of PHYLIP does: with a line that has
// the number of objects alone, and a line of the first one's name and its numbers, of which there
// are as many as objects, or none or one where the triangle below the diagonal follows. It returns
// both numbers; objects is 0 for other texts.
func LooksLikePHYLIP(text []byte) (objects, numbers int) {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
	first := firstLine(text)
	rest := bytes.TrimLeft(text[len(first):], " \t\r\n")
	objects, err := strconv.Atoi(string(bytes.TrimSpace(first)))
	if err != nil || objects < 3 || len(rest) == 0 {
		return 0, 0
	}
	var rows [3][][]byte
	cut := false // the last of them may be
	for i := range rows {
		line := firstLine(rest)
		cut = len(line) == len(rest)
		rows[i] = bytes.Fields(line)
		rest = bytes.TrimLeft(rest[len(line):], " \t\r\n")
	}
	row, next, third := rows[0], rows[1], rows[2]
	isRow := func(fields [][]byte, most int) bool {
		if len(fields)-1 > most || len(fields) == 0 {
			return false
		}
		for _, f := range fields[1:] {
			if !isNumberLike(f) {
				return false
			}
		}
		return true
	}
	numbers = len(row) - 1
	switch {
	case numbers == objects && isRow(row, objects):
		return objects, numbers
	case numbers <= 1 && !isNumberLike(row[0]) && isRow(row, 1) &&
		len(next)-1 == numbers+1 && isRow(next, 2) &&
		(cut || len(third) > len(next) && isRow(third, objects)):
		return objects, numbers
	}
	return 0, 0
}
