package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/tokens"
)

// Limits of a query.
const (
	mostQuery = 500 // letters
	mostTerms = 32
)

// wholeLetters is the number of letters up to which a word is looked for as it is. Longer ones are
// also found at the beginning of longer words.
const wholeLetters = 2

// Query is what to look for. The zero value is nothing.
type Query struct {
	match string // as FTS5 takes it
	words []string
}

// IsZero reports whether the query is empty.
func (q Query) IsZero() bool { return q.match == "" }

// Words returns the words and phrases that are looked for, without those that are excluded.
func (q Query) Words() []string { return q.words }

// term is a word or a phrase of a query.
type term struct {
	text   string
	not    bool // it is not to be there
	phrase bool // it was in quotation marks
}

// Parse reads a query: words that are all to be there, in any order, whole or at the beginning of a
// longer word; "phrases in quotation marks", as they are; and -words or -"phrases" that are not to
// be there. All else is text: what a person types is never taken for a query of SQLite.
//
// A query without words is the zero value. One that only excludes, and one that is too long, is a
// [*fault.Input].
func Parse(text string) (Query, error) {
	if n := utf8.RuneCountInString(text); n > mostQuery {
		return Query{}, fault.Inputf("look for less at once",
			"the search has %d letters, more than %d", n, mostQuery)
	}
	var with, without []string
	var q Query
	// SQLite takes a zero byte for the end.
	for _, t := range split(strings.ReplaceAll(text, "\x00", " ")) {
		if !wordy(t.text) {
			continue
		}
		// Quotation marks are doubled, so that SQLite sees one text.
		quoted := `"` + strings.ReplaceAll(apart(t.text), `"`, `""`) + `"`
		if !t.phrase && utf8.RuneCountInString(t.text) > wholeLetters {
			quoted += "*"
		}
		if t.not {
			without = append(without, quoted)
		} else {
			with = append(with, quoted)
			q.words = append(q.words, t.text)
		}
	}
	switch {
	case len(with)+len(without) > mostTerms:
		return Query{}, fault.Inputf("look for less at once",
			"the search has %d words, more than %d", len(with)+len(without), mostTerms)
	case with == nil && without != nil:
		return Query{}, fault.Inputf("add a word that is to be there",
			"the search only excludes words")
	case with == nil:
		return Query{}, nil
	}
	q.match = strings.Join(with, " AND ")
	if without != nil {
		q.match = "(" + q.match + ") NOT (" + strings.Join(without, " OR ") + ")"
	}
	return q, nil
}

// split cuts a query into terms. A quotation mark that is not closed ends with the text.
func split(text string) (out []term) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var t term
		if rest, not := strings.CutPrefix(text, "-"); not {
			t.not, text = true, rest
		}
		if rest, quoted := strings.CutPrefix(text, `"`); quoted {
			t.phrase = true
			t.text, text, _ = strings.Cut(rest, `"`)
		} else {
			end := strings.IndexFunc(text,
				func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
			if end < 0 {
				end = len(text)
			}
			t.text, text = text[:end], text[end:]
		}
		out = append(out, t)
	}
	return out
}

// wordy reports whether a text has something that the index has, too.
func wordy(text string) bool {
	return strings.ContainsFunc(text,
		func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// apart puts blanks between the characters of scripts that are written without any, so that parts
// of a run of them can be found.
func apart(text string) string {
	if !strings.ContainsFunc(text, tokens.Unspaced) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if tokens.Unspaced(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
