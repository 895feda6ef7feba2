package shard

import (
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// check holds a preparation against the number of columns.
func (p Preparation) check(columns int) error {
	switch p.Missing {
	case "", MissingRefuse, MissingDrop, MissingKeep:
	case MissingMean:
		if len(p.Fill) != columns {
			return fault.Inputf("survey the table first",
				"missing values cannot be filled in without one value for each column")
		}
	default:
		return fault.Inputf("give one of refuse, drop, mean",
			"unknown treatment of missing values %s", p.Missing)
	}
	if len(p.Shift) != len(p.Divisor) || len(p.Shift) != 0 && len(p.Shift) != columns {
		return fault.Inputf("survey the table first",
			"the scaling is not of the table's columns")
	}
	return nil
}

// preparer applies a preparation to blocks of one split.
type preparer struct {
	Preparation
	source  *Source
	tally   *Tally
	numbers []int64
}

// apply prepares a block in place: rows may be left out of it.
func (p *preparer) apply(r *raw) error {
	d := r.X.Cols
	p.tally.Rows += int64(r.X.Rows)
	if !allFinite(r.X.F64) {
		kept, dropped := 0, false
		for i := range r.X.Rows {
			row := r.X.F64[i*d : (i+1)*d]
			whole, err := p.treat(r, i, row)
			if err != nil {
				return err
			}
			if !whole {
				if !dropped {
					dropped = true
					p.numbers = p.numbers[:0]
					for k := range i {
						p.numbers = append(p.numbers, r.Number(k))
					}
				}
				p.tally.Dropped++
				continue
			}
			if dropped {
				p.numbers = append(p.numbers, r.Number(i))
				copy(r.X.F64[kept*d:], row)
				for _, texts := range [][]string{r.IDs, r.Labels} {
					if texts != nil {
						texts[kept] = texts[i]
					}
				}
			}
			kept++
		}
		if dropped {
			r.X.Rows, r.X.F64, r.Numbers = kept, r.X.F64[:kept*d], p.numbers
			r.IDs, r.Labels = r.IDs[:min(kept, len(r.IDs))], r.Labels[:min(kept, len(r.Labels))]
		}
	}
	if p.Shift != nil {
		scale(r.X.F64, p.Shift, p.Divisor)
	}
	if p.source.Single && (p.Shift != nil || p.Missing == MissingMean) {
		for i, v := range r.X.F64 {
			r.X.F64[i] = float64(float32(v))
		}
	}
	return nil
}

// treat looks at a row for values that are no numbers; whole is false when the row is to be left
// out. An infinity is refused even then.
func (p *preparer) treat(r *raw, i int, row []float64) (whole bool, err error) {
	whole = true
	for j, v := range row {
		switch {
		case v-v == 0:
		case !math.IsNaN(v):
			in := r.place(i)
			in.Column, in.Problem, in.Fix = p.source.Columns[j], "is infinite",
				"give a finite number, or NaN for a missing value"
			return false, &in
		case p.Missing == MissingKeep:
		case p.Missing == MissingDrop:
			whole = false
		case p.Missing == MissingMean:
			row[j] = p.Fill[j]
			if p.source.Single {
				row[j] = float64(float32(row[j]))
			}
		default:
			in := r.place(i)
			in.Column, in.Problem = p.source.Columns[j], "the value is missing"
			in.Fix = "drop such rows (--missing drop), fill them in (--missing mean), or leave " +
				"the column out (--drop " + words.Shell(in.Column) + ")"
			return false, &in
		}
	}
	return whole, nil
}

// allFinite reports whether no value is NaN or infinite.
func allFinite(values []float64) bool {
	a, b := 0.0, 0.0 // two sums, so that one addition does not wait for the other
	for ; len(values) >= 4; values = values[4:] {
		a += (values[0] - values[0]) + (values[1] - values[1])
		b += (values[2] - values[2]) + (values[3] - values[3])
	}
	for _, v := range values {
		a += v - v
	}
	return a+b == 0
}

// scale brings rows to the scale of the whole table.
func scale(values, shift, divisor []float64) {
	d := len(shift)
	divisor = divisor[:d]
	for ; len(values) >= d; values = values[d:] {
		row := values[:d]
		for j, v := range row {
			if divisor[j] == 0 {
				row[j] = 0
			} else {
				row[j] = (v - shift[j]) / divisor[j]
			}
		}
	}
}
