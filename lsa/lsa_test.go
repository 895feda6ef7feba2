package lsa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
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

// weights gives TF-IDF as its definition has it, texts × words.
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

// TestVectorsAgainstADecomposition of the whole matrix: the angles between texts are those after the first singular vectors.
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
			t.Fatalf("%d dimensions with a share of %v, want %d with %v", m.Dimensions(), m.Report().Share, rank, kept/all)
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
				if math.Sqrt(sumOfSquares(p)) > 1e-3 && math.Sqrt(sumOfSquares(q)) > 1e-3 && math.Abs(got-dot/lengths) > 1e-3 {
					t.Fatalf("texts %d and %d have the cosine %v, want %v", i, j, got, dot/lengths)
				}
			}
		}
	})
}

// TestThreadsChangeNothing, and a model that was written and read places texts as the fit did.
func TestThreadsChangeNothing(t *testing.T) {
	texts := make([]string, 3000)
	for i := range texts {
		texts[i] = fmt.Sprintf("topic%d word%d word%d serial%d", i%7, i%31, i%13+i%7, i)
	}
	m, x, err := Fit(t.Context(), texts, Config{Dimensions: 9, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, y, err := Fit(t.Context(), texts, Config{Dimensions: 9, Threads: 7})
	if err != nil || !slices.Equal(x.F32, y.F32) {
		t.Errorf("other vectors on other threads (%v)", err)
	}
	if r := m.Report(); r.Rare != 3000 || r.Texts != 3000 || r.Wordless != 0 {
		t.Errorf("%+v", r)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read Model
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	z, err := read.Transform(t.Context(), append(slices.Clone(texts), "nothing known", ""))
	if err != nil || !slices.Equal(z.F32[:len(x.F32)], x.F32) || sumOfSquares(z.F32[len(x.F32):]) != 0 {
		t.Errorf("a model that was read places texts elsewhere (%v)", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Fit(ended, texts, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestModelsThatDoNotHoldTogether are refused.
func TestModelsThatDoNotHoldTogether(t *testing.T) {
	for _, text := range []string{
		`[]`, `{}`, `{"words":["a"],"idf":[],"dimensions":1,"basis":"AAAAAA=="}`, `{"words":["a"],"idf":[1],"dimensions":0,"basis":""}`,
		`{"words":["a"],"idf":[1],"dimensions":2,"basis":"AAAAAAAAAAA="}`, `{"words":["a"],"idf":[1],"dimensions":1,"basis":"AAAA"}`,
		`{"words":["b","a"],"idf":[1,1],"dimensions":1,"basis":"AAAAAAAAAAA="}`, `{"words":["a","a"],"idf":[1,1],"dimensions":1,"basis":"AAAAAAAAAAA="}`,
		`{"words":["a"],"idf":[-1],"dimensions":1,"basis":"AAAAAA=="}`, `{"words":["a"],"idf":[1],"dimensions":1,"basis":"AADAfw=="}`,
	} {
		var m Model
		if err := m.UnmarshalJSON([]byte(text)); !fault.IsInput(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTextsThatCannotBe compared are refused, and so is what cannot be asked for.
func TestTextsThatCannotBe(t *testing.T) {
	for _, texts := range [][]string{nil, {}, {""}, {"", " \t", "... ---", "a b c"}, {"\xff\xfe\x80"}, {strings.Repeat("x", maxRunes+1)}} {
		if _, _, err := Fit(t.Context(), texts, Config{}); !fault.IsInput(err) {
			t.Errorf("%.20q: %v", texts, err)
		}
	}
	for _, cfg := range []Config{{Dimensions: -1}, {Dimensions: maxDimensions + 1}, {MinTexts: -1}, {MinTexts: 3}, {MaxShare: math.NaN()}, {MaxShare: 2}, {MaxShare: 0.1}, {MaxWords: -1}, {MaxWords: maxVocabulary + 1}} {
		if _, _, err := Fit(t.Context(), []string{"one thing", "another thing"}, cfg); !fault.IsInput(err) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestTellingWords are those that weigh more in a group than elsewhere.
func TestTellingWords(t *testing.T) {
	texts := []string{"red apple", "red cherry", "red rose", "blue sea", "blue sky", "green sea"}
	m, _, err := Fit(t.Context(), texts, Config{})
	if err != nil {
		t.Fatal(err)
	}
	index, err := m.Index(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	told, err := index.Words([]int{1, 1, 1, 2, 2, 0}, 1)
	if err != nil || len(told) != 2 || told[1][0] != (Word{"red", 1, 0}) || told[2][0] != (Word{"blue", 1, 0}) {
		t.Errorf("%+v %v", told, err)
	}
	if _, err := index.Words([]int{1}, 1); err == nil {
		t.Error("too few labels are taken")
	}
}
