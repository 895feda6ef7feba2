package dataset

import (
	"bytes"
	"strconv"
)

// vote gathers what the sampled values of a column look like.
type vote struct {
	// the file declares the values as texts, even where they look like numbers
	declared                   bool
	present, numbers, booleans int
	distinct                   map[string]struct{}

	judged bool     // the values are kept, for judge
	values [][]byte // those present
}

// maxSampledLevels is how many different values a sampled column may have and still be a category.
const maxSampledLevels = 100

func (v *vote) add(s []byte) {
	if isMissing(s) {
		return
	}
	v.present++
	if v.judged {
		v.values = append(v.values, bytes.Clone(s))
		return
	}
	if !v.declared && meansNumber(s) {
		v.numbers++
	} else if _, ok := parseBool(string(s)); ok {
		v.booleans++
	}
	v.addLevel(s)
}

func (v *vote) addLevel(s []byte) {
	if len(v.distinct) <= maxSampledLevels {
		if v.distinct == nil {
			v.distinct = make(map[string]struct{})
		}
		v.distinct[string(s)] = struct{}{}
	}
}

// typ decides. More than half numbers make a number, and so does a column without any value. Else
// booleans only make a boolean; the rest is a category or text.
func (v *vote) typ() Type {
	switch {
	case 2*v.numbers > v.present, v.present == 0 && !v.declared:
		return Number
	case v.booleans == v.present:
		return Boolean
	}
	return v.words()
}

// words decides between the types of words. A category has at most 100 different values, fewer than
// there are values, and, beyond ten, at most half as many; the rest is text.
func (v *vote) words() Type {
	n := len(v.distinct)
	if n <= maxSampledLevels && (n < v.present && n <= max(10, v.present/2) || n == 1) {
		return Category
	}
	return Text
}

func itoa(n int) string { return strconv.Itoa(n) }
