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

// CheckDirections returns a [*fault.Input] with the names of the rows of x, of a file, that are 0
// throughout, if there are any: they have no direction.
func CheckDirections(ctx context.Context, file string, x Matrix, id func(i int) string,
	threads int) error {
	zeros := make([][]int, parallel.Count(x.Rows, encodeBlock))
	err := parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			j := 0
			for j < x.Cols && x.At(i, j) == 0 {
				j++
			}
			if j == x.Cols {
				zeros[b] = append(zeros[b], i)
			}
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

// unitRows divides each row of x, of a file, by its Euclidean length, which must not be 0.
func unitRows(ctx context.Context, file string, x Matrix, id func(i int) string,
	threads int) error {
	if err := CheckDirections(ctx, file, x, id, threads); err != nil {
		return err
	}
	return parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(_, lo, hi int) {
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			toUnit(row)
			x.setRow(i, row)
		}
	})
}

// toUnit divides a row by its length, which is not 0.
func toUnit(row []float64) {
	largest := 0.0
	for _, v := range row {
		largest = max(largest, math.Abs(v))
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
