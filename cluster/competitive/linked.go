package competitive

import (
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// partner is the other end of a link.
type partner struct {
	row        []float64
	kind       link.Kind // MustLink or CannotLink
	confidence float64   // in (0, 1]
}

// learnLinked learns a row with its partners, as [core.learn] does one without, and returns the
// prototypes that were nearest.
func (c *core) learnLinked(x []float64, partners []partner) ranks {
	near := c.present(x, partners)
	c.count(near.first)
	return near
}

// present is learnLinked without counting the row, for rows that present themselves again.
func (c *core) present(x []float64, partners []partner) ranks {
	c.distances(c.dist, x)
	near := lowest(c.dist[:c.k])
	if c.cfg.Rule == OLCVQE {
		j := int(near.first)
		for _, p := range partners {
			if p.kind == link.MustLink {
				c.mustOLCVQE(j, x, p)
			} else {
				c.cannotOLCVQE(j, x, p)
			}
		}
		c.wins[j] += c.gain
	} else {
		c.competeLinked(x, partners)
	}
	return near
}

// cannotOLCVQE takes one cannot-link of a row whose nearest prototype is j. (Algorithm 1; j stays
// while the prototypes move.)
//
// Algorithm 1 has another branch, for when it costs less to let both rows stay with j: ½(‖x−μ_j‖² +
// ‖o−μ_j‖² + ‖μ_n−f‖²) < ½(‖c−μ_j‖² + ‖f−μ_n‖²), where c is the nearer row and f the farther. The
// left side is the greater by ½‖f−μ_j‖² ≥ 0, so that it never happens, and the branch is left out.
func (c *core) cannotOLCVQE(j int, x []float64, p partner) {
	c.distances(c.other, p.row)
	if int(lowest(c.other[:c.k]).first) != j || c.k == 1 {
		c.towards(j, x, 1)
		return
	}
	far, other := p.row, c.other
	partnerIsFar := c.distance(j, x) <= c.other[j]
	if !partnerIsFar {
		c.distances(c.dist, x)
		far, other = x, c.dist
	}
	c.towards(lowestBut(other[:c.k], j), far, p.confidence)
	if partnerIsFar {
		c.away(j, p.row, c.rates.unlearn(c.rate(j))*p.confidence)
		c.towards(j, x, p.confidence)
	}
}

// mustOLCVQE takes one must-link of a row whose nearest prototype is j: where that of the partner
// is another, the cheapest of what LCVQE looks at.
func (c *core) mustOLCVQE(j int, x []float64, p partner) {
	c.distances(c.other, p.row)
	r := int(lowest(c.other[:c.k]).first)
	if r == j {
		c.towards(j, x, 1)
		return
	}
	xj, xr, oj, or := c.distance(j, x), c.distance(r, x), c.other[j], c.other[r]
	keep := (xj+or)/2 + (oj+xr)/4
	switch toJ, toR := (xj+oj)/2, (xr+or)/2; {
	case keep <= toJ && keep <= toR:
		c.towards(j, x, p.confidence)
		c.towards(j, p.row, p.confidence/2)
		c.towards(r, x, p.confidence/2)
	case toJ <= toR:
		c.towards(j, x, p.confidence)
		c.towards(j, p.row, p.confidence)
		c.away(r, p.row, c.rates.unlearn(c.rate(r))*p.confidence)
	default:
		c.towards(r, x, p.confidence)
		c.away(j, x, c.rates.unlearn(c.rate(j))*p.confidence)
	}
}

// distance returns the squared Euclidean distance of x to prototype j.
func (c *core) distance(j int, x []float64) float64 {
	return simd.SquaredDistance(x, c.at.Row(j))
}

// competeLinked is [core.compete] under links (C-RPCL, algorithm 2). A row and its must-link
// partners compete together, with the mean of their squared distances. Where the winner also wins
// one of the cannot-link partners, the best prototype that wins none of them learns the row in its
// stead, and the winner is driven away. c.dist holds the distances of x.
func (c *core) competeLinked(x []float64, partners []partner) {
	weight, won := 1.0, 0
	sure := 0.0 // the highest confidence that the winner is wrong
	clear(c.taken)
	for _, p := range partners {
		if p.kind != link.MustLink {
			continue
		}
		c.distances(c.other, p.row)
		weight += p.confidence
		for i := range c.k {
			c.dist[i] += float64(p.confidence * c.other[i])
		}
	}
	if weight > 1 {
		for i := range c.k {
			c.dist[i] /= weight
		}
	}
	winner := int(c.weighted(c.dist).first)
	for _, p := range partners {
		if p.kind != link.CannotLink {
			continue
		}
		c.distances(c.other, p.row)
		r := int(c.weighted(c.other).first)
		if !c.taken[r] {
			c.taken[r] = true
			won++
		}
		if r == winner {
			sure = max(sure, p.confidence)
		}
	}
	if won == 0 || !c.taken[winner] || won == c.k {
		c.compete(c.dist, x)
		return
	}
	n := -1
	for i := range c.k {
		if !c.taken[i] && (n < 0 || c.wins[i]*c.dist[i] < c.wins[n]*c.dist[n]) {
			n = i
		}
	}
	away := c.rates.unlearn(c.rate(n)) * sure
	c.towards(n, x, sure)
	c.away(winner, x, away)
	c.wins[n] += c.gain
}

// lowestBut returns the index of the lowest of two and more values, j left aside.
func lowestBut(values []float64, j int) int {
	best := -1
	for i, v := range values {
		if i != j && (best < 0 || v < values[best]) {
			best = i
		}
	}
	return best
}
