package belief

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
)

// MaxDense is the largest frame whose 2^c sets are all listed at once.
const MaxDense = 20

// Masses returns m(A) of all 2^c sets; the place of a set is its mask. c is at most [MaxDense],
// here and in [Mass.Beliefs], [Mass.Plausibilities] and [Mass.Commonalities], which take c·2^c
// additions (fast Möbius transform).
func (m Mass) Masses() ([]float64, error) { return m.dense(func([]float64) {}) }

// Beliefs returns Bel(A) of all 2^c sets.
func (m Mass) Beliefs() ([]float64, error) { return m.dense(toBeliefs) }

// Plausibilities returns Pl(A) of all 2^c sets.
func (m Mass) Plausibilities() ([]float64, error) {
	return m.dense(func(v []float64) {
		toBeliefs(v)
		copy(v, dual(v))
	})
}

// Commonalities returns q(A) of all 2^c sets.
func (m Mass) Commonalities() ([]float64, error) {
	return m.dense(func(v []float64) { overSets(v, 1, false) })
}

// dense returns the transform of the masses of all 2^c sets.
func (m Mass) dense(transform func(v []float64)) ([]float64, error) {
	if err := checkDense(m.c); err != nil {
		return nil, err
	}
	v := make([]float64, 1<<m.c)
	for j, s := range m.sets {
		v[s] = m.mass[j]
	}
	transform(v)
	return v, nil
}

func toBeliefs(v []float64) {
	v[0] = 0
	overSets(v, 1, true)
}

func fromBeliefs(v []float64) {
	empty := 1 - v[len(v)-1]
	overSets(v, -1, true)
	v[0] += empty
}

// FromCommonalities returns the mass function of the commonalities of all 2^c sets, by Möbius
// inversion. It fails where they belong to none: q(∅) is not 1, or a mass is negative by more than
// 10⁻⁹ (what is less is rounding and becomes 0, as does a positive mass so small that rounding
// alone may leave it: c·2^c units in the last place of 1).
func FromCommonalities(q []float64) (Mass, error) {
	return fromDense(q, "commonalities", func(v []float64) { overSets(v, -1, false) })
}

// FromBeliefs returns the mass function of the beliefs of all 2^c sets, by Möbius inversion, with
// m(∅) = 1 − Bel(Ω). It fails as [FromCommonalities] does.
func FromBeliefs(bel []float64) (Mass, error) {
	if err := checkEmpty(bel, "belief"); err != nil {
		return Mass{}, err
	}
	return fromDense(bel, "beliefs", fromBeliefs)
}

// FromPlausibilities returns the mass function of the plausibilities of all 2^c sets: Bel(A) =
// Pl(Ω) − Pl(Ā). It fails as [FromCommonalities] does.
func FromPlausibilities(pl []float64) (Mass, error) {
	if err := checkEmpty(pl, "plausibility"); err != nil {
		return Mass{}, err
	}
	return fromDense(pl, "plausibilities", func(v []float64) {
		copy(v, dual(v))
		fromBeliefs(v)
	})
}

// checkEmpty refuses a belief or plausibility of ∅.
func checkEmpty(values []float64, what string) error {
	if len(values) > 0 && !(math.Abs(values[0]) <= mobiusTolerance) {
		return fault.Inputf("it is 0 for every mass function",
			"the %s of the empty set is %v", what,
			values[0])
	}
	return nil
}

// dual returns v(Ω) − v(Ā) of all sets: plausibilities from beliefs, and beliefs from
// plausibilities.
func dual(v []float64) []float64 {
	all := len(v) - 1
	out := make([]float64, len(v))
	for a := range v {
		out[a] = v[all] - v[all&^a]
	}
	return out
}

// overSets replaces each v(A) by the sum over its subsets, or its supersets; with sign −1 it undoes
// that.
func overSets(v []float64, sign float64, subsets bool) {
	for bit := 1; bit < len(v); bit <<= 1 {
		for a := range v {
			if (a&bit != 0) == subsets {
				v[a] += float64(sign * v[a^bit])
			}
		}
	}
}

func fromDense(values []float64, what string, invert func(v []float64)) (Mass, error) {
	c := 0
	for 1<<c < len(values) {
		c++
	}
	if c == 0 || 1<<c != len(values) {
		return Mass{}, fault.Inputf("give one for each subset of the frame, by mask",
			"%d %s are not those of all 2^c sets", len(values), what)
	}
	if err := checkDense(c); err != nil {
		return Mass{}, err
	}
	v := append([]float64{}, values...)
	invert(v)
	sets := make([]Set, len(v))
	sum := 0.0
	residue := min(mobiusTolerance, float64(c)*float64(len(v))*0x1p-52)
	for a := range v {
		sets[a] = Set(a)
		if v[a] >= -mobiusTolerance && v[a] <= residue {
			v[a] = 0
		}
		if !(v[a] >= 0) || math.IsInf(v[a], 1) {
			return Mass{}, fault.Inputf("check the values",
				"the %s belong to no mass function: m(%v) would be %v", what, Set(a), v[a])
		}
		sum += v[a]
	}
	if math.Abs(sum-1) > 1e-6 {
		return Mass{}, fault.Inputf("check the values",
			"the %s belong to no mass function: the masses would sum to %v", what, sum)
	}
	return gather(c, sets, v), nil
}

// mobiusTolerance is how far below 0 a mass may be for values that were rounded before they came
// here.
const mobiusTolerance = 1e-9

func checkDense(c int) error {
	if c > MaxDense {
		return fault.Inputf(fmt.Sprintf("use at most %d clusters, or ask set by set", MaxDense),
			"the 2^%d sets of %d clusters are too many to list", c, c)
	}
	return nil
}
