// Package survey looks at a whole table once, before anything is computed from it: how many rows each split has, the range, mean
// and variance of each column, the classes, and the rows that cannot be read.
package survey

import (
	"github.com/kindred-go/kindred/scale/shard"
)

// MaxClasses is how many different classes are listed.
const MaxClasses = 10000

// Survey is what a table holds. It travels as JSON.
type Survey struct {
	Rows        int64         // readable ones
	Splits      []shard.Split // with Rows and First filled in
	Columns     []Column      // as Source.Columns
	Classes     []string      // sorted; nil without Source.Label, and when there are more than MaxClasses
	ManyClasses bool          // there are more than MaxClasses classes
	Tally       shard.Tally
	Fingerprint string // of the files (paths, sizes, times where known), and of the counts and statistics, in hexadecimal
}

// Column is what a column of numbers holds. The figures are of the values present, and 0 where there are none.
type Column struct {
	Name     string
	Min, Max float64
	Mean     float64
	Variance float64 // Σ(x − mean)²/n
	Missing  int64
	Split    int   // the first split with a missing value, and
	Row      int64 // the number of its row there, from 0; only where Missing > 0
}
