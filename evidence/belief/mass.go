package belief

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// Mass is a mass function on a frame of at most 63 clusters (cevclus-2013 §2.1, kevclus-2016 §2.1):
// only the sets with a mass are kept. m(∅) may be positive. The zero value is no mass function: use
// [New], [Vacuous] or [Consonant]. A Mass does not change, and several goroutines may use it.
type Mass struct {
	c    int
	sets []Set     // by size, then by mask
	mass []float64 // > 0, of each set
}

// sumTolerance is how far from 1 the sum of masses entered by a person may be.
const sumTolerance = 1e-9

// New makes a mass function on c clusters. Masses must be finite, not negative, and sum to 1 within
// 10⁻⁹; the masses of a set given twice are added, and sets without mass are left out.
func New(c int, sets []Set, masses []float64) (Mass, error) {
	if err := checkClusters(c); err != nil {
		return Mass{}, err
	}
	if len(sets) != len(masses) {
		return Mass{}, fault.Inputf("give each set one mass", "%d masses are given for %d sets",
			len(masses), len(sets))
	}
	sum := 0.0
	for j, s := range sets {
		if !s.Within(Omega(c)) {
			return Mass{}, outside(c, s)
		}
		if v := masses[j]; !(v >= 0) || math.IsInf(v, 1) {
			return Mass{}, fault.Inputf("give a number from 0 to 1", "the mass of %v is %v", s, v)
		}
		sum += masses[j]
	}
	if math.Abs(sum-1) > sumTolerance {
		return Mass{}, fault.Inputf("make them sum to 1", "the masses sum to %v", sum)
	}
	return gather(c, slices.Clone(sets), slices.Clone(masses)), nil
}

// gather sorts sets, adds up equal ones and drops those without mass. It keeps the slices.
func gather(c int, sets []Set, mass []float64) Mass {
	type part struct {
		set  Set
		mass float64
	}
	parts := make([]part, len(sets))
	for j, s := range sets {
		parts[j] = part{s, mass[j]}
	}
	// Equal sets are ordered by mass, so that the order they came in leaves no trace in the sum.
	slices.SortFunc(parts,
		func(a, b part) int { return cmp.Or(compare(a.set, b.set), cmp.Compare(a.mass, b.mass)) })
	m := Mass{c: c, sets: sets[:0], mass: mass[:0]}
	for _, p := range parts {
		last := len(m.sets) - 1
		switch {
		case p.mass == 0:
		case last >= 0 && m.sets[last] == p.set:
			m.mass[last] += p.mass
		default:
			m.sets, m.mass = append(m.sets, p.set), append(m.mass, p.mass)
		}
	}
	return m
}

// Vacuous returns the mass function that knows nothing: all mass on the frame of c clusters.
func Vacuous(c int) (Mass, error) { return New(c, []Set{Omega(c)}, []float64{1}) }

// Clusters returns c, the size of the frame.
func (m Mass) Clusters() int { return m.c }

// Len counts the focal sets.
func (m Mass) Len() int { return len(m.sets) }

// Focal returns the j-th focal set, by size and then by mask, and its mass, which is positive.
func (m Mass) Focal(j int) (Set, float64) { return m.sets[j], m.mass[j] }

// Of returns m(A).
func (m Mass) Of(a Set) float64 {
	if j, ok := slices.BinarySearchFunc(m.sets, a, compare); ok {
		return m.mass[j]
	}
	return 0
}

// Bel returns the belief Σ m(B) over ∅ ≠ B ⊆ A (kevclus-2016 eq. 2a).
func (m Mass) Bel(a Set) float64 {
	return m.sum(func(b Set) bool { return b != 0 && b.Within(a) })
}

// Pl returns the plausibility Σ m(B) over B that meet A (kevclus-2016 eq. 2b).
func (m Mass) Pl(a Set) float64 { return m.sum(a.Meets) }

// Commonality returns q(A) = Σ m(B) over B ⊇ A.
func (m Mass) Commonality(a Set) float64 { return m.sum(a.Within) }

func (m Mass) sum(of func(Set) bool) float64 {
	sum := 0.0
	for j, b := range m.sets {
		if of(b) {
			sum += m.mass[j]
		}
	}
	return sum
}

// Contour returns Pl({ω}) of each of the c clusters.
func (m Mass) Contour() []float64 {
	pl := make([]float64, m.c)
	for k := range pl {
		pl[k] = m.Pl(Singleton(k))
	}
	return pl
}

// Pignistic returns BetP(ω) = Σ m(A)/|A| over A ∋ ω of each of the c clusters (cevclus-2013 eq. 8),
// the masses normalised before by Dempster's or Yager's way. It sums to 1; total conflict, m(∅) =
// 1, assigns 1/c to each either way, as it favours no cluster.
func (m Mass) Pignistic(by Normalisation) []float64 {
	p := make([]float64, m.c)
	rest := 0.0 // 1 − m(∅), more exact where that is near 0
	for j, a := range m.sets {
		if a == 0 {
			continue
		}
		rest += m.mass[j]
		part := m.mass[j] / float64(a.Len())
		for k := range a.All() {
			p[k] += part
		}
	}
	for k := range p {
		if by == Yager || rest == 0 {
			p[k] += m.Of(0) / float64(m.c)
		} else {
			p[k] /= rest
		}
	}
	return p
}

// totalConflict reports whether ∅ is the only focal set.
func (m Mass) totalConflict() bool { return len(m.sets) == 1 && m.sets[0] == 0 }

// Nonspecificity returns N(m) = Σ m(A) log2|A|, with log2 c for ∅ (cevclus-2013 eq. 9): from 0 to
// log2 c bits.
func (m Mass) Nonspecificity() float64 {
	sum := 0.0
	for j, a := range m.sets {
		size := a.Len()
		size = cmp.Or(size, m.c)
		sum += float64(m.mass[j] * math.Log2(float64(size)))
	}
	return sum
}

// outside reports a set that is not within the frame.
func outside(c int, s Set) error {
	return fault.Inputf("leave it out, or ask for more clusters",
		"the focal set %v has clusters beyond the %d there are", s, c)
}
