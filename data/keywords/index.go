package keywords

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/tokens"
)

// Config is how texts are read. The zero value works.
type Config struct {
	// Threads to use. 0 means one per processor. The result does not depend on it.
	Threads int

	// Progress, if not nil, is called with the share that is done, in [0, 1], by one goroutine at a
	// time.
	Progress func(share float64)
}

// Bounds of an index. Beyond them, terms that occur in few texts are left out.
const (
	maxWords = 200_000   // different words
	maxPairs = 200_000   // different pairs
	maxSeen  = 2_000_000 // different ones held while counting
	few      = 50        // texts from which on a term occurs twice
)

const (
	blockTexts = 256 // texts of a block of work
	waveBlocks = 32  // blocks between two merges
)

// Index knows which terms occur in which texts. Any number of goroutines may use it.
type Index struct {
	terms    []string
	times    []int32    // how often a term occurs
	holding  []int32    // texts that hold it
	stop     []bool     // of each word: it is a stop word
	pairFrom int        // terms from here on are pairs
	parts    [][2]int32 // the words of those
	words    []int32    // of each text, all of them
	start    []int      // of each text in entries
	entries  []int32    // terms of the texts, ascending, as often as they occur
}

func (x *Index) texts() int { return len(x.words) }

func (x *Index) of(text int) []int32 { return x.entries[x.start[text]:x.start[text+1]] }

func (x *Index) pair(term int32) bool { return int(term) >= x.pairFrom }

// wordsOf returns the words of a term.
func (x *Index) wordsOf(term int32) []int32 {
	if x.pair(term) {
		return x.parts[int(term)-x.pairFrom][:]
	}
	return []int32{term}
}

// within reports whether a term is a word of a pair.
func (x *Index) within(term, pair int32) bool {
	return !x.pair(term) && x.pair(pair) && slices.Contains(x.wordsOf(pair), term)
}

// alike reports whether two terms have a word in common, or forms of one.
func (x *Index) alike(a, b int32) bool {
	for _, v := range x.wordsOf(a) {
		for _, w := range x.wordsOf(b) {
			if v == w || sameStem(x.terms[v], x.terms[w]) {
				return true
			}
		}
	}
	return false
}

// sameStem reports whether two words are likely to be forms of one, as "charge" and "charged": they
// begin with the same four letters or more, which are most of the shorter. Words of scripts without
// blanks, of one or two characters, are alike where one is in the other.
func sameStem(a, b string) bool {
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	if r, _ := utf8.DecodeRuneInString(a); r >= 0x0e00 {
		return strings.Contains(b, a)
	}
	n := 0
	v, w := []rune(a), []rune(b)
	for n < len(v) && v[n] == w[n] {
		n++
	}
	return n >= 4 && 10*n >= 7*len(v)
}

func isPair(term string) bool { return strings.Contains(term, " ") }

// New reads texts. A term is a word, as [tokens.Cutter] cuts them, or a pair of words that follow
// each other in a phrase of which neither is a stop word of the languages that the texts are in, of
// ten that are common in Europe. Of many texts, terms that
// occur once are left out. Of each text the first MiB is read.
func New(ctx context.Context, texts []string, cfg Config) (*Index, error) {
	if len(texts) > math.MaxInt32 {
		return nil, fault.Inputf("take a part of them", "%d texts are too many", len(texts))
	}
	if cfg.Progress == nil {
		cfg.Progress = func(float64) {}
	}
	least := int32(2)
	if len(texts) < few {
		least = 1
	}
	r := reader{ctx, texts, cfg}
	x := &Index{words: make([]int32, len(texts)), start: make([]int, 1, len(texts)+1)}

	// The words, and their numbers.
	count, err := tally(r, 0, func(i int, cut *tokens.Cutter, add func(string)) {
		cut.Each(texts[i], func(word []byte) {
			x.words[i]++
			add(string(word))
		})
	})
	if err != nil {
		return nil, err
	}
	x.terms = kept(count, least, maxWords, func(a, b string) int { return cmp.Compare(a, b) })
	x.pairFrom = len(x.terms)
	number := make(map[string]int32, len(x.terms))
	x.stop = stops(x.terms, count)
	for k, term := range x.terms {
		number[term] = int32(k)
	}

	// The pairs of them.
	pairs, err := tally(r, 1, func(i int, cut *tokens.Cutter, add func(uint64)) {
		eachPair(texts[i], cut, number, x.stop, add, nil)
	})
	if err != nil {
		return nil, err
	}
	chosen := kept(pairs, least, maxPairs, func(a, b uint64) int { return cmp.Compare(a, b) })
	at := make(map[uint64]int32, len(chosen))
	for _, pair := range chosen {
		at[pair] = int32(len(x.terms))
		first, second := int32(pair>>32), int32(uint32(pair))
		x.parts = append(x.parts, [2]int32{first, second})
		x.terms = append(x.terms, x.terms[first]+" "+x.terms[second])
	}
	return x, x.enter(r, number, at)
}

// enter notes the terms of each text.
func (x *Index) enter(r reader, number map[string]int32, at map[uint64]int32) error {
	x.times, x.holding = make([]int32, len(x.terms)), make([]int32, len(x.terms))
	of := make([][]int32, waveBlocks)
	ends := make([][]int, waveBlocks)
	return r.blocks(2, func(slot, lo, hi int) {
		var cut tokens.Cutter
		out, end := of[slot][:0], ends[slot][:0]
		for i := lo; i < hi; i++ {
			from := len(out)
			eachPair(r.texts[i], &cut, number, x.stop, func(pair uint64) {
				if t, ok := at[pair]; ok {
					out = append(out, t)
				}
			}, func(word int32) { out = append(out, word) })
			slices.Sort(out[from:])
			end = append(end, len(out))
		}
		of[slot], ends[slot] = out, end
	}, func(slot int) {
		base, from := len(x.entries), 0
		for _, end := range ends[slot] {
			last := int32(-1)
			for _, t := range of[slot][from:end] {
				x.times[t]++
				if t != last {
					x.holding[t]++
				}
				last = t
			}
			from = end
			x.start = append(x.start, base+end)
		}
		x.entries = append(x.entries, of[slot]...)
	})
}

// eachPair calls word for the words of a text that have numbers, unless it is nil, and pair for the
// pairs of them, the first in the upper half.
func eachPair(text string, cut *tokens.Cutter, number map[string]int32, stop []bool,
	pair func(uint64), word func(int32)) {
	before := int32(-1)
	cut.Each(text, func(w []byte) {
		k, known := number[string(w)]
		if known && word != nil {
			word(k)
		}
		if !known || stop[k] {
			before = -1
			return
		}
		if before >= 0 && before != k && !cut.Apart() {
			pair(uint64(before)<<32 | uint64(k))
		}
		before = k
	})
}

// reader goes through texts in blocks.
type reader struct {
	ctx   context.Context
	texts []string
	cfg   Config
}

// passes is how often texts are read.
const passes = 3

// blocks does work on the texts in blocks; after picks up what it left in the order of the blocks:
// slot counts them from 0 between two calls of Progress.
func (r reader) blocks(pass int, do func(slot, lo, hi int), after func(slot int)) error {
	const wave = blockTexts * waveBlocks
	n := len(r.texts)
	for from := 0; from < n; from += wave {
		count := min(wave, n-from)
		err := parallel.Blocks(r.ctx, count, blockTexts, r.cfg.Threads,
			func(slot, lo, hi int) { do(slot, from+lo, from+hi) })
		if err != nil {
			return err
		}
		for slot := range parallel.Count(count, blockTexts) {
			after(slot)
		}
		r.cfg.Progress((float64(pass) + float64(from+count)/float64(n)) / passes)
	}
	return r.ctx.Err()
}

// tally counts what each hands on of the texts. Where very much is met, the rarest so far is
// forgotten, so that texts full of serial numbers take no memory without bound.
func tally[K comparable](r reader, pass int,
	each func(i int, cut *tokens.Cutter, add func(K))) (map[K]int32, error) {
	total := map[K]int32{}
	of := make([]map[K]int32, waveBlocks)
	err := r.blocks(pass, func(slot, lo, hi int) {
		seen := map[K]int32{}
		var cut tokens.Cutter
		for i := lo; i < hi && r.ctx.Err() == nil; i++ {
			each(i, &cut, func(k K) { seen[k]++ })
		}
		of[slot] = seen
	}, func(slot int) {
		for k, n := range of[slot] {
			total[k] += n
		}
		of[slot] = nil
		for rare := int32(1); len(total) > maxSeen; rare++ {
			for k, n := range total {
				if n <= rare {
					delete(total, k)
				}
			}
		}
	})
	return total, err
}

// kept returns what was counted least times, of too many the most frequent, in order.
func kept[K comparable](count map[K]int32, least int32, most int, by func(a, b K) int) (out []K) {
	for k, n := range count {
		if n >= least {
			out = append(out, k)
		}
	}
	if len(out) > most {
		slices.SortFunc(out, func(a, b K) int {
			return cmp.Or(cmp.Compare(count[b], count[a]), by(a, b))
		})
		out = out[:most]
	}
	slices.SortFunc(out, by)
	return out
}
