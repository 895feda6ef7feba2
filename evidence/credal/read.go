package credal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/pages"
	"github.com/kindred-go/kindred/internal/safe"
)

// Read reads a credal partition and the ids of its rows from a CSV, JSON lines or Parquet file,
// plain, .gz or .zst. It needs the columns id and m_F of each focal set F, as [NewWriter] names
// them, in any order; the others are worked out anew where they are wanted. What is wrong with a
// row is reported with its location: also where in a text the numbers that follow from the masses
// are others than the masses make them, or in Parquet the digest of ids and masses is another.
func Read(ctx context.Context, path string) (*Partition, []string, error) {
	h, err := header(path)
	if err != nil {
		return nil, nil, err
	}
	names := h.columns
	c, columns, err := massColumns(path, names)
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(names, partition.IDColumn) {
		return nil, nil, &fault.Input{File: path,
			Problem: fmt.Sprintf("has no column %q", partition.IDColumn),
			Fix:     "give one with the name of each row"}
	}
	derived := map[string]int{}
	if !h.parquet {
		derived = derivedColumns(names, c)
	}
	t, err := dataset.Read(ctx, path, dataset.ReadOptions{ID: partition.IDColumn,
		Features: slices.AppendSeq(slices.Collect(maps.Keys(columns)), maps.Keys(derived))})
	if err != nil {
		return nil, nil, err
	}
	if err := checkNumbers(t); err != nil {
		return nil, nil, err
	}
	ids := make([]string, t.Rows)
	for i := range ids {
		ids[i] = t.ID(i)
		if t.Format == dataset.FormatCSV {
			ids[i] = safe.Unguard(ids[i])
		}
	}
	table, err := t.Prepare(ctx, dataset.Preparation{Scale: dataset.ScaleNone, Consume: true})
	if err != nil {
		return nil, nil, err
	}
	p, err := assemble(path, c, columns, table)
	if err == nil {
		err = p.follows(path, derived, table)
	}
	if err == nil && h.digest != "" {
		err = p.verify(path, h.digest, ids)
	}
	if err != nil {
		return nil, nil, err
	}
	p.Unverified = h.parquet && h.digest == ""
	return p, ids, nil
}

// Is reports whether a file has columns of masses, and so is a credal partition, sound or not.
func Is(path string) bool {
	h, err := header(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(h.columns,
		func(name string) bool { return strings.HasPrefix(name, "m_{") })
}

// massColumns finds the columns of masses, and how many clusters there are.
func massColumns(path string, names []string) (clusters int, columns map[string]belief.Set,
	err error) {
	columns = map[string]belief.Set{}
	taken := map[belief.Set]string{}
	for _, name := range names {
		if k, err := strconv.Atoi(strings.TrimPrefix(name, "pl_")); err == nil &&
			k <= belief.MaxClusters && strings.HasPrefix(name, "pl_") {
			clusters = max(clusters, k)
		}
		text, ok := strings.CutPrefix(name, "m_")
		if !ok || !strings.HasPrefix(text, "{") {
			continue
		}
		s, err := belief.ParseSet(text, belief.MaxClusters)
		if err != nil {
			return 0, nil, &fault.Input{File: path, Column: name,
				Problem: "the name is not that of a focal set",
				Fix:     "name it by its clusters, such as m_{1+2}", Err: err}
		}
		if other, ok := taken[s]; ok {
			return 0, nil, &fault.Input{File: path, Column: name,
				Problem: "is of the same focal set as " + other, Fix: "leave one of the two out"}
		}
		columns[name], taken[s] = s, name
		clusters = max(clusters, bits.Len64(uint64(s)))
	}
	if len(columns) == 0 {
		return 0, nil, &fault.Input{File: path, Problem: "has no columns of masses, such as m_{1}",
			Fix: "give a credal partition that kindred wrote, as CSV, JSON lines or Parquet"}
	}
	return max(1, clusters), columns, nil
}

// checkNumbers finds the first value that made a column of masses one of texts, and the first mass
// that is missing.
func checkNumbers(t *dataset.Table) error {
	features := t.Features()
	for j, column := range t.Columns {
		if !slices.Contains(features, column.Name) {
			continue
		}
		if column.Type == dataset.Number {
			for i := 0; column.Missing > 0 && i < t.Rows; i++ {
				if math.IsNaN(t.Value(i, j)) {
					return &fault.Input{File: t.Name, Row: i + 1, Column: column.Name,
						Problem: "the mass is missing", Fix: "give a number from 0 to 1"}
				}
			}
			continue
		}
		for i := range t.Rows {
			if cell := t.Cell(i, j); cell != "" {
				if _, err := strconv.ParseFloat(cell, 64); err == nil {
					continue
				}
				return &fault.Input{File: t.Name, Row: i + 1, Column: column.Name,
					Problem: fmt.Sprintf("%.40q is no mass", cell),
					Fix:     "give a number from 0 to 1"}
			}
		}
		return &fault.Input{File: t.Name, Column: column.Name, Problem: "holds no masses",
			Fix: "give numbers from 0 to 1"}
	}
	return nil
}

// assemble puts the columns in the order of the focal sets and checks the masses.
func assemble(path string, c int, columns map[string]belief.Set,
	table *dataset.Prepared) (*Partition, error) {
	var found []belief.Set
	var at []int // columns of the table
	for j, name := range table.Names {
		if s, ok := columns[name]; ok {
			found, at = append(found, s), append(at, j)
		}
	}
	focal, err := belief.Sort(c, found)
	if err != nil {
		return nil, inFile(err, path)
	}
	place := map[belief.Set]int{}
	for j, s := range focal {
		place[s] = j
	}
	x, f := table.X, len(focal)
	p := &Partition{Clusters: c, Focal: focal, Mass: make([]float64, x.Rows*f)}
	p.rows(func(i int, row, _ []float64) {
		for j, s := range found {
			row[place[s]] = x.At(i, at[j])
		}
	})
	return p, inFile(p.Check(), path)
}

// headerLimit is how many bytes of text are searched for the names of the columns: enough for all
// focal sets there may be.
const headerLimit = 4 << 20

// heading is what is before the rows of a file, or behind them.
type heading struct {
	columns []string
	parquet bool
	digest  string // of Parquet; "" for none
}

// header returns the heading of a file.
func header(path string) (h heading, err error) {
	f, err := infile.Open(path, "a credal partition")
	if err != nil {
		return h, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	magic, err := in.Peek(4)
	if err != nil && err != io.EOF {
		if about, ok := errors.AsType[*fs.PathError](err); ok {
			err = about.Err
		}
		return h, &fault.Input{File: path, Problem: "cannot be read: " + err.Error(),
			Fix: "check the name and the folder", Err: err}
	}
	if string(magic) == "PAR1" {
		return parquetHeader(path, f)
	}
	if h.columns, err = textHeader(in); err != nil {
		return h, &fault.Input{File: path,
			Problem: "the names of the columns cannot be read: " + err.Error(),
			Fix:     "give a credal partition that kindred wrote", Err: err}
	}
	return h, nil
}

func parquetHeader(path string, f *os.File) (h heading, err error) {
	defer pages.Recover(path, &err) // the library panics over some damage
	info, err := f.Stat()
	if err != nil {
		return h, err
	}
	in, err := pages.Open(f, info.Size())
	if err != nil {
		return h, pages.Fault(path, err)
	}
	h.parquet = true
	h.digest, _ = in.Lookup(digestKey)
	for _, path := range in.Schema().Columns() {
		h.columns = append(h.columns, strings.Join(path, "."))
	}
	return h, nil
}

// textHeader reads the first record of CSV, or the keys of the first object of JSON lines.
func textHeader(in *bufio.Reader) ([]string, error) {
	same := func(err error) error { return err }
	r, done, err := infile.Unpack(in, infile.Compressed(in), same)
	if err != nil {
		return nil, err
	}
	defer done()
	b := bufio.NewReader(io.LimitReader(r, headerLimit))
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		b.Discard(3)
	}
	for first, _ := b.Peek(1); len(first) == 1 && bytes.ContainsAny(first, " \t\r\n"); first,
		_ = b.Peek(1) {
		b.Discard(1)
	}
	if first, _ := b.Peek(1); string(first) == "{" {
		return keys(json.NewDecoder(b))
	}
	return csv.NewReader(b).Read()
}

// keys returns the keys of an object.
func keys(d *json.Decoder) ([]string, error) {
	var names []string
	if _, err := d.Token(); err != nil { // the opening brace
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		names = append(names, fmt.Sprint(key))
	}
	return names, nil
}
