package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func indexOf(t testing.TB, docs []Document) *Index {
	t.Helper()
	x, err := New(t.Context(), len(docs), func(i int) Document { return docs[i] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func find(t testing.TB, x *Index, text string) []int32 {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	found, err := x.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return found
}

func TestFind(t *testing.T) {
	x := indexOf(t, []Document{
		{"a-1", "My new card was lost. Café!", "city=Bern"},
		{"a-2", "a card, new and shiny", "city=Basel"},
		{"b-3", "refunds refunded", "city=Bern"},
		{"b-4", `say "NEAR(card)" OR NOT * AND`, ""},
		{"c-5", "黒い猫が坐っている", "city=東京"},
		{"c-6", "the refund of the refund, a refund", ""},
	})
	for text, want := range map[string][]int32{
		"card":             {0, 1, 3},
		"CARD new":         {0, 1},
		`"new card"`:       {0},
		"new -lost":        {1},
		`card -"new card"`: {1, 3},
		"refu":             {2, 5},
		`"refund"`:         {5},
		"cafe":             {0},
		"bern":             {0, 2},
		"a-2":              {1},
		"-lost new -shiny": nil,
		"猫":                {4},
		"猫が坐":              {4},
		"坐猫":               nil,
		"東京":               {4},
		// What means something to SQLite is text.
		"NEAR(card":       {3},
		"text:card":       nil,
		"new OR refund":   nil,
		"or":              {3},
		`card*`:           {0, 1, 3},
		`say "near card`:  {3}, // not closed
		"^my":             {0},
		"(refund) + bern": {2},
		`"`:               nil,
		"…":               nil,
		"":                nil,
		"nothing":         nil,
		"re":              nil, // two letters are a whole word
	} {
		got := find(t, x, text)
		slices.Sort(got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, not %v", text, got, want)
		}
	}
	// The best first.
	if got := find(t, x, "refund"); got[0] != 5 {
		t.Errorf("%v", got)
	}
}

// TestQueriesOfAnyText never are errors of SQLite.
func TestQueriesOfAnyText(t *testing.T) {
	x := indexOf(t, []Document{{"1", "a text", ""}})
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{`"`, `""`, "'", "*", "-", "--", "^", "(", ")", "AND", "OR", "NOT", "NEAR",
		":", "{", "}", "+", " ", "\x00", "\xff", "text", "猫", "a", ";", "%", "é", "\u0301"}
	for range 3000 {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		q, err := Parse(b.String())
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%q: %v", b.String(), err)
			}
			continue
		}
		if _, err := x.Find(t.Context(), q); err != nil {
			t.Fatalf("%q, as %q: %v", b.String(), q.match, err)
		}
	}
}

func TestLimitsOfQueries(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", mostQuery+1):      "501 letters, more than 500",
		strings.Repeat("a ", mostTerms) + "b": "33 words, more than 32",
		"-card":                               "only excludes",
	} {
		if _, err := Parse(text); !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for _, text := range []string{strings.Repeat("é", mostQuery), strings.Repeat("a ", mostTerms)} {
		if _, err := Parse(text); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestManyFound: documents beyond those that are ranked come in their order.
func TestManyFound(t *testing.T) {
	docs := make([]Document, mostRanked+1)
	for i := range docs {
		docs[i] = Document{ID: fmt.Sprint(i), Text: strings.Repeat("word ", 1+i%7)}
	}
	found := find(t, indexOf(t, docs), "word")
	if len(found) != len(docs) || !slices.IsSorted(found) {
		t.Errorf("%d found", len(found))
	}
	found = find(t, indexOf(t, docs[1:]), "word")
	if len(found) != mostRanked || slices.IsSorted(found) {
		t.Errorf("%d found, in their order", len(found))
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := New(ctx, 5000, func(i int) Document {
		if n++; n > 2000 {
			cancel()
		}
		return Document{Text: "a text"}
	}, nil)
	if !errors.Is(err, context.Canceled) || n > 4000 {
		t.Errorf("%v after %d documents", err, n)
	}
	x := indexOf(t, []Document{{"1", "a text", ""}})
	q, _ := Parse("text")
	if _, err := x.Find(ctx, q); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// word makes a word of a number, so that few of them begin alike.
func word(k int) string {
	w := ""
	for k++; k > 0; k /= 20 {
		w += string("bcdfghjklmnpqrstvwxz"[k%20]) + string("aeiou"[k%5])
	}
	return w
}

func benchmarkDocuments() []Document {
	r := rand.New(rand.NewPCG(1, 2))
	docs := make([]Document, 100_000)
	for i := range docs {
		var b strings.Builder
		b.WriteString("the")
		for range 15 {
			u := r.Float64()
			b.WriteString(" " + word(int(20_000*u*u*u)))
		}
		docs[i] = Document{fmt.Sprint(i), b.String(), fmt.Sprintf("colour=red size=%d", i%100)}
	}
	return docs
}

// BenchmarkIndex reads 10⁵ documents of sixteen words.
func BenchmarkIndex(b *testing.B) {
	docs := benchmarkDocuments()
	for b.Loop() {
		x, err := New(b.Context(), len(docs), func(i int) Document { return docs[i] }, nil)
		if err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}

// BenchmarkFind asks an index of 10⁵ documents for words of one document, some, and all of them.
func BenchmarkFind(b *testing.B) {
	x := indexOf(b, benchmarkDocuments())
	for _, text := range []string{word(19_000), word(12), "the " + word(12),
		word(300) + " " + word(9), "the", "bab"} {
		b.Run(strings.ReplaceAll(text, " ", "+"), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = len(find(b, x, text))
			}
			b.ReportMetric(float64(n), "found")
		})
	}
}
