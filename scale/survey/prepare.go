package survey

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/shard"
)

// Prepare reports how rows are prepared, as [dataset.Table.Prepare] does it. scale is none, minmax
// or zscore ("": minmax), missing is refuse, drop or mean ("": refuse). Under none and minmax
// prepared values equal those of dataset in every bit, but for means filled in; under zscore they
// agree as far as mean and deviation do.
//
// It fails with a [*fault.Input] for other names, for missing values that are to be refused, for a
// column without values, and for one whose range is beyond float64.
func (s *Survey) Prepare(scale, missing string) (shard.Preparation, error) {
	none := shard.Preparation{}
	scale = cmp.Or(scale, dataset.ScaleMinMax.String())
	missing = cmp.Or(missing, shard.MissingRefuse)
	how, err := dataset.ParseScale(scale)
	if err != nil {
		return none, fault.Inputf("minmax brings columns to [0, 1]", "%s", err.Error())
	}
	p := shard.Preparation{Missing: missing}
	switch missing {
	case shard.MissingRefuse:
		if err := s.refuse(); err != nil {
			return none, err
		}
	case shard.MissingDrop:
		if s.Whole == 0 {
			return none, &fault.Input{File: s.Splits[0].File,
				Problem: "every row has a missing value, so dropping such rows leaves none",
				Fix: "leave out the columns that lack most (--drop), or fill them in (--missing " +
					"mean)"}
		}
	case shard.MissingMean:
		for _, c := range s.Columns {
			if c.Missing == s.Rows {
				return none, &fault.Input{File: s.Splits[0].File, Column: c.Name,
					Problem: "has no values, so there is nothing to fill it in with",
					Fix:     "leave it out (--drop)"}
			}
			p.Fill = append(p.Fill, s.fill(c))
		}
	case dataset.MissingMedian.String():
		return none, fault.Inputf("fill in the mean (--missing mean)",
			"the median of a column in many files is not known, so it cannot be filled in")
	default:
		return none, fault.Inputf("give one of refuse, drop, mean",
			"unknown treatment of missing values %q", missing)
	}
	if how == dataset.ScaleNone {
		return p, nil
	}
	for _, c := range s.Columns {
		shift, divisor := s.scaling(c, how, missing)
		if math.IsInf(divisor, 0) || math.IsNaN(divisor) {
			return none, &fault.Input{File: s.Splits[0].File, Column: c.Name,
				Problem: "its values are too far apart to be scaled in 64-bit numbers",
				Fix:     "rescale or drop the column"}
		}
		p.Shift, p.Divisor = append(p.Shift, shift), append(p.Divisor, divisor)
	}
	return p, nil
}

// scaling returns what is taken off the values of a column, and what they are divided by then: 0
// for a constant column.
func (s *Survey) scaling(c Column, how dataset.Scale, missing string) (shift, divisor float64) {
	f := c.Figures
	if missing == shard.MissingDrop && c.Whole != nil {
		f = *c.Whole
	}
	shift, divisor = f.Min, f.Max-f.Min
	if how == dataset.ScaleMinMax || divisor == 0 || math.IsInf(divisor, 0) {
		return shift, divisor
	}
	deviation := f.Deviation
	switch {
	case missing == shard.MissingMean && c.Boolean:
		share := (float64(s.ones(c)) + float64(float64(c.Missing)*s.fill(c))) / float64(s.Rows)
		return share, max(math.Sqrt(share*(1-share)), math.SmallestNonzeroFloat64)
	case missing == shard.MissingMean && c.Missing > 0: // values filled in lie at the mean
		deviation *= math.Sqrt(float64(s.Rows-c.Missing) / float64(s.Rows))
	}
	return f.Mean, max(deviation, math.SmallestNonzeroFloat64)
}

// fill returns what stands for the missing values of a column: the mean, and of true and false the
// one there is more of, false where they are as many.
func (s *Survey) fill(c Column) float64 {
	switch {
	case !c.Boolean:
		return c.Mean
	case 2*s.ones(c) > s.Rows-c.Missing:
		return 1
	}
	return 0
}

// ones counts the values of a boolean column that are true.
func (s *Survey) ones(c Column) int64 {
	return int64(math.Round(c.Mean * float64(s.Rows-c.Missing)))
}

// refuse reports the first missing value.
func (s *Survey) refuse() error {
	var first *Column
	count, columns := int64(0), 0
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.Missing == 0 {
			continue
		}
		count += c.Missing
		columns++
		if first == nil || c.Split < first.Split || c.Split == first.Split && c.Row < first.Row {
			first = c
		}
	}
	if first == nil {
		return nil
	}
	at := s.Splits[first.Split]
	row := first.Row + 1
	for _, split := range s.Splits[:first.Split] {
		if split.File == at.File {
			row += split.Rows
		}
	}
	problem := "the value is missing"
	if count > 1 {
		problem = fmt.Sprintf("the first of %d missing values in %d of the columns", count, columns)
	}
	return &fault.Input{File: at.File, Row: int(row), Column: first.Name, Problem: problem,
		Fix: "drop such rows (--missing drop), fill them in (--missing mean), or leave the " +
			"column out (--drop " + words.Shell(first.Name) + ")"}
}
