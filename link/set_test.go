package link_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

func must(a, b int) link.Link   { return link.Link{A: a, B: b, Kind: link.MustLink} }
func cannot(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }
func asked(a, b int) link.Link  { return link.Link{A: a, B: b} }

// build adds links that are known to agree.
func build(t *testing.T, n int, links ...link.Link) *link.Set {
	t.Helper()
	s, _, err := link.Build(n, links, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestClosureByHand(t *testing.T) {
	// 0=1=2 and 4=5 are two groups, 2 and 4 differ, 6 differs from both, 3 and 7 have only an
	// unknown link.
	s := build(t, 8, must(0, 1), must(2, 1), must(5, 4), cannot(2, 4), cannot(6, 0), cannot(5, 6),
		asked(3, 7))
	for _, c := range []struct {
		a, b int
		want link.Kind
	}{
		{0, 2, link.MustLink}, {4, 5, link.MustLink}, {3, 3, link.MustLink},
		{0, 5, link.CannotLink}, {1, 4, link.CannotLink}, {6, 2, link.CannotLink},
		{4, 6, link.CannotLink},
		{3, 7, link.Unknown}, {3, 0, link.Unknown}, {0, 8, link.Unknown}, {-1, 0, link.Unknown},
	} {
		if got := s.Relation(c.a, c.b); got != c.want {
			t.Errorf("Relation(%d, %d) = %v, want %v", c.a, c.b, got, c.want)
		}
		if got := s.Relation(c.b, c.a); got != c.want {
			t.Errorf("Relation(%d, %d) = %v, want %v", c.b, c.a, got, c.want)
		}
	}
	if diff := cmp.Diff([][]int{{0, 1, 2}, {4, 5}}, slices.Collect(s.Components())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int{{0, 1, 2}, {4, 5}, {6}}, s.Groups()); diff != "" {
		t.Error(diff)
	}
	of, first := s.Numbers()
	if !slices.Equal(of, []int32{0, 0, 0, 1, 2, 2, 3, 4}) ||
		!slices.Equal(first, []int{0, 3, 4, 6, 7}) {
		t.Errorf("components are numbered %v, and begin at %v", of, first)
	}
	for a, want := range map[int][]int{0: {4, 6}, 1: {4, 6}, 5: {0, 6}, 6: {0, 4}, 3: nil, 9: nil} {
		if got := slices.Collect(s.Separated(a)); !slices.Equal(got, want) {
			t.Errorf("Separated(%d) = %v, want %v", a, got, want)
		}
	}
	if got, want := slices.Collect(s.Linked()), []int{0, 1, 2, 4, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("Linked() = %v, want %v", got, want)
	}
	if got := []int{s.N(), s.Len(), s.Count(link.Unknown), s.Count(link.MustLink),
		s.Count(link.CannotLink), s.Count(9)}; !slices.Equal(got, []int{8, 7, 1, 3, 3, 0}) {
		t.Errorf("n, links, unknown, must, cannot, none = %v", got)
	}
	if s.Component(5) != 4 || s.Component(3) != 3 || s.Component(8) != -1 {
		t.Error("a component is named by its lowest member, -1 out of range")
	}
	if !slices.Equal(s.Members(1), []int{0, 1, 2}) || s.Members(-1) != nil {
		t.Error("Members(1) should be 0, 1, 2 and Members(-1) nothing")
	}
}

// The largest group comes first, among equals the one with the lowest member.
func TestGroupsBySize(t *testing.T) {
	s := build(t, 9, must(8, 7), must(0, 3), must(4, 5), must(6, 5), cannot(1, 4))
	want := [][]int{{4, 5, 6}, {0, 3}, {7, 8}, {1}}
	if diff := cmp.Diff(want, s.Groups()); diff != "" {
		t.Error(diff)
	}
}

func TestShortestChains(t *testing.T) {
	// A ring 0=1=2=3=4=5=0, a pair 6=7, and two cannot-links between them.
	s := build(t, 9, must(0, 1), must(1, 2), must(2, 3), must(3, 4), must(4, 5), must(5, 0),
		must(6, 7),
		cannot(7, 3), cannot(6, 1))
	for _, c := range []struct {
		name string
		add  link.Link
		want []link.Link
		text string
	}{
		{"short way round the ring", cannot(4, 0), []link.Link{must(4, 5), must(5, 0)},
			"5 = 6, 6 = 1, but 5 ≠ 1"},
		{"against the direction given", cannot(0, 4), []link.Link{must(5, 0), must(4, 5)},
			"1 = 6, 6 = 5, but 1 ≠ 5"},
		{"over the nearer cannot-link", must(0, 7),
			[]link.Link{must(0, 1), cannot(6, 1), must(6, 7)}, "1 = 2, 2 ≠ 7, 7 = 8, but 1 = 8"},
		{"a link denied outright", must(3, 7), []link.Link{cannot(7, 3)}, "4 ≠ 8, but 4 = 8"},
		{"the earliest of equal chains", must(2, 7), []link.Link{must(2, 3), cannot(7, 3)},
			"3 = 4, 4 ≠ 8, but 3 = 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var clash *link.Contradiction
			if err := s.Add(c.add); !errors.As(err, &clash) {
				t.Fatalf("Add gave %v, want a contradiction", err)
			}
			if diff := cmp.Diff(c.want, clash.Chain); diff != "" {
				t.Error(diff)
			}
			if clash.Error() != c.text {
				t.Errorf("said %q, want %q", clash.Error(), c.text)
			}
		})
	}
	if s.Len() != 9 {
		t.Errorf("the set has %d links after contradictions, want the 9 it had", s.Len())
	}
	if s.Explain(0, 8) != nil || s.Explain(2, 2) != nil {
		t.Error("nothing explains a pair without a relation, or an object and itself")
	}
}

func TestEqualChainsAreAlwaysTheSame(t *testing.T) {
	var links []link.Link
	for i := 1; i < 20; i++ {
		links = append(links, must(0, i), must(20, 20+i))
	}
	for i := 19; i > 0; i-- {
		links = append(links, cannot(i, 20+i))
	}
	s := build(t, 40, links...)
	want := []link.Link{must(0, 19), cannot(19, 39), must(20, 39)} // the cannot-link given first
	for range 20 {
		if diff := cmp.Diff(want, s.Explain(0, 20)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestLongChainIsCut(t *testing.T) {
	s := link.NewSet(100)
	for i := range 99 {
		if err := s.Add(must(i, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Add(cannot(0, 99))
	want := "1 = 2, 2 = 3, 3 = 4, 4 = 5, … 91 more …, 96 = 97, 97 = 98, 98 = 99, 99 = 100, but 1 " +
		"≠ 100"
	if err == nil || err.Error() != want {
		t.Errorf("said %q, want %q", err, want)
	}
}

func TestNamesAreQuotedForTheTerminal(t *testing.T) {
	c := link.Contradiction{Link: must(0, 1),
		Names: func(i int) string { return []string{"\x1b[2J", "ann b"}[i] }}
	if got, want := c.Error(), `"\x1b[2J" = ann b contradicts earlier links`; got != want {
		t.Errorf("said %s, want %s", got, want)
	}
}

func TestRefusedAsInput(t *testing.T) {
	for name, l := range map[string]link.Link{
		"self":           must(3, 3),
		"self, unknown":  asked(3, 3),
		"below":          must(-1, 2),
		"beyond":         cannot(0, 5),
		"p below":        {A: 0, B: 1, Kind: link.MustLink, Plausibility: -0.1},
		"p above":        {A: 0, B: 1, Kind: link.MustLink, Plausibility: 1.5},
		"p not a number": {A: 0, B: 1, Kind: link.MustLink, Plausibility: math.NaN()},
		"no such kind":   {A: 0, B: 1, Kind: 7},
	} {
		s := link.NewSet(5)
		if err := s.Add(l); !fault.IsInput(err) {
			t.Errorf("%s: Add gave %v, want an input fault", name, err)
		}
		if s.Len() != 0 || slices.Collect(s.Linked()) != nil {
			t.Errorf("%s: the refused link left a trace", name)
		}
		if _, _, err := link.Build(5, []link.Link{l}, link.Keep); !fault.IsInput(err) {
			t.Errorf("%s: Build gave %v, want an input fault even when contradictions are kept",
				name, err)
		}
	}
	if s := link.NewSet(-3); s.N() != 0 || !fault.IsInput(s.Add(must(0, 1))) {
		t.Error("a set over fewer than no objects should be empty")
	}
}

func TestPolicies(t *testing.T) {
	links := []link.Link{must(0, 1), cannot(1, 0), must(1, 2), cannot(0, 2), cannot(2, 3)}
	s, found, err := link.Build(4, links, link.Refuse)
	var clash *link.Contradiction
	if s != nil || len(found) != 1 || !errors.As(err, &clash) || clash.Link != links[1] {
		t.Errorf("Refuse gave %v, %v, %v, want only the first contradiction", s, found, err)
	}
	s, found, err = link.Build(4, links, link.Keep)
	if err != nil {
		t.Fatal(err)
	}
	var left []link.Link
	for _, c := range found {
		left = append(left, c.Link)
	}
	if diff := cmp.Diff([]link.Link{links[1], links[3]}, left); diff != "" {
		t.Error(diff)
	}
	if s.Len() != 3 || s.Relation(0, 3) != link.CannotLink {
		t.Error("the links that agree should all be in the set")
	}
}

func TestKeepBoundsTheWorkOfChains(t *testing.T) {
	// A chain of all objects, denied end to end over and over: each explanation walks all of it.
	const n, denied = 1000, 5000
	var links []link.Link
	for i := range n - 1 {
		links = append(links, must(i, i+1))
	}
	for range denied {
		links = append(links, cannot(0, n-1))
	}
	s, found, err := link.Build(n, links, link.Keep)
	if err != nil || len(found) != denied {
		t.Fatalf("%d contradictions, error %v, want %d", len(found), err, denied)
	}
	explained := slices.IndexFunc(found, func(c *link.Contradiction) bool { return c.Chain == nil })
	if explained < 100 {
		t.Errorf("only the first %d of %d contradictions are explained", explained, denied)
	}
	for i, c := range found {
		if (c.Chain != nil) != (i < explained) {
			t.Fatalf("contradiction %d breaks the rule that the first ones are explained", i)
		}
	}
	if diff := cmp.Diff(found[0].Chain, s.Explain(0, n-1)); diff != "" {
		t.Error(diff)
	}
}

func TestReadersTogether(t *testing.T) {
	s := build(t, 6, must(0, 1), must(1, 2), must(3, 4), cannot(2, 3))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for a := range s.N() {
				for b := range s.N() {
					s.Relation(a, b)
					s.Explain(a, b)
				}
				s.Members(a)
				for range s.Separated(a) {
				}
			}
		})
	}
	wg.Wait() // the race detector reports reads that write
	if s.Relation(0, 4) != link.CannotLink {
		t.Error("reading changed the set")
	}
}

func TestViolated(t *testing.T) {
	labels := []int{1, 1, 2, 0, 0}
	links := []link.Link{must(0, 1), cannot(0, 1), must(0, 2), cannot(1, 2), asked(0, 2),
		cannot(3, 4), must(1, 3), must(0, 9), must(-1, 0)}
	want := []link.Link{links[1], links[2], links[5], links[6]}
	if diff := cmp.Diff(want, link.Violated(labels, links)); diff != "" {
		t.Error(diff)
	}
}

func TestPlausibilityOfSame(t *testing.T) {
	for _, c := range []struct {
		l                link.Link
		confidence, same float64
	}{
		{must(0, 1), 1, 1},
		{cannot(0, 1), 1, 0},
		{asked(0, 1), 1, .5},
		{link.Link{Kind: link.MustLink, Plausibility: .75}, .75, .75},
		{link.Link{Kind: link.CannotLink, Plausibility: .75}, .75, .25},
	} {
		if c.l.Confidence() != c.confidence || c.l.Same() != c.same {
			t.Errorf("%v: confidence %v, same %v", c.l, c.l.Confidence(), c.l.Same())
		}
	}
}

func TestKindText(t *testing.T) {
	for _, k := range []link.Kind{link.Unknown, link.MustLink, link.CannotLink} {
		text, err := k.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back link.Kind
		if err := back.UnmarshalText(text); err != nil || back != k {
			t.Errorf("%s came back as %v, %v", text, back, err)
		}
	}
	if _, err := link.Kind(9).MarshalText(); err == nil {
		t.Error("kind 9 should have no text")
	}
	if got := fmt.Sprint(link.Kind(9)); got != "Kind(9)" {
		t.Errorf("kind 9 shows as %s", got)
	}
	for word, want := range map[string]link.Kind{"ML": link.MustLink, " Must-Link ": link.MustLink,
		"cl": link.CannotLink, "Cannot-link": link.CannotLink} {
		if k, err := link.ParseKind(word); err != nil || k != want {
			t.Errorf("ParseKind(%q) = %v, %v", word, k, err)
		}
	}
	for _, word := range []string{"", "1", "0", "yes", "sames"} {
		if _, err := link.ParseKind(word); !fault.IsInput(err) {
			t.Errorf("ParseKind(%q) gave %v, want an input fault", word, err)
		}
	}
}

// someLinks draws links over n objects, contradictions and all.
func someLinks(n, most int) *rapid.Generator[[]link.Link] {
	one := rapid.Custom(func(t *rapid.T) link.Link {
		a := rapid.IntRange(0, n-1).Draw(t, "a")
		b := (a + rapid.IntRange(1, n-1).Draw(t, "step")) % n
		return link.Link{A: a, B: b,
			Kind: rapid.SampledFrom([]link.Kind{link.MustLink, link.CannotLink,
				link.Unknown}).Draw(t, "kind")}
	})
	return rapid.SliceOfN(one, 0, most)
}
