package cobra

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
)

// The files of a folder of super-instances.
const (
	// id, the columns as they lie in the data, size, and the class where it is known: what people
	// look at
	MedoidsFile = "medoids.csv"
	// id and the prepared columns: what `kindred ask --embedding` compares
	VectorsFile = "vectors.csv"
	ModelFile   = "super.model" // what `kindred predict` places a row in its super-instance by
)

// sizeColumn is the column of numbers of rows.
const sizeColumn = "size"

// CheckNames refuses columns, or one of classes, that [Table.Save] cannot write as they are named.
func CheckNames(columns []string, label string) error {
	for _, taken := range append([]string{label}, columns...) {
		if taken == sizeColumn || taken == "id" {
			return &fault.Input{Column: taken,
				Problem: "medoids are written with columns of that name",
				Fix: "give the column another name, or leave it out (--drop " +
					words.Shell(taken) + ")"}
		}
	}
	return nil
}

// Unfinished reports whether a folder has nothing but what a [Table.Save] that was cut short left:
// the model, which is written last, is not there.
func Unfinished(entries []os.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		name := e.Name()
		return name != MedoidsFile && name != VectorsFile &&
			(name[0] != '.' || !strings.HasSuffix(name, ".tmp"))
	})
}

// Save writes the files to a folder that exists, the model last.
func (t *Table) Save(folder string) error {
	if err := t.check(); err != nil {
		return err
	}
	if err := CheckNames(t.Names, t.Label); err != nil {
		return err
	}
	if err := t.write(filepath.Join(folder, MedoidsFile), t.Raw, true); err != nil {
		return err
	}
	if err := t.write(filepath.Join(folder, VectorsFile), t.Medoids, false); err != nil {
		return err
	}
	m := method.Model{Method: "kmeans", Means: t.Means, ClusterOf: make([]int, t.Len()),
		Encoding: t.Recipe}
	for i := range m.ClusterOf {
		m.ClusterOf[i] = i + 1
	}
	return model.Save(&m, filepath.Join(folder, ModelFile))
}

// write writes a line a medoid: its id and values, and what else is known of it.
func (t *Table) write(path string, values dataset.Matrix, all bool) error {
	return atomicfile.Write(path, func(to io.Writer) error {
		w := csv.NewWriter(to)
		head := append([]string{"id"}, t.Names...)
		if all {
			head = append(head, sizeColumn)
			if t.Classes != nil {
				head = append(head, t.Label)
			}
		}
		w.Write(head) // errors stay with w
		for i, id := range t.IDs {
			row := []string{safe.Guard(id)}
			for j := range t.Names {
				row = append(row, number(values.At(i, j)))
			}
			if all {
				row = append(row, strconv.FormatInt(t.Sizes[i], 10))
				if t.Classes != nil {
					row = append(row, safe.Guard(t.Classes[i]))
				}
			}
			w.Write(row)
		}
		w.Flush()
		return w.Error()
	})
}

// number writes a value so that it comes back bit for bit; what is missing is empty.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Load reads what [Table.Save] wrote, the classes aside.
func Load(ctx context.Context, folder string) (*Table, error) {
	if _, err := os.Stat(filepath.Join(folder, ModelFile)); err != nil {
		return nil, &fault.Input{File: folder, Problem: "is no folder of super-instances",
			Fix: "give the folder that kindred-scale super --out wrote", Err: err}
	}
	m, err := model.Load(filepath.Join(folder, ModelFile))
	if err != nil {
		return nil, err
	}
	t := &Table{Means: m.Means, Recipe: m.Encoding, Names: m.Encoding.Names()}
	path := filepath.Join(folder, MedoidsFile)
	if t.Raw, err = t.read(ctx, path, true); err != nil {
		return nil, err
	}
	if t.Medoids, err = t.read(ctx, filepath.Join(folder, VectorsFile), false); err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, &fault.Input{File: folder, Problem: "its files do not belong together",
			Fix: "make it again with kindred-scale super", Err: err}
	}
	return t, nil
}

// read reads the values of a file of medoids, and with sizes also ids and sizes.
func (t *Table) read(ctx context.Context, path string, sizes bool) (dataset.Matrix, error) {
	columns := t.Names
	if sizes {
		columns = append(append([]string{}, t.Names...), sizeColumn)
	}
	table, err := dataset.Read(ctx, path, dataset.ReadOptions{ID: "id", Features: columns})
	if err != nil {
		return dataset.Matrix{}, err
	}
	at := make([]int, len(columns))
	for j, name := range columns {
		if at[j] = table.Column(name); at[j] < 0 || !table.HasValues(at[j]) {
			return dataset.Matrix{},
				&fault.Input{File: path, Column: name, Problem: "is missing or holds no numbers",
					Fix: "leave the files as kindred-scale super wrote them"}
		}
	}
	values := make([]float64, 0, table.Rows*len(t.Names))
	for i := range table.Rows {
		for j := range t.Names {
			values = append(values, table.Value(i, at[j]))
		}
		if sizes {
			size := table.Value(i, at[len(t.Names)])
			if !(size >= 1 && size < 1<<53) {
				return dataset.Matrix{},
					&fault.Input{File: path, Row: i + 1, Column: sizeColumn,
						Problem: fmt.Sprintf("%v is no number of rows", size),
						Fix:     "leave the files as kindred-scale super wrote them"}
			}
			t.IDs = append(t.IDs, safe.Unguard(table.ID(i)))
			t.Sizes = append(t.Sizes, int64(size))
		}
	}
	return dataset.NewMatrix(table.Rows, len(t.Names), values)
}
