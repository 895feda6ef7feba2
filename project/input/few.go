package input

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

// fewestLeft is how many columns of names, texts and codes are left out, at least, where that is
// said of the table as a whole.
const fewestLeft = 3

// fewCompared states that most columns of a table are left out, though no setting says so, as they
// hold names, texts or codes, as records of persons do; and how to compare them, in two parts. Both
// are "" where it is not so.
func (s *Source) fewCompared(t *dataset.Table) (what, instead string) {
	if s.Plain || s.shows() || s.Embedding != "" || s.Vectors != "" || len(s.Features) > 0 {
		return "", ""
	}
	compared := t.Features()
	var left, gaps []string // whole columns, and those with missing values
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role == dataset.Unused && c.Why != "" && c.Type != dataset.Time &&
			t.Hidden(i) == "" && !t.HoldsVectors(i) && c.Missing < t.Rows &&
			c.Why != dataset.LikeClasses(c.Name) {
			if c.Missing > 0 {
				gaps = append(gaps, c.Name)
			} else {
				left = append(left, c.Name)
			}
		}
	}
	byLetters := ""
	if len(left) == 0 {
		byLetters = " --missing drop"
	}
	left = append(left, gaps...)
	if len(compared) == 0 || len(left) < fewestLeft || 2*len(left) <= len(t.Columns) {
		return "", ""
	}
	shown := make([]string, len(compared))
	for i, name := range compared {
		shown[i] = words.Short(name)
	}
	given := make([]string, 0, 2)
	for _, name := range left[:2] {
		given = append(given, words.Shell(name))
	}
	return fmt.Sprintf("only %s compared, of %d: %s; %d hold names, texts or codes, and are left out",
			method.Are(len(compared), "column"), len(t.Columns), words.UpTo(shown, 3), len(left)),
		fmt.Sprintf("; such columns can be compared by whether their values are equal "+
			"(--features %s), or one of them letter by letter (--text %s); where rows are of the "+
			"same persons or things, kindred links finds those that agree in columns, and --links "+
			"takes what it finds",
			strings.Join(given, ","), given[0]+byLetters)
}
