package rule

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Links are the links that rules make. They never contradict each other.
type Links struct {
	Must, Cannot int64       // all links that the rules make
	Drawn        []link.Link // those asked for, by rising A, then B; A < B; Source names the groups
}

// Links gives the links among the matched objects: a must-link for two that match a group in common, a
// cannot-link for two of different topics. Two of one topic without a common group have none, and so has an object
// that is [Matches.Torn]. Of more than most links, as many are drawn at random, each with the same chance; the seed
// decides which. The time grows with the matched objects, and with their number times the objects of which links are drawn.
func (m *Matches) Links(ctx context.Context, most int, seed uint64) (*Links, error) {
	p := m.profiles()
	ends := make([]int64, len(p.objects)) // links up to and with those that begin at each object
	out := &Links{}
	after := slices.Clone(p.sizes)
	for at, own := range p.of {
		if at%blockRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		after[own]--
		for other, n := range after {
			switch p.kind(own, other) {
			case link.MustLink:
				out.Must += n
			case link.CannotLink:
				out.Cannot += n
			}
		}
		ends[at] = out.Must + out.Cannot
	}
	total := out.Must + out.Cannot
	wanted := draw(total, int64(max(0, most)), seed)
	out.Drawn = make([]link.Link, 0, len(wanted))
	begin := int64(0)
	for at := 0; at < len(ends) && len(wanted) > 0; at++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := begin
		for other := at + 1; next < ends[at] && len(wanted) > 0 && wanted[0] < ends[at]; other++ {
			kind := p.kind(p.of[at], p.of[other])
			if kind == link.Unknown {
				continue
			}
			if next == wanted[0] {
				out.Drawn = append(out.Drawn, link.Link{A: p.objects[at], B: p.objects[other], Kind: kind, Source: p.source(p.of[at], p.of[other])})
				wanted = wanted[1:]
			}
			next++
		}
		begin = ends[at]
	}
	return out, nil
}

// draw gives min(total, most) different numbers below total, rising, by Floyd's algorithm.
func draw(total, most int64, seed uint64) []int64 {
	if total <= most {
		all := make([]int64, total)
		for i := range all {
			all[i] = int64(i)
		}
		return all
	}
	r := rand.New(rand.NewPCG(seed, 0x72756c65))
	taken := make(map[int64]bool, most)
	drawn := make([]int64, 0, most)
	for last := total - most; last < total; last++ {
		n := r.Int64N(last + 1)
		if taken[n] {
			n = last
		}
		taken[n] = true
		drawn = append(drawn, n)
	}
	slices.Sort(drawn)
	return drawn
}

// profiles sorts the objects that make links by the groups they match: only that decides their links.
type profiles struct {
	m       *Matches
	objects []int    // the objects, rising
	of      []int    // profile of each of them
	groups  []uint64 // of each profile
	sizes   []int64  // objects of each profile
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
			p.groups = append(p.groups, groups)
			p.sizes = append(p.sizes, 0)
		}
		p.sizes[n]++
		p.objects, p.of = append(p.objects, i), append(p.of, n)
	}
	return p
}

// kind tells how objects of two profiles are linked.
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
	name := func(groups uint64) string { return p.m.Rules.Groups[bits.TrailingZeros64(groups)].Name }
	text := fmt.Sprintf("rule %s, %s", name(x), name(y))
	if x&y != 0 {
		text = "rule " + name(x&y)
	}
	p.sources[[2]int{a, b}] = text
	return text
}
