// Package rule makes must-links and cannot-links from groups of words (cevclus-2013 §4.3.1).
//
// Two objects that each hold at least two words of one group are must-linked; two objects that each
// hold at least two words of groups on different topics are cannot-linked. Two words are needed,
// and not one, because a word of one topic may turn up in another.
package rule

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

const (
	// DefaultLeast is how many words of a group an object must hold, by default: 2.
	DefaultLeast = 2
	// MaxGroups is the largest number of groups.
	MaxGroups = 64

	maxLine = 1 << 20 // bytes of a line
)

// Rules are groups of words.
type Rules struct {
	File   string // as in messages
	Least  int    // words of a group that an object must hold, from 1
	Groups []Group
	Equal  []Equal
}

// Group is a set of words that belong together.
type Group struct {
	Name string // as in the file, the topic included: "science/space"
	// the part before the slash, or the whole name; groups of one topic are never separated
	Topic string
	// words and phrases, in lower case without accents, each once; those of one meaning are one
	// entry, as "hdd | hard disk"
	Words []string
	Line  int // line of the file, from 1
}

// ReadFile reads rules from a file; see [Read].
func ReadFile(ctx context.Context, path string) (*Rules, error) {
	f, err := infile.OpenBy(ctx, os.Open, path, "a file of rules")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(infile.Interruptible(ctx, f), path)
}

// Read reads rules, one group per line, as in
//
//	# what follows a number sign is a comment
//	least 2
//	computer: mac, disk, windows, pc
//	science/space: orbit, moon, nasa
//	science/health: doctor, disease | illness, patients
//	equal email
//	equal family name, born
//
// A word may also be a phrase, the beginning of a word, or a range of numbers, see
// [Rules.MatchText]; words with | between them have one meaning and count once. A name with a slash
// puts the group under a topic; else the group is a topic of its own. The line "least N" may be
// left out. Case and accents of Latin and Greek letters do not matter in words. A line "equal"
// names columns, see [Matches.JoinEqual]; a name that holds a comma, a colon or a number sign stands
// in double quotes, as in equal "born: year", and a quote within it is written twice. file is the name in messages.
//
// Whatever cannot be read so is a [*fault.Input] with its line: a line that is no group, a name or
// a word given twice, a group with fewer words than an object must hold, more than [MaxGroups]
// groups, neither a group nor columns.
func Read(r io.Reader, file string) (*Rules, error) {
	rules := &Rules{File: file}
	text, err := dataset.OpenSmallText(r, file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if err := rules.line(number, lines.Bytes()); err != nil {
			err.File, err.Line = file, number
			return nil, err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &fault.Input{File: file, Line: number + 1,
			Problem: fmt.Sprintf("the line is longer than %d bytes", maxLine),
			Fix:     "give one group a line"}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if rules.Least == 0 {
		rules.Least = DefaultLeast
	}
	if len(rules.Groups) == 0 && len(rules.Equal) == 0 {
		return nil, &fault.Input{File: file, Problem: "there is no group of words in it",
			Fix: "give one a line, as in computer: mac, disk, pc; or name columns, as in " +
				"equal email"}
	}
	for _, g := range rules.Groups {
		if has := g.count(); has < rules.Least {
			return nil, &fault.Input{File: file, Line: g.Line,
				Problem: fmt.Sprintf(
					"the group %s has fewer words (%d) than an object must hold (%d)",
					quote(g.Name), has, rules.Least),
				Fix: g.longer(rules.Least)}
		}
	}
	return rules, nil
}

// longer returns what to do about a group that has fewer than least words.
func (g Group) longer(least int) string {
	fix := "give it more words, or lower the line least " + strconv.Itoa(least)
	if columns, ok := strings.CutPrefix(g.Name, "equal "); ok {
		fix += "; for equal values in columns put the names in quotes, or write no colon, as in " +
			"equal " + strings.TrimSpace(columns)
	}
	return fix
}

// count returns how many words the group has, those of phrases included.
func (g Group) count() (words int) {
	for _, word := range g.Words {
		most := 0
		for _, w := range alternatives(word) {
			e, _ := parseEntry(w) // another is the name of a column
			most = max(most, e.weight())
		}
		words += most
	}
	return words
}

// alternatives returns the words of one meaning that an entry consists of.
func alternatives(word string) []string {
	all := strings.Split(word, "|")
	for i, w := range all {
		all[i] = strings.TrimSpace(w)
	}
	return all
}

// line takes one line in.
func (r *Rules) line(number int, raw []byte) *fault.Input {
	if number == 1 {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return fault.Inputf("save the file as UTF-8", "the text is not UTF-8")
	}
	columns, isEqual := strings.CutPrefix(strings.TrimSpace(string(raw)), "equal")
	if isEqual && (columns == "" || strings.IndexByte(" \t#", columns[0]) >= 0) {
		if names, isGroup, wrong := columnNames(columns); wrong != nil {
			return wrong
		} else if !isGroup {
			return r.equal(number, names)
		}
	}
	text, _, _ := strings.Cut(string(raw), "#")
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	name, words, isGroup := strings.Cut(text, ":")
	if !isGroup {
		return r.least(text)
	}
	return r.group(number, strings.TrimSpace(name), words)
}

// least takes the line "least N" in.
func (r *Rules) least(text string) *fault.Input {
	fields := strings.Fields(text)
	if len(fields) != 2 || fields[0] != "least" {
		return &fault.Input{Problem: quote(text) + " is no group of words",
			Fix: "write name: word, word, …, or least N, or equal column, column, …, and remarks " +
				"after #"}
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil || n < 1 {
		return &fault.Input{Problem: quote(fields[1]) + " is no number of words",
			Fix: "give 1 or more; 2 is usual"}
	}
	if r.Least != 0 {
		return fault.Inputf("keep one of the lines", "least is given twice")
	}
	r.Least = n
	return nil
}

// group takes the line of a group in.
func (r *Rules) group(number int, name, words string) *fault.Input {
	topic, part, parted := strings.Cut(name, "/")
	if name == "" || parted && (strings.TrimSpace(topic) == "" || strings.TrimSpace(part) == "" ||
		strings.Contains(part, "/")) {
		return fault.Inputf("write name: word, word, … or topic/name: word, word, …",
			"the group has no proper name")
	}
	if len(r.Groups) == MaxGroups {
		return fault.Inputf("join groups of one topic", "there are more than %d groups", MaxGroups)
	}
	for _, g := range r.Groups {
		if g.Name == name {
			return fault.Inputf("join the two lines, or give one another name",
				"the group %s is in line %d already", quote(name), g.Line)
		}
	}
	g := Group{Name: name, Topic: strings.TrimSpace(topic), Line: number}
	seen := map[string]bool{}
	for word := range strings.SplitSeq(words, ",") {
		all := alternatives(fold(word))
		for _, w := range all {
			switch {
			case w == "":
				return &fault.Input{Problem: "a word of the group " + quote(name) + " is empty",
					Fix: "put one comma or | between two words, and none at the end"}
			case seen[w]:
				return fault.Inputf("keep one",
					"the word %s is twice in the group %s", quote(w), quote(name))
			}
			seen[w] = true
		}
		g.Words = append(g.Words, strings.Join(all, " | "))
	}
	r.Groups = append(r.Groups, g)
	return nil
}

// quote shows a piece of the file, cut short.
func quote(s string) string {
	return strconv.Quote(words.Cut(s, 40))
}
