package input

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/data/dissim"
)

// Explanation is what makes two rows close or far.
type Explanation struct {
	A        string  `json:"a"` // ids
	B        string  `json:"b"`
	By       string  `json:"by"`       // what they are compared by
	Distance float64 `json:"distance"` // between them
	// of the columns that are compared, those that make them farther first; nil where rows are not
	// compared by columns
	Columns []Apart `json:"columns,omitempty"`
	// words of both texts, in the order of the first
	Words []string `json:"words,omitempty"`
}

// Apart is what a column adds to the distance of two rows.
type Apart struct {
	Column string `json:"column"`
	A      string `json:"a"` // "": missing
	B      string `json:"b"`
	// what the column adds to the squared Euclidean distance, or to Gower's dissimilarity
	Amount float64 `json:"amount"`
	// of the whole, from 0 to 1; 0 where all values are equal
	Share float64 `json:"share"`
}

// Explain compares two rows, numbered from 0. The columns are taken apart where rows are compared
// by the Euclidean distance or by Gower's dissimilarity.
func (d *Data) Explain(a, b int) *Explanation {
	e := &Explanation{A: d.ID(a), B: d.ID(b), By: d.What()}
	switch {
	case d.Objects.Gower != nil:
		d.explainGower(e, a, b)
	case d.Ready != nil && (d.Dissim == nil || d.Objects.Metric == dissim.Euclidean):
		d.explainVectors(e, a, b)
	default:
		var out [1]float32
		d.Dissim.Row(out[:], a, []int32{int32(b)})
		e.Distance = float64(out[0])
	}
	if total := e.total(); total > 0 {
		for i := range e.Columns {
			e.Columns[i].Share = e.Columns[i].Amount / total
		}
	}
	slices.SortStableFunc(e.Columns, func(x, y Apart) int { return cmp.Compare(y.Amount, x.Amount) })
	textA, okA := d.Text(a)
	textB, okB := d.Text(b)
	if okA && okB {
		e.Words = sharedWords(textA, textB)
	}
	return e
}

func (e *Explanation) total() (sum float64) {
	for _, c := range e.Columns {
		sum += c.Amount
	}
	return sum
}

// explainVectors takes apart the squared Euclidean distance of two rows of the matrix.
func (d *Data) explainVectors(e *Explanation, a, b int) {
	x, at, whole := d.Ready.X, 0, 0.0
	place := make(map[string]int)
	for i := range d.Ready.Encoding.Columns {
		c := &d.Ready.Encoding.Columns[i]
		one := Apart{Column: c.Source}
		for range c.Width() {
			diff := x.At(a, at) - x.At(b, at)
			one.Amount += float64(diff * diff)
			at++
		}
		whole += one.Amount
		if col := d.Table.Column(c.Source); col >= 0 && !d.opaque {
			if v := d.Table.Columns[col].Vector; v != "" {
				one.Column = v
			} else {
				one.A, one.B = d.Table.Cell(d.At(a), col), d.Table.Cell(d.At(b), col)
			}
		}
		if k, there := place[one.Column]; there {
			e.Columns[k].Amount += one.Amount
			continue
		}
		place[one.Column] = len(e.Columns)
		e.Columns = append(e.Columns, one)
	}
	if d.opaque { // the numbers of a vector mean nothing one by one
		e.Columns = nil
	}
	e.Distance = math.Sqrt(whole)
}

// explainGower takes apart Gower's dissimilarity: the weighted mean over the columns that both rows
// have.
func (d *Data) explainGower(e *Explanation, a, b int) {
	x, whole := d.Objects.Rows, 0.0
	for j, c := range d.Objects.Gower.Columns {
		col := d.Table.Column(c.Name)
		one := Apart{Column: c.Name, A: d.Table.Cell(d.At(a), col), B: d.Table.Cell(d.At(b), col)}
		u, v := x.At(a, j), x.At(b, j)
		switch {
		case math.IsNaN(u) || math.IsNaN(v):
			e.Columns = append(e.Columns, one)
			continue
		case c.Levels == nil:
			one.Amount = min(1, math.Abs(u-v))
		case u != v:
			one.Amount = 1
		}
		weight := cmp.Or(c.Weight, 1)
		one.Amount *= weight
		whole += weight
		e.Columns = append(e.Columns, one)
	}
	for i := range e.Columns {
		e.Columns[i].Amount /= cmp.Or(whole, 1)
	}
	e.Distance = e.total()
}

// sharedWords returns the words of a text that another has too, each once.
func sharedWords(a, b string) (shared []string) {
	split := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	in := make(map[string]bool)
	for _, word := range split(b) {
		in[word] = true
	}
	for _, word := range split(a) {
		if in[word] {
			shared = append(shared, word)
			in[word] = false
		}
	}
	return shared
}
