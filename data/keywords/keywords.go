// Package keywords finds the words and pairs of neighbouring words that set groups of texts apart,
// by class-based TF-IDF, and names for the groups from them.
//
// M. Grootendorst, BERTopic: Neural topic modeling with a class-based TF-IDF procedure, 2022
// (arXiv:2203.05794), equation 2.
package keywords

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/words"
)

// Keyword is a term that sets a group of texts apart from the others.
type Keyword struct {
	Term    string  // a word, or two with a blank between them, in lower case
	Score   float64 // c-TF-IDF, see [Index.Groups]
	Inside  float64 // share of the group's texts that hold it, in [0, 1]
	Outside float64 // share of the other texts that hold it
}

// What is no keyword.
const (
	// mostEven is how evenly a stop word lies over the groups at least, see [Index.evenness].
	mostEven = 0.6
	// How much more frequent a keyword is in its group than elsewhere, and one that lies so evenly.
	leastLift = 1.5
	evenLift  = 3
	// repeated is the number of texts of a group from which on a keyword occurs in two of them.
	repeated = 8
)

// Groups returns, for each label above 0, at most most keywords of its texts, the best first.
// labels has one entry per text; texts of labels up to 0 belong to no group, but count among the
// others.
//
// The score of a term is tf·ln(1 + A/f): tf is its share of the words of the group, A the mean
// number of words of a group, and f how often the term occurs in all texts. Words that lie over the
// groups about as evenly as words in general are stop words, in any language. Terms that are hardly
// more frequent in the group than elsewhere are no keywords. Of terms that share a word, or forms
// of one, the best is returned; a pair stands for its word where most occurrences of the word are
// in it.
func (x *Index) Groups(labels []int, most int) (map[int][]Keyword, error) {
	if len(labels) != x.texts() {
		return nil, fmt.Errorf("keywords: %d labels for %d texts", len(labels), x.texts())
	}
	groups := x.count(labels)
	all := 0.0
	for _, g := range groups {
		all += float64(g.words)
	}
	even := x.evenness(groups, all)
	out := make(map[int][]Keyword, len(groups))
	for _, g := range groups {
		if g.label > 0 {
			out[g.label] = x.best(g, even, all/float64(len(groups)), all, most)
		}
	}
	return out, nil
}

// group is the texts of a label, and the terms in them.
type group struct {
	label, texts, words int
	terms               []found
}

// found is how often a term occurs in a group, and in how many of its texts.
type found struct{ term, times, texts int32 }

// count counts the terms of each group, by rising labels, those up to 0 as one.
func (x *Index) count(labels []int) []*group {
	byLabel := map[int][]int32{}
	for i, l := range labels {
		byLabel[max(l, 0)] = append(byLabel[max(l, 0)], int32(i))
	}
	order := make([]int, 0, len(byLabel))
	for l := range byLabel {
		order = append(order, l)
	}
	slices.Sort(order)
	times, texts := make([]int32, len(x.terms)), make([]int32, len(x.terms))
	groups := make([]*group, 0, len(order))
	for _, l := range order {
		g := &group{label: l, texts: len(byLabel[l])}
		var met []int32
		for _, i := range byLabel[l] {
			g.words += int(x.words[i])
			last := int32(-1)
			for _, t := range x.of(int(i)) {
				if times[t]++; times[t] == 1 {
					met = append(met, t)
				}
				if t != last {
					texts[t]++
				}
				last = t
			}
		}
		slices.Sort(met)
		g.terms = make([]found, len(met))
		for k, t := range met {
			g.terms[k] = found{t, times[t], texts[t]}
			times[t], texts[t] = 0, 0
		}
		groups = append(groups, g)
	}
	return groups
}

// evenness returns of each term how evenly it lies over C groups: (exp(−KL) − 1/C) / (1 − 1/C),
// where KL is the Kullback–Leibler divergence of its places from those of all words. It is 1 for a
// term that is as frequent everywhere, and 0 for one that keeps to one of C equal groups.
func (x *Index) evenness(groups []*group, all float64) []float64 {
	even := make([]float64, len(x.terms))
	for _, g := range groups {
		share := float64(g.words) / all
		for _, f := range g.terms {
			p := float64(f.times) / float64(x.times[f.term])
			even[f.term] += float64(p * elementary.Log(p/share))
		}
	}
	least := 1 / float64(len(groups))
	for t, kl := range even {
		if least < 1 {
			even[t] = (elementary.Exp(-kl) - least) / (1 - least)
		}
	}
	return even
}

// scored is a keyword before it has its words.
type scored struct {
	found
	score float64
}

// best ranks the terms of a group; mean is the mean number of words of a group, all that of all.
func (x *Index) best(g *group, even []float64, mean, all float64, most int) []Keyword {
	var ranked []scored
	outside := max(1, all-float64(g.words))
	lift := func(f found) float64 {
		elsewhere := float64(x.times[f.term] - f.times)
		return float64(f.times) / float64(g.words) * outside / elsewhere // maybe +Inf
	}
	stop := func(word int32) bool {
		at, _ := slices.BinarySearchFunc(g.terms, word,
			func(f found, word int32) int { return cmp.Compare(f.term, word) })
		return x.stop[word] || even[word] > mostEven && lift(g.terms[at]) < evenLift
	}
	for _, f := range g.terms {
		if lift(f) < leastLift || f.texts < 2 && g.texts >= repeated ||
			slices.ContainsFunc(x.wordsOf(f.term), stop) {
			continue
		}
		tf := float64(f.times) / float64(g.words)
		ranked = append(ranked, scored{f,
			float64(tf * elementary.Log(1+mean/float64(x.times[f.term])))})
	}
	slices.SortFunc(ranked, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(x.terms[a.term], x.terms[b.term]))
	})
	others := max(1, x.texts()-g.texts)
	out := []Keyword{}
	for _, s := range x.apart(ranked, most) {
		out = append(out, Keyword{
			Term: x.terms[s.term], Score: s.score,
			Inside:  float64(s.texts) / float64(g.texts),
			Outside: float64(x.holding[s.term]-s.texts) / float64(others),
		})
	}
	return out
}

// apart takes the best terms that have no word in common, nor forms of one.
func (x *Index) apart(ranked []scored, most int) (taken []scored) {
	for _, s := range ranked {
		at, others := -1, 0
		for i, t := range taken {
			if x.alike(t.term, s.term) {
				at, others = i, others+1
			}
		}
		switch {
		case others == 0 && len(taken) < most:
			taken = append(taken, s)
		case others == 1 && x.within(taken[at].term, s.term) && 2*s.times > taken[at].times:
			taken[at] = s
		}
	}
	return taken
}

// Names returns a name for each group of keywords: the best of those that many of its texts hold if
// that is a pair, or else the best two, and further ones where another group has the same name.
// Numbers are no names. Groups without keywords have none.
func Names(groups map[int][]Keyword) map[int]string {
	order := make([]int, 0, len(groups))
	for l := range groups {
		order = append(order, l)
	}
	slices.Sort(order)
	names, used := make(map[int]string, len(groups)), map[string]bool{}
	for _, l := range order {
		name, terms := "", 0
		for _, k := range telling(groups[l]) {
			if name == "" {
				name = k.Term
			} else {
				name += ", " + k.Term
			}
			if terms++; (terms > 1 || isPair(k.Term)) && !used[name] {
				break
			}
		}
		if name != "" && !used[name] {
			names[l], used[name] = words.Cut(name, mostName), true
		}
	}
	return names
}

// telling returns keywords with a letter, those first that at least half as many texts hold as the
// one that most do.
func telling(list []Keyword) []Keyword {
	most := 0.0
	for _, k := range list {
		most = max(most, k.Inside)
	}
	var first, last []Keyword
	for _, k := range list {
		switch {
		case !strings.ContainsFunc(k.Term, unicode.IsLetter):
		case 2*k.Inside >= most:
			first = append(first, k)
		default:
			last = append(last, k)
		}
	}
	return append(first, last...)
}

// mostName is how long a name is at most, in bytes.
const mostName = 60
