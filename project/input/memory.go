package input

import (
	"context"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Memory are DATA that a program made, in place of a file: rows of features, or dissimilarities. A
// [Place] that has them finds them by any name.
type Memory struct {
	// Values are n rows of d features, or n×n dissimilarities where that is set. They are not
	// copied where that is not needed, and must not change.
	Values dataset.Matrix
	// Columns names the d features, each by another name; nil: x1, x2, ….
	Columns []string
}

// Table returns the values as rows of features.
func (m *Memory) Table(ctx context.Context, name string) (*dataset.Table, error) {
	t, err := dataset.FromMatrix(ctx, name, m.Values)
	if err != nil || m.Columns == nil {
		return t, err
	}
	if len(m.Columns) != len(t.Columns) {
		return nil, &fault.Input{File: name, Problem: "there are " +
			words.Count(len(m.Columns), "name") + " for " + words.Count(len(t.Columns), "column"),
			Fix: "give one name a column"}
	}
	at := make(map[string]int, len(m.Columns))
	for j, column := range m.Columns {
		if before, twice := at[column]; twice || column == "" {
			problem := "has no name"
			if twice {
				problem = "has the name " + words.Short(column) + " of column " +
					strconv.Itoa(before+1)
			}
			return nil, &fault.Input{File: name, Column: strconv.Itoa(j + 1), Problem: problem,
				Fix: "give each column a name of its own"}
		}
		at[column] = j
		t.Columns[j].Name = column
	}
	return t, nil
}

// matrix returns the values as dissimilarities.
func (m *Memory) matrix(ctx context.Context, name string, threads int) (*dissim.Dense,
	dissim.Report, error) {
	return dissim.FromMatrix(ctx, name, m.Values, threads)
}
