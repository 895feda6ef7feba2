package rule

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/link"
)

// Links are the links that rules make. They never contradict each other.
type Links struct {
	Must, Cannot int64 // all links that the rules make
	// as many as wanted, by rising A, then B; A < B; Source names the groups
	Drawn []link.Link
}

// Links returns the links among the matched objects: a must-link for two that match a group in
// common, a cannot-link for two of different topics. Two of one topic without a common group have
// none, and so has an object that is [Matches.Torn]. Objects of [Matches.JoinEqual] that no group
// links have must-links that connect them, one fewer than there are objects. Of more than most
// links, as many are drawn at random, each with the same chance; the seed decides which. The time
// grows with the objects, the links drawn, and the square of the number of different sets of groups
// that objects match.
func (m *Matches) Links(ctx context.Context, most int, seed uint64) (*Links, error) {
	p := m.profiles()
	out := &Links{}
	for a := range p.groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := range a + 1 {
			switch p.kind(a, b) {
			case link.MustLink:
				out.Must += p.pairs(a, b)
			case link.CannotLink:
				out.Cannot += p.pairs(a, b)
			}
		}
	}
	var equal []link.Link // of objects that no group links anyway
	for _, l := range m.equal {
		if m.Of[l.A] == 0 || m.Torn(l.A) {
			equal = append(equal, l)
		}
	}
	out.Must += int64(len(equal))
	wanted := upTo(out.Must+out.Cannot, int64(max(0, most)), seed)
	out.Drawn = make([]link.Link, 0, len(wanted))
	begin := int64(0)
	for a := 0; a < len(p.groups) && len(wanted) > 0; a++ {
		for b := range a + 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			kind := p.kind(a, b)
			if kind == link.Unknown {
				continue
			}
			end := begin + p.pairs(a, b)
			here, _ := slices.BinarySearch(wanted, end)
			out.Drawn = p.link(out.Drawn, a, b, kind, begin, wanted[:here])
			wanted, begin = wanted[here:], end
		}
	}
	for _, number := range wanted { // those beyond the links of groups
		out.Drawn = append(out.Drawn, equal[number-begin])
	}
	slices.SortFunc(out.Drawn,
		func(x, y link.Link) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return out, nil
}

// pairs counts the pairs of an object of one profile and one of another, or of two of one.
func (p *profiles) pairs(a, b int) int64 {
	n := int64(len(p.objects[a]))
	if a == b {
		return n * (n - 1) / 2
	}
	return n * int64(len(p.objects[b]))
}

// link appends the links of those pairs of objects of two profiles, or of one, that have the wanted
// numbers, which rise; the first pair has the number begin.
func (p *profiles) link(to []link.Link, a, b int, kind link.Kind, begin int64,
	wanted []int64) []link.Link {
	others := p.objects[b]
	row, from := 0, int64(0) // place of an object of a, and how many pairs are before its own
	for _, number := range wanted {
		at := number - begin
		if a == b { // each with those before it
			for at >= from+int64(row) {
				from += int64(row)
				row++
			}
		} else {
			row = int(at / int64(len(others)))
			from = int64(row) * int64(len(others))
		}
		x, y, first, second := p.objects[a][row], others[at-from], a, b
		if x > y {
			x, y, first, second = y, x, b, a
		}
		to = append(to, link.Link{A: x, B: y, Kind: kind, Source: p.source(first, second)})
	}
	return to
}

// upTo returns min(total, most) different numbers below total, rising.
func upTo(total, most int64, seed uint64) []int64 {
	if total <= most {
		all := make([]int64, total)
		for i := range all {
			all[i] = int64(i)
		}
		return all
	}
	return draw.Few(rand.New(rand.NewPCG(seed, 0x72756c65)), total, most)
}

// profiles sorts the objects that make links by the groups they match: only that decides their
// links.
type profiles struct {
	m       *Matches
	groups  []uint64 // of each profile
	objects [][]int  // of each profile, rising
	sources map[[2]int]string
}

func (m *Matches) profiles() *profiles {
	p := &profiles{m: m, sources: map[[2]int]string{}}
	numbers := map[uint64]int{}
	for i, groups := range m.Of {
		if groups == 0 || m.Torn(i) {
			continue
		}
		n, known := numbers[groups]
		if !known {
			n = len(p.groups)
			numbers[groups] = n
			p.groups, p.objects = append(p.groups, groups), append(p.objects, nil)
		}
		p.objects[n] = append(p.objects[n], i)
	}
	return p
}

// kind reports how objects of two profiles are linked.
func (p *profiles) kind(a, b int) link.Kind {
	x, y := p.groups[a], p.groups[b]
	switch {
	case x&y != 0:
		return link.MustLink
	case p.m.topic[bits.TrailingZeros64(x)] != p.m.topic[bits.TrailingZeros64(y)]:
		return link.CannotLink
	}
	return link.Unknown
}

// source names the rule that links two profiles: the first group in common, or the first of each.
func (p *profiles) source(a, b int) string {
	if text, known := p.sources[[2]int{a, b}]; known {
		return text
	}
	x, y := p.groups[a], p.groups[b]
	name := func(groups uint64) string {
		return p.m.Rules.Groups[bits.TrailingZeros64(groups)].Name
	}
	text := fmt.Sprintf("rule %s, %s", name(x), name(y))
	if x&y != 0 {
		text = "rule " + name(x&y)
	}
	p.sources[[2]int{a, b}] = text
	return text
}
