package lsa

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// someTexts draws texts of few words, each of which has one.
func someTexts(t *rapid.T) []string {
	word := rapid.SampledFrom([]string{"ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"})
	texts := make([]string, rapid.IntRange(2, 14).Draw(t, "texts"))
	for i := range texts {
		texts[i] = strings.Join(rapid.SliceOfN(word, 1, 9).Draw(t, "words"), " ")
	}
	return texts
}

// weights returns TF-IDF as its definition has it, texts × words.
func weights(texts []string) (*mat.Dense, []string) {
	var words []string
	for _, text := range texts {
		words = append(words, strings.Fields(text)...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	a := mat.NewDense(len(texts), len(words), nil)
	for j, word := range words {
		holding := 0.0
		for i, text := range texts {
			count := 0
			for _, w := range strings.Fields(text) {
				if w == word {
					count++
				}
			}
			if count > 0 {
				holding++
				a.Set(i, j, 1+math.Log(float64(count)))
			}
		}
		idf := math.Log((1+float64(len(texts)))/(1+holding)) + 1
		for i := range texts {
			a.Set(i, j, a.At(i, j)*idf)
		}
	}
	for i := range texts {
		row := a.RawRowView(i)
		length := math.Sqrt(sumOfSquares(row))
		for j := range row {
			row[j] /= length
		}
	}
	return a, words
}

// TestVectorsAgainstADecomposition of the whole matrix: the angles between texts are those after
// the first singular vectors.
func TestVectorsAgainstADecomposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := someTexts(t)
		k := rapid.IntRange(1, 4).Draw(t, "dimensions")
		a, words := weights(texts)
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDThin) {
			t.Fatal("no decomposition")
		}
		values := svd.Values(nil)
		for k < len(values) && values[k] > 0.99*values[k-1] && values[k] > 1e-3 {
			k++ // of values that are equal any may be kept
		}
		m, x, err := Fit(context.Background(), texts, Config{Dimensions: k})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.words, words) {
			t.Fatalf("words %q, want %q", m.words, words)
		}
		rank, kept, all := 0, 0.0, 0.0
		for j, v := range values {
			all += v * v
			if j < k && v > 1e-4 {
				rank, kept = rank+1, kept+v*v
			}
		}
		if m.Dimensions() != rank || math.Abs(m.Report().Share-kept/all) > 1e-5 {
			t.Fatalf("%d dimensions with a share of %v, want %d with %v", m.Dimensions(),
				m.Report().Share, rank, kept/all)
		}
		var v, want mat.Dense
		svd.VTo(&v)
		want.Mul(a, v.Slice(0, len(words), 0, rank))
		for i := range texts {
			for j := range texts {
				p, q := want.RawRowView(i), want.RawRowView(j)
				lengths := math.Sqrt(sumOfSquares(p) * sumOfSquares(q))
				var dot, got float64
				for d := range p {
					dot += p[d] * q[d]
					got += x.At(i, d) * x.At(j, d)
				}
				if math.Sqrt(sumOfSquares(p)) > 1e-3 && math.Sqrt(sumOfSquares(q)) > 1e-3 &&
					math.Abs(got-dot/lengths) > 1e-3 {
					t.Fatalf("texts %d and %d have the cosine %v, want %v", i, j, got, dot/lengths)
				}
			}
		}
	})
}
