package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// entry is what a group looks for in texts: a word, a phrase, the beginning of a word, or a range
// of numbers.
type entry struct {
	set       int      // entries of one meaning have one
	parts     []string // words that follow each other
	prefix    bool     // the last one is the beginning of a word
	low, high number   // a number in this range, where there are no parts
	open      bool     // and there is no highest one
}

// weight is how many words the entry counts as.
func (e entry) weight() int { return max(1, len(e.parts)) }

// apart are signs that stand between words of different entries, so that a comma was forgotten.
const apart = ";\t"

// parseEntry reads an entry as a group has it; ok is false for what no text could hold.
func parseEntry(word string) (e entry, ok bool) {
	if from, to, ranged := strings.Cut(word, ".."); ranged {
		low, okLow := parseNumber(strings.TrimSpace(from))
		if to = strings.TrimSpace(to); to == "" {
			return entry{low: low, open: true}, okLow
		}
		high, okHigh := parseNumber(to)
		return entry{low: low, high: high}, okLow && okHigh && low.compare(high) <= 0
	}
	begin, prefix := strings.CutSuffix(word, "*")
	parts := strings.FieldsFunc(begin, isBreak)
	if len(parts) == 0 || strings.ContainsAny(begin, apart+"*") ||
		prefix && !strings.HasSuffix(begin, parts[len(parts)-1]) {
		return entry{}, false
	}
	return entry{parts: parts, prefix: prefix}, true
}

// finder finds entries in texts.
type finder struct {
	entries  []entry
	groups   []int            // of each set
	first    map[string][]int // entries by their first word, whole
	prefixes []int            // entries of the beginning of a single word
	ranges   []int

	cut  cutter
	best []int // of each set: how many words it counts as in the text
}

// entries returns the entries of all groups, and the group of each set of them; of one that no text
// could hold a [*fault.Input].
func (r *Rules) entries() (all []entry, groups []int, err error) {
	for g, group := range r.Groups {
		for _, set := range group.Words {
			for _, word := range alternatives(set) {
				e, ok := parseEntry(word)
				if !ok {
					return nil, nil, &fault.Input{File: r.File, Line: group.Line,
						Problem: quote(word) + " is no word, phrase or range of numbers",
						Fix: "put a comma between words; write the beginning of a word as disk*, " +
							"and numbers as 100..199 or 0.5..1.25"}
				}
				e.set = len(groups)
				all = append(all, e)
			}
			groups = append(groups, g)
		}
	}
	return all, groups, nil
}

func newFinder(entries []entry, groups []int) *finder {
	f := &finder{entries: entries, groups: groups, first: map[string][]int{},
		best: make([]int, len(groups))}
	for i, e := range entries {
		switch {
		case e.parts == nil:
			f.ranges = append(f.ranges, i)
		case e.prefix && len(e.parts) == 1:
			f.prefixes = append(f.prefixes, i)
		default:
			f.first[e.parts[0]] = append(f.first[e.parts[0]], i)
		}
	}
	return f
}

// count adds to held, for each group, the words of its entries that a text holds.
func (f *finder) count(text string, held []int) {
	clear(f.best)
	f.cut.text(fold(text))
	hold := func(i int) {
		e := f.entries[i]
		if more := e.weight() - f.best[e.set]; more > 0 {
			f.best[e.set] += more
			held[f.groups[e.set]] += more
		}
	}
	words := f.cut.words
	for at, word := range words {
		for _, i := range f.first[word] {
			if f.entries[i].follows(words[at:]) {
				hold(i)
			}
		}
		for _, i := range f.prefixes {
			if strings.HasPrefix(word, f.entries[i].parts[0]) {
				hold(i)
			}
		}
	}
	if f.ranges == nil {
		return
	}
	f.cut.numbers(func(n number) {
		for _, i := range f.ranges {
			if e := f.entries[i]; e.low.compare(n) <= 0 && (e.open || n.compare(e.high) <= 0) {
				hold(i)
			}
		}
	})
}

// follows reports whether words begin with those of the entry.
func (e entry) follows(words []string) bool {
	last := len(e.parts) - 1
	if len(words) <= last || !slices.Equal(words[:last], e.parts[:last]) {
		return false
	}
	if e.prefix {
		return strings.HasPrefix(words[last], e.parts[last])
	}
	return words[last] == e.parts[last]
}

// number is a number from 0 as it is written, without leading zeros and zeros after its fraction: of
// any size, and without rounding.
type number struct{ whole, fraction string }

// parseNumber reads digits, with a decimal point and digits or without.
func parseNumber(text string) (n number, ok bool) {
	whole, fraction, point := strings.Cut(text, ".")
	return newNumber(whole, fraction), isDigits(whole) && (!point || isDigits(fraction))
}

func newNumber(whole, fraction string) number {
	return number{strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")}
}

func (n number) compare(m number) int {
	return cmp.Or(cmp.Compare(len(n.whole), len(m.whole)), cmp.Compare(n.whole, m.whole),
		cmp.Compare(n.fraction, m.fraction))
}

// isDigits reports whether a text is of digits 0 to 9 alone, and has one.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
