// Package wordpiece takes texts apart into the pieces of a vocabulary, as BERT and the encoders
// made from it do: the same pieces as the reference, the BertNormalizer, BertPreTokenizer and
// WordPiece of the tokenizers library, returns.
//
// M. Schuster and K. Nakajima, Japanese and Korean Voice Search, ICASSP 2012; Y. Wu and others,
// Google's Neural Machine Translation System, arXiv:1609.08144 (2016).
package wordpiece

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// Options are how a tokenizer reads texts. The zero value reads as uncased BERT does.
type Options struct {
	// KeepCase leaves capital letters as they are.
	KeepCase bool

	// KeepAccents leaves accents on letters. Otherwise texts are decomposed (NFD), and marks that
	// take no room of their own are dropped.
	KeepAccents bool

	// KeepControls leaves control characters in. Otherwise they are dropped, and each blank is one
	// space.
	KeepControls bool

	// JoinHan leaves Han characters in the words they are in. Otherwise each is a word.
	JoinHan bool

	// Unknown is the piece that stands for a word which the vocabulary cannot spell. "" means
	// "[UNK]".
	Unknown string

	// Continuing begins the pieces that go on with a word. "" means "##".
	Continuing string

	// MaxRunes is the length from which on a word is unknown. 0 means 100: longer words are.
	MaxRunes int

	// Special are pieces that are found in texts as they are written, before anything else, such as
	// "[SEP]". Of two that begin at one place the longer counts.
	Special []string
}

// Tokenizer takes texts apart. It is safe for many goroutines.
type Tokenizer struct {
	o        Options
	first    map[string]int32 // pieces that begin a word
	rest     map[string]int32 // pieces that go on with one, without the mark of those
	longest  int              // bytes of the longest piece
	unknown  int32
	special  []special // the longest first
	openings string    // first bytes of special
}

type special struct {
	piece string
	id    int32
}

// New returns the tokenizer of a vocabulary. The number of a piece is its index; "" is no piece,
// and of equal ones the last counts. A vocabulary without the unknown or a special piece is a
// [*fault.Input].
func New(vocabulary []string, o Options) (*Tokenizer, error) {
	if o.Unknown == "" {
		o.Unknown = "[UNK]"
	}
	if o.Continuing == "" {
		o.Continuing = "##"
	}
	if o.MaxRunes == 0 {
		o.MaxRunes = 100
	}
	t := &Tokenizer{o: o, first: make(map[string]int32, len(vocabulary)), rest: map[string]int32{}}
	for i, piece := range vocabulary {
		if piece == "" {
			continue
		}
		t.first[piece] = int32(i)
		t.longest = max(t.longest, len(piece))
		if after, ok := strings.CutPrefix(piece, o.Continuing); ok && after != "" {
			t.rest[after] = int32(i)
		}
	}
	find := func(piece string) (int32, error) {
		id, ok := t.first[piece]
		if !ok {
			return 0, &fault.Input{Problem: fmt.Sprintf("the vocabulary lacks the piece %q", piece),
				Fix: "take the vocabulary that belongs to the encoder"}
		}
		return id, nil
	}
	var err error
	if t.unknown, err = find(o.Unknown); err != nil {
		return nil, err
	}
	for _, piece := range o.Special {
		if piece == "" {
			continue
		}
		id, err := find(piece)
		if err != nil {
			return nil, err
		}
		t.special = append(t.special, special{piece, id})
		t.openings += piece[:1]
	}
	slices.SortStableFunc(t.special,
		func(a, b special) int { return len(b.piece) - len(a.piece) })
	return t, nil
}

// Unknown returns the number of the piece that stands for words which cannot be spelled.
func (t *Tokenizer) Unknown() int32 { return t.unknown }

// Encode appends the numbers of the pieces of a text to dst. Nothing is put before or after them,
// and nothing is cut off. Bytes that are not UTF-8 count as U+FFFD.
func (t *Tokenizer) Encode(dst []int32, text string) []int32 {
	for from := 0; t.openings != ""; {
		at := strings.IndexAny(text[from:], t.openings)
		if at < 0 {
			break
		}
		from += at
		if s := t.specialAt(text[from:]); s != nil {
			dst = append(t.plain(dst, text[:from]), s.id)
			text, from = text[from+len(s.piece):], 0
			continue
		}
		from++
	}
	return t.plain(dst, text)
}

// specialAt returns the special piece that a text begins with; nil: with none.
func (t *Tokenizer) specialAt(text string) *special {
	for i := range t.special {
		if strings.HasPrefix(text, t.special[i].piece) {
			return &t.special[i]
		}
	}
	return nil
}

// run is a word under way.
type run struct {
	letters []byte
	runes   int
}

// plain appends the pieces of a text without special ones.
func (t *Tokenizer) plain(dst []int32, text string) []int32 {
	var room [400]byte // of most words; it does not escape
	w := run{letters: room[:0]}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return t.wide(dst, text, w)
		}
	}
	for i := range len(text) {
		c := text[i]
		kind := ascii[c]
		if kind == dropped && t.o.KeepControls {
			kind = kindOf(rune(c))
		}
		switch kind {
		case blank:
			dst, w = t.flush(dst, w)
		case punctuation:
			dst, w = t.flush(dst, w)
			dst, w = t.flush(dst, run{append(w.letters, c), 1})
		case letter:
			if 'A' <= c && c <= 'Z' && !t.o.KeepCase {
				c += 'a' - 'A'
			}
			if w.runes++; w.runes <= t.o.MaxRunes {
				w.letters = append(w.letters, c)
			}
		}
	}
	dst, _ = t.flush(dst, w)
	return dst
}

// wide does what plain does for texts with characters beyond ASCII.
func (t *Tokenizer) wide(dst []int32, text string, w run) []int32 {
	for _, c := range t.normalize(text) {
		switch kindOf(c) {
		case blank:
			dst, w = t.flush(dst, w)
		case punctuation:
			dst, w = t.flush(dst, w)
			dst, w = t.flush(dst, run{utf8.AppendRune(w.letters, c), 1})
		default:
			if w.runes++; w.runes <= t.o.MaxRunes {
				w.letters = utf8.AppendRune(w.letters, c)
			}
		}
	}
	dst, _ = t.flush(dst, w)
	return dst
}

// flush appends the pieces of a word, and returns an empty one in its room.
func (t *Tokenizer) flush(dst []int32, w run) ([]int32, run) {
	switch {
	case w.runes == 0:
	case w.runes > t.o.MaxRunes:
		dst = append(dst, t.unknown)
	default:
		dst = t.spell(dst, w.letters)
	}
	return dst, run{letters: w.letters[:0]}
}

// spell appends the pieces of a word: of those that begin what is left of it, the longest.
func (t *Tokenizer) spell(dst []int32, word []byte) []int32 {
	if id, ok := t.first[string(word)]; ok {
		return append(dst, id)
	}
	before := len(dst)
	pieces := t.first
	for len(word) > 0 {
		end := min(len(word), t.longest)
		for end > 0 {
			if id, ok := pieces[string(word[:end])]; ok {
				dst = append(dst, id)
				break
			}
			for end--; end > 0 && !utf8.RuneStart(word[end]); end-- {
			}
		}
		if end == 0 {
			return append(dst[:before], t.unknown)
		}
		word, pieces = word[end:], t.rest
	}
	return dst
}
