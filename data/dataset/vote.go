package dataset

import (
	"strconv"
)

// vote gathers what the sampled values of a column look like.
type vote struct {
	// the file declares the values as texts, even where they look like numbers
	declared                   bool
	present, numbers, booleans int
	distinct                   map[string]int // how often each is there

	plain  bool     // see ReadOptions.Plain
	judged bool     // the values are kept, for judge
	values [][]byte // those present
	text   []byte   // of the values
	rows   []int32  // of each of them, from 1
	typed  []bool   // which of them are numbers, not texts that look like some
	row    int32    // rows that were looked at
}

// maxSampledLevels is how many different values a sampled column may have and still be a category.
const maxSampledLevels = 100

func (v *vote) add(s []byte) { v.addTyped(s, false) }

// addTyped adds a value that may be a number, and not a text that looks like one.
func (v *vote) addTyped(s []byte, typed bool) {
	v.row++
	if isMissing(s) {
		return
	}
	v.present++
	if v.judged {
		start := len(v.text)
		v.text = append(v.text, s...)
		v.values = append(v.values, v.text[start:len(v.text):len(v.text)])
		v.rows = append(v.rows, v.row)
		v.typed = append(v.typed, typed)
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
	if v.distinct == nil {
		v.distinct = make(map[string]int)
	}
	v.distinct[string(s)]++
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

// fewestSampled is how many values at least show how often two rows have the same one.
const fewestSampled = 30

// mostEffective is the largest effective number of levels of a category: the inverse of the chance
// that two rows have the same value (Simpson 1949). It does not depend on how many rows there are,
// as the number of different values does, so that a column remains what it is when more rows come.
const mostEffective = 120

// words decides between the types of words. A category has fewer different values than there are
// values, and at most mostEffective by their effective number. Of fewer than 30 values, and in
// plain texts, it has at most 100 different values and, beyond ten, at most half as many as there
// are values. The rest is text.
func (v *vote) words() Type {
	n := len(v.distinct)
	if n == 1 {
		return Category
	}
	if v.plain || v.present < fewestSampled {
		if n <= maxSampledLevels && n < v.present && n <= max(10, v.present/2) {
			return Category
		}
		return Text
	}
	pairs := 0
	for _, count := range v.distinct {
		pairs += count * (count - 1) / 2
	}
	if pairs*mostEffective >= v.present*(v.present-1)/2 {
		return Category
	}
	return Text
}

func itoa(n int) string { return strconv.Itoa(n) }
