package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Ranking compares methods over data sets by ranks, 1 for the best. See [Friedman] and
// [AlignedRanks].
type Ranking struct {
	Sets    int
	Methods int
	Ranks   []float64 // mean rank of each method over the sets; the least is best

	// The statistic, χ² with Methods−1 degrees of freedom if no method is better than another, and
	// its p-value, as the papers print the formulas. Ties share their mean rank, which makes the
	// printed statistics a little too small; the corrected ones divide by the variance that the
	// ranks have. Without ties they are the same.
	Statistic, P          float64
	Corrected, PCorrected float64

	// The F statistic made of Statistic, and its p-value (Iman & Davenport 1980; Demšar 2006,
	// section 3.2.2). NaN for AlignedRanks and for one set.
	ImanDavenport, PDavenport float64

	// standard error of the difference of two mean ranks if no method is better than another
	StdErr float64
}

// Friedman compares methods over data sets by their ranks within each set (Friedman 1937; Demšar
// 2006, section 3.2.2). Scores are sets × methods, and greater is better.
//
// It fails with a [*fault.Input] on no sets, on fewer than two methods, on rows of different
// lengths, and on scores that are not finite. Scores of a set that differ by less than 10⁻¹² of its
// largest count as equal (ours).
func Friedman(scores [][]float64) (Ranking, error) {
	n, k, err := shape(scores)
	if err != nil {
		return Ranking{}, err
	}
	sums := make([]float64, k)
	var squares float64
	for _, row := range scores {
		for j, rank := range bestFirst(row, largest(row)) {
			sums[j] += rank
			squares += float64(rank * rank)
		}
	}
	fn, fk := float64(n), float64(k)
	r := ranking(n, k, sums)
	between := betweenMethods(sums, fn*(fk+1)/2)
	r.Statistic = 12 * between / (fn * fk * (fk + 1))
	r.Corrected = quotient((fk-1)*between, squares-fn*fk*(fk+1)*(fk+1)/4)
	r.P, r.PCorrected = beyondChiSquare(r.Statistic, k-1), beyondChiSquare(r.Corrected, k-1)
	if n > 1 {
		r.ImanDavenport = math.Inf(1)
		if left := fn*(fk-1) - r.Statistic; left > 1e-9 {
			r.ImanDavenport = (fn - 1) * r.Statistic / left
		}
		r.PDavenport = beyondF(r.ImanDavenport, k-1, (k-1)*(n-1))
	}
	r.StdErr = math.Sqrt(fk * (fk + 1) / (6 * fn))
	return r, nil
}

// AlignedRanks compares methods over data sets by aligned ranks (Hodges & Lehmann 1962; statistic
// and p-values as in García, Fernández, Luengo & Herrera 2010, Information Sciences 180:2044–2064):
// from each score the mean of its set is taken off, and all sets × methods differences are ranked
// together, so that by how much a method is better counts, too. Scores are sets × methods, and
// greater is better. With few methods it finds more than [Friedman] does.
//
// The standard error is that of shuffling each set's ranks among the methods (ours), under which Z²
// is Corrected for two methods. √(k(kn+1)/6) for k methods and n sets, which the R package scmamp
// and the STAC platform divide by, is smaller by a factor of nearly √(1−1/k), and finds differences
// more often than it should.
//
// It fails with a [*fault.Input] as Friedman does. Differences that differ by less than 10⁻¹² of
// the largest score count as equal (ours).
func AlignedRanks(scores [][]float64) (Ranking, error) {
	n, k, err := shape(scores)
	if err != nil {
		return Ranking{}, err
	}
	aligned := make([]float64, 0, n*k)
	top := 0.0
	for _, row := range scores {
		mean := 0.0
		for _, v := range row {
			mean += v / float64(k)
		}
		for _, v := range row {
			aligned = append(aligned, v-mean)
		}
		top = max(top, largest(row))
	}
	ranks := bestFirst(aligned, top)
	sums := make([]float64, k)
	var squares, rows float64
	for i := range n {
		row := 0.0
		for j, rank := range ranks[i*k : (i+1)*k] {
			sums[j] += rank
			row += rank
			squares += float64(rank * rank)
		}
		rows += float64(row * row)
	}
	all := float64(n * k)
	fk := float64(k)
	r := ranking(n, k, sums)
	between := betweenMethods(sums, float64(n)*(all+1)/2)
	r.Statistic = quotient((fk-1)*between, all*(all+1)*(2*all+1)/6-rows/fk)
	r.Corrected = quotient((fk-1)*between, squares-rows/fk)
	r.P, r.PCorrected = beyondChiSquare(r.Statistic, k-1), beyondChiSquare(r.Corrected, k-1)
	r.StdErr = math.Sqrt(2*max(0, squares-rows/fk)/(fk-1)) / float64(n)
	return r, nil
}

// Comparison is one method beside the control of [Ranking.Against].
type Comparison struct {
	Method int
	// (its mean rank − that of the control) over the standard error; above 0 the control is better
	Z    float64
	P    float64 // two-sided
	Holm float64 // P after [Holm] over all methods beside the control
}

// Against compares each method with the control, numbered from 0, in the order of the methods
// (Demšar 2006, section 3.2.2; García et al. 2010). It fails with a [*fault.Input] when there is no
// such method.
func (r Ranking) Against(control int) ([]Comparison, error) {
	if control < 0 || control >= len(r.Ranks) {
		return nil, fault.Inputf(fmt.Sprintf("choose one of 0 to %d", len(r.Ranks)-1),
			"there is no method %d to compare with", control)
	}
	var out []Comparison
	var p []float64
	for j, rank := range r.Ranks {
		if j == control {
			continue
		}
		z := quotient(rank-r.Ranks[control], r.StdErr)
		out, p = append(out, Comparison{Method: j, Z: z, P: twoSided(z)}), append(p, twoSided(z))
	}
	for i, adjusted := range Holm(p) {
		out[i].Holm = adjusted
	}
	return out, nil
}

// Holm adjusts p-values for their number by the step-down procedure (Holm 1979): hypotheses whose
// adjusted value is at most α can be rejected together, with a chance of at most α that one or more
// of them is true. The i-th least of m is multiplied by m−i+1, made no less than those before it
// and no more than 1. NaN stays NaN and does not count.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	order := linalg.Where(p, func(v float64) bool { return !math.IsNaN(v) })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	least := 0.0
	for at, i := range order {
		least = max(least, min(1, float64(len(order)-at)*p[i]))
		out[i] = least
	}
	return out
}

// shape checks scores and returns the number of sets and of methods.
func shape(scores [][]float64) (n, k int, err error) {
	if len(scores) == 0 {
		return 0, 0, &fault.Input{Problem: "there are no data sets to compare methods over"}
	}
	k = len(scores[0])
	if k < 2 {
		return 0, 0, fault.Inputf("give the scores of two or more",
			"methods are compared, and there are %d", k)
	}
	for i, row := range scores {
		if len(row) != k {
			return 0, 0, &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("there are %d scores, and %d methods", len(row), k),
				Fix:     "give every method a score on every set"}
		}
		for _, v := range row {
			if !finite(v) {
				return 0, 0, &fault.Input{Row: i + 1, Problem: "a score is not a finite number",
					Fix: "leave out the set, or the method"}
			}
		}
	}
	return len(scores), k, nil
}

func largest(values []float64) float64 {
	top := 0.0
	for _, v := range values {
		top = max(top, math.Abs(v))
	}
	return top
}

// bestFirst ranks values from the greatest on.
func bestFirst(values []float64, top float64) []float64 {
	below := make([]float64, len(values))
	for i, v := range values {
		below[i] = -v
	}
	return rank(below, top*sameWithin)
}

// ranking is a [Ranking] with the mean ranks, where sums are the methods' sums over n sets.
func ranking(n, k int, sums []float64) Ranking {
	r := Ranking{Sets: n, Methods: k, Ranks: make([]float64, k), ImanDavenport: math.NaN(),
		PDavenport: math.NaN()}
	for j, s := range sums {
		r.Ranks[j] = s / float64(n)
	}
	return r
}

// betweenMethods is the sum of the squared deviations of the methods' rank sums.
func betweenMethods(sums []float64, mean float64) float64 {
	between := 0.0
	for _, s := range sums {
		between += float64((s - mean) * (s - mean))
	}
	return between
}

// quotient is a statistic whose numerator is 0 where its denominator is: every score ties with
// every other.
func quotient(over, under float64) float64 {
	if under <= 0 {
		return 0
	}
	return over / under
}
