package belief

import (
	"fmt"

	"github.com/kindred-go/kindred/fault"
)

// Product is the frame Ω × Θ of the pairs of a cluster of Ω and one of Θ: pair (k, l) is cluster
// k·|Θ| + l of it.
type Product struct {
	omega, theta int
}

// NewProduct returns the product of frames of c1 and c2 clusters; c1·c2 is at most 63.
func NewProduct(c1, c2 int) (Product, error) {
	if c1 < 1 || c2 < 1 || c1 > MaxClusters || c2 > MaxClusters || c1*c2 > MaxClusters {
		return Product{}, fault.Inputf(
			fmt.Sprintf("take frames with at most %d pairs", MaxClusters),
			"frames of %d and %d clusters have no product that can be used", c1, c2)
	}
	return Product{c1, c2}, nil
}

// Side names a factor of a product.
type Side uint8

// The factors.
const (
	First  Side = iota // Ω
	Second             // Θ
)

// Size returns the number of pairs.
func (p Product) Size() int { return p.omega * p.theta }

// Pair returns the cluster of the product that is the pair (k, l).
func (p Product) Pair(k, l int) int { return k*p.theta + l }

// Times returns A × B.
func (p Product) Times(a, b Set) Set {
	var out Set
	for k := range p.omega {
		if a.Has(k) {
			out |= b << (k * p.theta)
		}
	}
	return out
}

// Project returns the clusters of one factor that occur in the pairs of a set.
func (p Product) Project(s Set, on Side) Set {
	var out Set
	for k := range p.omega {
		row := s >> (k * p.theta) & Omega(p.theta)
		switch {
		case on == Second:
			out |= row
		case row != 0:
			out |= Singleton(k)
		}
	}
	return out
}

// size returns the number of clusters of a factor.
func (p Product) size(of Side) int {
	if of == Second {
		return p.theta
	}
	return p.omega
}

// Marginal returns what m, on the product, implies about one factor (cevclus-2013 eq. 6).
func (p Product) Marginal(m Mass, on Side) (Mass, error) {
	if err := p.frame(m, p.Size()); err != nil {
		return Mass{}, err
	}
	return m.carry(p.size(on), func(s Set) Set { return p.Project(s, on) }), nil
}

// VacuousExtension returns m, on one factor, as a mass function on the product that is vacuous
// about the other factor (cevclus-2013 eq. 7).
func (p Product) VacuousExtension(m Mass, of Side) (Mass, error) {
	if err := p.frame(m, p.size(of)); err != nil {
		return Mass{}, err
	}
	return m.carry(p.Size(), func(s Set) Set {
		if of == Second {
			return p.Times(Omega(p.omega), s)
		}
		return p.Times(s, Omega(p.theta))
	}), nil
}

func (p Product) frame(m Mass, c int) error {
	if m.c != c {
		return fault.Inputf("give one on the frame of the product or of its factor",
			"a mass function on %d clusters is given where %d are needed", m.c, c)
	}
	return nil
}

// carry moves each focal set to another frame.
func (m Mass) carry(c int, to func(Set) Set) Mass {
	sets := make([]Set, len(m.sets))
	for j, s := range m.sets {
		sets[j] = to(s)
	}
	return gather(c, sets, append([]float64{}, m.mass...))
}
