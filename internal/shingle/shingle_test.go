package shingle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/shingle"
)

func TestEarlier(t *testing.T) {
	texts := []string{
		"The quick brown fox jumps over the lazy dog and runs away",
		"Where is my card?",
		"the quick brown fox jumps over the lazy dog, and runs away!",
		"The quick brown fox jumps over the lazy dog and runs",
		"where is my PIN?",
		"", "...", "",
		"WHERE IS MY CARD",
	}
	want := []int32{-1, -1, 0, 2, -1, -1, -1, -1, 1}
	got, err := shingle.Earlier(t.Context(), texts, 0)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

func TestEarlierEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := shingle.Earlier(ctx, make([]string, 5000), 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestEarlierMissesNone compares with all pairs, by sets of strings.
func TestEarlierMissesNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g")),
				0, 8).Draw(t, "words"), " ")
		}), 0, 12).Draw(t, "texts")
		got, err := shingle.Earlier(context.Background(), texts, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range texts {
			any := false
			for j := range i {
				any = any || resemblance(texts[i], texts[j]) >= 0.8-1e-12
			}
			if found := got[i] >= 0; found != any ||
				found && (int(got[i]) >= i || resemblance(texts[i], texts[got[i]]) < 0.8-1e-12) {
				t.Fatalf("%q: text %d is near %d", texts, i, got[i])
			}
		}
	})
}

func resemblance(a, b string) float64 {
	set := func(s string) map[string]bool {
		m, w := map[string]bool{}, strings.Fields(s)
		for i := range w {
			m[w[i]] = true
			if i > 0 {
				m[w[i-1]+" "+w[i]] = true
			}
		}
		return m
	}
	x, y, both := set(a), set(b), 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func BenchmarkEarlier(b *testing.B) {
	var texts []string
	for i := range 50_000 {
		texts = append(texts, fmt.Sprintf("please send %d of item %d to house %d in street %d today",
			i%7, i%1013, i%97, i%499))
	}
	for b.Loop() {
		if _, err := shingle.Earlier(b.Context(), texts, 0); err != nil {
			b.Fatal(err)
		}
	}
}
