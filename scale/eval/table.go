// Package eval judges partitions of tables that lie in many splits: by contingency tables, by
// silhouettes of a sample, and by the distances of all rows from centres. The indices themselves
// are those of package eval of the main module.
package eval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
)

// What a table may hold, so that it fits a worker.
const (
	MostNames = 10_000  // clusters, and classes
	MostCells = 1 << 22 // that are not empty
)

// Table counts the rows of each cluster in each class.
type Table struct {
	Found, Truth []string // names of clusters and of classes, sorted as texts
	Cells        []Cell   // those not empty, by found, then truth
	Left         int64    // rows left out, for they have no cluster or no class
}

// Cell is one cell of a Table.
type Cell struct {
	Found, Truth int32 // positions among the names
	Count        int64
}

// Report returns the indices of [eval.Compare]. Names are numbers where all are plain whole ones,
// and 0 is noise then; otherwise they count as words, of which none is noise. It fails with a
// [*fault.Input] on a table without rows.
func (t *Table) Report() (eval.Report, error) { return eval.CompareCells(t.cells()) }

// ReportApart is Report with each row of noise as a cluster of its own.
func (t *Table) ReportApart() (eval.Report, error) { return eval.CompareCellsApart(t.cells()) }

func (t *Table) cells() []eval.Cell {
	found, truth := numbers(t.Found), numbers(t.Truth)
	cells := make([]eval.Cell, len(t.Cells))
	for i, c := range t.Cells {
		cells[i] = eval.Cell{Cluster: found[c.Found], Class: truth[c.Truth], Count: c.Count}
	}
	return cells
}

// numbers returns a number for each name, as the command does when it reads a partition: its own
// where all are plain whole ones, else its position from 1.
func numbers(names []string) []int {
	out := make([]int, len(names))
	for i, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 || strconv.Itoa(n) != name {
			for j := range out {
				out[j] = j + 1
			}
			break
		}
		out[i] = n
	}
	return out
}

// counter makes a table.
type counter struct {
	found, truth names
	cells        map[[2]int32]int64
	left         int64
	most         int // cells
}

// names numbers names by first appearance.
type names struct {
	what string // clusters or classes
	most int
	of   map[string]int32
	list []string
}

func newCounter() *counter {
	return &counter{found: newNames("clusters"), truth: newNames("classes"),
		cells: map[[2]int32]int64{}, most: MostCells}
}

func newNames(what string) names {
	return names{what: what, most: MostNames, of: map[string]int32{}}
}

// number fails beyond so many names.
func (n *names) number(name string) (int32, error) {
	if at, known := n.of[name]; known {
		return at, nil
	}
	if len(n.list) == n.most {
		return 0, fault.Inputf("name a column of clusters or classes, not one of values or ids",
			"there are more than %d %s, among them %q and %q", n.most, n.what, n.list[0], name)
	}
	at := int32(len(n.list))
	n.of[name] = at
	n.list = append(n.list, name)
	return at, nil
}

// add counts rows of a cluster and a class; of those that lack either they are left out.
func (c *counter) add(found, truth string, count int64) error {
	if found == "" || truth == "" {
		c.left += count
		return nil
	}
	f, err := c.found.number(found)
	if err != nil {
		return err
	}
	t, err := c.truth.number(truth)
	if err != nil {
		return err
	}
	at := [2]int32{f, t}
	c.cells[at] += count
	if len(c.cells) > c.most {
		return fault.Inputf("compare with fewer classes, or with fewer clusters",
			"clusters and classes share rows in more than %d pairs", c.most)
	}
	return nil
}

func (c *counter) addTable(t *Table) error {
	c.left += t.Left
	for _, cell := range t.Cells {
		if err := c.add(t.Found[cell.Found], t.Truth[cell.Truth], cell.Count); err != nil {
			return err
		}
	}
	return nil
}

// table returns what was counted, in an order of its own.
func (c *counter) table() *Table {
	t := &Table{Found: slices.Sorted(maps.Keys(c.found.of)),
		Truth: slices.Sorted(maps.Keys(c.truth.of)), Left: c.left}
	place := func(n names, sorted []string) []int32 {
		out := make([]int32, len(sorted))
		for i, name := range sorted {
			out[n.of[name]] = int32(i)
		}
		return out
	}
	f, u := place(c.found, t.Found), place(c.truth, t.Truth)
	for at, count := range c.cells {
		t.Cells = append(t.Cells, Cell{f[at[0]], u[at[1]], count})
	}
	slices.SortFunc(t.Cells,
		func(a, b Cell) int {
			return cmp.Or(cmp.Compare(a.Found, b.Found), cmp.Compare(a.Truth, b.Truth))
		})
	return t
}

// decodeTable reads a table that was encoded.
func decodeTable(data []byte) (*Table, error) {
	t, err := fold.Decode[Table](data)
	if err != nil {
		return nil, fmt.Errorf("scoring: these bytes are no table of counts: %w", err)
	}
	for _, c := range t.Cells {
		if uint32(c.Found) >= uint32(len(t.Found)) || uint32(c.Truth) >= uint32(len(t.Truth)) {
			return nil, fmt.Errorf("scoring: a count of cluster %d and class %d, of %d and %d",
				c.Found, c.Truth, len(t.Found), len(t.Truth))
		}
	}
	return t, nil
}
