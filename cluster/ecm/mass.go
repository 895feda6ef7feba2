package ecm

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// powers are the functions that the exponent β calls for; those of the usual ones take no
// logarithms.
type powers struct {
	beta float64
	kind int // 2 for β = 2, 1 for β = 1.5, else 0
}

func newPowers(beta float64) powers {
	switch beta {
	case 2:
		return powers{beta, 2}
	case 1.5:
		return powers{beta, 1}
	}
	return powers{beta: beta}
}

// share returns v^(1/(β−1)).
func (p powers) share(v float64) float64 {
	switch p.kind {
	case 2:
		return v
	case 1:
		return v * v
	}
	return elementary.Power(v, 1/(p.beta-1))
}

// unshare returns v^(β−1).
func (p powers) unshare(v float64) float64 {
	switch p.kind {
	case 2:
		return v
	case 1:
		return math.Sqrt(v)
	}
	return elementary.Power(v, p.beta-1)
}

// weight returns v^β.
func (p powers) weight(v float64) float64 { return v * p.unshare(v) }

// masses sets m to the masses that minimise Σ w·m^β (Masson and Denœux 2008, equations 15 and 16),
// and returns that minimum. w is what each set costs: |A|^α·d², and δ² of the empty set. Where sets
// cost nothing, as where an object lies on a prototype, they share the mass as they would nearby:
// by limit, what they cost beside each other there, |A|^α.
func (p powers) masses(m, w, limit []float64) float64 {
	least, sum := slices.Min(w), 0.0
	if least <= 0 {
		low := math.Inf(1)
		for s, v := range w {
			if v <= 0 {
				low = min(low, limit[s])
			}
		}
		for s, v := range w {
			if m[s] = 0; v <= 0 {
				m[s] = p.share(low / limit[s])
				sum += m[s]
			}
		}
		linalg.Divide(m, sum)
		return 0
	}
	if p.kind == 2 {
		for s, v := range w {
			m[s] = least / v
			sum += m[s]
		}
	} else {
		for s, v := range w {
			m[s] = p.share(least / v)
			sum += m[s]
		}
	}
	each := 1 / sum
	for s := range m {
		m[s] *= each
	}
	return least / p.unshare(sum)
}

// row minimises Σ w·m^β + Σ price·m over the simplex: where the price is not 0 the masses of an
// object depend on those that it is linked to. Stationary: β·w·m^(β−1) = λ − price wherever m > 0;
// λ is sought where the masses sum to 1.
func (p powers) row(m, w, price []float64) {
	low, high := math.Inf(1), math.Inf(1)
	for s, v := range w {
		low = min(low, price[s])
		high = min(high, price[s]+float64(p.beta*v)) // here one mass is 1
	}
	high = math.Nextafter(high, math.Inf(1)) // also of a set that costs nothing but its price
	lambda := high
	for range 200 {
		sum, slope := 0.0, 0.0
		for s := range w {
			gap := lambda - price[s]
			if m[s] = p.demand(gap, w[s]); m[s] > 0 {
				sum += m[s]
				slope += m[s] / (gap * (p.beta - 1))
			}
		}
		if sum >= 1 {
			high = lambda
		} else {
			low = lambda
		}
		if math.Abs(sum-1) < 1e-14 {
			linalg.Divide(m, sum)
			return
		}
		next := lambda
		if slope > 0 {
			next = lambda - (sum-1)/slope
		}
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if next <= low || next >= high {
			break
		}
		lambda = next
	}
	// Masses that leap between two neighbouring numbers, since their price is λ but for less than
	// its last digit, take what the others leave.
	below, above := 0.0, 0.0
	for s, v := range w {
		below += p.demand(low-price[s], v)
		above += p.demand(high-price[s], v)
	}
	part := max(0, min(1, (1-below)/(above-below)))
	sum := 0.0
	for s, v := range w {
		least := p.demand(low-price[s], v)
		m[s] = least + part*(p.demand(high-price[s], v)-least)
		sum += m[s]
	}
	linalg.Divide(m, sum)
}

// demand returns the mass of a set of weight w whose price is less than λ by gap.
func (p powers) demand(gap, w float64) float64 {
	switch {
	case gap <= 0:
		return 0
	case w > 0 && gap < p.beta*w:
		return p.share(gap / (p.beta * w))
	}
	return 1
}
