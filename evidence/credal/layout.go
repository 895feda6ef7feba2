package credal

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/linalg"
)

// layout holds what a list of focal sets determines for every row, computed once.
type layout struct {
	c, f    int
	focal   []belief.Set
	empty   int       // position of ∅ in the list, or -1
	single  []int     // c: position of each singleton, or -1
	start   []int     // f+1: the clusters of set j are member[start[j]:start[j+1]]
	member  []int     // clusters of the sets, one set after the other
	share   []float64 // f: 1/|F|; 0 for ∅
	unknown []float64 // f: log2|F|; log2 c for ∅
}

func newLayout(c int, focal []belief.Set) *layout {
	l := &layout{c: c, f: len(focal), focal: focal, empty: -1, single: slices.Repeat([]int{-1}, c),
		start: make([]int, 1, len(focal)+1)}
	for j, set := range focal {
		l.member = slices.AppendSeq(l.member, (set & belief.Omega(c)).All())
		l.start = append(l.start, len(l.member))
		switch size := set.Len(); size {
		case 0:
			l.empty = j
			l.share, l.unknown = append(l.share, 0), append(l.unknown, math.Log2(float64(c)))
			continue
		case 1:
			l.single[l.member[len(l.member)-1]] = j
			fallthrough
		default:
			l.share, l.unknown = append(l.share, 1/float64(size)),
				append(l.unknown, math.Log2(float64(size)))
		}
	}
	return l
}

// plausibilities puts Pl({ω}) of each cluster into pl.
func (l *layout) plausibilities(row, pl []float64) {
	clear(pl)
	for j, m := range row {
		if m == 0 {
			continue
		}
		for _, k := range l.member[l.start[j]:l.start[j+1]] {
			pl[k] += m
		}
	}
}

// beliefs puts Bel({ω}) of each cluster into bel.
func (l *layout) beliefs(row, bel []float64) {
	for k, j := range l.single {
		bel[k] = 0
		if j >= 0 {
			bel[k] = row[j]
		}
	}
}

// pignistic puts BetP(ω) of each cluster into betp: after Dempster's normalisation, and 1/c where
// m(∅) = 1.
func (l *layout) pignistic(row, betp []float64) {
	clear(betp)
	for j, m := range row {
		if m == 0 {
			continue
		}
		part := float64(m * l.share[j]) // rounded: never fused with the sum
		for _, k := range l.member[l.start[j]:l.start[j+1]] {
			betp[k] += part
		}
	}
	normalise(betp)
}

// normalise divides by the sum; where that is 0 all get the same.
func normalise(p []float64) {
	sum := linalg.Sum(p)
	for k := range p {
		if sum > 0 {
			p[k] /= sum
		} else {
			p[k] = 1 / float64(len(p))
		}
	}
}

// outlier reports whether m(∅) exceeds every other mass.
func (l *layout) outlier(row []float64) bool {
	if l.empty < 0 {
		return false
	}
	most := row[l.empty]
	for j, m := range row {
		if m >= most && j != l.empty {
			return false
		}
	}
	return true
}

// stranger reports whether all mass is on ∅.
func (l *layout) stranger(row []float64) bool {
	for j, m := range row {
		if m != 0 && j != l.empty {
			return false
		}
	}
	return true
}

// sole returns the one cluster that has mass, where all other mass is on ∅ and the frame; else the
// empty set.
func (l *layout) sole(row []float64) belief.Set {
	var only belief.Set
	for j, m := range row {
		switch s := l.focal[j]; {
		case m == 0 || s == 0 || s == belief.Omega(l.c) && l.c > 1:
		case s.Len() > 1 || only != 0:
			return 0
		default:
			only = s
		}
	}
	return only
}

// nonspecificity is N(m) (cevclus-2013 eq. 9).
func (l *layout) nonspecificity(row []float64) float64 {
	sum := 0.0
	for j, m := range row {
		sum += float64(m * l.unknown[j])
	}
	return sum
}

// scores puts the quantity that the rule maximises into s, of length c.
func (l *layout) scores(rule belief.Rule, row, s []float64) {
	switch rule {
	case belief.MaxPignistic:
		l.pignistic(row, s)
	case belief.MaxMass:
		l.beliefs(row, s)
	default:
		l.plausibilities(row, s)
	}
}
