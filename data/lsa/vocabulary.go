package lsa

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/tokens"
)

const (
	blockTexts = 256 // texts of a block of work
	waveBlocks = 32  // blocks between two calls of Progress
	// different words held while counting; beyond, the rarest so far are forgotten
	maxSeen = 2_000_000
)

// inBlocks does work on n texts in blocks, and reports its progress after each wave of them, where
// after may pick up results in the order of the blocks: slot counts them from 0 within the wave.
func inBlocks(ctx context.Context, n int, what string, cfg Config, do func(slot, lo, hi int),
	after func(slot int)) error {
	const wave = blockTexts * waveBlocks
	for from := 0; from < n; from += wave {
		count := min(wave, n-from)
		err := parallel.Blocks(ctx, count, blockTexts, cfg.Threads,
			func(slot, lo, hi int) { do(slot, from+lo, from+hi) })
		if err != nil {
			return err
		}
		if after != nil {
			for slot := range parallel.Count(count, blockTexts) {
				after(slot)
			}
		}
		cfg.Progress(what, float64(from+count)/float64(n))
	}
	return ctx.Err()
}

// textCount counts the texts of a block that hold a word.
type textCount struct{ texts, last int32 }

// countWords counts the texts that each word occurs in. Where more than maxSeen words are met, the
// rarest so far are forgotten, so that texts full of serial numbers take no memory without bound.
func countWords(ctx context.Context, texts []string, cfg Config) (map[string]int32, error) {
	total := map[string]int32{}
	var of [waveBlocks]map[string]*textCount
	err := inBlocks(ctx, len(texts), "reading words", cfg, func(slot, lo, hi int) {
		seen := map[string]*textCount{}
		var t tokens.Cutter
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			t.Each(texts[i], func(word []byte) {
				s := seen[string(word)]
				if s == nil {
					s = &textCount{last: -1}
					seen[string(word)] = s
				}
				if s.last != int32(i) {
					s.texts, s.last = s.texts+1, int32(i)
				}
			})
		}
		of[slot] = seen
	}, func(slot int) {
		for word, s := range of[slot] {
			total[word] += s.texts
		}
		of[slot] = nil
		for rare := int32(1); len(total) > maxSeen; rare++ {
			for word, texts := range total {
				if texts <= rare {
					delete(total, word)
				}
			}
		}
	})
	return total, err
}

// vocabulary chooses the words of a new model.
func vocabulary(ctx context.Context, texts []string, cfg Config) (*Model, error) {
	if len(texts) > math.MaxInt32 {
		return nil, &fault.Input{Problem: fmt.Sprintf("%d texts are too many", len(texts)),
			Fix: "take a part of them"}
	}
	count, err := countWords(ctx, texts, cfg)
	if err != nil {
		return nil, err
	}
	n := float64(len(texts))
	share := cfg.MaxShare
	if share == 0 {
		share = 1
		if len(texts) >= few {
			share = 0.5
		}
	}
	m := &Model{}
	choose := func() {
		m.words, m.report = nil, Report{Texts: len(texts)}
		for word, t := range count {
			switch {
			case int(t) < cfg.MinTexts:
				m.report.Rare++
			case float64(t) > share*n:
				m.report.Common++
			default:
				m.words = append(m.words, word)
			}
		}
	}
	if choose(); len(m.words) == 0 && cfg.MaxShare == 0 {
		share = 1
		choose()
	}
	if len(m.words) == 0 {
		return nil, noWords(len(count), cfg)
	}
	if over := len(m.words) - cfg.MaxWords; over > 0 {
		slices.SortFunc(m.words, func(a, b string) int {
			return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
		})
		m.words = slices.Clone(m.words[:cfg.MaxWords])
		m.report.Beyond = over
	}
	slices.Sort(m.words)
	m.report.Words = len(m.words)
	m.idf = make([]float64, len(m.words))
	for i, word := range m.words {
		m.idf[i] = math.Log((1+n)/(1+float64(count[word]))) + 1
	}
	m.look()
	return m, nil
}

func noWords(seen int, cfg Config) error {
	if seen == 0 {
		return &fault.Input{Problem: "the texts hold no words", Fix: "name a column of texts"}
	}
	if cfg.MaxShare == 0 {
		return &fault.Input{
			Problem: fmt.Sprintf("no word occurs in %d texts", cfg.MinTexts),
			Fix:     "give longer texts, or more of them",
		}
	}
	return &fault.Input{
		Problem: fmt.Sprintf("no word occurs in at least %d texts and at most a share of %v",
			cfg.MinTexts, cfg.MaxShare),
		Fix: "take a larger share",
	}
}
