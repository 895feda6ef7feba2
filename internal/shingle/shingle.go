// Package shingle finds texts that are nearly equal: those whose sets of words and pairs of
// neighbouring words overlap by four fifths or more, whatever their case and punctuation.
//
// A. Broder, On the Resemblance and Containment of Documents, 1997; R. Bayardo, Y. Ma and
// R. Srikant, Scaling Up All Pairs Similarity Search, WWW 2007.
package shingle

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// two sets of a and b members are near if they share nearNum/nearDen of their union
	nearNum, nearDen = 4, 5

	maxText   = 1 << 14 // bytes of a text that are looked at
	blockSize = 256
	// texts with a rare shingle in common that one is compared with, the latest first
	maxCompared = 64
)

// Earlier returns, for each text, the number of an earlier one that it nearly equals, or -1. Texts
// without words are near to none. A text is compared with at most 64 others by each of its rare
// shingles, so that some near ones may be missed where thousands share them. Threads 0 means one per
// processor; the result does not depend on it. If ctx is cancelled, its error is returned.
func Earlier(ctx context.Context, texts []string, threads int) ([]int32, error) {
	sets := make([][]uint64, len(texts))
	err := parallel.Blocks(ctx, len(texts), blockSize, threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sets[i] = shingles(texts[i])
		}
	})
	if err != nil {
		return nil, err
	}
	ranked, ranks, err := byRarity(ctx, sets)
	if err != nil {
		return nil, err
	}
	earlier := make([]int32, len(texts))
	holders := make([][]int32, ranks)
	seen := make([]int32, len(texts)) // by which text, from 1
	for i, set := range ranked {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		earlier[i] = -1
		// Two near sets share one of their first shingles.
		first := len(set) - (nearNum*len(set)+nearDen-1)/nearDen + 1
		if len(set) == 0 {
			continue
		}
	search:
		for _, s := range set[:first] {
			had := holders[s]
			for _, j := range slices.Backward(had[max(0, len(had)-maxCompared):]) {
				if seen[j] == int32(i)+1 {
					continue
				}
				if seen[j] = int32(i) + 1; near(set, ranked[j]) {
					earlier[i] = j
					break search
				}
			}
		}
		for _, s := range set[:first] {
			holders[s] = append(holders[s], int32(i))
		}
	}
	return earlier, ctx.Err()
}

// byRarity returns the sets as ranks of their shingles, ascending, the rarest first, and the number
// of ranks.
func byRarity(ctx context.Context, sets [][]uint64) ([][]int32, int, error) {
	times := map[uint64]int32{}
	for _, set := range sets {
		for _, s := range set {
			times[s]++
		}
	}
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	order := slices.SortedFunc(maps.Keys(times), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(times[a], times[b]), cmp.Compare(a, b))
	})
	rank := make(map[uint64]int32, len(order))
	for r, s := range order {
		rank[s] = int32(r)
	}
	ranked := make([][]int32, len(sets))
	for i, set := range sets {
		ranked[i] = make([]int32, len(set))
		for k, s := range set {
			ranked[i][k] = rank[s]
		}
		slices.Sort(ranked[i])
	}
	return ranked, len(order), ctx.Err()
}

// near reports whether two ascending sets share four fifths of their union.
func near(a, b []int32) bool {
	if nearNum*max(len(a), len(b)) > nearDen*min(len(a), len(b)) {
		return false
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return nearDen*both >= nearNum*(len(a)+len(b)-both)
}

// shingles returns hashes of the words of a text and of the pairs of neighbours, ascending.
func shingles(text string) []uint64 {
	if len(text) > maxText {
		text = text[:maxText]
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	out := make([]uint64, 0, 2*len(words))
	for i, word := range words {
		out = append(out, hash(word))
		if i > 0 {
			out = append(out, hash(words[i-1]+" "+word))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hash is FNV-1a, the same in each run.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
