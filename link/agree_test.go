package link

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func say(a, b int, k Kind, who string) Link { return Link{A: a, B: b, Kind: k, Source: who} }

// Two people agree about one pair and not about another; a "don't know" has no voice beside an
// answer.
func TestAgreeKeepsDisagreement(t *testing.T) {
	links, disputes := Agree([]Link{
		say(0, 1, MustLink, "ann"), say(2, 3, MustLink, "ann"), say(1, 0, MustLink, "bob"),
		say(3, 2, CannotLink, "bob"), say(4, 5, Unknown, "ann"), say(4, 5, CannotLink, "bob"),
		say(6, 7, Unknown, "ann"),
	}, nil)
	want := []Link{say(0, 1, MustLink, "ann, bob"), say(2, 3, Unknown, ""),
		say(4, 5, CannotLink, "bob"), say(6, 7, Unknown, "ann")}
	if len(links) != len(want) {
		t.Fatalf("%d links, want %d: %v", len(links), len(want), links)
	}
	for i := range want {
		if links[i] != want[i] {
			t.Errorf("link %d is %+v, want %+v", i, links[i], want[i])
		}
	}
	if len(disputes) != 1 || disputes[0].Pair != [2]int{2, 3} || len(disputes[0].Statements) != 2 {
		t.Errorf("disputes %+v, want the one about 2 and 3", disputes)
	}
}

// By hand: m1 = .9 on same, .1 on Ω; m2 = .6 on different, .4 on Ω. Dempster: same .9·.4, different
// .6·.1, Ω .1·.4, over 1 − .54; so BetP(same) = (.36 + .02)/.46.
func TestAgreeDiscounts(t *testing.T) {
	trust := map[string]float64{"ann": 0.9, "bob": 0.6}
	links, disputes := Agree([]Link{say(0, 1, MustLink, "ann"), say(0, 1, CannotLink, "bob")},
		func(s string) float64 { return trust[s] })
	if want := 0.38 / 0.46; links[0].Kind != MustLink ||
		math.Abs(links[0].Plausibility-want) > 1e-12 {
		t.Errorf("%+v, want a must-link of %g", links[0], want)
	}
	if len(disputes) != 1 {
		t.Errorf("the dispute is kept: %v", disputes)
	}
	sure := func(string) float64 { return 1 }
	if links, _ = Agree([]Link{say(0, 1, MustLink, "ann"), say(0, 1, CannotLink, "bob")},
		sure); links[0].Kind != Unknown {
		t.Errorf("two reliable people who contradict each other leave %+v, want unknown", links[0])
	}
	if links, _ = Agree([]Link{say(0, 1, CannotLink, "ann")}, sure); links[0].Kind != CannotLink ||
		links[0].Confidence() != 1 {
		t.Errorf("a wholly reliable answer became %+v", links[0])
	}
}

// More statements of "same", or more reliable ones, make it no less likely; and the order of
// voices plays no part.
func TestAgreeIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "voices")
		trust := rapid.SliceOfN(rapid.Float64Range(0, 0.99), n+1, n+1).Draw(t, "trust")
		var reported []Link
		for i := range n {
			reported = append(reported, say(0, 1,
				rapid.SampledFrom([]Kind{MustLink, CannotLink}).Draw(t, "kind"),
				string(rune('a'+i))))
		}
		by := func(s string) float64 { return trust[s[0]-'a'] }
		before, _ := Agree(reported, by)
		after, _ := Agree(append(reported, say(1, 0, MustLink, string(rune('a'+n)))), by)
		if after[0].Same() < before[0].Same()-1e-12 {
			t.Fatalf("a further must-link took %g to %g", before[0].Same(), after[0].Same())
		}
		turned := rapid.Permutation(reported).Draw(t, "order")
		if other, _ := Agree(turned, by); math.Abs(other[0].Same()-before[0].Same()) > 1e-9 {
			t.Fatalf("order changes %g to %g", before[0].Same(), other[0].Same())
		}
	})
}
