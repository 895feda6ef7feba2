package link_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// brute is the closure by its definition, after the manner of Floyd and Warshall: distances along
// must-links, and along must-links with one cannot-link among them.
type brute struct{ same, different [][]int }

const far = 1 << 20

func closure(n int, links []link.Link) brute {
	same := make([][]int, n)
	for i := range same {
		same[i] = slices.Repeat([]int{far}, n)
		same[i][i] = 0
	}
	for _, l := range links {
		if l.Kind == link.MustLink {
			same[l.A][l.B], same[l.B][l.A] = 1, 1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				same[i][j] = min(same[i][j], same[i][k]+same[k][j])
			}
		}
	}
	different := make([][]int, n)
	for i := range different {
		different[i] = slices.Repeat([]int{far}, n)
		for j := range n {
			for _, l := range links {
				if l.Kind == link.CannotLink {
					different[i][j] = min(different[i][j], same[i][l.A]+1+same[l.B][j],
						same[i][l.B]+1+same[l.A][j])
				}
			}
		}
	}
	return brute{same, different}
}

func (b brute) relation(i, j int) link.Kind {
	switch {
	case b.same[i][j] < far:
		return link.MustLink
	case b.different[i][j] < far:
		return link.CannotLink
	}
	return link.Unknown
}

func TestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		s := link.NewSet(n)
		var kept []link.Link
		for _, l := range someLinks(n, 14).Draw(t, "links") {
			before := closure(n, kept)
			known := before.relation(l.A, l.B)
			clashes := l.Kind != link.Unknown && known != link.Unknown && known != l.Kind
			err := s.Add(l)
			if clashes != (err != nil) {
				t.Fatalf("%v after %v: error %v, but by brute force clash = %t", l, kept, err,
					clashes)
			}
			if !clashes {
				kept = append(kept, l)
				continue
			}
			var c *link.Contradiction
			if !errors.As(err, &c) || c.Link != l {
				t.Fatalf("the error %v is not about %v", err, l)
			}
			shortest := before.same[l.A][l.B]
			if l.Kind == link.MustLink {
				shortest = before.different[l.A][l.B]
			}
			checkChain(t, kept, c, shortest)
		}
		if !slices.Equal(s.Given(), kept) {
			t.Fatalf("the set holds %v, want %v", s.Given(), kept)
		}
		sameAsBrute(t, s, closure(n, kept))
	})
}

// checkChain follows a chain: given links, end to end, entailing the opposite, and no longer than
// need be.
func checkChain(t *rapid.T, kept []link.Link, c *link.Contradiction, shortest int) {
	at, cannots := c.Link.A, 0
	for _, l := range c.Chain {
		if !slices.Contains(kept, l) {
			t.Fatalf("%v is in the chain but was not given", l)
		}
		switch at {
		case l.A:
			at = l.B
		case l.B:
			at = l.A
		default:
			t.Fatalf("the chain %v breaks at %v", c.Chain, l)
		}
		if l.Kind == link.CannotLink {
			cannots++
		} else if l.Kind != link.MustLink {
			t.Fatalf("%v entails nothing", l)
		}
	}
	if want := int(c.Link.Kind); at != c.Link.B ||
		cannots != map[int]int{int(link.MustLink): 1, int(link.CannotLink): 0}[want] {
		t.Fatalf("%v does not deny %v", c.Chain, c.Link)
	}
	if len(c.Chain) != shortest {
		t.Fatalf("%v has %d links, the shortest chain %d", c.Chain, len(c.Chain), shortest)
	}
}

func sameAsBrute(t *rapid.T, s *link.Set, b brute) {
	for i := range s.N() {
		lowest, members, rivals := i, []int(nil), map[int]bool{}
		for j := range s.N() {
			want := b.relation(i, j)
			if got := s.Relation(i, j); got != want {
				t.Fatalf("Relation(%d, %d) = %v, want %v", i, j, got, want)
			}
			switch want {
			case link.MustLink:
				lowest = min(lowest, j)
				members = append(members, j)
			case link.CannotLink:
				rivals[s.Component(j)] = true
			}
		}
		if s.Component(i) != lowest || !slices.Equal(s.Members(i), members) {
			t.Fatalf("component of %d is %d %v, want %d %v", i, s.Component(i), s.Members(i),
				lowest, members)
		}
		separated := slices.Collect(s.Separated(i))
		if !slices.IsSorted(separated) || len(separated) != len(rivals) {
			t.Fatalf("Separated(%d) = %v, want %v", i, separated, rivals)
		}
		for _, c := range separated {
			if !rivals[c] {
				t.Fatalf("Separated(%d) = %v, want %v", i, separated, rivals)
			}
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		s, _, err := link.Build(n, someLinks(n, 60).Draw(t, "links"), link.Keep)
		if err != nil {
			t.Fatal(err)
		}
		shuffled := rapid.Permutation(s.Given()).Draw(t, "order")
		for i := range shuffled {
			if rapid.Bool().Draw(t, "swap") {
				shuffled[i].A, shuffled[i].B = shuffled[i].B, shuffled[i].A
			}
		}
		again, _, err := link.Build(n, shuffled, link.Refuse)
		if err != nil {
			t.Fatalf("links that agree in one order clash in another: %v", err)
		}
		for i := range n {
			for j := range n {
				if s.Relation(i, j) != again.Relation(i, j) {
					t.Fatalf("Relation(%d, %d) depends on the order", i, j)
				}
			}
			if !slices.Equal(slices.Collect(s.Separated(i)), slices.Collect(again.Separated(i))) {
				t.Fatalf("Separated(%d) depends on the order", i)
			}
		}
	})
}
