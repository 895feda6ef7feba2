package competitive

import (
	"math"

	"github.com/kindred-go/kindred/internal/simd"
)

// core is the prototypes and what they learn from one row. [Learner] and [Fit] share it.
type core struct {
	cfg    Config // with defaults
	k, d   int
	at     *simd.Padded // the prototypes
	rates  rates
	shapes *shapes // nil: Euclidean

	rows int64 // learnt, by which schedules and forgetting go

	// What a prototype has won, in units of gain, which grows from row to row where wins are
	// forgotten.
	wins, nearest []float64
	gain, growth  float64

	now, before []int64 // rows that each prototype was nearest to, in this window and in the last

	dist, other []float64 // squared distances; scratch
	taken       []bool    // scratch
}

// window is the number of rows, for each prototype, after which the estimate of which are active
// begins anew.
const window = 128

func newCore(cfg Config, d int, prototypes []float64) *core {
	k := cfg.Clusters
	c := &core{cfg: cfg, k: k, d: d, at: simd.NewPadded(k, d), rates: rates{Rate: cfg.Rate},
		gain: 1, growth: 1,
		wins: make([]float64, k), nearest: make([]float64, k), now: make([]int64, k),
		before: make([]int64, k), taken: make([]bool, k)}
	c.dist, c.other = make([]float64, c.at.Len()), make([]float64, c.at.Len())
	for j := range k {
		copy(c.at.Row(j), prototypes[j*d:(j+1)*d])
		c.wins[j] = 1
	}
	if cfg.HalfLife > 0 {
		c.growth = power(2, 1/cfg.HalfLife)
	}
	c.rates.tick(0)
	return c
}

// ranks are the two nearest prototypes and their squared distances; second is -1 where there is one
// prototype.
type ranks struct {
	first, second int32
	near, next    float64
}

// lowest returns the two lowest of a few values that are not NaN, the lower index among equals.
func lowest(values []float64) ranks {
	r := ranks{second: -1, near: values[0], next: math.Inf(1)}
	for i := 1; i < len(values); i++ {
		switch v := values[i]; {
		case v < r.near:
			r.next, r.second = r.near, r.first
			r.near, r.first = v, int32(i)
		case v < r.next:
			r.next, r.second = v, int32(i)
		}
	}
	return r
}

// weighted returns the two lowest of distance times wins, which are γ times a number that is the
// same for all.
func (c *core) weighted(dist []float64) ranks {
	dist, wins := dist[:c.k], c.wins[:c.k]
	r := ranks{second: -1, near: wins[0] * dist[0], next: math.Inf(1)}
	for i := 1; i < len(dist); i++ {
		switch v := wins[i] * dist[i]; {
		case v < r.near:
			r.next, r.second = r.near, r.first
			r.near, r.first = v, int32(i)
		case v < r.next:
			r.next, r.second = v, int32(i)
		}
	}
	return r
}

// distances sets dst to the squared distances of x to all prototypes.
func (c *core) distances(dst, x []float64) {
	if c.shapes != nil {
		c.shapes.distances(dst, x, c.at)
		return
	}
	c.at.Distances(dst, x)
}

// learn learns a row without links, and returns the prototypes that were nearest.
func (c *core) learn(x []float64) ranks {
	c.distances(c.dist, x)
	near := lowest(c.dist[:c.k])
	if !c.cfg.Rule.frequent() {
		c.towards(int(near.first), x, 1)
		c.wins[near.first] += c.gain
	} else {
		c.compete(c.dist, x)
	}
	c.count(near.first)
	return near
}

// mostDriven is how many times β times the distance of the row from the winner a rival is driven
// off at most, by the controlled penalty. Of 1, 3, 5, 10 and 20, those from 10 on estimate the
// number of clusters in the tests as the plain penalty does, and all keep unequal clusters (KDD'99
// unscaled, shuffled: NMI 0.6 to 0.75) that the plain one makes one of from most starts. Less of it
// harms streams that come in long runs of one cluster less, but harms them still.
const mostDriven = 10

// compete lets the winner learn x, and drives its rival away where the rule has it so. (RPCL)
func (c *core) compete(dist, x []float64) {
	r := c.weighted(dist)
	if r.second >= 0 && c.cfg.Rule.penalises() {
		j, rate := int(r.second), c.rates.unlearn(c.rate(int(r.first)))
		if near := dist[r.first]; near < dist[j] && c.rates.Penalty == Controlled {
			rate *= math.Min(1, mostDriven*math.Sqrt(near/dist[j]))
		}
		switch {
		case rate == 0:
		case c.shapes != nil:
			c.away(j, x, rate)
		case dist[j] < farthest: // known already
			c.at.Toward(j, x, -rate)
		}
	}
	c.towards(int(r.first), x, 1)
	c.wins[r.first] += c.gain
}

// count notes that a row has been learnt to which prototype j was nearest.
func (c *core) count(j int32) {
	c.nearest[j] += c.gain
	c.now[j]++
	c.rows++
	if c.growth != 1 {
		c.forget()
	}
	if c.rates.Schedule == Power {
		c.rates.tick(c.rows)
	}
	if c.rows%int64(window*c.k) == 0 {
		c.now, c.before = c.before, c.now
		clear(c.now)
	}
}

// forget lets later wins count more, which is to let earlier ones count less.
func (c *core) forget() {
	const most = 1 << 40
	if c.gain *= c.growth; c.gain > most {
		c.gain /= most
		for j := range c.k {
			c.wins[j] /= most
			c.nearest[j] /= most
		}
	}
}

// rate returns the learning rate of prototype j.
func (c *core) rate(j int) float64 { return c.rates.learn(c.wins[j] / c.gain) }

// towards moves prototype j towards x by a share of its learning rate.
func (c *core) towards(j int, x []float64, share float64) {
	rate := c.rate(j) * share
	if c.shapes != nil {
		c.shapes.learn(j, x, c.at.Row(j), rate)
	}
	c.at.Toward(j, x, rate)
}

// farthest bounds the squared distance to which a prototype is driven away: beyond it squares would
// overflow, and the prototype stands for nothing long since.
const farthest = MostValue * MostValue

// away moves prototype j away from x.
func (c *core) away(j int, x []float64, rate float64) {
	if rate > 0 && simd.SquaredDistance(x, c.at.Row(j)) < farthest {
		c.at.Toward(j, x, -rate)
	}
}
