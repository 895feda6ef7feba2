package strategy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// npu is the normalised point-based uncertainty of Xiong, Azimi and Fern (IEEE TKDE 26, 2014): the
// rows are clustered with the links so far, a random forest learns the clusters, and the share of
// trees in which two rows fall into one leaf is their similarity. The probability that row x is in
// neighbourhood i is in proportion to its mean similarity to that; with these sorted, the largest
// first, E[q] = Σ r·p_(r) answers are expected to place it, and H is their entropy in bits. The row
// with the greatest H/E[q] is compared with the neighbourhoods, the likeliest first, until one is
// its own; else it starts another.
//
// Ours: rows are clustered again after each answer, and a row that was begun with goes on first, so
// that the question depends on what is known alone. While there is one neighbourhood no row is
// uncertain, and the one least like it comes first. Rows of equal uncertainty come in random order.
// Forests of more than 10 000 rows grow on so many.
type npu struct {
	cfg    Config
	turn   []int   // place of each row in a random order
	labels []int   // that forest has learnt
	forest *forest // the latest; nil: none was grown
}

func newNPU(cfg Config) (ask.Chooser, error) {
	if cfg.Data.Rows == 0 {
		return nil, fault.Inputf("ask by --strategy minmax or farthest-first",
			"npu grows a forest on features, and the rows are no vectors")
	}
	turn := rand.New(rand.NewPCG(cfg.Seed, 0x6e7075)).Perm(cfg.n()) // "npu"
	return &npu{cfg: cfg, turn: turn}, nil
}

// candidate is a row that may be asked about.
type candidate struct {
	row    int
	part   int // the first row of those that are known to be with it
	onWay  bool
	value  float64 // H/E[q]
	likest float64 // sum of mean similarities
	order  []int   // neighbourhoods, the likeliest first
	p      []float64
}

func (s *npu) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt, error) {
	h := newHoods(known)
	if len(h.rows) == 0 && !s.first(known, h) {
		return nil, nil
	}
	aside := doubts(known)
	if s.still(known, h, aside) {
		return nil, nil
	}
	part, err := s.cfg.Partition(ctx, known.Facts())
	if err != nil {
		return nil, err
	}
	if s.forest == nil || !slices.Equal(part.Labels, s.labels) {
		f, err := grow(ctx, s.cfg.Data, part.Labels, s.cfg.Seed, s.cfg.Threads)
		if err != nil {
			return nil, err
		}
		s.labels, s.forest = slices.Clone(part.Labels), f
	}
	candidates, err := s.candidates(ctx, known, h, s.forest, aside)
	if err != nil {
		return nil, err
	}
	var found []ask.Prompt
	for _, c := range candidates {
		if len(found) == most {
			break
		}
		for _, g := range c.order {
			row := h.speaker(known, g)
			if row < 0 || !open(known, c.row, row) {
				continue
			}
			found = append(found,
				ask.Prompt{Question: link.Question{A: c.row, B: row, Why: c.why(g)}})
			break
		}
	}
	return found, nil
}

// first makes the neighbourhood of one row that is drawn, before anything is known. ok is false
// where there is none.
func (s *npu) first(known *ask.Ledger, h *hoods) (ok bool) {
	aside := doubts(known)
	best := -1
	for row, turn := range s.turn {
		if known.Askable(row) && aside[row] < 2 && (best < 0 || turn < s.turn[best]) {
			best = row
		}
	}
	if best < 0 {
		return false
	}
	h.rows, h.of[best] = [][]int{{best}}, 0
	return true
}

// still reports whether there is nothing left to ask.
func (s *npu) still(known *ask.Ledger, h *hoods, aside map[int]int) bool {
	for row, g := range h.of {
		if g >= 0 || !known.Askable(row) || aside[row] >= 2 {
			continue
		}
		for g := range h.rows {
			if other := h.speaker(known, g); other >= 0 && open(known, row, other) {
				return false
			}
		}
	}
	return true
}

// candidates puts the rows in the order in which they are asked about.
func (s *npu) candidates(ctx context.Context, known *ask.Ledger, h *hoods, f *forest,
	aside map[int]int) ([]candidate, error) {
	begun := make(map[int]bool, len(h.onWay))
	for _, row := range h.onWay {
		begun[row] = true
	}
	set := known.Set()
	spoken := make([]bool, known.N())
	var all []candidate
	var rows []int // of all
	for row, g := range h.of {
		if row%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		part := set.Component(row)
		if g >= 0 || !known.Askable(row) || aside[row] >= 2 || spoken[part] {
			continue
		}
		spoken[part] = true // one row stands for those that are known to be with it
		all = append(all, candidate{row: row, part: part, onWay: begun[part],
			order: make([]int, len(h.rows))})
		rows = append(rows, row)
	}
	alike := f.alike(rows, h.rows)
	for i := range all {
		c := &all[i]
		c.p = alike[i*len(h.rows) : (i+1)*len(h.rows)]
		for g, members := range h.rows {
			c.order[g] = g
			c.p[g] /= float64(len(members))
			c.likest += c.p[g]
		}
		c.weigh()
	}
	place := make(map[int]int, len(h.onWay))
	for i, row := range h.onWay {
		place[row] = i
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if a.onWay != b.onWay {
			return map[bool]int{true: -1, false: 1}[a.onWay]
		}
		if a.onWay {
			return cmp.Compare(place[a.part], place[b.part])
		}
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.likest, b.likest),
			cmp.Compare(s.turn[a.row], s.turn[b.row]))
	})
	return all, nil
}

// weigh sorts the neighbourhoods and works out the uncertainty.
func (c *candidate) weigh() {
	for g := range c.p {
		if c.likest > 0 {
			c.p[g] /= c.likest
		} else {
			c.p[g] = 1 / float64(len(c.p))
		}
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(c.p[b], c.p[a]) })
	entropy, expected := 0.0, 0.0
	for r, g := range c.order {
		if p := c.p[g]; p > 0 {
			entropy -= float64(p * math.Log2(p))
			expected += float64(float64(r+1) * p)
		}
	}
	c.value = rounded(entropy / expected)
}

// rounded returns a number to nine places, so that the last bits of logarithms, which differ
// between machines, decide nothing.
func rounded(v float64) float64 { return math.Round(v*1e9) / 1e9 }

func (c *candidate) why(g int) string {
	if c.onWay {
		return "no answer says yet to which group the first belongs, and the second stands for " +
			"the likeliest that is left"
	}
	if len(c.p) == 1 {
		return "the first is least like the one group that you have named so far"
	}
	return fmt.Sprintf("it is least certain, for the answers it takes to tell, where the first "+
		"belongs: with the second by %.0f in 100", 100*c.p[g])
}

// open reports whether nothing is known of a pair.
func open(known *ask.Ledger, a, b int) bool {
	_, ok := known.Known(a, b)
	return !ok
}

func (s *npu) Remaining(known *ask.Ledger) (likely, most int) { return unplaced(known) }

// unplaced counts the rows that are in no neighbourhood, an answer each, and at most one for each
// neighbourhood.
func unplaced(known *ask.Ledger) (likely, most int) {
	h := newHoods(known)
	for row, g := range h.of {
		if g < 0 && known.Askable(row) {
			likely++
		}
	}
	return left(likely, likely*max(1, len(h.rows)))
}
