package rule

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Equal names columns: objects whose values are equal in all of them belong together.
type Equal struct {
	Columns []string // as the data have them
	Line    int      // line of the file, from 1
}

// String returns the rule as it can stand in a file.
func (e Equal) String() string {
	names := make([]string, len(e.Columns))
	for i, name := range e.Columns {
		if names[i] = name; strings.ContainsAny(name, ",:#") || name[0] == '"' ||
			strings.TrimSpace(name) != name {
			names[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return "equal " + strings.Join(names, ", ")
}

// columnNames splits what follows "equal" at commas. A name in double quotes is as it stands
// between them, with two for one. At a number sign the line ends. group reports that a colon stands
// outside of quotes, so that the line is a group of words.
func columnNames(text string) (names []string, group bool, wrong *fault.Input) {
	for {
		text = strings.TrimLeft(text, " \t\r")
		name, quoted := strings.CutPrefix(text, `"`)
		if !quoted {
			end := strings.IndexAny(text, ",:#")
			if end < 0 {
				end = len(text)
			}
			name, text = strings.TrimSpace(text[:end]), text[end:]
		} else if name, text, quoted = cutQuoted(name); !quoted {
			return nil, false, fault.Inputf(`close it, and write a quote within a name as ""`,
				"a quote of the name of a column is not closed")
		}
		names = append(names, name)
		text = strings.TrimLeft(text, " \t\r")
		switch {
		case text == "" || text[0] == '#':
			return names, false, nil
		case text[0] == ':':
			return nil, true, nil
		case text[0] != ',':
			return nil, false, fault.Inputf(`put a comma between names, and write a quote within `+
				`a name as ""`, "%s follows the name of a column in quotes", quote(text))
		}
		text = text[1:]
	}
}

// cutQuoted returns a name up to the quote that closes it, and what follows; ok is false where none
// does.
func cutQuoted(text string) (name, rest string, ok bool) {
	for {
		before, after, found := strings.Cut(text, `"`)
		if !found {
			return "", "", false
		}
		name += before
		if text, found = strings.CutPrefix(after, `"`); !found {
			return name, after, true
		}
		name += `"`
	}
}

// equal takes the columns of a line "equal column, column" in.
func (r *Rules) equal(number int, columns []string) *fault.Input {
	e := Equal{Line: number}
	for _, name := range columns {
		switch {
		case name == "":
			return fault.Inputf("write equal column, or equal column, column",
				"the name of a column is empty")
		case slices.Contains(e.Columns, name):
			return fault.Inputf("keep one", "the column %s is named twice", quote(name))
		}
		e.Columns = append(e.Columns, name)
	}
	for _, other := range r.Equal {
		if slices.Equal(other.Columns, e.Columns) {
			return fault.Inputf("keep one of the lines",
				"these columns are in line %d already", other.Line)
		}
	}
	r.Equal = append(r.Equal, e)
	return nil
}

// JoinEqual puts objects together whose values are equal in all columns of an [Equal], or that are
// connected by objects so equal: they match the groups that any of them matches, and [Matches.Links]
// has must-links among them. It returns, for each Equal, how many objects are equal to another.
//
// Values are compared without case, blanks, punctuation, and accents of Latin and Greek letters:
// "Müller-Lüd. " is "MULLER LUD". Numbers with a sign or a fraction are compared as numbers. A
// point, comma, slash or colon between two digits counts, and so do the hyphens of a date: "1,5" is
// neither "15" nor "1.5". An object one of whose values is empty is equal to no other. cell returns
// the value of an object in one of the columns that names are of; file is their name in messages.
func (m *Matches) JoinEqual(ctx context.Context, names []string, cell func(i, column int) string,
	file string) ([]int, error) {
	counts := make([]int, len(m.Rules.Equal))
	sets := disjoint.Singletons(len(m.Of))
	for at, e := range m.Rules.Equal {
		columns, err := e.find(names, m.Rules.File, file)
		if err != nil {
			return nil, err
		}
		last := map[string]int{}   // object of each key
		alone := map[string]bool{} // keys of one object
		source := "rule " + e.String()
		for i := range m.Of {
			if i%blockRows == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			key, ok := keyOf(i, columns, cell)
			if !ok {
				continue
			}
			before, known := last[key]
			last[key] = i
			if !known {
				alone[key] = true
				continue
			}
			if counts[at]++; alone[key] {
				counts[at]++
				delete(alone, key)
			}
			if sets.Join(int32(before), int32(i)) {
				m.equal = append(m.equal, link.Link{A: before, B: i, Kind: link.MustLink,
					Source: source})
			}
		}
	}
	of := make([]uint64, len(m.Of))
	for i, groups := range m.Of {
		of[sets.Root(int32(i))] |= groups
	}
	for i := range m.Of {
		m.Of[i] = of[sets.Root(int32(i))]
	}
	return counts, nil
}

// find returns the places of the columns among names.
func (e Equal) find(names []string, rules, file string) ([]int, error) {
	var columns []int
	for _, name := range e.Columns {
		at := slices.Index(names, name)
		if at < 0 {
			fix := "kindred data info lists the columns"
			if near, ok := words.Nearest(name, names); ok {
				fix = "did you mean " + quote(near) + "?"
			}
			return nil, &fault.Input{File: rules, Line: e.Line,
				Problem: "there is no column " + quote(name) + " in " + file, Fix: fix}
		}
		columns = append(columns, at)
	}
	return columns, nil
}

// keyOf returns what equal objects have in common; false: a value is empty.
func keyOf(i int, columns []int, cell func(i, column int) string) (string, bool) {
	var key strings.Builder
	for _, c := range columns {
		value := plain(cell(i, c))
		if value == "" {
			return "", false
		}
		key.WriteString(value)
		key.WriteByte(0)
	}
	return key.String(), true
}

// plain returns the number that a value is, or its letters, marks and digits, folded, with the signs
// that tell numbers apart: "1,5" is not "15", nor is "1.12.2020" "11.2.2020".
func plain(value string) string {
	value = strings.TrimSpace(strings.ReplaceAll(fold(value), "\u2212", "-"))
	if number, ok := signed(value); ok {
		return number
	}
	var b strings.Builder
	all, date := []rune(value), dateLike.MatchString(value)
	digit := func(i int) bool { return i >= 0 && i < len(all) && unicode.IsDigit(all[i]) }
	for i, c := range all {
		keep := !isBreak(c)
		switch c {
		case '.', ',', '/', ':':
			keep = digit(i-1) && digit(i+1)
		case '-':
			exponent := digit(i-2) && all[i-1] == 'e'
			keep = digit(i+1) && (i == 0 || exponent || date && digit(i-1))
		}
		if keep {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// dateLike matches what begins with a date with hyphens, which in other numbers are only for show.
var dateLike = regexp.MustCompile(`^(\d{1,2}-\d{1,2}-\d{2,4}|\d{4}-\d{1,2}-\d{1,2})([ t]|$)`)

// signed writes a number with a sign, a fraction, or both, as all that are equal to it are written;
// false: the text is none.
func signed(text string) (string, bool) {
	digits, minus := strings.CutPrefix(text, "-")
	n, ok := parseNumber(digits)
	if !ok || !minus && !strings.Contains(digits, ".") {
		return "", false
	}
	out := cmp.Or(n.whole, "0")
	if n.fraction != "" {
		out += "." + n.fraction
	}
	if minus && out != "0" {
		out = "-" + out
	}
	return out, true
}
