// Package eval judges partitions: against a truth, by the links they break, and by their own shape.
//
// Labels are one integer an object, of any values. [Compare], [CompareUntouched] and [CheckLinks]
// take labels as they are, so that the objects of label 0, which is noise by the contract of this
// module, count as one cluster of their own. Pass them through [Singletons] first to count each
// noise object as a cluster of one. [Silhouette] leaves noise out, as there is no distance to
// noise.
package eval

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Report compares a partition with the truth. All indices are 1 for equal partitions, and all but
// AdjustedRand, which is 0 on average for random labels and may fall below (to −½ at worst), lie in
// [0, 1].
//
// Trivial partitions have one cluster only, or every object alone. Two of the same kind are equal,
// so all indices are 1. With one of them on one side alone AdjustedRand is 0, and so are both kinds
// of NMI where it is the one with a single cluster.
type Report struct {
	N        int `json:"n"`        // objects compared
	Clusters int `json:"clusters"` // labels found, without 0
	Classes  int `json:"classes"`  // labels of the truth, 0 included
	Noise    int `json:"noise"`    // objects with the found label 0

	// share of pairs on which both agree (Rand 1971); 1 for one object
	Rand float64 `json:"ri"`
	// Rand index corrected for chance (Hubert & Arabie 1985, eq. 5)
	AdjustedRand float64 `json:"ari"`
	// mutual information over √(H·H') (Strehl & Ghosh 2002, eq. 2)
	NMI           float64 `json:"nmi"`
	NMIArithmetic float64 `json:"nmi_arithmetic"` // mutual information over ½(H+H')
	// share of objects in the largest class of their cluster
	Purity float64 `json:"purity"`

	// Of the pairs together in a cluster, the share together in a class; of those together in a
	// class, the share together in a cluster; and the harmonic mean of both. A share of no pairs is
	// 1 when the other partition joins none either, and otherwise 0.
	PairPrecision float64 `json:"pair_precision"`
	PairRecall    float64 `json:"pair_recall"`
	PairF1        float64 `json:"pair_f1"`
}

// Compare scores found labels against true ones, both with one value per object. It takes O(n + t
// log t) time for t pairs of a cluster and a class that share objects. Pairs are counted exactly,
// and nothing depends on the order of the objects or on the names of the clusters. It fails with a
// [*fault.Input] on slices of different lengths and on no objects at all.
func Compare(pred, truth []int) (Report, error) {
	if len(pred) != len(truth) {
		return Report{}, fault.Inputf("give one of each for every object",
			"there are %d labels to compare with %d", len(pred), len(truth))
	}
	if len(pred) == 0 {
		return Report{}, &fault.Input{Problem: "there are no objects to compare"}
	}
	return CompareCells(tabulate(pred, truth))
}

// CompareUntouched is [Compare] over the objects that no link touches: what the links did for the
// rest (Antoine, Quost, Masson & Denœux 2014, figs. 6–9). Report.N is their number. Unknown
// links touch nothing. It fails with a [*fault.Input] when none is left or a link is out of range.
func CompareUntouched(pred, truth []int, links []link.Link) (Report, error) {
	if len(pred) != len(truth) {
		return Compare(pred, truth)
	}
	if err := inRange(links, len(pred)); err != nil {
		return Report{}, err
	}
	var p, t []int
	for _, i := range Untouched(len(pred), links) {
		p, t = append(p, pred[i]), append(t, truth[i])
	}
	if len(p) == 0 && len(pred) > 0 {
		return Report{}, &fault.Input{Problem: "every object is linked, so none is left to compare"}
	}
	return Compare(p, t)
}

// Untouched returns those of n objects that no link touches, rising. An unknown link touches
// nothing. The links must be between the n objects.
func Untouched(n int, links []link.Link) []int {
	touched := make([]bool, n)
	for _, l := range links {
		if l.Kind != link.Unknown {
			touched[l.A], touched[l.B] = true, true
		}
	}
	return linalg.Where(touched, func(t bool) bool { return !t })
}

// Singletons copies labels with each object of label 0, noise, in a new cluster of its own.
func Singletons(labels []int) []int {
	used := make(map[int]bool)
	for _, l := range labels {
		used[l] = true
	}
	out := slices.Clone(labels)
	next := 1
	for i, l := range labels {
		if l != 0 {
			continue
		}
		for used[next] {
			next++
		}
		out[i] = next
		next++
	}
	return out
}

// pairIndices sets the indices that count pairs: together in a cluster a, in a class b, in both s,
// of all.
func (t *table) pairIndices(r *Report) {
	var both, found, classes, every wide
	for _, c := range t.cells {
		both.addPairs(c.count)
	}
	for _, size := range t.rows {
		found.addPairs(size)
	}
	for _, size := range t.cols {
		classes.addPairs(size)
	}
	every.addPairs(t.n)
	s, a, b, all := both.int(), found.int(), classes.int(), every.int()
	s2, ab := twice(s), sum(a, b)
	agree := sum(all, s2)
	agree.Sub(agree, ab)
	r.Rand = ratio(agree, all, true)
	r.PairPrecision = ratio(s, a, b.Sign() == 0)
	r.PairRecall = ratio(s, b, a.Sign() == 0)
	r.PairF1 = ratio(s2, ab, true)

	// (s − ab/all) / (½(a+b) − ab/all), both sides times 2·all.
	chance := twice(product(a, b))
	over := product(s2, all)
	over.Sub(over, chance)
	under := product(ab, all)
	under.Sub(under, chance)
	if under.Sign() == 0 {
		r.AdjustedRand = 1 // both trivial in the same way
		return
	}
	r.AdjustedRand, _ = new(big.Rat).SetFrac(over, under).Float64()
}

// information sets both kinds of normalised mutual information.
func (t *table) information(r *Report) {
	if len(t.cells) == len(t.rows) && int64(len(t.cells))+t.singles == int64(len(t.cols)) {
		r.NMI, r.NMIArithmetic = 1, 1 // equal but for the names
		return
	}
	if int64(len(t.rows))+t.singles == 1 || len(t.cols) == 1 {
		return // nothing can be learnt from, or about, one cluster
	}
	n := float64(t.n)
	var mutual float64
	for _, c := range t.cells {
		mutual += float64(float64(c.count) / n * math.Log(float64(c.count)*n/t.independent(c)))
	}
	for col, single := range t.alone {
		if single > 0 {
			mutual += float64(float64(single) / n * math.Log(n/float64(t.cols[col])))
		}
	}
	h, g := entropy(t.rows, n)+float64(float64(t.singles)/n*math.Log(n)), entropy(t.cols, n)
	r.NMI = min(1, max(0, mutual/math.Sqrt(h*g)))
	r.NMIArithmetic = min(1, max(0, 2*mutual/(h+g)))
}

func entropy(sizes []int64, n float64) float64 {
	sizes = slices.Sorted(slices.Values(sizes)) // the same sum whatever the labels
	var h float64
	for _, size := range sizes {
		h += float64(float64(size) / n * math.Log(n/float64(size)))
	}
	return h
}

// String shows the report as a few lines for a person, to four decimals.
func (r Report) String() string {
	var b strings.Builder
	classes := "1 class"
	if r.Classes != 1 {
		classes = fmt.Sprintf("%d classes", r.Classes)
	}
	fmt.Fprintf(&b, "%s in %s, %s", words.Count(r.N, "object"), words.Count(r.Clusters, "cluster"),
		classes)
	if r.Noise > 0 {
		fmt.Fprintf(&b, ", %d of them noise", r.Noise)
	}
	fmt.Fprintf(&b, `
adjusted Rand  %7.4f
Rand           %7.4f
NMI            %7.4f (arithmetic %.4f)
purity         %7.4f
pairs          %7.4f (precision %.4f, recall %.4f)`,
		r.AdjustedRand, r.Rand, r.NMI, r.NMIArithmetic, r.Purity, r.PairF1, r.PairPrecision,
		r.PairRecall)
	return b.String()
}
