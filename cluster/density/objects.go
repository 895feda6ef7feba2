package density

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Objects are what is clustered: the rows of a matrix by Euclidean distance, or anything by its
// dissimilarities. Neither is changed.
type Objects struct {
	Vectors dataset.Matrix
	Source  dissim.Source // takes the place of Vectors where it is not nil
}

// Len returns the number of objects.
func (o Objects) Len() int {
	if o.Source != nil {
		return o.Source.Len()
	}
	return o.Vectors.Rows
}

// vectors returns the vectors that the objects are; none where they are known by dissimilarities
// that do not follow from Euclidean distances.
func (o Objects) vectors() dataset.Matrix {
	if o.Source == nil {
		return o.Vectors
	}
	e, _ := dissim.Embed(o.Source)
	return e.Vectors
}

// space returns the objects as what follows needs them.
func (o Objects) space(ctx context.Context, threads int) (space, error) {
	if o.Source != nil {
		if o.Source.Len() == 0 {
			return nil, &fault.Input{Problem: "there are no objects to cluster"}
		}
		return widenScan(newScan(o.Source, threads)), nil
	}
	m := o.Vectors
	if m.Rows < 1 || m.Cols < 1 {
		return nil, fault.Inputf("", "clusters need data, and there are %d rows of %d columns",
			m.Rows, m.Cols)
	}
	if err := m.CheckSize("data"); err != nil {
		return nil, err
	}
	if err := checkReach(m); err != nil {
		return nil, err
	}
	t, err := growTree(ctx, m, threads)
	if err != nil {
		return nil, err
	}
	return widen(t, m, threads), nil
}

// leastReach is the least range of the widest column: of values a hundred billionth of it apart
// squares are still normal numbers.
const leastReach = 1e-140

// checkReach refuses values that are not finite, and ones whose squared distances overflow or
// vanish.
func checkReach(m dataset.Matrix) error {
	low, high := m.AppendRow(nil, 0), m.AppendRow(nil, 0)
	row := make([]float64, 0, m.Cols)
	for i := range m.Rows {
		row = m.AppendRow(row[:0], i)
		for j, v := range row {
			if v-v != 0 {
				return dataset.NotFinite(i, j, v)
			}
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	sum, widest := 0.0, 0.0
	for j, v := range high {
		widest = max(widest, v-low[j])
		sum += float64((v - low[j]) * (v - low[j]))
	}
	if widest > 0 && widest < leastReach {
		return fault.Inputf("scale the columns, to 0..1 say",
			"the values lie so close together that their squared distances vanish")
	}
	if !(sum < math.MaxFloat64/4) {
		return fault.Inputf("scale the columns, to 0..1 say",
			"the values lie so far apart that their squared distances overflow")
	}
	return nil
}
