package input

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
)

const (
	mostExample = 5
	// how many times as large as nearly all others a number is that may be a mistake
	outlying = 1000
)

// profileColumns describes the columns of a table that was read with all cells kept. The numbers of
// a column of vectors are one column.
func profileColumns(ctx context.Context, t *dataset.Table) (out []ColumnProfile, err error) {
	for i := range t.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector := t.Columns[i].Vector
		switch {
		case vector == "":
			out = append(out, profileColumn(t, i))
		case i == 0 || t.Columns[i-1].Vector != vector:
			out = append(out, profileVectors(t, i))
		}
	}
	return out, nil
}

// profileVectors describes a column of vectors, of which i is the first number.
func profileVectors(t *dataset.Table, i int) ColumnProfile {
	c := &t.Columns[i]
	p := ColumnProfile{Name: c.Vector, Type: "vectors", Role: c.Role.String(),
		Missing: c.Missing, FirstMissing: c.FirstMissing}
	for k := i; k < len(t.Columns) && t.Columns[k].Vector == c.Vector; k++ {
		p.Width++
	}
	p.Why = "holds lists of " + words.Count(p.Width, "number")
	var lengths []float64
	for row := range t.Rows {
		square := 0.0
		for k := range p.Width {
			v := t.Value(row, i+k)
			square += float64(v * v)
		}
		if !math.IsNaN(square) {
			lengths = append(lengths, math.Sqrt(square))
		}
	}
	if len(lengths) > 0 {
		low, high := slices.Min(lengths), slices.Max(lengths)
		p.Low, p.High, p.Histogram = words.Round(low), words.Round(high), make([]int, bins)
		for _, v := range lengths {
			p.Histogram[bin(v, low, high)]++
		}
	}
	return p
}

func profileColumn(t *dataset.Table, i int) ColumnProfile {
	c := &t.Columns[i]
	p := ColumnProfile{Name: c.Name, Type: c.Type.String(), Role: c.Role.String(), Why: c.Why,
		Missing: c.Missing, FirstMissing: c.FirstMissing, Distinct: c.Distinct}
	if c.Type == dataset.Time && c.Min <= c.Max && c.Missing < t.Rows && c.Max != 0 {
		p.Low, p.High = c.Show(c.Min), c.Show(c.Max)
	}
	switch numbers := t.HasValues(i) && c.Type == dataset.Number; {
	case numbers && c.Missing < t.Rows:
		p.Low, p.High, p.Mean = c.Show(c.Min), c.Show(c.Max), c.Show(c.Mean)
		p.Histogram = histogram(t, i)
		p.suspect(t, i)
	case t.HasValues(i) && c.Type != dataset.Time:
		p.Examples = frequent(t, i)
		p.Levels = c.Levels[:min(len(c.Levels), mostExample)]
	default:
		for row := 0; row < t.Rows && len(p.Examples) < mostExample; row++ {
			if text := t.Cell(row, i); text != "" && !slices.Contains(p.Examples, Count{Value: text}) {
				p.Examples = append(p.Examples, Count{Value: text})
			}
		}
	}
	switch c.Role {
	case dataset.Feature:
		if c.Vector != "" {
			break // a number of a vector is not left out alone
		}
		p.Change = "--drop " + words.Shell(c.Name)
	case dataset.ID:
		p.Change = "--features " + words.Shell(c.Name)
	case dataset.Unused:
		p.Change = "--features " + words.Shell(c.Name)
		if c.Type == dataset.Text {
			p.Change = "--text " + words.Shell(c.Name)
		}
		if t.Hidden(i) != "" {
			p.Change = ""
		}
	}
	return p
}

// histogram counts the values of numbers in equal parts of their range.
func histogram(t *dataset.Table, i int) []int {
	c := &t.Columns[i]
	counts := make([]int, bins)
	for row := range t.Rows {
		if v := t.Value(row, i); !math.IsNaN(v) {
			counts[bin(v, c.Min, c.Max)]++
		}
	}
	return counts
}

// frequent returns the most frequent values of a category or boolean.
func frequent(t *dataset.Table, i int) (out []Count) {
	rows := make(map[string]int)
	for row := range t.Rows {
		if text := t.Cell(row, i); text != "" {
			rows[text]++
		}
	}
	for text, n := range rows {
		out = append(out, Count{text, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		if a.Rows != b.Rows {
			return b.Rows - a.Rows
		}
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return out[:min(len(out), mostExample)]
}

// suspect finds numbers that may be mistakes: far larger than nearly all others, as where a decimal
// mark is missing or units are mixed, or one number far more often than chance, as -999 for none.
func (p *ColumnProfile) suspect(t *dataset.Table, i int) {
	var sizes []float64
	for row := range t.Rows {
		if v := math.Abs(t.Value(row, i)); v > 0 {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) < 20 {
		return
	}
	slices.Sort(sizes)
	high := sizes[len(sizes)*95/100]
	at, _ := slices.BinarySearch(sizes, high*outlying)
	if n := len(sizes) - at; n > 0 {
		p.Suspicions = append(p.Suspicions, strconv.Itoa(n)+" of its numbers are over "+
			strconv.Itoa(outlying)+" times as large as nearly all others: a decimal mark may be "+
			"missing, or units be mixed")
	}
	c := &t.Columns[i]
	for _, none := range []float64{-999, -9999, -99, 9999, 99999} {
		n, next := 0, math.Inf(1)
		for row := range t.Rows {
			switch v := t.Value(row, i); {
			case v == none:
				n++
			case !math.IsNaN(v):
				next = min(next, math.Abs(v-none))
			}
		}
		if n > 0 && (none == c.Min || none == c.Max) && next > (c.Max-c.Min)/2 && n < t.Rows {
			text := strconv.FormatFloat(none, 'f', -1, 64)
			p.Suspicions = append(p.Suspicions, text+" stands in "+strconv.Itoa(n)+
				" rows, far from all others: --na "+text+" reads it as missing")
		}
	}
}
