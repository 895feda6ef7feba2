// Package lsa turns texts into vectors: words weighted by TF-IDF, brought down to a few dimensions by latent
// semantic analysis, so that texts that share words, or words that occur together, lie close.
//
// S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman, Indexing by Latent Semantic Analysis,
// Journal of the American Society for Information Science 41 (1990) 391–407.
package lsa

import (
	"context"
	"errors"

	"github.com/kindred-go/kindred/dataset"
)

// Config says how texts become vectors. The zero value works.
type Config struct {
	// Dimensions of the vectors. 0 means 50; fewer where the texts have no more.
	Dimensions int

	// MinTexts is the number of texts that a word must occur in. 0 means 2, or 1 for fewer than 50 texts.
	MinTexts int

	// MaxShare is the largest share of all texts that a word may occur in, in (0, 1]. 0 means 0.5 from 50 texts on, and
	// 1 below.
	MaxShare float64

	// MaxWords bounds the words that are used: those of most texts stay. 0 means 20 000.
	MaxWords int

	// Seed of the random start of the decomposition; it changes the vectors by rounding errors only.
	Seed uint64

	// Threads to use. 0 means one a processor. The result does not depend on it.
	Threads int

	// Progress, unless nil, hears what is being done and the share of it that is done, in [0, 1]. It is called by one
	// goroutine at a time.
	Progress func(what string, share float64)
}

// Model is what was learned of texts. It places other texts among them, and marshals to JSON.
type Model struct {
	words []string  // ascending
	idf   []float64 // a word
	basis []float32 // words × dims
	dims  int
}

// Report says what became of the texts.
type Report struct {
	Texts    int     // number of texts
	Wordless int     // texts without any word that is used: their vectors are zero
	Words    int     // words used
	Rare     int     // words left out as too few texts hold them
	Common   int     // words left out as too many texts hold them
	Beyond   int     // words left out as more than MaxWords remained
	Share    float64 // share of the squared weights that the dimensions keep, in [0, 1]
}

// Fit learns a model of texts and gives their vectors: one row a text, of length 1, or 0 where no word of the text is
// used. The matrix is float32.
func Fit(ctx context.Context, texts []string, cfg Config) (*Model, dataset.Matrix, error) {
	return nil, dataset.Matrix{}, errors.New("not yet")
}

// Dimensions is the length of the vectors.
func (m *Model) Dimensions() int { return m.dims }

// Report says what became of the texts that the model was fitted to.
func (m *Model) Report() Report { return Report{} }

// Notes says in sentences what a person should know of the fit: texts without words, and words left out.
func (m *Model) Notes() []string { return nil }

// Transform gives the vectors of texts, as Fit does, with the words and dimensions that the model has.
func (m *Model) Transform(ctx context.Context, texts []string) (dataset.Matrix, error) {
	return dataset.Matrix{}, errors.New("not yet")
}

// Word is a word that tells a group of texts from the others.
type Word struct {
	Word    string
	Inside  float64 // share of the group's texts that hold it
	Outside float64 // share of the other texts that hold it
}

// Index holds which words occur in which texts, to describe groups by.
type Index struct{}

// Index looks up the words of texts.
func (m *Model) Index(ctx context.Context, texts []string) (*Index, error) {
	return nil, errors.New("not yet")
}

// Words gives, for each label, at most most words that its texts hold more of than the others, the most telling first.
// labels has one entry a text; labels up to 0 are no group, though their texts count among the others.
func (x *Index) Words(labels []int, most int) (map[int][]Word, error) { return nil, nil }

// DimensionWords gives the words that weigh most in a dimension (from 0), at most most to each side: those that move a
// text up along it, and those that move it down.
func (m *Model) DimensionWords(dimension, most int) (up, down []string) { return nil, nil }

// MarshalJSON writes the model.
func (m *Model) MarshalJSON() ([]byte, error) { return nil, errors.New("not yet") }

// UnmarshalJSON reads a model, and refuses one that does not hold together.
func (m *Model) UnmarshalJSON(data []byte) error { return errors.New("not yet") }
