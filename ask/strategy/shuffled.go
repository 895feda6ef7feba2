package strategy

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/link"
)

// shuffled asks about all pairs in random order. The order is a permutation of their numbers by a
// Feistel network, so that neither time nor memory depends on how many pairs there are.
type shuffled struct {
	n        int
	total    uint64
	half     uint // bits of each half of a number
	keys     [4]uint64
	entailed bool // pairs that are entailed are passed over
	passed   passed
}

func newRandom(cfg Config) (ask.Chooser, error) { return newShuffled(cfg, false), nil }

func newRandomOrder(cfg Config) (ask.Chooser, error) { return newShuffled(cfg, true), nil }

func newShuffled(cfg Config, entailed bool) *shuffled {
	n := uint64(cfg.n())
	s := &shuffled{n: cfg.n(), total: n * (n - min(n, 1)) / 2, entailed: entailed}
	s.half = uint(bits.Len64(max(s.total, 4)-1)+1) / 2
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x7368756666)) // "shuff": a stream of its own
	for i := range s.keys {
		s.keys[i] = rng.Uint64()
	}
	return s
}

// pair returns the pair at a place of the order. A number that the network takes beyond the last
// pair goes through it again.
func (s *shuffled) pair(place uint64) (a, b int) {
	mask := uint64(1)<<s.half - 1
	for {
		left, right := place>>s.half, place&mask
		for _, key := range s.keys {
			left, right = right, left^(draw.Mix(right^key)&mask)
		}
		if place = left<<s.half | right; place < s.total {
			break
		}
	}
	// Pairs are numbered (1,0), (2,0), (2,1), …: the root may be off by one, as it is rounded.
	b = int((1 + math.Sqrt(1+8*float64(place))) / 2)
	for uint64(b)*uint64(b-1)/2 > place {
		b--
	}
	for uint64(b)*uint64(b+1)/2 <= place {
		b++
	}
	return int(place - uint64(b)*uint64(b-1)/2), b
}

func (s *shuffled) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	why := "pairs are drawn at random"
	if s.entailed {
		why = "pairs are drawn at random, and no answer says what this one is"
	}
	return s.passed.open(ctx, known, most, why, s.entailed,
		func(at uint64) (a, b int, ok bool, err error) {
			if at == s.total {
				return 0, 0, false, nil
			}
			a, b = s.pair(at)
			return a, b, true, nil
		})
}

func (s *shuffled) Remaining(known *ask.Ledger) (likely, most int) {
	if s.entailed {
		return pairwise(known)
	}
	open := int(min(s.total, math.MaxInt32)) - known.Set().Len()
	return left(open, open)
}

// passed is the place in a list of pairs before which nothing is open: it stays so as answers are
// added.
type passed struct {
	at   uint64
	mark ask.Mark // the answers that it is of
	out  []bool
}

// open returns up to most questions about the pairs of a list, in their order, that nobody has
// answered: nor what is entailed, where entailed is set. Pair returns the pair at a place; ok is
// false at the end.
func (p *passed) open(ctx context.Context, known *ask.Ledger, most int, why string, entailed bool,
	pair func(at uint64) (a, b int, ok bool, err error)) (found []ask.Prompt, err error) {
	knows := known.Answered
	if entailed {
		knows = known.Known
	}
	for at := p.since(known); len(found) < most; at++ {
		if at%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a, b, ok, err := pair(at)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		_, said := knows(a, b)
		if said || !known.Askable(a) || !known.Askable(b) {
			continue
		}
		if len(found) == 0 {
			p.remember(known, at)
		}
		found = append(found, ask.Prompt{Question: link.Question{A: a, B: b, Why: why}})
	}
	return found, nil
}

// since returns the place for what is known now: 0 where less is known than before.
func (p *passed) since(known *ask.Ledger) uint64 {
	if kept, _ := known.Since(p.mark); kept < p.mark.Answers || p.out == nil {
		return 0
	}
	for row, out := range p.out {
		if out && known.Askable(row) {
			return 0
		}
	}
	return p.at
}

func (p *passed) remember(known *ask.Ledger, at uint64) {
	p.at, p.mark, p.out = at, known.Mark(), sized(p.out, known.N())
	for row := range p.out {
		p.out[row] = !known.Askable(row)
	}
}

// pairwise estimates what is left to ask where all pairs are asked that are not entailed: joining
// what belongs together takes one answer for each group of rows without a link, and at most all
// pairs of groups are open.
func pairwise(known *ask.Ledger) (likely, most int) {
	set := known.Set()
	groups, apart, lone := 0, 0, 0
	for row := range known.N() {
		if set.Component(row) != row {
			continue
		}
		groups++
		rivals := 0
		for range set.Separated(row) {
			rivals++
		}
		if apart += rivals; rivals == 0 {
			lone++
		}
	}
	open := int(min(float64(groups)*float64(groups-1)/2, math.MaxInt32)) - apart/2
	return left(min(lone-1, open), open)
}
