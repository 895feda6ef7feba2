// Package cobra carries super-instances of a table that no machine holds: a few thousand rows that
// stand for all others, which one machine asks about by COBRA, and whose groups are then those of
// every row.
//
// A super-instance is a group of k-means with its mean, its medoid (the member nearest the mean)
// and its number of rows. COBRA looks at nothing else of a table, so its questions and its groups
// are those of a run in which all rows are at hand.
package cobra

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Table is super-instances: row i of each of its parts is about super-instance i.
type Table struct {
	Names   []string         // of the d columns
	IDs     []string         // of the medoids, all different
	Raw     dataset.Matrix   // medoids as they lie in the data, N×d; NaN is missing
	Medoids dataset.Matrix   // the same, prepared
	Means   dataset.Matrix   // prepared; a row belongs to the nearest
	Sizes   []int64          // rows
	Label   string           // the column of classes; "": none
	Classes []string         // of the medoids, "" where missing; nil: not known
	Recipe  dataset.Encoding // how rows are prepared

	Linked []Linked // further rows that links name; they are asked about no more than others
}

// Linked is a row that links name, and that stands for no others.
type Linked struct {
	ID string
	Of int // its super-instance
}

// Len is the number of super-instances.
func (t *Table) Len() int { return len(t.IDs) }

// Rows is the number of rows that all of them stand for.
func (t *Table) Rows() (n int64) {
	for _, size := range t.Sizes {
		n += size
	}
	return n
}

// check reports whether the parts fit each other.
func (t *Table) check() error {
	n, d := t.Len(), len(t.Names)
	for _, m := range []dataset.Matrix{t.Raw, t.Medoids, t.Means} {
		if m.Rows != n || m.Cols != d {
			return fmt.Errorf("super: %d×%d values for %d super-instances of %d columns", m.Rows,
				m.Cols, n, d)
		}
	}
	if len(t.Sizes) != n || t.Classes != nil && len(t.Classes) != n {
		return fmt.Errorf("super: %d sizes and %d classes for %d super-instances", len(t.Sizes),
			len(t.Classes), n)
	}
	seen := make(map[string]bool, n)
	for _, id := range t.IDs {
		if seen[id] {
			return fault.Inputf("name a column of ids that differ with --id, or none",
				"two rows that stand for others have the id %q", id)
		}
		seen[id] = true
	}
	return nil
}

// start begins a run of COBRA on the super-instances: its rows are theirs, from 0, and then those
// of Linked. Clusters are numbered by all rows that they stand for. Of cfg, Given (links between
// those rows) and Contradictions count.
func (t *Table) start(cfg cobra.Config) (*cobra.Run, error) {
	n := t.Len()
	if err := t.check(); err != nil {
		return nil, err
	}
	if n > cobra.MaxSuperInstances {
		return nil, fault.Inputf(
			fmt.Sprintf("make up to %d with --super-instances", cobra.MaxSuperInstances),
			"%d super-instances are too many to ask about", n)
	}
	si := &cobra.SuperInstances{Of: make([]int32, n), Medoids: make([]int, n), Means: t.Means,
		Sizes: make([]int, n)}
	for i, size := range t.Sizes {
		if size < 1 || size > math.MaxInt {
			return nil, fmt.Errorf("super: super-instance %d has %d rows", i, size)
		}
		si.Of[i], si.Medoids[i], si.Sizes[i] = int32(i), i, int(size)
	}
	data := dataset.Matrix{Rows: n, Cols: len(t.Names), F64: slices.Clone(t.Medoids.F64)}
	for _, l := range t.Linked {
		si.Of = append(si.Of, int32(l.Of))
		data.F64 = t.Means.AppendRow(data.F64, l.Of) // COBRA looks at the values of medoids alone
		data.Rows++
	}
	return cobra.Start(si, data, cfg)
}

// codes numbers the classes of the medoids from 0, in order of their first appearance; −1 is
// missing.
func (t *Table) codes() []int32 {
	codes, known := make([]int32, t.Len()), map[string]int32{}
	for i := range codes {
		codes[i] = -1
		if t.Classes == nil || t.Classes[i] == "" {
			continue
		}
		code, seen := known[t.Classes[i]]
		if !seen {
			code = int32(len(known))
			known[t.Classes[i]] = code
		}
		codes[i] = code
	}
	return codes
}

// Name returns the id of a row of a run.
func (t *Table) Name(row int) string {
	if row < t.Len() {
		return t.IDs[row]
	}
	return t.Linked[row-t.Len()].ID
}
