package partition

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
)

// usual are the names of columns that hold clusters or classes, the first found wins.
var usual = []string{ClusterColumn, "class", "label", "target", "species"}

// Partition is a partition as read: the cluster or class of each row.
type Partition struct {
	// per row: the number in the column, or where they are words the word's position from 1; -1 is
	// missing
	Labels []int
	Table  *dataset.Table
}

// Of takes the labels of a table that was read with a label column. The numbers are kept if the
// column holds plain whole numbers only (01 is none), and words are numbered from 1 in their order.
func Of(t *dataset.Table) (*Partition, error) {
	codes, names, ok := t.Labels()
	if !ok {
		return nil, &fault.Input{File: t.Name, Problem: "no column of clusters or classes is named",
			Fix: "name it with --label"}
	}
	value := make([]int, len(names))
	for i, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 || strconv.Itoa(n) != name {
			for j := range value {
				value[j] = j + 1
			}
			break
		}
		value[i] = n
	}
	p := &Partition{Labels: make([]int, len(codes)), Table: t}
	for row, c := range codes {
		p.Labels[row] = -1
		if c >= 0 {
			p.Labels[row] = value[c]
		}
	}
	return p, nil
}

// LabelColumn picks the column of clusters or classes among names: the first there is of cluster,
// class, label, target and species, letter case aside; "" if there is none.
func LabelColumn(names []string) string {
	for _, want := range usual {
		if i := slices.IndexFunc(names,
			func(name string) bool { return strings.EqualFold(name, want) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// Matched are the rows that two partitions have in common.
type Matched struct {
	Pred, Truth []int // the label of each row in each partition; -1 is missing
	Rows        []int // the row in the truth's table
}

// Both returns the labels and rows that both partitions label.
func (m *Matched) Both() (pred, truth, rows []int) {
	for i, row := range m.Rows {
		if m.Pred[i] >= 0 && m.Truth[i] >= 0 {
			pred, truth, rows = append(pred, m.Pred[i]), append(truth, m.Truth[i]),
				append(rows, row)
		}
	}
	return pred, truth, rows
}

// Match matches the rows of two partitions by id; rows without an id column have their number from
// 1 as id. Each id of pred must be in truth.
func Match(ctx context.Context, pred, truth *Partition) (*Matched, error) {
	m := &Matched{}
	for row, label := range pred.Labels {
		if row%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		other, ok := find(pred.Table, row, truth.Table)
		if !ok {
			return nil, &fault.Input{
				File: pred.Table.Name, Row: row + 1,
				Problem: fmt.Sprintf("the id %q is not in %s", pred.Table.ID(row),
					truth.Table.Name),
				Fix: "give the file that the partition was made from, and name its column of " +
					"ids",
			}
		}
		m.Pred, m.Truth, m.Rows = append(m.Pred, label), append(m.Truth, truth.Labels[other]),
			append(m.Rows, other)
	}
	return m, nil
}

// find looks a row's id up in another table. In CSV it may be guarded against spreadsheets.
func find(t *dataset.Table, row int, in *dataset.Table) (int, bool) {
	id := t.ID(row)
	if t.Format == dataset.FormatCSV {
		if other, ok := in.RowOf(safe.Unguard(id)); ok {
			return other, true
		}
	}
	return in.RowOf(id)
}
