package input

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
)

// Numbered reports whether the rows have no ids, and are named by their numbers.
func (d *Data) Numbered() bool {
	return d.IsMatrix() || !slices.ContainsFunc(d.Table.Columns,
		func(c dataset.Column) bool { return c.Role == dataset.ID })
}

// Contents returns a function that returns a digest of the values of a row of the table, by which
// the row can be found again among others: of all columns by name, whatever their order and roles.
// It is nil for a matrix of dissimilarities, whose rows hold nothing of their own. All cells must
// have been kept.
func (d *Data) Contents() func(tableRow int) string {
	if d.IsMatrix() {
		return nil
	}
	var columns []int
	for i := range d.Table.Columns {
		if d.Table.Hidden(i) == "" {
			columns = append(columns, i)
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int {
		return strings.Compare(d.Table.Columns[a].Name, d.Table.Columns[b].Name)
	})
	return func(row int) string {
		h := sha256.New()
		for _, c := range columns {
			name, cell := d.Table.Columns[c].Name, d.Table.Cell(row, c)
			fmt.Fprintf(h, "%d %s %d ", len(name), name, len(cell))
			io.WriteString(h, cell)
		}
		if at, ok := d.Of(row); ok && d.Objects.Series != nil {
			fmt.Fprint(h, d.Objects.Series[at])
		}
		return hex.EncodeToString(h.Sum(nil)[:16])
	}
}

// Find finds a row of the table, before preparation, by id.
func (d *Data) Find(id string) (tableRow int, ok bool) { return d.resolve(id) }

// NameOf returns the id of a row of the table.
func (d *Data) NameOf(tableRow int) string { return d.Table.ID(tableRow) }
