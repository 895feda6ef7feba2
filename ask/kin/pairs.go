package kin

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// The score of a pair of groups is shareWeight times the logarithm of the share of the rows of the
// smaller that they have in common, less heightWeight times the logarithm of the height at which
// Ward's method would join them, less sizeWeight times the logarithm of the size of the smaller:
// large groups are likelier to be whole. The weights were fitted to pairs of groups of 48 data sets
// whose classes are known. Where groups are many each has few rows and is compact, and heights and
// sizes count for more: compactHeight and compactSize are what is added.
const (
	shareWeight                 = 0.55
	heightWeight, compactHeight = 0.5, 2.5
	sizeWeight, compactSize     = 0.5, 0.5
)

// Groups are expected to be compact, and not only connected, where they are many: not at all up to
// few groups, and entirely from many times as many on.
const fewCompact, manyCompact = 25, 6

// compact is how far groups are expected to be compact, by their number.
func compact(groups int) float64 {
	return min(1, max(0, elementary.Log(float64(groups)/fewCompact)/elementary.Log(manyCompact)))
}

// The threshold is normal around that of the estimated number of groups, with a standard deviation
// of spreadThreshold, and of compactThreshold where groups are expected to be compact: their number
// is seldom far from the estimate. The logarithm of the slope is normal around meanSlope. A share
// of the answers is not as any model has it.
const (
	spreadThreshold        = 1.75
	compactThreshold       = 0.5
	meanSlope, spreadSlope = 0.2, 0.6
	modelLapse             = 0.01
)

// pairModel is how probable it is that two groups are one by their score z: the mean of
// 1/(1+exp(−s(z−θ))) over thresholds θ and slopes s, each weighing as the answers have it.
type pairModel struct {
	threshold, slope []float64
	weight           []float64 // len(threshold)×len(slope), sum 1
	low              float64   // score of the first of table
	curves           []float64 // len(table)×len(weight): 1/(1+exp(−s(z−θ))) at each of table
	table            []float64 // probability at low, low+tableStep, …
	even             float64   // score from which on it is above ½
}

const (
	tableStep, tableReach = 0.1, 12
	tableSize             = 2*tableReach/tableStep + 1
)

// newPairModel is the model before any answer; groups of a score above middle are likely to be one.
// dense is how far they are expected to be compact.
func newPairModel(middle, dense float64) pairModel {
	const count, reach, slopes, least, step = 81, 4.0, 15, -1.0, 0.2
	m := pairModel{low: middle - tableReach}
	for i := range count {
		m.threshold = append(m.threshold,
			middle+float64(spreadThreshold*reach*(2*float64(i)/(count-1)-1)))
	}
	for i := range slopes {
		m.slope = append(m.slope, elementary.Exp(least+float64(step*float64(i))))
	}
	spread := spreadThreshold - float64((spreadThreshold-compactThreshold)*dense)
	for _, t := range m.threshold {
		for _, s := range m.slope {
			a, b := (t-middle)/spread, (elementary.Log(s)-meanSlope)/spreadSlope
			m.weight = append(m.weight, elementary.Exp(-(float64(a*a)+float64(b*b))/2))
		}
	}
	for i := range int(tableSize) {
		z := m.low + float64(tableStep*float64(i))
		for _, t := range m.threshold {
			for _, s := range m.slope {
				m.curves = append(m.curves, logistic(s*(z-t)))
			}
		}
	}
	m.tabulate()
	return m
}

func logistic(z float64) float64 { return 1 / (1 + elementary.Exp(-z)) }

// tabulate finds table and even by weight.
func (m *pairModel) tabulate() {
	linalg.Divide(m.weight, linalg.Sum(m.weight))
	m.table = make([]float64, tableSize)
	for i := range m.table {
		curves := m.curves[i*len(m.weight) : (i+1)*len(m.weight)]
		for at, w := range m.weight {
			m.table[i] += float64(w * curves[at])
		}
	}
	switch above := slices.IndexFunc(m.table, func(p float64) bool { return p > 0.5 }); above {
	case -1:
		m.even = math.Inf(1)
	case 0:
		m.even = math.Inf(-1)
	default:
		p, q := m.table[above-1], m.table[above]
		m.even = m.low + float64(tableStep*(float64(above-1)+(0.5-p)/(q-p)))
	}
}

// leastDoubt is how probable it is at least that groups are one, and that they are not, so that an
// answer can turn what many others make likely.
const leastDoubt = 1e-9

// same is how probable it is that two groups of a score are one; of −Inf, which are apart, 0.
func (m *pairModel) same(z float64) float64 {
	if math.IsInf(z, -1) {
		return 0
	}
	t := min(max((z-m.low)/tableStep, 0), float64(len(m.table)-1))
	i := min(int(t), len(m.table)-2)
	p := m.table[i] + float64((t-float64(i))*(m.table[i+1]-m.table[i]))
	return min(max(p, leastDoubt), 1-leastDoubt)
}

// learn takes an answer about two groups, which is wrong with some probability.
func (m *pairModel) learn(z float64, same bool, wrong float64) {
	m.weight = slices.Clone(m.weight)
	wrong = max(wrong, modelLapse)
	at := 0
	for _, t := range m.threshold {
		for _, s := range m.slope {
			p := logistic(s * (z - t))
			if !same {
				p = 1 - p
			}
			m.weight[at] *= wrong + float64((1-2*wrong)*p)
			at++
		}
	}
	m.tabulate()
}
