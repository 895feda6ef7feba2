package partition

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
)

// usual are the names of columns that hold clusters or classes, the first found wins.
var usual = []string{ClusterColumn, "class", "label", "target", "species"}

// Partition is a partition as read: the cluster or class of each row.
type Partition struct {
	Labels []int // per row: the number in the column, or where they are words the word's position from 1; -1 is missing
	Table  *dataset.Table
}

// Of takes the labels of a table that was read with a label column. The numbers are kept if the
// column holds whole numbers only, and words are numbered from 1 in their order.
func Of(t *dataset.Table) (*Partition, error) {
	codes, names, ok := t.Labels()
	if !ok {
		return nil, &fault.Input{File: t.Name, Problem: "no column of clusters or classes is named", Mend: "name it with --label"}
	}
	value := make([]int, len(names))
	for i, name := range names {
		n, err := strconv.Atoi(strings.TrimSpace(name))
		if err != nil || n < 0 {
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
		if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, want) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// Matched are the labels that two partitions give to the rows that both label.
type Matched struct {
	Pred, Truth []int
	Rows        []int // the row in the truth's table
	Left        int   // rows of the truth that the other partition lacks
}

// Match matches the rows of two partitions by id; rows without an id column have their number from 1
// as id. Each id of pred must be in truth.
func Match(ctx context.Context, pred, truth *Partition) (*Matched, error) {
	m := &Matched{Left: len(truth.Labels) - len(pred.Labels)}
	for row, label := range pred.Labels {
		if row%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		id := pred.Table.ID(row)
		other, ok := truth.Table.RowOf(id)
		if !ok {
			other, ok = truth.Table.RowOf(safe.Unguard(id))
		}
		if !ok {
			return nil, &fault.Input{
				File: pred.Table.Name, Row: row + 1,
				Problem: fmt.Sprintf("the id %q is not in %s", id, truth.Table.Name),
				Mend:    "give the file that the partition was made from, with its --id column",
			}
		}
		if label >= 0 && truth.Labels[other] >= 0 {
			m.Pred, m.Truth, m.Rows = append(m.Pred, label), append(m.Truth, truth.Labels[other]), append(m.Rows, other)
		}
	}
	return m, nil
}
