package belief

import (
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Normalisation is a way to do without a mass on ∅.
type Normalisation uint8

// The ways.
const (
	Dempster Normalisation = iota // divide by 1 − m(∅)
	Yager                         // move m(∅) to the frame
)

// Normalize returns the mass function without mass on ∅. Dempster's way fails at total conflict,
// m(∅) = 1.
func (m Mass) Normalize(by Normalisation) (Mass, error) {
	empty := m.Of(0)
	if empty == 0 {
		return m, nil
	}
	sets, mass := append([]Set{}, m.sets...), append([]float64{}, m.mass...)
	if by == Yager {
		sets[0] = Omega(m.c)
		return gather(m.c, sets, mass), nil
	}
	if m.totalConflict() {
		return Mass{}, totalConflict("all mass is on the empty set")
	}
	sets, mass = sets[1:], mass[1:]
	rest := 0.0
	for _, v := range mass { // more exact than 1 − m(∅) where that is near 0
		rest += v
	}
	linalg.Divide(mass, rest)
	return gather(m.c, sets, mass), nil
}

func totalConflict(problem string) error {
	return fault.Inputf("keep the mass on the empty set, or use Yager's normalisation",
		"%s, so Dempster's normalisation would divide by zero", problem)
}

// Conjunctive returns m1 ∩ m2: (m1 ∩ m2)(A) = Σ m1(B) m2(C) over B ∩ C = A (cevclus-2013 eq. 5),
// for two reliable independent sources.
func Conjunctive(m1, m2 Mass) (Mass, error) {
	return combine(m1, m2, func(b, c Set) Set { return b & c })
}

// Disjunctive returns Σ m1(B) m2(C) over B ∪ C = A, for two independent sources of which at least
// one is reliable.
func Disjunctive(m1, m2 Mass) (Mass, error) {
	return combine(m1, m2, func(b, c Set) Set { return b | c })
}

// DempsterRule returns the conjunctive combination normalised by Dempster's way. It fails at total
// conflict.
func DempsterRule(m1, m2 Mass) (Mass, error) {
	m, err := Conjunctive(m1, m2)
	if err != nil {
		return Mass{}, err
	}
	if m.totalConflict() {
		return Mass{}, totalConflict("the two mass functions contradict each other totally")
	}
	return m.Normalize(Dempster)
}

// Conflict returns κ = Σ m1(A) m2(B) over A ∩ B = ∅ (kevclus-2016 eq. 3), in [0, 1]. Mass on ∅
// conflicts with all.
func Conflict(m1, m2 Mass) (float64, error) {
	if err := sameFrame(m1, m2); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, a := range m1.sets {
		for j, b := range m2.sets {
			if !a.Meets(b) {
				sum += float64(m1.mass[i] * m2.mass[j])
			}
		}
	}
	return sum, nil
}

func combine(m1, m2 Mass, of func(b, c Set) Set) (Mass, error) {
	if err := sameFrame(m1, m2); err != nil {
		return Mass{}, err
	}
	var sets []Set
	var mass []float64
	for i, a := range m1.sets {
		for j, b := range m2.sets {
			sets, mass = append(sets, of(a, b)), append(mass, m1.mass[i]*m2.mass[j])
		}
	}
	return gather(m1.c, sets, mass), nil
}

func sameFrame(m1, m2 Mass) error {
	if m1.c != m2.c {
		return fault.Inputf("give both the same frame",
			"mass functions on %d and %d clusters cannot be combined", m1.c, m2.c)
	}
	return nil
}

// Discount trusts a source only as far as it is reliable, from 0 (nothing is known after) to 1 (as
// it was): masses are multiplied by the reliability, and the rest goes to the frame (Shafer 1976).
func (m Mass) Discount(reliability float64) (Mass, error) {
	if !(reliability >= 0 && reliability <= 1) {
		return Mass{}, fault.Inputf("give a number from 0 to 1",
			"the reliability %v is not from 0 to 1",
			reliability)
	}
	sets, mass := append([]Set{}, m.sets...), make([]float64, len(m.mass), len(m.mass)+1)
	for j, v := range m.mass {
		mass[j] = v * reliability
	}
	return gather(m.c, append(sets, Omega(m.c)), append(mass, 1-reliability)), nil
}
