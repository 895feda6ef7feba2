package competitive

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// pass is what all starts of a fit share.
type pass struct {
	data dataset.Matrix
	cfg  FitConfig // with defaults
	ties *ties     // nil when there is nothing to learn from links
}

// run is one start.
type run struct {
	end     *Snapshot
	trace   []float64
	seconds float64
	err     error
}

// learn runs all epochs of one start. Where ctx is done it may stop anywhere.
func (p *pass) learn(ctx context.Context, start int, report func()) run {
	var given []float64
	for i := range p.cfg.InitialPrototypes.Rows {
		given = p.cfg.InitialPrototypes.AppendRow(given, i)
	}
	c, err := begin(ctx, p.cfg.Config, p.data, uint64(start), given)
	if err != nil {
		return run{err: err}
	}
	var out run
	order := p.order()
	// start itself is the stream of the prototypes
	rng := rand.New(rand.NewPCG(p.cfg.Seed, uint64(start)|1<<32))
	for range p.cfg.Epochs {
		began := time.Now()
		for i := len(order) - 1; i > 0; i-- {
			j := rng.Uint64N(uint64(i + 1))
			order[i], order[j] = order[j], order[i]
		}
		total := p.epoch(ctx, c, order)
		out.seconds += time.Since(began).Seconds()
		if ctx.Err() != nil {
			return out
		}
		out.trace = append(out.trace, total)
		report()
	}
	out.end = c.snapshot()
	return out
}

// order returns the rows to be shuffled; nil where they are learnt as they lie.
func (p *pass) order() []int32 {
	if p.cfg.InOrder {
		return nil
	}
	return disjoint.Singletons(p.data.Rows)
}

// epoch presents each row once and returns the sum of the squared distances.
func (p *pass) epoch(ctx context.Context, c *core, order []int32) (total float64) {
	// Rows are fetched a block at a time: those that lie anywhere are then waited for together, not
	// one by one.
	d := p.data.Cols
	block := between(int(c.cfg.cells(d)), 64)
	store := make([]float64, 0, block*d)
	for lo := 0; lo < p.data.Rows; lo += block {
		if ctx.Err() != nil {
			return total
		}
		hi := min(p.data.Rows, lo+block)
		var rows []float64
		if order == nil && !p.data.Single() {
			rows = p.data.F64[lo*d : hi*d]
		} else {
			store = store[:0]
			for i := lo; i < hi; i++ {
				store = p.data.AppendRow(store, at(order, i))
			}
			rows = store
		}
		for i := lo; i < hi; i++ {
			x := rows[(i-lo)*d:][:d]
			var near ranks
			if p.ties == nil {
				near = c.learn(x)
			} else if with := p.ties.of(at(order, i)); with != nil {
				near = c.learnLinked(x, with)
			} else {
				near = c.learn(x)
			}
			total += near.near
		}
	}
	return total
}

// at returns the row that comes at place i.
func at(order []int32, i int) int {
	if order == nil {
		return i
	}
	return int(order[i])
}

// ties holds the partners of linked rows.
type ties struct {
	place    []int32 // of each row, in partners; -1 for rows without
	partners [][]partner
}

// newTies returns nil when no row has a partner.
func newTies(data dataset.Matrix, links []link.Link) *ties {
	t := &ties{}
	held := make(map[int][]float64) // linked rows, as float64
	row := func(i int) []float64 {
		v, ok := held[i]
		if !ok {
			v = data.AppendRow(nil, i)
			held[i] = v
		}
		return v
	}
	for _, l := range link.Latest(links) {
		if l.Kind == link.Unknown {
			continue
		}
		if t.place == nil {
			t.place = slices.Repeat([]int32{-1}, data.Rows)
		}
		for _, end := range [2][2]int{{l.A, l.B}, {l.B, l.A}} {
			if t.place[end[0]] < 0 {
				t.place[end[0]] = int32(len(t.partners))
				t.partners = append(t.partners, nil)
			}
			of := &t.partners[t.place[end[0]]]
			*of = append(*of, partner{row(end[1]), l.Kind, l.Confidence()})
		}
	}
	if t.place == nil {
		return nil
	}
	return t
}

// of returns the partners of a row; nil when it has none.
func (t *ties) of(row int) []partner {
	if at := t.place[row]; at >= 0 {
		return t.partners[at]
	}
	return nil
}
