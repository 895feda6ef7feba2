package input

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
)

// Texts are compared, though nobody named them, where nothing but a few categories could be.
const (
	mostBeside     = 3 // categories beside texts
	fewestPerValue = 2 // rows of each of their values, on average
)

// classNames are the last words of names of columns that hold classes of texts.
var classNames = []string{"class", "classes", "label", "labels", "target", "intent", "category",
	"topic", "sentiment", "emotion", "genre", "subject", "theme", "tag", "cluster", "group", "truth"}

// textsAlone reports whether nothing is named to be compared, and a table has texts and nothing that
// would be compared rather than they. The texts may be short, or names.
func (s *Source) textsAlone(t *dataset.Table) bool {
	return !s.shows() && s.Embedding == "" && len(s.Features) == 0 &&
		(len(t.Features()) == 0 || s.besideTexts(t)) &&
		slices.ContainsFunc(t.Columns, func(c dataset.Column) bool {
			return c.Type == dataset.Text && c.Role == dataset.Unused
		})
}

// besideTexts reports whether all features of a table are categories, few, of many rows each, of
// which no setting speaks: as the classes of texts are, or what is known of them.
func (s *Source) besideTexts(t *dataset.Table) bool {
	features := t.Features()
	if s.Plain || s.categories || len(features) > mostBeside || len(s.ColumnWeights) > 0 {
		return false
	}
	if s.Metric != "" {
		if m, err := dissim.ParseMetric(s.Metric); err != nil || !m.OfVectors() {
			return false
		}
	}
	return !slices.ContainsFunc(features, func(name string) bool {
		i := t.Column(name)
		c := &t.Columns[i]
		typed := slices.ContainsFunc(s.Types, func(given string) bool {
			return strings.HasPrefix(given, name+"=")
		})
		if typed || c.Type != dataset.Category && c.Type != dataset.Boolean || !t.HasValues(i) {
			return true
		}
		rows, values := looked(t), make(map[float64]bool)
		for _, row := range rows {
			values[t.Value(row, i)] = true
		}
		return len(rows) < fewestPerValue*len(values)
	})
}

// texts finds the column of long texts that is compared in a table for which [Source.textsAlone]
// holds, and leaves out the categories beside it; -1: there is none.
func (s *Source) texts(t *dataset.Table) int {
	column := prose(t)
	if column < 0 {
		return -1
	}
	features := t.Features()
	if len(features) > 0 && !differ(t, column) {
		return -1
	}
	for _, name := range features {
		c := &t.Columns[t.Column(name)]
		c.Role, c.Why = dataset.Unused, besideWhy(t.Columns[column].Name, name)
	}
	return column
}

// besideWhy returns why a category beside texts is no feature.
func besideWhy(texts, name string) string {
	if likeClasses(name) {
		return dataset.LikeClasses(name)
	}
	return "is shown, and not compared: --text " + words.Shell(texts) + " --features " +
		words.Shell(name) + " compares both"
}

// likeClasses reports whether a category that stands beside texts is named as their classes are.
func likeClasses(name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(name),
		func(c rune) bool { return !unicode.IsLetter(c) })
	return len(parts) > 0 && slices.Contains(classNames, parts[len(parts)-1])
}

// prose finds the column of long texts of a table, the first of several; -1: there is none. Only
// cells that were kept count.
func prose(t *dataset.Table) int {
	for i, c := range t.Columns {
		if c.Type == dataset.Text && c.Role == dataset.Unused && isProse(t, i) {
			return i
		}
	}
	return -1
}

// differ reports whether more than half of the texts of a column that are looked at are different.
func differ(t *dataset.Table, column int) bool {
	seen, present := make(map[string]bool), 0
	for _, row := range looked(t) {
		if cell := t.Cell(row, column); !dataset.IsMissing(cell) {
			seen[cell] = true
			present++
		}
	}
	return 2*len(seen) > present
}

// settle decides by the data what no setting does.
func (r *Recipe) settle(t *dataset.Table) {
	if r.textsAlone(t) {
		if column := r.texts(t); column >= 0 {
			r.Text, r.found = t.Columns[column].Name, true
		}
	}
	if column := t.Column(r.Text); r.Text != "" && column >= 0 {
		r.settled, r.long = true, isProse(t, column)
		if r.chosen { // before it was known
			r.MethodName = ""
		}
	}
}

// foundTexts states that the texts of a column are compared, though nobody named it, and what is not
// that could be, with the way to compare it.
func foundTexts(t *dataset.Table, column string) string {
	what, instead := chosenTexts(t, column)
	return what + instead
}

// chosenTexts returns the same in two parts.
func chosenTexts(t *dataset.Table, column string) (what, instead string) {
	var beside []string
	classes := true
	for i, c := range t.Columns {
		if c.Role == dataset.Unused && t.HasValues(i) && c.Why == besideWhy(column, c.Name) {
			beside = append(beside, c.Name)
			classes = classes && likeClasses(c.Name)
		}
	}
	if beside == nil {
		return fmt.Sprintf("no column can be a feature, and %s holds texts: they are compared",
			words.Short(column)), ""
	}
	given := make([]string, len(beside))
	for i, name := range beside {
		given[i] = words.Shell(name)
		beside[i] = words.Short(name)
	}
	it := "it"
	if len(beside) > 1 {
		it = "them"
	}
	why := "few different values"
	if classes {
		why = "what looks like their classes"
	}
	return fmt.Sprintf("the texts in %s are compared; left out: %s (%s)", words.Short(column),
			words.List(beside, "and"), why),
		fmt.Sprintf("; --features %s compares %s instead", strings.Join(given, ","), it)
}
