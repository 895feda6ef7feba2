package evclus

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// somePartition draws masses over focal sets of one of the families.
func somePartition(t *rapid.T) (n int, focal []belief.Set, masses []float64) {
	c := rapid.IntRange(2, 4).Draw(t, "clusters")
	family := rapid.SampledFrom([]func(int) ([]belief.Set, error){belief.Simple, belief.Pairs,
		belief.Full}).Draw(t, "family")
	focal, err := family(c)
	if err != nil {
		t.Fatal(err)
	}
	n = rapid.IntRange(3, 9).Draw(t, "n")
	for range n {
		row, sum := make([]float64, len(focal)), 0.0
		for k := range row {
			row[k] = float64(rapid.IntRange(0, 4).Draw(t, "mass"))
			sum += row[k]
		}
		for k := range row {
			if sum == 0 {
				row[k] = 1 / float64(len(row))
			} else {
				row[k] /= sum
			}
		}
		masses = append(masses, row...)
	}
	return n, focal, masses
}

func someTies(t *rapid.T, n int) []link.Link {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) link.Link {
		a := rapid.IntRange(0, n-1).Draw(t, "a")
		b := (a + rapid.IntRange(1, n-1).Draw(t, "step")) % n
		return link.Link{A: a, B: b,
			Kind: rapid.SampledFrom([]link.Kind{link.MustLink, link.CannotLink,
				link.Unknown}).Draw(t, "kind"),
			Plausibility: rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.75, 1}).Draw(t, "p")}
	}), 0, 12).Draw(t, "links")
}

// plausibilities returns pl(θ) and pl(not θ) of two objects from their definitions (cevclus-2013
// eqs. 11, 17).
func plausibilities(focal []belief.Set, a, b []float64) (same, different float64) {
	for k, s := range focal {
		for l, t := range focal {
			if s.Meets(t) {
				same += a[k] * b[l]
			}
			if s != 0 && t != 0 && (s != t || s.Len() > 1) {
				different += a[k] * b[l]
			}
		}
	}
	return same, different
}

func TestPenaltyIsThePapers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, focal, masses := somePartition(t)
		links := someTies(t, n)
		f, p := len(focal), belief.PenaltyMatrix(focal)
		terms := newLinkTerms(n, links)
		var want, count float64
		byRow := make([]float64, n)
		for _, l := range links {
			if l.Kind == link.Unknown {
				continue
			}
			same, different := plausibilities(focal, masses[l.A*f:l.A*f+f], masses[l.B*f:l.B*f+f])
			must, cannot := different+1-same, same+1-different
			cost := l.Confidence()*must + (1-l.Confidence())*cannot
			if l.Kind == link.CannotLink {
				cost = l.Confidence()*cannot + (1-l.Confidence())*must
			}
			want += cost
			for _, i := range [2]int{l.A, l.B} {
				byRow[i] += cost - 2*(1-l.Same())
			}
			count++
		}
		if got := terms.penalty(masses, p, f); math.Abs(got-want) > 1e-12*(1+count) ||
			terms.total != count {
			t.Fatalf("the penalty of %v links is %v, want %v of %v", terms.total, got, want, count)
		}
		for i := range n {
			linear := make([]float64, f)
			terms.linear(linear, i, masses, p, 1)
			var got float64
			for k, x := range linear {
				got += x * masses[i*f+k]
			}
			if math.Abs(got-byRow[i]) > 1e-12*(1+count) {
				t.Fatalf("row %d takes part in penalties of %v, want %v", i, got, byRow[i])
			}
		}
	})
}

func TestViolated(t *testing.T) {
	links := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.CannotLink},
		{A: 0, B: 1, Kind: link.CannotLink, Plausibility: 0.9},
		{A: 0, B: 1, Kind: link.CannotLink, Plausibility: 0.4},
		{A: 0, B: 2, Kind: link.CannotLink, Plausibility: 0.5},
		{A: 0, B: 1, Kind: link.Unknown},
	}
	terms := newLinkTerms(3, links)
	if got := terms.violated([]int{0, 0, 1}); got != 2 {
		t.Errorf("%d links violated, want the second and the fourth", got)
	}
}

func TestNoLinksNoPenalty(t *testing.T) {
	terms := newLinkTerms(3, []link.Link{{A: 0, B: 1}})
	if !terms.empty() || terms.factor(1) != 0 || len(terms.linked) != 0 {
		t.Errorf("a link of kind unknown counts: %+v", terms)
	}
	if p, _ := new(linkTerms).of(2); p != nil {
		t.Errorf("no links, but partners %v", p)
	}
}

func TestLinksThatCannotBe(t *testing.T) {
	clash := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}
	for name, links := range map[string][]link.Link{
		"1 = 2, 2 = 3, but 1 ≠ 3": clash,
		"row 4":                   {{A: 0, B: 3, Kind: link.MustLink}},
		"linked to itself":        {{A: 1, B: 1, Kind: link.MustLink}},
	} {
		_, err := checkLinks(3, links, link.Refuse)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a word on %q", err, name)
		}
	}
	if note, err := checkLinks(3, clash, link.Keep); err != nil ||
		!strings.HasPrefix(note, "One link") {
		t.Errorf("kept contradictions: %q, %v", note, err)
	}
	if note, err := checkLinks(3, clash[:2], link.Refuse); note != "" || err != nil {
		t.Errorf("links that agree: %q, %v", note, err)
	}
}
