package dissim

import (
	"fmt"
	"slices"
	"strings"
)

// Metric names a way to measure how unlike two objects are. Values are ≥ 0, symmetric, and 0 for
// equal objects; none of them is ever NaN, as the degenerate cases below define.
type Metric string

// The metrics of rows of numbers ([Vectors], [Cross]), x and y of d coordinates.
const (
	// Euclidean is √Σ(xᵢ−yᵢ)².
	Euclidean Metric = "euclidean"
	// SqEuclidean is Σ(xᵢ−yᵢ)². It breaks the triangle inequality.
	SqEuclidean Metric = "sqeuclidean"
	// Manhattan is Σ|xᵢ−yᵢ|.
	Manhattan Metric = "manhattan"
	// Cosine is 1 − xᵀy/(‖x‖‖y‖), in [0, 2]. A zero vector is at 1 from every other vector and at 0
	// from a zero vector.
	Cosine Metric = "cosine"
	// Correlation is 1 − r with Pearson's r of the coordinates, in [0, 2]. A constant vector is at
	// 1 from one that varies and at 0 from another constant one, whatever its level, as r ignores
	// levels.
	Correlation Metric = "correlation"
	// Tanimoto is ½(1 − xᵀy/(‖x‖²+‖y‖²−xᵀy)), in [0, ⅔], ½ the Jaccard dissimilarity where the
	// coordinates are 0 and 1. It is our reading of eq. 22 of cevclus-2013, which as printed (with
	// 2xᵀy) divides by ‖x−y‖². Two zero vectors are at 0.
	Tanimoto Metric = "tanimoto"
	// BinaryCorrelation is ½(1 − φ), in [0, 1], of rows of 0 and 1: φ is Pearson's r of such rows.
	// It is the other reading of eq. 22 of cevclus-2013, "based on the correlation". A row all 0 or
	// all 1 is at ½ from one that varies, at 0 from its like and at 1 from its opposite.
	BinaryCorrelation Metric = "binary-correlation"
	// Hamming is the share of coordinates that differ, in [0, 1].
	Hamming Metric = "hamming"
	// Jaccard is 1 − |A∩B|/|A∪B|, in [0, 1], where A and B are the coordinates that are not 0. Two
	// rows without any are at 0.
	Jaccard Metric = "jaccard"
)

// The metrics of other objects.
const (
	// Gower is the mean over the columns of a mixed table of |a−b|/range for numbers, and of 0 for
	// equal and 1 for different categories or booleans, in [0, 1]; columns where either value is
	// missing are left out of a pair's mean. See [GowerSpace].
	Gower Metric = "gower"
	// Levenshtein is the least number of characters inserted, deleted or replaced that turns one
	// text into the other. See [Texts].
	Levenshtein Metric = "levenshtein"
	// CyclicEdit is the edit distance of cyclic strings of angles, the least over all starting
	// points. See [Cycles].
	CyclicEdit Metric = "cyclic-edit"
	// DTW is dynamic time warping: the least Σ|xᵢ−yⱼ| along a warping path. It breaks the triangle
	// inequality. See [Series].
	DTW Metric = "dtw"
)

// Metrics lists all metrics, in the order of the documentation.
func Metrics() []Metric {
	return []Metric{Euclidean, SqEuclidean, Manhattan, Cosine, Correlation, Tanimoto,
		BinaryCorrelation, Hamming, Jaccard,
		Gower, Levenshtein, CyclicEdit, DTW}
}

// OfVectors reports whether m compares rows of numbers, so that [Vectors] and [Cross] take it.
func (m Metric) OfVectors() bool {
	return slices.Contains(Metrics()[:9], m)
}

// ParseMetric turns a flag value, in any case, into a Metric; "" is Euclidean.
func ParseMetric(s string) (Metric, error) {
	m := Metric(strings.ToLower(s))
	if m == "" {
		return Euclidean, nil
	}
	if slices.Contains(Metrics(), m) {
		return m, nil
	}
	var names []string
	for _, m := range Metrics() {
		names = append(names, string(m))
	}
	return "", fmt.Errorf("unknown metric %q: give one of %s", s, strings.Join(names, ", "))
}
