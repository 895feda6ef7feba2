package rule

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// entry is what a group looks for in texts: a word, a phrase, the beginning of a word, or a range
// of whole numbers.
type entry struct {
	group     int
	parts     []string // words that follow each other
	prefix    bool     // the last one is the beginning of a word
	low, high uint64   // a number in this range, where there are no parts
}

// weight is how many words the entry counts as.
func (e entry) weight() int { return max(1, len(e.parts)) }

// apart are signs that stand between words of different entries, so that a comma was forgotten.
const apart = ";|\t"

// parseEntry reads an entry as a group has it; ok is false for what no text could hold.
func parseEntry(word string) (e entry, ok bool) {
	if from, to, ranged := strings.Cut(word, ".."); ranged {
		low, errLow := strconv.ParseUint(strings.TrimSpace(from), 10, 64)
		high, errHigh := uint64(math.MaxUint64), error(nil)
		if to = strings.TrimSpace(to); to != "" {
			high, errHigh = strconv.ParseUint(to, 10, 64)
		}
		return entry{low: low, high: high}, errLow == nil && errHigh == nil && low <= high
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
	first    map[string][]int // entries by their first word, whole
	prefixes []int            // entries of the beginning of a single word
	ranges   []int

	words []string // of the text
	seen  []bool   // entries that it holds
}

// entries returns the entries of all groups, of one that no text could hold a [*fault.Input].
func (r *Rules) entries() ([]entry, error) {
	var all []entry
	for g, group := range r.Groups {
		for _, word := range group.Words {
			e, ok := parseEntry(word)
			if !ok {
				return nil, &fault.Input{File: r.File, Line: group.Line,
					Problem: quote(word) + " is no word, phrase or range of numbers",
					Fix: "put a comma between words; write the beginning of a word as disk*, and " +
						"numbers as 100..199"}
			}
			e.group = g
			all = append(all, e)
		}
	}
	return all, nil
}

func newFinder(entries []entry) *finder {
	f := &finder{entries: entries, first: map[string][]int{}, seen: make([]bool, len(entries))}
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
	clear(f.seen)
	f.words = f.words[:0]
	for word := range strings.FieldsFuncSeq(text, isBreak) {
		f.words = append(f.words, fold(word))
	}
	hold := func(i int) {
		if e := f.entries[i]; !f.seen[i] {
			f.seen[i] = true
			held[e.group] += e.weight()
		}
	}
	for at, word := range f.words {
		for _, i := range f.first[word] {
			if f.entries[i].follows(f.words[at:]) {
				hold(i)
			}
		}
		for _, i := range f.prefixes {
			if strings.HasPrefix(word, f.entries[i].parts[0]) {
				hold(i)
			}
		}
		if f.ranges == nil || word[0] < '0' || word[0] > '9' {
			continue
		}
		if n, err := strconv.ParseUint(word, 10, 64); err == nil {
			for _, i := range f.ranges {
				if e := f.entries[i]; e.low <= n && n <= e.high {
					hold(i)
				}
			}
		}
	}
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
