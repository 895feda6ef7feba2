package competitive

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// Shared is the state of several learners that share out the rows of one table: all of them start
// from it, each learns rows of its own as a [Part], and what they come to, a [Share] each, is
// averaged into the next.
type Shared struct {
	Rows       int64  `json:"rows"`       // learnt by all of them together
	Prototypes Floats `json:"prototypes"` // k×d
	Wins       Floats `json:"wins"`       // k: competitions won, one at the start included
	Nearest    Floats `json:"nearest"`    // k: rows that were nearest to each prototype
}

// Begin returns where learners start: from the prototypes given, k×d, or, where those are empty,
// from such as [Fit] would take for its first start if the sample were all its data. Learners that
// share rows have no HalfLife and the metric euclidean; anything else is a [*fault.Input].
func Begin(ctx context.Context, cfg Config, sample, given dataset.Matrix) (Shared, error) {
	cfg = cfg.withDefaults()
	cols := sample.Cols
	if given.Rows > 0 {
		cols = given.Cols
	}
	if err := cfg.checkShared(cols); err != nil {
		return Shared{}, err
	}
	s := Shared{Wins: slices.Repeat(Floats{1}, cfg.Clusters), Nearest: make(Floats, cfg.Clusters)}
	if given.Rows > 0 {
		if given.Rows != cfg.Clusters {
			return Shared{}, fault.Inputf("give one a cluster",
				"%d initial prototypes for %d clusters", given.Rows, cfg.Clusters)
		}
		if err := whole(given); err != nil {
			return Shared{}, err
		}
		for i := range given.Rows {
			s.Prototypes = given.AppendRow(s.Prototypes, i)
		}
		return s, nil
	}
	c, err := begin(ctx, cfg, sample, 0, nil)
	if err != nil {
		return Shared{}, err
	}
	s.Prototypes = c.prototypes()
	return s, nil
}

// checkShared refuses what learners that share rows cannot do.
func (c Config) checkShared(cols int) error {
	switch {
	case c.HalfLife != 0:
		return fault.Inputf("leave the half-life out",
			"learners that share rows cannot forget, as theirs come in no one order")
	case c.Metric != fit.Euclidean:
		return fault.Inputf("use the metric euclidean",
			"learners that share rows cannot learn the metric %v", c.Metric)
	}
	return c.Check(cols)
}

// Partner is the other end of a link of a row.
type Partner struct {
	Row        Floats
	Kind       link.Kind // MustLink or CannotLink
	Confidence float64   // in (0, 1]
}

// Part learns a part of the rows that others share. One goroutine uses it.
type Part struct {
	core          *core
	began         int64
	wins, nearest []float64 // where it began
	squared       float64
	partners      []partner // scratch
}

// NewPart returns a learner that starts from what all of them share. Its rates fall by the rows
// that all have learnt until then and those that it has itself since; its prototypes' wins are
// counted alike. A Shared that cannot be is a [*fault.Input].
func NewPart(cfg Config, cols int, from Shared) (*Part, error) {
	cfg = cfg.withDefaults()
	if err := cfg.checkShared(cols); err != nil {
		return nil, err
	}
	s := State{Cols: cols, Rows: from.Rows, Prototypes: from.Prototypes, Wins: from.Wins,
		Nearest: from.Nearest, Gain: 1, Falling: 1,
		Now: make([]int64, cfg.Clusters), Before: make([]int64, cfg.Clusters)}
	if err := s.checkCore(cfg); err != nil {
		return nil, err
	}
	c := newCore(cfg, cols, from.Prototypes)
	copy(c.wins, from.Wins)
	copy(c.nearest, from.Nearest)
	c.rows = from.Rows
	c.rates.tick(c.rows - c.rows%pace)
	return &Part{core: c, began: from.Rows, wins: from.Wins, nearest: from.Nearest}, nil
}

// Learn learns a row with its partners, none where no link names it, and returns the prototype that
// was nearest. Rules that do not learn from links ignore partners. A row or partner of another
// width, or with a value that is not finite or beyond ±10¹²⁰, and a link of another kind or
// confidence, is a [*fault.Input], and nothing is learnt.
func (p *Part) Learn(row []float64, partners []Partner) (nearest int32, err error) {
	if err := check(row, p.core.d); err != nil {
		return 0, err
	}
	var near ranks
	if len(partners) == 0 || !p.core.cfg.Rule.links() {
		near = p.core.learn(row)
	} else {
		p.partners = p.partners[:0]
		for _, q := range partners {
			if err := q.check(p.core.d); err != nil {
				return 0, err
			}
			p.partners = append(p.partners, partner{q.Row, q.Kind, q.Confidence})
		}
		near = p.core.learnLinked(row, p.partners)
	}
	p.squared += near.near
	return near.first, nil
}

func (q Partner) check(d int) error {
	if err := check(q.Row, d); err != nil {
		if in, ok := err.(*fault.Input); ok {
			in.Problem = "at the other end of a link " + in.Problem
		}
		return err
	}
	if q.Kind != link.MustLink && q.Kind != link.CannotLink ||
		!(q.Confidence > 0 && q.Confidence <= 1) {
		return fault.Inputf("give must- and cannot-links of confidences above 0, up to 1",
			"a link of the kind %v with a confidence of %v", q.Kind, q.Confidence)
	}
	return nil
}

// Share is what a learner came to since it began.
type Share struct {
	Rows       int64  // learnt
	Prototypes Floats // k×d: where they are now
	Wins       Floats // k: competitions won since it began
	Nearest    Floats // k: rows since it began
	Squared    float64
}

// Share returns what the learner came to. Squared is the sum of the squared distances of its rows
// to the nearest prototype, each before it was learnt.
func (p *Part) Share() Share {
	c := p.core
	s := Share{Rows: c.rows - p.began, Prototypes: c.prototypes(), Wins: make(Floats, c.k),
		Nearest: make(Floats, c.k), Squared: p.squared}
	for j := range c.k {
		s.Wins[j], s.Nearest[j] = c.wins[j]-p.wins[j], c.nearest[j]-p.nearest[j]
	}
	return s
}

// Cut returns the share of prototypes from lo up to hi alone, in the same memory.
func (s Share) Cut(lo, hi int) Share {
	d := len(s.Prototypes) / len(s.Wins)
	s.Prototypes, s.Wins, s.Nearest = s.Prototypes[lo*d:hi*d], s.Wins[lo:hi], s.Nearest[lo:hi]
	return s
}

// Average makes one share of those of learners that began at the same place; all have prototypes of
// the same number and width. A prototype goes to the mean of where they left it, weighted by the
// competitions that it won with each since they began. One that won with none goes to the mean
// weighted by rows: it stays where all left it there, and is driven off by as much as rivals were
// on average. Wins and rows are summed. Learners that agree are averaged to the bits they agree on,
// and so is one alone. The order of shares decides the last bits.
func Average(shares []Share) Share {
	if len(shares) == 0 {
		return Share{}
	}
	k, values := len(shares[0].Wins), len(shares[0].Prototypes)
	out := Share{Prototypes: make(Floats, 0, values), Wins: make(Floats, k),
		Nearest: make(Floats, k)}
	for _, s := range shares {
		out.Rows += s.Rows
		out.Squared += s.Squared
		for j := range k {
			out.Wins[j] += s.Wins[j]
			out.Nearest[j] += s.Nearest[j]
		}
	}
	d := values / max(1, k)
	for j := range k {
		weight := func(s Share) float64 { return s.Wins[j] }
		total := out.Wins[j]
		if total == 0 {
			weight = func(s Share) float64 { return float64(s.Rows) }
			total = float64(out.Rows)
		}
		first, weighty := shares[0], 0
		for i := len(shares) - 1; i >= 0; i-- {
			if weight(shares[i]) > 0 {
				first = shares[i]
				weighty++
			}
		}
		place := first.Prototypes[j*d : (j+1)*d]
		out.Prototypes = append(out.Prototypes, place...)
		if weighty < 2 {
			continue
		}
		// Summed as differences from the first, so that what all agree on is kept to the bit.
		for c, from := range place {
			sum := 0.0
			for _, s := range shares {
				if w := weight(s); w > 0 {
					sum = math.FMA(w, s.Prototypes[j*d+c]-from, sum)
				}
			}
			if sum != 0 {
				out.Prototypes[j*d+c] = from + sum/total
			}
		}
	}
	return out
}

// After returns what learners share after an averaged share of all prototypes.
func (s Shared) After(average Share) Shared {
	next := Shared{Rows: s.Rows + average.Rows, Prototypes: average.Prototypes,
		Wins: make(Floats, len(s.Wins)), Nearest: make(Floats, len(s.Nearest))}
	for j := range s.Wins {
		next.Wins[j], next.Nearest[j] = s.Wins[j]+average.Wins[j], s.Nearest[j]+average.Nearest[j]
	}
	return next
}

// Active reports which prototypes were nearest to at least share/k of the rows, where nearest
// counts those; share 0 is 0.1. See [Snapshot].
func Active(nearest []float64, share float64) []bool {
	share = cmp.Or(share, 0.1)
	counts := make([]int64, len(nearest))
	for j, n := range nearest {
		counts[j] = int64(n)
	}
	return shared(counts, share)
}

// MoveBy returns what learners share after the prototypes have moved by way, k×d: what a
// learner that began elsewhere came to is taken over as a way, not as a place. They stay within
// what can be learnt.
func (s Shared) MoveBy(way []float64) Shared {
	s.Prototypes = append(Floats(nil), s.Prototypes...)
	for i, v := range way {
		if at := s.Prototypes[i] + v; simd.Within([]float64{at}, reach) {
			s.Prototypes[i] = at
		}
	}
	return s
}
