package dataset

import (
	"math"

	"github.com/kindred-go/kindred/fault"
)

// rootTwelve is the range of a number over its standard deviation where it is spread evenly.
var rootTwelve = math.Sqrt(12)

// weighAsOne replaces the divisors of the columns of a category by one for all, see
// [Preparation.Plain]. Those of constant columns stay 0.
func weighAsOne(divisor, deviation []float64, scale Scale) {
	whole := 0.0
	for _, d := range deviation {
		whole = math.Hypot(whole, d)
	}
	if scale == ScaleMinMax {
		whole = max(whole*rootTwelve, math.Sqrt2) // two values differ in two columns
	}
	for k, d := range divisor {
		if d != 0 {
			divisor[k] = whole
		}
	}
}

// weights returns the weights of the columns, 0 where a column has none. The numbers of a column of
// vectors weigh together as one column where other features stand beside them: their squares add up
// as those of one.
func (t *Table) weights(given map[string]float64) ([]float64, error) {
	return t.weighed(given, func(width int) float64 { return 1 / math.Sqrt(float64(width)) })
}

// Weights returns the weights of the columns in a sum over columns, such as Gower's dissimilarity,
// 0 where a column has none. given has weights by name. The numbers of a column of vectors have the
// weight of one column together where other features stand beside them. A name that is no feature is
// a [*fault.Input].
func (t *Table) Weights(given map[string]float64) ([]float64, error) {
	return t.weighed(given, func(width int) float64 { return 1 / float64(width) })
}

// weighed returns the weights; each is the weight of one of so many numbers of a vector.
func (t *Table) weighed(given map[string]float64, each func(width int) float64) ([]float64, error) {
	weights := make([]float64, len(t.Columns))
	width, beside := make(map[string]int), 0
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == Feature && c.Vector != "" {
			width[c.Vector]++
		} else if c.Role == Feature {
			beside++
		}
	}
	used := make(map[string]bool)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role != Feature {
			continue
		}
		name := c.Name
		if c.Vector != "" {
			name = c.Vector
			if beside > 0 && !c.store.whole {
				weights[i] = each(width[name])
			}
		}
		if w, ok := given[name]; ok {
			used[name] = true
			if weights[i] == 0 {
				weights[i] = 1
			}
			weights[i] *= w
		}
	}
	var first string
	for name := range given {
		if !used[name] && (first == "" || name < first) {
			first = name
		}
	}
	if first == "" {
		return weights, nil
	}
	in := &fault.Input{File: t.Name,
		Problem: "the weights name " + quote([]byte(first)) + ", but there is no such column"}
	if i := t.Column(first); i >= 0 {
		in.Column = first
		in.Problem = "has a weight, but is no feature: it is " + t.Columns[i].Role.String()
		in.Fix = "leave the weight out, or compare the column (--features)"
		return nil, in
	}
	var names []string
	for i := range t.Columns {
		if t.Columns[i].Role == Feature {
			names = append(names, t.Columns[i].Name)
		}
	}
	in.Fix = suggest(first, names)
	return nil, in
}
