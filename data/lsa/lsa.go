// Package lsa turns texts into vectors: words weighted by TF-IDF, brought down to a few dimensions
// by latent semantic analysis, so that texts that share words, or words that occur together, lie
// close.
//
// S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman, Indexing by Latent
// Semantic Analysis, Journal of the American Society for Information Science 41 (1990) 391–407.
package lsa

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
)

// few texts is where every word counts, as there is little to choose from.
const few = 50

// Config reports how texts become vectors. The zero value works.
type Config struct {
	// Dimensions of the vectors, up to 1000. 0 means 50; fewer where the texts have no more.
	Dimensions int

	// MinTexts is the number of texts that a word must occur in. 0 means 2, or 1 for fewer than 50
	// texts.
	MinTexts int

	// MaxShare is the largest share of all texts that a word may occur in, in (0, 1]. 0 means 0.5,
	// or 1 for fewer than 50 texts and for texts that have no other words.
	MaxShare float64

	// MaxWords bounds the words that are used, up to a million: those of most texts stay. 0 means
	// 20 000.
	MaxWords int

	// Seed of the random start of the decomposition, and of the texts drawn where there are very
	// many. The vectors hardly depend on it.
	Seed uint64

	// Threads to use. 0 means one per processor. The result does not depend on it.
	Threads int

	// Progress, if not nil, is called with what is being done and the share of it that is done, in
	// [0, 1]. It is called by one goroutine at a time.
	Progress func(what string, share float64)
}

const (
	maxDimensions = 1000
	maxVocabulary = 1_000_000
)

func (c Config) withDefaults(texts int) Config {
	if c.Dimensions == 0 {
		c.Dimensions = 50
	}
	if c.MinTexts == 0 {
		c.MinTexts = 2
		if texts < few {
			c.MinTexts = 1
		}
	}
	if c.MaxWords == 0 {
		c.MaxWords = 20_000
	}
	if c.Progress == nil {
		c.Progress = func(string, float64) {}
	}
	return c
}

func (c Config) check() error {
	bad := func(problem, fix string) error { return &fault.Input{Problem: problem, Fix: fix} }
	switch {
	case c.Dimensions < 0 || c.Dimensions > maxDimensions:
		return bad(fmt.Sprintf("%d dimensions asked for", c.Dimensions),
			fmt.Sprintf("ask for 1 to %d, or 0 for the default", maxDimensions))
	case c.MinTexts < 0:
		return bad(fmt.Sprintf("words of at least %d texts asked for", c.MinTexts),
			"ask for at least 1, or 0 for the default")
	case !(c.MaxShare >= 0 && c.MaxShare <= 1):
		return bad(fmt.Sprintf("words of at most a share of %v of the texts asked for", c.MaxShare),
			"ask for a share above 0, up to 1, or 0 for the default")
	case c.MaxWords < 0 || c.MaxWords > maxVocabulary:
		return bad(fmt.Sprintf("at most %d words asked for", c.MaxWords),
			fmt.Sprintf("ask for 1 to %d, or 0 for the default", maxVocabulary))
	}
	return nil
}

// Fit learns a model of texts and returns their vectors: one row per text, of length 1, or all 0
// where no word of the text is used. The matrix is float32.
//
// A word that occurs f times in a text weighs 1 + ln f, times its ln((1+n)/(1+t)) + 1 where t of
// the n texts hold it; the weights of a text have length 1. Words are runs of letters and digits of
// at least two, in lower case; scripts without blanks count by pairs of characters, Han also by
// character. Of each text the first MiB is read. Above 50 000 texts the dimensions come from as
// many, drawn at random, so that time and memory stay bounded.
//
// Texts without any word to use are a [*fault.Input]. If ctx is cancelled, its error is returned.
func Fit(ctx context.Context, texts []string, cfg Config) (*Model, dataset.Matrix, error) {
	if err := cfg.check(); err != nil {
		return nil, dataset.Matrix{}, err
	}
	cfg = cfg.withDefaults(len(texts))
	m, err := vocabulary(ctx, texts, cfg)
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	weights, err := m.weigh(ctx, part(texts, maxFitted, cfg.Seed), cfg)
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	if err := m.decompose(ctx, weights, cfg); err != nil {
		return nil, dataset.Matrix{}, err
	}
	x, wordless, err := m.place(ctx, texts, cfg)
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	m.report.Wordless = wordless
	return m, x, nil
}

// maxFitted is the number of texts that the dimensions are found from.
const maxFitted = 50_000

// part draws at most most of the texts, in their order. Even steps would not do: texts may follow
// each other in a pattern.
func part(texts []string, most int, seed uint64) []string {
	if len(texts) <= most {
		return texts
	}
	out := make([]string, 0, most)
	for _, i := range draw.Rising(rand.New(rand.NewPCG(seed, 0x7e87)), 0, len(texts)-1, most) {
		out = append(out, texts[i])
	}
	return out
}
