package dataset

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// namer returns what names the rows of a matrix, by the table's row of each (nil: all) and the id
// of a row of the table (nil: its own).
func (t *Table) namer(rows []int32, id func(row int) string) func(i int) string {
	if id == nil {
		id = t.ID
	}
	return func(i int) string {
		if rows != nil {
			i = int(rows[i])
		}
		return id(i)
	}
}

// unitRows divides each row of x, of a file, by its Euclidean length. A row of zeros has no
// direction: it is a [*fault.Input] with the names of such rows.
func unitRows(ctx context.Context, id func(i int) string, file string, x Matrix,
	threads int) error {
	zeros := make([][]int, parallel.Count(x.Rows, encodeBlock))
	err := parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(b, lo, hi int) {
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			if !unit(row) {
				zeros[b] = append(zeros[b], i)
				continue
			}
			x.setRow(i, row)
		}
	})
	if err != nil {
		return err
	}
	if at := slices.Concat(zeros...); len(at) > 0 {
		return directionless(id, at).In(file)
	}
	return nil
}

// unit divides a row by its length; it returns false where that is 0.
func unit(row []float64) bool {
	largest := 0.0
	for _, v := range row {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return false
	}
	sum := 0.0
	for _, v := range row {
		v /= largest // so that squares neither overflow nor vanish
		sum += float64(v * v)
	}
	length := math.Sqrt(sum)
	for j := range row {
		row[j] = row[j] / largest / length
	}
	return true
}

// directionless is the error for rows of zeros.
func directionless(id func(i int) string, rows []int) *fault.Input {
	names := make([]string, min(len(rows), 5))
	for k := range names {
		names[k] = id(rows[k])
	}
	list := strings.Join(names, ", ")
	if more := len(rows) - len(names); more > 0 {
		list += " and " + itoa(more) + " more"
	}
	if len(rows) == 1 {
		return fault.Inputf("leave the row out, or compare by --metric euclidean",
			"row %s is 0 throughout, so it has no direction that cosine could compare", list)
	}
	return fault.Inputf("leave the rows out, or compare by --metric euclidean",
		"rows %s are 0 throughout, so they have no direction that cosine could compare", list)
}
