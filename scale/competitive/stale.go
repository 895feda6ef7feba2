package competitive

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// game reports how learners are played that exchange prototypes by way of a server. The zero value
// of each field but Config is a documented default.
type game struct {
	Config competitive.Config
	Links  []link.Link // between rows from 0; unknown ones are left out
	// prototypes to start from, k×d; empty: Config.Init places them by the data
	Start dataset.Matrix

	// Learners share the rows out: the first has the first rows, and so on. 0: 1. Up to 4096.
	Learners int

	// Period is the number of rows that a learner presents before it sends what it came to. 0: all
	// of its own.
	Period int

	// Block is the number of rows that are put in an order drawn at random, block by block, as
	// [Fit] reads them; the order changes with each pass. 0: all of a learner's.
	Block int

	Passes int // over the rows. 0: 1. Up to 10 000

	// Staleness is how many periods old what others sent may be, at most, where a learner goes on:
	// with 0 all wait for each other after each period, which is what [Fit] does. Negative: nobody
	// waits, and each asks the server after each period of its own.
	Staleness int

	// Uneven is how different the learners' speeds are: each takes 1 to 1+Uneven times as long,
	// drawn evenly. Stragglers is the chance, of each period, that it takes five times as long for
	// once. 0: all are alike.
	Uneven, Stragglers float64

	// Exchange is the time of sending and of asking, in the time that a row takes. It is what a
	// period must outweigh.
	Exchange float64

	// Looks is the number of times, evenly spaced by rows learnt, at which the server's prototypes
	// are kept. 0: at the end alone. Up to 10 000.
	Looks int
}

// look is what the server had at a moment.
type look struct {
	Time   float64 // in the time that a row takes a learner of speed 1
	Rows   int64   // that had come to the server, learnt
	Shared competitive.Shared
}

// played is what a game came to.
type played struct {
	Looks  []look  // the last one is the end
	Waited float64 // time that learners spent waiting for others, all of them together
	Asked  int     // times that a learner asked the server
	Oldest int     // periods: the most that what a learner went on from was behind it
	// of all rows, the squared distances to the nearest prototype of their learner, each before it
	// was learnt
	Squared float64
}

// simulate plays learners that do not wait for each other, by a stale synchronous parallel server
// (Ho et al., NIPS 2013), event by event; the time is made up, and what comes out is a function of
// the data and the game alone.
//
// Each learner has a copy of the prototypes. It presents a period's rows, drawn anew from its own
// in each pass, and sends how far its prototypes went. It then goes on from its own copy as long as
// that holds all that the others sent up to Staleness periods ago, and otherwise asks for the
// server's, and waits until the slowest have come so far. The server moves each prototype by that
// way, times the learner's share of the wins with it; and where all learners began at one place and
// are waited for, it puts them where [competitive.Average] does.
func simulate(ctx context.Context, data dataset.Matrix, g game) (*played, error) {
	g.Learners, g.Passes, g.Looks = cmp.Or(g.Learners, 1), cmp.Or(g.Passes, 1), cmp.Or(g.Looks, 1)
	if err := g.check(data); err != nil {
		return nil, err
	}
	start, err := competitive.Begin(ctx, g.Config, data, g.Start)
	if err != nil {
		return nil, err
	}
	t := &table{game: g, data: data,
		server: server{at: start, learners: g.Learners,
			latest: make([]*competitive.Share, g.Learners)}}
	if err := t.link(); err != nil {
		return nil, err
	}
	t.deal(start)
	if err := t.play(ctx); err != nil {
		return nil, err
	}
	return &t.out, nil
}

// Bounds of a game.
const (
	mostLearners = 4096
	mostLooks    = 10_000
)

func (g game) check(data dataset.Matrix) error {
	switch {
	case g.Learners < 1 || g.Learners > mostLearners || g.Learners > data.Rows:
		return fault.Inputf(fmt.Sprintf("take at most %d", min(mostLearners, data.Rows)),
			"%d learners for %d rows", g.Learners, data.Rows)
	case g.Looks < 1 || g.Looks > mostLooks:
		return fault.Inputf(fmt.Sprintf("take 1 to %d, or 0 for one at the end", mostLooks),
			"%d looks",
			g.Looks)
	case g.Period < 0:
		return fault.Inputf("give a number of rows, or 0 for all of a learner's",
			"a period of %d rows",
			g.Period)
	case g.Block < 0:
		return fault.Inputf("give a number of rows, or 0 for all of a learner's",
			"blocks of %d rows",
			g.Block)
	case g.Passes < 1 || g.Passes > mostPasses:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for 1", mostPasses),
			"%d passes asked for",
			g.Passes)
	case !(g.Uneven >= 0 && g.Uneven <= 1e6) || !(g.Stragglers >= 0 && g.Stragglers <= 1) ||
		!(g.Exchange >= 0 && g.Exchange <= 1e12):
		return fault.Inputf("give numbers from 0, and a chance up to 1",
			"speeds of %v, stragglers of %v and an exchange of %v cannot be", g.Uneven,
			g.Stragglers, g.Exchange)
	}
	return nil
}

// table is a game under way.
type table struct {
	game     game
	data     dataset.Matrix
	partners map[int64][]competitive.Partner
	players  []*player
	server   server
	sent     int64
	out      played
}

// player is one learner.
type player struct {
	index   int
	lo, hi  int   // its rows
	order   []int // of them, in this pass, from 0
	pass    int   // that the order is of; −1: none yet
	speed   float64
	luck    *rand.Rand
	copy    competitive.Shared
	seen    int     // periods of all learners that the copy holds
	clock   int     // periods learnt
	until   float64 // when the one under way ends
	waiting float64 // since when it has waited; −1 where it has not
	share   competitive.Share
	from    competitive.Floats // prototypes that the share started from
}

// link finds the partners of rows.
func (t *table) link() error {
	if _, _, err := link.Build(t.data.Rows, t.game.Links,
		t.game.Config.Contradictions); err != nil {
		return err
	}
	t.partners = partners(ties(known(t.game.Links)),
		func(at int) (int64, []float64) { return int64(at), t.data.AppendRow(nil, at) })
	return nil
}

// deal assigns each learner its rows and speed.
func (t *table) deal(start competitive.Shared) {
	n, w := t.data.Rows, t.game.Learners
	speeds := rand.New(rand.NewPCG(t.game.Config.Seed, turning))
	for i := range w {
		t.players = append(t.players,
			&player{index: i, lo: n * i / w, hi: n * (i + 1) / w, pass: -1, copy: start,
				waiting: -1,
				speed:   1 + float64(t.game.Uneven*speeds.Float64()),
				luck:    rand.New(rand.NewPCG(t.game.Config.Seed, delaying+uint64(i)))})
	}
}

// periods returns the number of periods in a pass, which is the same for all.
func (t *table) periods() int {
	most := (t.data.Rows + t.game.Learners - 1) / t.game.Learners
	if t.game.Period == 0 || t.game.Period >= most {
		return 1
	}
	return (most + t.game.Period - 1) / t.game.Period
}

// play goes from one end of a period to the next.
func (t *table) play(ctx context.Context) error {
	all := t.periods() * t.game.Passes
	for _, p := range t.players {
		if err := t.learn(ctx, p, 0); err != nil {
			return err
		}
	}
	for {
		var next *player
		for _, p := range t.players {
			if p.waiting < 0 && p.clock < all && (next == nil || p.until < next.until) {
				next = p
			}
		}
		if next == nil {
			return nil
		}
		now := next.until
		t.send(next, now)
		if err := interrupted(ctx); err != nil {
			return err
		}
		slowest := next.clock
		for _, p := range t.players {
			slowest = min(slowest, p.clock)
		}
		for _, p := range t.players {
			if p.clock == all || p != next && p.waiting < 0 {
				continue
			}
			if err := t.goOn(ctx, p, slowest, now); err != nil {
				return err
			}
		}
	}
}

// send brings what a learner came to to the server.
func (t *table) send(p *player, now float64) {
	t.server.take(p.index, p.from, p.share)
	p.copy = p.copy.After(p.share)
	p.clock++
	before := t.sent
	t.sent += p.share.Rows
	t.out.Squared += p.share.Squared
	total := int64(t.data.Rows) * int64(t.game.Passes)
	looks := int64(t.game.Looks)
	if due := t.sent * looks / total; due > before*looks/total && (due < looks || t.sent == total) {
		t.out.Looks = append(t.out.Looks, look{Time: now, Rows: t.sent, Shared: t.server.read().at})
	}
}

func interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("online: interrupted while learning: %w", err)
	}
	return nil
}

// goOn lets a learner begin its next period, or wait. The slowest has learnt so many.
func (t *table) goOn(ctx context.Context, p *player, slowest int, now float64) error {
	late := t.game.Exchange
	switch s := t.game.Staleness; {
	case s >= 0 && p.seen >= p.clock-s: // its copy will do
	case s >= 0 && slowest < p.clock-s:
		if p.waiting < 0 {
			p.waiting = now
		}
		return nil
	default:
		p.copy, p.seen = t.server.ask(), slowest
		t.out.Asked++
		late += t.game.Exchange
	}
	if p.waiting >= 0 {
		t.out.Waited += now - p.waiting
		p.waiting = -1
	}
	t.out.Oldest = max(t.out.Oldest, p.clock-p.seen)
	return t.learn(ctx, p, now+late)
}

// order draws the order of n rows, block by block.
func (t *table) order(order []int, n int, rng *rand.Rand) []int {
	block := cmp.Or(t.game.Block, n)
	for lo := 0; lo < n; lo += block {
		for _, i := range shuffled(nil, min(block, n-lo), rng) {
			order = append(order, lo+i)
		}
	}
	return order
}

// learn learns a period's rows, beginning at a time.
func (t *table) learn(ctx context.Context, p *player, now float64) error {
	n, period, pass := p.hi-p.lo, t.game.Period, p.clock/t.periods()
	if period == 0 || period > n {
		period = n
	}
	if p.pass != pass {
		p.pass = pass
		p.order = t.order(p.order[:0], n, shuffler(t.game.Config.Seed, p.index, pass))
	}
	part, err := competitive.NewPart(t.game.Config, t.data.Cols, p.copy)
	if err != nil {
		return err
	}
	from := min(n, p.clock%t.periods()*period)
	rows := p.order[from:min(n, from+period)]
	var store []float64
	for done, i := range rows {
		if done%1024 == 0 {
			if err := interrupted(ctx); err != nil {
				return err
			}
		}
		store = t.data.AppendRow(store[:0], p.lo+i)
		if _, err := part.Learn(store, t.partners[int64(p.lo+i)]); err != nil {
			return err
		}
	}
	p.from, p.share = p.copy.Prototypes, part.Share()
	pace := p.speed
	if p.luck.Float64() < t.game.Stragglers {
		pace *= 5
	}
	p.until = now + float64(pace*float64(len(rows)))
	return nil
}
