// Package survey looks at a whole table once, before anything is computed from it: how many rows
// each split has, the range, mean and variance of each column, the classes, and the rows that
// cannot be read.
package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// MaxClasses is how many different classes are listed.
const MaxClasses = 10000

// Survey is what a table holds. It travels as JSON.
type Survey struct {
	Rows  int64 // readable ones
	Whole int64 // of them, those without a missing value
	// with Rows and First filled in; rows that cannot be read have no number
	Splits  []shard.Split
	Columns []Column // as Source.Columns
	// sorted, as numbers when all of them are; nil without Source.Label, and when ManyClasses
	Classes     []string
	ManyClasses bool // there are more than MaxClasses classes
	Tally       shard.Tally
	Files       string // fingerprint of the files' names, sizes and times, as files returns it
	// of files, the counts and the figures, in hexadecimal: another one means other data
	Fingerprint string
}

// Column is what a column of numbers holds.
type Column struct {
	Name    string
	Boolean bool // true and false, 1 and 0 in the figures
	Figures
	Missing int64
	Split   int   // the first split with a missing value, and
	Row     int64 // the number of its row there, from 0; only where Missing > 0
	// of the rows without any missing value; nil where all rows are whole, or none is
	Whole *Figures
}

// Figures are of the values present, and 0 where there are none. Min and Max are exact. Mean and
// deviation are gathered about the means of blocks of rows and merged in the order of the rows, so
// that they depend on the files alone; they agree with those that package dataset finds for the
// same table within 10⁻¹² of the column's range.
type Figures struct {
	Min, Max  float64
	Mean      float64
	Variance  float64 // Σ(x − mean)²/n; the largest float64 where it is beyond
	Deviation float64 // its root, which is never beyond where Max − Min is not
}

// Kept is how many rows the preparation of the source leaves.
func (s *Survey) Kept(src shard.Source) int64 {
	if src.Prepare.Missing == shard.MissingDrop {
		return s.Whole
	}
	return s.Rows
}

// Run reads all splits once. It fails with a [*fault.Input] when there are no rows, and when more
// of them are unreadable than src.BadRows bears; src.Prepare and src.ID do not matter.
func Run(ctx context.Context, r fold.Runner, src shard.Source, splits []shard.Split) (*Survey,
	error) {
	files, err := files(ctx, splits)
	if err != nil {
		return nil, err
	}
	src.ID, src.Prepare = "", shard.Preparation{Missing: shard.MissingKeep}
	// The fingerprint of the files is in the configuration so that no earlier survey is taken for
	// one of changed files.
	out, err := fold.Run(ctx, r, fold.Plan{Job: jobName, Source: src, Splits: splits, Rounds: 1},
		job{Columns: len(src.Columns), Files: files})
	if err != nil {
		return nil, err
	}
	if err := src.BadRows.Check(out.Tally); err != nil {
		return nil, err
	}
	f, err := decodeFindings(out.State)
	if err != nil {
		return nil, err
	}
	return f.survey(src, splits, files, out.Tally)
}

// survey puts the findings together.
func (f *findings) survey(src shard.Source, splits []shard.Split, files string,
	tally shard.Tally) (*Survey, error) {
	if len(f.rows) != len(splits) || len(f.columns) != len(src.Columns) {
		return nil, fmt.Errorf("survey: found %d splits and %d columns, want %d and %d",
			len(f.rows), len(f.columns), len(splits), len(src.Columns))
	}
	s := &Survey{Whole: f.whole, ManyClasses: f.classes.many, Tally: tally, Files: files}
	for i, split := range splits {
		split.Rows, split.First = f.rows[i], s.Rows
		s.Rows += f.rows[i]
		s.Splits = append(s.Splits, split)
	}
	if s.Rows == 0 {
		return nil, &fault.Input{File: splits[0].File,
			Problem: "has no readable rows, nor have other files", Fix: "give a table with rows"}
	}
	if src.Label != "" && !s.ManyClasses {
		s.Classes = f.classes.sorted()
	}
	for j, name := range src.Columns {
		c := &f.columns[j]
		column := Column{Name: name, Boolean: slices.Contains(src.Booleans, name),
			Figures: c.Present.figures(), Missing: s.Rows - c.Present.N}
		if column.Missing > 0 {
			column.Split, column.Row = int(c.Split), c.Row
		}
		if s.Whole > 0 && s.Whole < s.Rows {
			whole := c.Whole.figures()
			column.Whole = &whole
		}
		s.Columns = append(s.Columns, column)
	}
	var err error
	s.Fingerprint, err = s.fingerprint()
	return s, err
}
