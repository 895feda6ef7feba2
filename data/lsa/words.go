package lsa

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Word is a word that distinguishes a group of texts from the others.
type Word struct {
	Word    string
	Inside  float64 // share of the group's texts that hold it, in [0, 1]
	Outside float64 // share of the other texts that hold it
}

// Index knows which words occur in which texts. It takes about 8 bytes for each different word of a
// text.
type Index struct {
	words   []string
	weights *sparse
}

// Index looks up the words of texts, so that groups of them can be described, time and again.
func (m *Model) Index(ctx context.Context, texts []string) (*Index, error) {
	weights, err := m.weigh(ctx, texts, Config{}.withDefaults(len(texts)))
	if err != nil {
		return nil, err
	}
	return &Index{words: m.words, weights: weights}, nil
}

// NewIndex looks up the words of texts that a fit would use, where there is no model of them.
func NewIndex(ctx context.Context, texts []string, cfg Config) (*Index, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m, err := vocabulary(ctx, texts, cfg.withDefaults(len(texts)))
	if err != nil {
		return nil, err
	}
	return m.Index(ctx, texts)
}

// Words returns, for each label, at most most words that weigh more in its texts than in the
// others, the most distinctive first. labels has one entry per text; labels up to 0 are no group,
// though their texts count among the others.
func (x *Index) Words(labels []int, most int) (map[int][]Word, error) {
	if len(labels) != x.weights.rows {
		return nil, fmt.Errorf("lsa: %d labels for %d texts", len(labels), x.weights.rows)
	}
	all := newTally(len(x.words))
	groups := map[int]*tally{}
	for i, label := range labels {
		own := groups[label]
		if label > 0 && own == nil {
			own = newTally(len(x.words))
			groups[label] = own
		}
		for e := x.weights.start[i]; e < x.weights.start[i+1]; e++ {
			word, weight := x.weights.col[e], float64(x.weights.value[e])
			all.add(word, weight)
			if own != nil {
				own.add(word, weight)
			}
		}
		all.size++
		if own != nil {
			own.size++
		}
	}
	out := make(map[int][]Word, len(groups))
	for label, own := range groups {
		out[label] = x.rank(own, all, most)
	}
	return out, nil
}

// tally sums the words of some texts.
type tally struct {
	size   float64
	texts  []int32   // that hold a word
	weight []float64 // of the word in all of them
}

func newTally(words int) *tally {
	return &tally{texts: make([]int32, words), weight: make([]float64, words)}
}

func (t *tally) add(word int32, weight float64) {
	t.texts[word]++
	t.weight[word] += weight
}

// rank ranks words by how much more they weigh, on average, in a text of the group than in one of
// the others.
func (x *Index) rank(own, all *tally, most int) []Word {
	others := max(all.size-own.size, 1)
	more := make([]float64, len(x.words))
	var heavier []int
	for w := range x.words {
		more[w] = own.weight[w]/own.size - (all.weight[w]-own.weight[w])/others
		if more[w] > 1e-9 {
			heavier = append(heavier, w)
		}
	}
	slices.SortFunc(heavier,
		func(a, b int) int { return cmp.Or(cmp.Compare(more[b], more[a]), cmp.Compare(a, b)) })
	var out []Word
	for _, w := range heavier[:min(len(heavier), max(most, 0))] {
		out = append(out, Word{
			Word:    x.words[w],
			Inside:  float64(own.texts[w]) / own.size,
			Outside: float64(all.texts[w]-own.texts[w]) / others,
		})
	}
	return out
}
