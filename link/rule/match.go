package rule

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/link"
)

// blockRows is how many objects are looked at between two looks at the context.
const blockRows = 1024

// Matches records which objects hold enough words of which groups.
type Matches struct {
	Rules *Rules
	// for each object, bit g is set when it holds Rules.Least words of group g or more
	Of    []uint64
	Notes []string // what a person should know, a sentence each

	topic []int       // number of each group's topic
	equal []link.Link // must-links of [Matches.JoinEqual]
}

// vocabulary returns, for each word of the rules, the numbers of the entries that it is of, and for
// each entry its group.
func (r *Rules) vocabulary() (of map[string][]int, groups []int) {
	of = map[string][]int{}
	for g := range r.Groups {
		for _, word := range r.Groups[g].Words {
			for _, w := range alternatives(word) {
				of[w] = append(of[w], len(groups))
			}
			groups = append(groups, g)
		}
	}
	return of, groups
}

// Has reports whether a word, in any case and with blanks around, is in a group.
func (r *Rules) Has(word string) bool {
	of, _ := r.vocabulary()
	return of[strings.TrimSpace(fold(word))] != nil
}

// matches begins an answer for n objects.
func (r *Rules) matches(n int) *Matches {
	m := &Matches{Rules: r, Of: make([]uint64, n), topic: make([]int, len(r.Groups))}
	numbers := map[string]int{}
	for g, group := range r.Groups {
		if _, known := numbers[group.Topic]; !known {
			numbers[group.Topic] = len(numbers)
		}
		m.topic[g] = numbers[group.Topic]
	}
	return m
}

// MatchText looks for the words in n texts. A text is cut into words at everything but letters,
// marks and digits; case and accents do not matter, and a word counts once however often it occurs.
// A phrase, as "hard disk", is words that follow each other, and counts as many; the last word may
// be the beginning of one, as "disk*". A range, as "100..199", "0.5..1.25" or "100..", is any number
// in it, with a decimal point or without. Of words of one meaning, as "hdd | hard disk", that counts
// which counts most. What no text could hold is a [*fault.Input]. text is called for each object,
// from several goroutines; threads as in [parallel.Threads] never change the result.
func (r *Rules) MatchText(ctx context.Context, n int, text func(i int) string,
	threads int) (*Matches, error) {
	entries, groups, err := r.entries()
	if err != nil {
		return nil, err
	}
	m := r.matches(n)
	err = parallel.Blocks(ctx, n, blockRows, threads, func(_, lo, hi int) {
		held := make([]int, len(r.Groups))
		f := newFinder(entries, groups)
		for i := lo; i < hi; i++ {
			clear(held)
			f.count(text(i), held)
			m.Of[i] = r.enough(held)
		}
	})
	return m, err
}

// MatchColumns takes the columns of x, n×d, for words: an object holds the word that a column is
// named by when its value there is above 0, as in tables of 0 and 1, of counts, and of weights.
// Case does not matter. Words that no column is named by are listed in Notes; a negative or missing
// value in a column that counts, two columns of one word, and rules without two such columns in any
// group are a [*fault.Input] on the file of that name.
func (r *Rules) MatchColumns(ctx context.Context, x dataset.Matrix, names []string,
	file string) (*Matches, error) {
	of, groups := r.vocabulary()
	type column struct {
		at      int
		entries []int
	}
	var columns []column
	found := map[string]string{}
	for j, name := range names {
		word := strings.TrimSpace(fold(name))
		entries, known := of[word]
		if !known {
			continue
		}
		if first, twice := found[word]; twice {
			return nil, &fault.Input{File: file, Column: name,
				Problem: fmt.Sprintf("is the same word as the column %s", quote(first)),
				Fix:     "leave one of them out"}
		}
		found[word] = name
		columns = append(columns, column{j, entries})
	}
	m := r.matches(x.Rows)
	if len(r.Groups) == 0 {
		return m, nil
	}
	if err := m.note(found, file); err != nil {
		return nil, err
	}
	faults := make([]*fault.Input, parallel.Count(x.Rows, blockRows))
	err := parallel.Blocks(ctx, x.Rows, blockRows, 1, func(block, lo, hi int) {
		held, seen := make([]int, len(r.Groups)), make([]bool, len(groups))
		for i := lo; i < hi && faults[block] == nil; i++ {
			clear(held)
			clear(seen)
			for _, c := range columns {
				v := x.At(i, c.at)
				if !(v >= 0) {
					faults[block] = &fault.Input{File: file, Row: i + 1, Column: names[c.at],
						Problem: fmt.Sprintf("%v does not say whether the word is there", v),
						Fix: "give 0 for a word that is absent, and 1 or a count for one " +
							"that is there"}
					return
				}
				for _, e := range c.entries {
					if v > 0 && !seen[e] {
						seen[e] = true
						held[groups[e]]++
					}
				}
			}
			m.Of[i] = r.enough(held)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		if f != nil {
			return nil, f
		}
	}
	return m, nil
}

// note records which words are no columns, and refuses rules that nothing can match.
func (m *Matches) note(found map[string]string, file string) error {
	r := m.Rules
	any := false
	for _, g := range r.Groups {
		var missing []string
		for _, word := range g.Words {
			if !slices.ContainsFunc(alternatives(word),
				func(w string) bool { _, ok := found[w]; return ok }) {
				missing = append(missing, word)
			}
		}
		there := len(g.Words) - len(missing)
		any = any || there >= r.Least
		switch {
		case there < r.Least:
			m.Notes = append(m.Notes,
				fmt.Sprintf("no object can match the group %s: only %d of its %d words are columns",
					quote(g.Name), there, len(g.Words)))
		case len(missing) > 0:
			m.Notes = append(m.Notes,
				fmt.Sprintf("words of the group %s that are no columns: %s", quote(g.Name),
					strings.Join(missing, ", ")))
		}
	}
	if !any {
		return &fault.Input{File: r.File,
			Problem: fmt.Sprintf("no group has %d words that are columns of %s", r.Least, file),
			Fix:     "write words as the columns are named, or name a column of texts with --text"}
	}
	return nil
}

// enough returns the groups of which enough words are held.
func (r *Rules) enough(held []int) (groups uint64) {
	for g, words := range held {
		if words >= r.Least {
			groups |= 1 << g
		}
	}
	return groups
}

// Objects counts the objects that match each group.
func (m *Matches) Objects() []int {
	count := make([]int, len(m.Rules.Groups))
	for _, groups := range m.Of {
		for ; groups != 0; groups &= groups - 1 {
			count[bits.TrailingZeros64(groups)]++
		}
	}
	return count
}

// Torn reports whether an object matches groups of more than one topic. Such an object makes no
// links: it would be must-linked to objects that are cannot-linked to each other.
func (m *Matches) Torn(i int) bool {
	groups := m.Of[i]
	if groups == 0 {
		return false
	}
	first := m.topic[bits.TrailingZeros64(groups)]
	for ; groups != 0; groups &= groups - 1 {
		if m.topic[bits.TrailingZeros64(groups)] != first {
			return true
		}
	}
	return false
}
