package generate

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
)

// Write writes rows and classes as CSV: a header x1,x2,…,class, values with six decimals. It fails
// when a value is not finite, when the numbers of rows and classes differ, when w does, or when ctx
// is done; what was written until then stays.
func Write(ctx context.Context, w io.Writer, x dataset.Matrix, classes []int) error {
	if len(classes) != x.Rows {
		return fmt.Errorf("generate: %d rows but %d classes", x.Rows, len(classes))
	}
	const enough = 1 << 18 // bytes gathered between writes
	buf := make([]byte, 0, enough+4096)
	for j := range x.Cols {
		buf = append(buf, 'x')
		buf = strconv.AppendInt(buf, int64(j+1), 10)
		buf = append(buf, ',')
	}
	buf = append(buf, "class\n"...)
	row := make([]float64, 0, x.Cols)
	for i := range x.Rows {
		row = x.AppendRow(row[:0], i)
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("generate: row %d, column x%d is %v, not a finite number", i+1,
					j+1, v)
			}
			buf = append(appendMicro(buf, v), ',')
		}
		buf = append(strconv.AppendInt(buf, int64(classes[i]), 10), '\n')
		if len(buf) >= enough {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := w.Write(buf)
	return err
}

// appendMicro appends v with six decimals, and zero without a sign. Up to 10⁹ it counts millionths
// in an integer, which is several times faster than strconv.
func appendMicro(dst []byte, v float64) []byte {
	if math.Abs(v) >= 1e9 {
		return strconv.AppendFloat(dst, v, 'f', 6, 64)
	}
	micro := int64(math.RoundToEven(float64(v * 1e6)))
	if micro < 0 {
		dst = append(dst, '-')
		micro = -micro
	}
	dst = strconv.AppendInt(dst, micro/1e6, 10)
	frac := micro % 1e6
	return append(dst, '.',
		byte('0'+frac/1e5), byte('0'+frac/1e4%10), byte('0'+frac/1e3%10),
		byte('0'+frac/100%10), byte('0'+frac/10%10), byte('0'+frac%10))
}
