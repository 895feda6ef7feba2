package input

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
)

const mostExample = 5

// profileColumns describes the columns of a table that was read with all cells kept. The numbers of
// a column of vectors are one column.
func profileColumns(ctx context.Context, t *dataset.Table) (out []ColumnProfile, err error) {
	counts, err := histograms(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := range t.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector := t.Columns[i].Vector
		switch {
		case vector == "":
			out = append(out, profileColumn(t, i, counts[i]))
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
		low, high, counts := histogram(lengths)
		p.Low, p.High, p.Histogram = words.Round(low), words.Round(high), counts
	}
	return p
}

func profileColumn(t *dataset.Table, i int, histogram []int) ColumnProfile {
	c := &t.Columns[i]
	p := ColumnProfile{Name: c.Name, Type: c.Type.String(), Role: c.Role.String(), Why: c.Why,
		Missing: c.Missing, FirstMissing: c.FirstMissing, Distinct: c.Distinct}
	if c.Type == dataset.Time && c.Min <= c.Max && c.Missing < t.Rows && c.Max != 0 {
		p.Low, p.High = c.Show(c.Min), c.Show(c.Max)
	}
	switch numbers := t.HasValues(i) && c.Type == dataset.Number; {
	case numbers && c.Missing < t.Rows:
		p.Low, p.High, p.Mean = c.Show(c.Min), c.Show(c.Max), c.Show(c.Mean)
		p.Histogram = histogram
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
	p.suspect(t, i)
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
		switch {
		case t.HoldsVectors(i):
			p.Change = "--vectors " + words.Shell(c.Name)
		case t.Hidden(i) != "":
			p.Change = ""
		}
	}
	return p
}

// histograms counts the values of each feature of numbers in equal parts of its range, row by row, as
// they lie in memory; nil for other columns.
func histograms(ctx context.Context, t *dataset.Table) ([][]int, error) {
	counts := make([][]int, len(t.Columns))
	var numbers []int
	for i := range t.Columns {
		c := &t.Columns[i]
		if t.HasValues(i) && c.Type == dataset.Number && c.Vector == "" && c.Missing < t.Rows {
			counts[i] = make([]int, bins)
			numbers = append(numbers, i)
		}
	}
	for row := range t.Rows {
		if err := ended(ctx, 4096, row); err != nil {
			return nil, err
		}
		for _, i := range numbers {
			if v := t.Value(row, i); !math.IsNaN(v) {
				counts[i][bin(v, t.Columns[i].Min, t.Columns[i].Max)]++
			}
		}
	}
	return counts, nil
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
