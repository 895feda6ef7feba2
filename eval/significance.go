package eval

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Zeros is the treatment of pairs without a difference by [WilcoxonWith].
type Zeros int

const (
	DropZeros  Zeros = iota // leave them out before ranking (Wilcoxon 1945)
	PrattZeros              // rank them with the others, then leave them out (Pratt 1959)

	// SplitZeros ranks them too, and adds half of their ranks to either side; of an odd number one
	// is left out (Demšar 2006, section 3.1.3).
	SplitZeros
)

// SignedRank is the outcome of [Wilcoxon].
type SignedRank struct {
	N     int     // pairs that differ
	Zeros int     // pairs that do not
	Plus  float64 // sum of the ranks where a is greater
	Minus float64 // sum of the ranks where b is greater
	// two-sided p-value: exact up to [ExactPairs] pairs that differ, and NormalP beyond
	P     float64
	Exact bool // whether P is exact
	// (Plus − its mean) over its standard deviation under the null hypothesis, moved ½ towards 0
	Z       float64
	NormalP float64 // two-sided p-value of Z
}

// ExactPairs is the largest number of pairs that differ for which [Wilcoxon] computes exact
// p-values.
const ExactPairs = 50

// Wilcoxon tests whether a tends to be greater or smaller than b, paired value by value, by the
// signed-rank test (Wilcoxon 1945; for methods compared over data sets Demšar 2006, section 3.1.3).
// Pairs without a difference are dropped; with none left P is 1.
//
// Equal differences share their mean rank. The exact p-value is the share of the 2ᴺ ways to sign
// the ranks, ties included, that are at least as far from balance, so it is the one of
// tables where there are no ties. R and SciPy return NormalP, corrected for ties and continuity,
// where there are any and N is not tiny.
//
// Differences that differ by less than 10⁻¹² of the largest value count as equal (ours: .768 − .763
// and .936 − .931 are not the same number in binary). It fails with a [*fault.Input] on slices of
// different lengths, on none, and on values that are not finite.
func Wilcoxon(a, b []float64) (SignedRank, error) { return WilcoxonWith(a, b, DropZeros) }

// WilcoxonWith is [Wilcoxon] with another treatment of pairs without a difference.
func WilcoxonWith(a, b []float64, zeros Zeros) (SignedRank, error) {
	if len(a) != len(b) {
		return SignedRank{}, fault.Inputf("give one of each for every pair",
			"there are %d values to compare with %d", len(a), len(b))
	}
	if len(a) == 0 {
		return SignedRank{}, &fault.Input{Problem: "there are no pairs to compare"}
	}
	if zeros < DropZeros || zeros > SplitZeros {
		return SignedRank{}, fault.Inputf("",
			"there is no treatment %d of pairs without a difference",
			zeros)
	}
	largest := 0.0
	for i := range a {
		for _, v := range []float64{a[i], b[i]} {
			if !finite(v) {
				return SignedRank{},
					&fault.Input{Row: i + 1, Problem: "a value to compare is not a finite number"}
			}
			largest = max(largest, math.Abs(v))
		}
	}
	var r SignedRank
	slack := largest * sameWithin
	var size []float64
	var plus []bool
	for i := range a {
		d := a[i] - b[i]
		if math.Abs(d) <= slack {
			r.Zeros++
			continue
		}
		size, plus = append(size, math.Abs(d)), append(plus, d > 0)
	}
	r.N = len(size)
	ranks := rank(size, slack)
	shift, half := 0.0, 0.0
	switch zeros {
	case PrattZeros:
		shift = float64(r.Zeros)
	case SplitZeros:
		even := float64(r.Zeros - r.Zeros%2)
		shift, half = even, even*(even+1)/4
	}
	for i := range ranks {
		ranks[i] += shift
		if plus[i] {
			r.Plus += ranks[i]
		} else {
			r.Minus += ranks[i]
		}
	}
	r.Z, r.NormalP = normalSigns(ranks, r.Plus, r.Minus)
	r.P = r.NormalP
	if r.Exact = r.N <= ExactPairs; r.Exact {
		r.P = exactSigns(ranks, min(r.Plus, r.Minus))
	}
	r.Plus += half
	r.Minus += half
	return r, nil
}

// sameWithin is the share of the largest value below which two numbers count as equal.
const sameWithin = 1e-12

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// rank returns the ranks of values from 1, the smallest first; those not more than slack from their
// neighbour in order share their mean rank.
func rank(values []float64, slack float64) []float64 {
	order := linalg.Order(len(values),
		func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]]-values[order[to-1]] <= slack {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return ranks
}

// exactSigns returns the share of signs of ranks, which are multiples of ½, for which the sum of
// the ranks on the lesser side is at most least: the number of subsets of each sum, by dynamic
// programming.
func exactSigns(ranks []float64, least float64) float64 {
	// Counts stay below 2⁵⁰, so that float64 holds them exactly.
	ways := []float64{1}
	for _, r := range ranks {
		step := int(2 * r)
		next := make([]float64, len(ways)+step)
		for sum, w := range ways {
			next[sum] += w
			next[sum+step] += w
		}
		ways = next
	}
	below := linalg.Sum(ways[:int(2*least)+1])
	return min(1, 2*below/math.Exp2(float64(len(ranks))))
}

// normalSigns returns z and its two-sided p-value. The variance of the sum of the ranks on one side
// is a quarter of their squares' sum, which corrects for ties by itself.
func normalSigns(ranks []float64, plus, minus float64) (z, p float64) {
	squares := 0.0
	for _, r := range ranks {
		squares += float64(r * r)
	}
	if squares == 0 {
		return 0, 1
	}
	off := (plus - minus) / 2
	z = math.Copysign(max(0, math.Abs(off)-0.5), off) / math.Sqrt(squares/4)
	return z, twoSided(z)
}

// twoSided is the two-sided p-value of a standard normal variate.
func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// beyondChiSquare is the chance that a χ² variate of the given degrees of freedom exceeds x.
func beyondChiSquare(x float64, freedom int) float64 {
	return mathext.GammaIncRegComp(float64(freedom)/2, max(0, x)/2)
}

// beyondF is the chance that an F variate of the given degrees of freedom exceeds x.
func beyondF(x float64, over, under int) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	d1, d2 := float64(over), float64(under)
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*x)))
}
