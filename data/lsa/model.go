package lsa

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/tokens"
	"github.com/kindred-go/kindred/internal/words"
)

// Model is what was learned of texts. It places other texts among them, and marshals to JSON. It is
// safe for many goroutines.
type Model struct {
	words  []string  // ascending
	idf    []float64 // one per word
	basis  []float32 // words × dims; columns are orthonormal
	dims   int
	report Report

	index map[string]int32 // of words
}

// Report describes how the texts of a fit were used.
type Report struct {
	Texts    int `json:"texts"`    // number of texts
	Wordless int `json:"wordless"` // texts without any word that is used: their vectors are 0
	Words    int `json:"words"`    // words used
	Rare     int `json:"rare"`     // words left out as too few texts hold them
	Common   int `json:"common"`   // words left out as too many texts hold them
	Beyond   int `json:"beyond"`   // words left out as more than MaxWords remained
	// share of the squared weights that the dimensions keep, in [0, 1]
	Share float64 `json:"share"`
}

// Dimensions is the length of the vectors.
func (m *Model) Dimensions() int { return m.dims }

// Report returns how the texts were used that the model was fitted to.
func (m *Model) Report() Report { return m.report }

// Notes returns sentences about the fit for its user.
func (m *Model) Notes() []string {
	r := m.report
	notes := []string{fmt.Sprintf("%s became vectors of %s by the use of %s",
		words.Count(r.Texts, "text"), words.Count(m.dims, "number"),
		words.Count(r.Words, "word"))}
	if r.Wordless > 0 {
		notes = append(notes,
			fmt.Sprintf("%s without any word in use: those are all alike",
				words.Count(r.Wordless, "text")))
	}
	return notes
}

// Transform returns the vectors of texts as [Fit] does, by the words and dimensions of the model.
func (m *Model) Transform(ctx context.Context, texts []string) (dataset.Matrix, error) {
	x, _, err := m.place(ctx, texts, Config{}.withDefaults(len(texts)))
	return x, err
}

// place returns the vectors of texts, and how many are 0.
func (m *Model) place(ctx context.Context, texts []string, cfg Config) (dataset.Matrix, int,
	error) {
	k := m.dims
	out := make([]float32, len(texts)*k)
	var zero [waveBlocks]int
	wordless := 0
	err := inBlocks(ctx, len(texts), "placing texts", cfg, func(slot, lo, hi int) {
		b := m.bag()
		row := make([]float64, k)
		zero[slot] = 0
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			words, weights := b.weigh(texts[i])
			clear(row)
			for e, w := range words {
				for j, v := range m.basis[int(w)*k:][:k] {
					row[j] += float64(float64(weights[e]) * float64(v))
				}
			}
			length := math.Sqrt(sumOfSquares(row))
			if length < flat { // no word, or none that the dimensions know
				zero[slot]++
				continue
			}
			for j, v := range row {
				out[i*k+j] = float32(v / length)
			}
		}
	}, func(slot int) { wordless += zero[slot] })
	return dataset.Matrix{Rows: len(texts), Cols: k, F32: out}, wordless, err
}

// weigh returns the weights of texts, a row each.
func (m *Model) weigh(ctx context.Context, texts []string, cfg Config) (*sparse, error) {
	a := &sparse{rows: len(texts), cols: len(m.words), start: make([]int, 1, len(texts)+1)}
	var of [waveBlocks]sparse
	err := inBlocks(ctx, len(texts), "weighing words", cfg, func(slot, lo, hi int) {
		part := &of[slot]
		part.start, part.col, part.value = part.start[:0], part.col[:0], part.value[:0]
		b := m.bag()
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			words, weights := b.weigh(texts[i])
			part.col = append(part.col, words...)
			part.value = append(part.value, weights...)
			part.start = append(part.start, len(part.col))
		}
	}, func(slot int) {
		for _, end := range of[slot].start {
			a.start = append(a.start, len(a.col)+end)
		}
		a.col = append(a.col, of[slot].col...)
		a.value = append(a.value, of[slot].value...)
	})
	return a, err
}

// bag weighs the words of one text after the other.
type bag struct {
	m       *Model
	tokens  tokens.Cutter
	found   []int32
	words   []int32
	weights []float32
}

func (m *Model) bag() *bag { return &bag{m: m} }

// weigh returns the words that the model knows, ascending, and their weights, of length 1. Both are
// good until the next call.
func (b *bag) weigh(text string) ([]int32, []float32) {
	b.found, b.words, b.weights = b.found[:0], b.words[:0], b.weights[:0]
	b.tokens.Each(text, func(word []byte) {
		if at, ok := b.m.index[string(word)]; ok {
			b.found = append(b.found, at)
		}
	})
	slices.Sort(b.found)
	var squares float64
	for i := 0; i < len(b.found); {
		word, from := b.found[i], i
		for i < len(b.found) && b.found[i] == word {
			i++
		}
		w := (1 + math.Log(float64(i-from))) * b.m.idf[word]
		squares += float64(w * w)
		b.words, b.weights = append(b.words, word), append(b.weights, float32(w))
	}
	length := math.Sqrt(squares)
	for i, w := range b.weights {
		b.weights[i] = float32(float64(w) / length)
	}
	return b.words, b.weights
}

// look fills the index.
func (m *Model) look() {
	m.index = make(map[string]int32, len(m.words))
	for i, word := range m.words {
		m.index[word] = int32(i)
	}
}

// file is a model as JSON. Basis holds float32, little-endian, in base 64.
type file struct {
	Words      []string  `json:"words"`
	IDF        []float64 `json:"idf"`
	Dimensions int       `json:"dimensions"`
	Basis      []byte    `json:"basis"`
	Report     Report    `json:"report"`
}

// MarshalJSON writes the model: about 270 bytes per word at 50 dimensions.
func (m *Model) MarshalJSON() ([]byte, error) {
	f := file{Words: m.words, IDF: m.idf, Dimensions: m.dims, Report: m.report,
		Basis: make([]byte, 0, 4*len(m.basis))}
	for _, v := range m.basis {
		f.Basis = binary.LittleEndian.AppendUint32(f.Basis, math.Float32bits(v))
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads a model. One that does not hold together is a [*fault.Input].
func (m *Model) UnmarshalJSON(data []byte) error {
	bad := func(what string, err error) error {
		return &fault.Input{Problem: "this is no model of texts: " + what,
			Fix: "fit the texts again", Err: err}
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return bad("it cannot be read", err)
	}
	words := len(f.Words)
	switch {
	case words < 1 || words > maxVocabulary || len(f.IDF) != words:
		return bad(fmt.Sprintf("%d words with %d weights", words, len(f.IDF)), nil)
	case f.Dimensions < 1 || f.Dimensions > min(maxDimensions, words):
		return bad(fmt.Sprintf("%d dimensions of %d words", f.Dimensions, words), nil)
	case len(f.Basis) != 4*words*f.Dimensions:
		return bad(fmt.Sprintf("%d bytes for %d words in %d dimensions", len(f.Basis), words,
			f.Dimensions), nil)
	}
	for i, word := range f.Words {
		if i > 0 && f.Words[i-1] >= word {
			return bad("its words are not in order", nil)
		}
		// The logarithm of a number of texts, which is far below this.
		if idf := f.IDF[i]; !(idf > 0 && idf < 100) {
			return bad(fmt.Sprintf("a weight of %v", idf), nil)
		}
	}
	basis := make([]float32, words*f.Dimensions)
	for i := range basis {
		v := math.Float32frombits(binary.LittleEndian.Uint32(f.Basis[4*i:]))
		if !(v >= -1.001 && v <= 1.001) { // part of a vector of length 1
			return bad(fmt.Sprintf("a coordinate of %v", v), nil)
		}
		basis[i] = v
	}
	*m = Model{words: f.Words, idf: f.IDF, basis: basis, dims: f.Dimensions, report: f.Report}
	m.look()
	return nil
}
