package evclus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// tie is a link as a fit weighs it. It costs weight·(same·mₐᵀPm_b + (1−same)·(2 − mₐᵀPm_b)), which
// is weight·((2·same−1)·mₐᵀPm_b + 2(1−same)): cevclus-2013 eq. 18b where same is 1, eq. 18c where
// it is 0, and soft links between.
type tie struct {
	a, b   int32
	same   float64 // plausibility that both are of one class, in [0, 1]
	weight float64 // ≥ 0; 1 for a link as it was given
}

// linkTerms holds ties by object. The zero value has none.
type linkTerms struct {
	ties     []tie
	start    []int32   // n+1; object i's are partners[start[i]:start[i+1]]
	partners []int32   // each tie is there for both of its ends, in the order of ties
	signs    []float64 // weight·(2·same − 1)
	linked   []int32   // objects with a tie, ascending
	constant float64   // Σ weight·2(1 − same)
	total    float64   // Σ weight: the L of ξ/(2L)
}

// newLinkTerms takes links as they are given, those of kind unknown left out. The ends must be in
// [0, n).
func newLinkTerms(n int, links []link.Link) linkTerms {
	ties := make([]tie, 0, len(links))
	for _, l := range links {
		if l.Kind != link.Unknown {
			ties = append(ties, tie{int32(l.A), int32(l.B), l.Same(), 1})
		}
	}
	return newTies(n, ties)
}

func newTies(n int, ties []tie) linkTerms {
	t := linkTerms{ties: ties, start: make([]int32, n+1)}
	for _, e := range ties {
		t.start[e.a+1]++
		t.start[e.b+1]++
		t.constant += 2 * e.weight * (1 - e.same)
		t.total += e.weight
	}
	for i := range n {
		if t.start[i+1] > 0 {
			t.linked = append(t.linked, int32(i))
		}
		t.start[i+1] += t.start[i]
	}
	t.partners = make([]int32, 2*len(ties))
	t.signs = make([]float64, 2*len(ties))
	next := slices.Clone(t.start[:n])
	for _, e := range ties {
		sign := e.weight * (2*e.same - 1)
		for _, ends := range [2][2]int32{{e.a, e.b}, {e.b, e.a}} {
			at := next[ends[0]]
			t.partners[at], t.signs[at] = ends[1], sign
			next[ends[0]]++
		}
	}
	return t
}

// empty reports whether there is no link that counts: then there is no penalty (not 0/0).
func (t *linkTerms) empty() bool { return t.total == 0 }

// of returns the partners of object i and the sign of each tie, in [−weight, weight]: the penalties
// in which i takes part are m_iᵀ Σ sign·P m_partner, and constants.
func (t *linkTerms) of(i int) (partners []int32, signs []float64) {
	if t.empty() {
		return nil, nil
	}
	lo, hi := t.start[i], t.start[i+1]
	return t.partners[lo:hi], t.signs[lo:hi]
}

// linear adds factor·Σ sign·P m_partner to dst, the f coefficients of m_i in the penalty while the
// other rows stand. masses is n×f, p the f×f matrix P.
func (t *linkTerms) linear(dst []float64, i int, masses, p []float64, factor float64) {
	partners, signs := t.of(i)
	if len(partners) == 0 {
		return
	}
	f := len(dst)
	sum := make([]float64, f)
	for e, j := range partners {
		for k, m := range masses[int(j)*f : int(j)*f+f] {
			sum[k] += float64(signs[e] * m)
		}
	}
	for k := range dst {
		dst[k] += float64(factor * linalg.DotInOrder(p[k*f:k*f+f], sum))
	}
}

// penalty returns the sum of all ties' penalties, in [0, 2·total] (cevclus-2013 eqs. 18b, 18c),
// without ξ/(2L).
func (t *linkTerms) penalty(masses, p []float64, f int) float64 {
	sum := t.constant
	for _, e := range t.ties {
		a, b := masses[int(e.a)*f:int(e.a)*f+f], masses[int(e.b)*f:int(e.b)*f+f]
		var both float64
		for k, x := range a {
			if x == 0 {
				continue
			}
			both += float64(x * linalg.DotInOrder(p[k*f:k*f+f], b))
		}
		sum += float64(e.weight * (2*e.same - 1) * both)
	}
	return sum
}

// factor returns what the sum of penalties is multiplied by in cevclus-2013 eqs. 18a and 19:
// ξ/(2L).
func (t *linkTerms) factor(xi float64) float64 {
	if t.empty() {
		return 0
	}
	return xi / (2 * t.total)
}

// violated counts the ties that hard labels break: ends apart that are rather of one class (same >
// ½), and ends together that rather are not.
func (t *linkTerms) violated(labels []int) int {
	count := 0
	for _, e := range t.ties {
		together := labels[e.a] == labels[e.b]
		if e.same > 0.5 && !together || e.same < 0.5 && together {
			count++
		}
	}
	return count
}

// checkLinks refuses links that cannot be: unknown rows, rows linked to themselves and, under
// link.Refuse, contradictions. Under link.Keep contradicting links stay in the penalty, as given,
// where they weigh against each other; the note counts them.
func checkLinks(n int, links []link.Link, policy link.Policy) (note string, err error) {
	_, clashes, err := link.Build(n, links, policy)
	var clash *link.Contradiction
	switch {
	case errors.As(err, &clash):
		in := fault.Inputf("correct one of them, or keep contradictions as links that weigh "+
			"against each other", "the links contradict each other: %v", clash)
		in.Err = err
		return "", in
	case err != nil:
		return "", err
	case len(clashes) == 1:
		note = "One link contradicts the others; all of them weigh in the fit."
	case len(clashes) > 1:
		note = fmt.Sprintf("%d links contradict the others; all of them weigh in the fit.",
			len(clashes))
	}
	return note, nil
}
