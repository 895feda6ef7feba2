package rule_test

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
)

// scene draws rules and texts of the words w0 to w9.
func scene(t *rapid.T) *rule.Matches {
	var file strings.Builder
	fmt.Fprintf(&file, "least %d\n", rapid.IntRange(1, 2).Draw(t, "least"))
	words := rapid.SliceOfNDistinct(rapid.IntRange(0, 9), 2, 4, rapid.ID)
	for g := range rapid.IntRange(1, 5).Draw(t, "groups") {
		fmt.Fprintf(&file, "%d/%d: w%s\n", rapid.IntRange(0, 2).Draw(t, "topic"), g,
			strings.Join(strings.Fields(strings.Trim(fmt.Sprint(words.Draw(t, "words")), "[]")),
				", w"))
	}
	texts := rapid.SliceOfN(rapid.StringMatching(`(w[0-9] ){0,6}`), 0, 12).Draw(t, "texts")
	r, err := rule.Read(strings.NewReader(file.String()), "r")
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.MatchText(context.Background(), len(texts), func(i int) string { return texts[i] },
		2)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// brute makes the links by their definition.
func brute(m *rule.Matches) (links []link.Link) {
	groups := m.Rules.Groups
	for i := range m.Of {
		for j := i + 1; j < len(m.Of); j++ {
			if m.Torn(i) || m.Torn(j) {
				continue
			}
			kind := link.Unknown
			for g := range groups {
				for h := range groups {
					switch {
					case m.Of[i]>>g&1 == 0 || m.Of[j]>>h&1 == 0:
					case g == h:
						kind = link.MustLink
					case groups[g].Topic != groups[h].Topic:
						kind = link.CannotLink
					}
				}
			}
			if kind != link.Unknown {
				links = append(links, link.Link{A: i, B: j, Kind: kind})
			}
		}
	}
	return links
}

func bare(l link.Link) link.Link { return link.Link{A: l.A, B: l.B, Kind: l.Kind} }

// TestLinksAgainstTheDefinition: all of them, exactly counted, never contradicting, and fewer when
// fewer are wanted.
func TestLinksAgainstTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := scene(t)
		want := brute(m)
		all, err := m.Links(t.Context(), len(want)+1, 0)
		if err != nil {
			t.Fatal(err)
		}
		var must int64
		for i, l := range all.Drawn {
			if l.Source == "" || i >= len(want) || bare(l) != want[i] {
				t.Fatalf("link %d is %v; want %v", i, l, want)
			}
			if l.Kind == link.MustLink {
				must++
			}
		}
		if len(all.Drawn) != len(want) || all.Must != must || all.Cannot != int64(len(want))-must {
			t.Fatalf("%d links, said to be %d and %d; want %d", len(all.Drawn), all.Must,
				all.Cannot, len(want))
		}
		if _, _, err := link.Build(len(m.Of), all.Drawn, link.Refuse); err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(0, len(want)).Draw(t, "most")
		few, err := m.Links(t.Context(), most, 7)
		if err != nil || len(few.Drawn) != most || few.Must != all.Must ||
			few.Cannot != all.Cannot {
			t.Fatalf("%d of %d: %v %v", most, len(want), few, err)
		}
		again, _ := m.Links(t.Context(), most, 7)
		if !reflect.DeepEqual(few, again) {
			t.Fatal("the same seed draws other links")
		}
		sorted := slices.IsSortedFunc(few.Drawn,
			func(a, b link.Link) int {
				return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
			})
		for _, l := range few.Drawn {
			if !sorted || !slices.Contains(want, bare(l)) {
				t.Fatalf("%v of %v", few.Drawn, want)
			}
		}
	})
}

// TestEveryLinkIsAsLikely counts how often each of six links is among two drawn.
func TestEveryLinkIsAsLikely(t *testing.T) {
	r := read(t, "a: b, c\n")
	m, err := r.MatchText(t.Context(), 4, func(int) string { return "b c" }, 1)
	if err != nil {
		t.Fatal(err)
	}
	const trials = 3000
	times := map[[2]int]int{}
	for seed := range uint64(trials) {
		drawn, err := m.Links(t.Context(), 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range drawn.Drawn {
			times[[2]int{l.A, l.B}]++
		}
	}
	for pair, n := range times {
		if n < trials/3-150 || n > trials/3+150 { // six standard deviations
			t.Errorf("%v was drawn %d times of %d", pair, n, trials)
		}
	}
	if len(times) != 6 {
		t.Errorf("%d pairs were drawn", len(times))
	}
}

// TestFewLinksAmongMany of 10¹⁰: to look through the objects for each that is drawn would take
// minutes.
func TestFewLinksAmongMany(t *testing.T) {
	r := read(t, "a: b, c\nd/1: e, f\nd/2: g, h\n")
	texts := []string{"b c", "e f", "g h", "none", "e f g h"}
	m, err := r.MatchText(t.Context(), 300_000, func(i int) string { return texts[i*i%7%5] }, 2)
	if err != nil {
		t.Fatal(err)
	}
	const most = 100_000
	got, err := m.Links(t.Context(), most, 1)
	if err != nil || len(got.Drawn) != most || got.Must+got.Cannot < 1e10 {
		t.Fatal(got.Must, got.Cannot, len(got.Drawn), err)
	}
	before := link.Link{A: -1}
	for _, l := range got.Drawn {
		if before.A > l.A || before.A == l.A && before.B >= l.B || l.A >= l.B {
			t.Fatalf("%v after %v", l, before)
		}
		before = l
	}
}

func TestLinksCancel(t *testing.T) {
	r := read(t, "a: b, c\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.MatchText(ctx, 5000, func(int) string { return "b c" }, 2); err == nil {
		t.Error("matching went on")
	}
	m, err := r.MatchText(t.Context(), 5000, func(int) string { return "b c" }, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Links(ctx, 10, 0); err == nil {
		t.Error("making links went on")
	}
}
