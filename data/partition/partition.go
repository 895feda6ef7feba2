// Package partition reads and writes hard partitions: the cluster of each row, by row id.
package partition

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/internal/safe"
)

// Columns of a written partition.
const (
	IDColumn      = "id"
	ClusterColumn = "cluster"
)

// Row is one row of a partition: cluster 0 is noise.
type Row struct {
	ID      string `json:"id" parquet:"id"`
	Cluster int    `json:"cluster" parquet:"cluster"`
}

// Column is a further column: a number of each row, or a text.
type Column struct {
	Name   string
	Values []float64
	Texts  []string // where Values is nil
}

// Classes returns the column of the known class of the cluster of each row, given its name for each
// cluster; "" where there is none.
func Classes(labels []int, of []string) Column {
	c := Column{Name: "known_class", Texts: make([]string, len(labels))}
	for i, l := range labels {
		if l > 0 {
			c.Texts[i] = of[l-1]
		}
	}
	return c
}

// text returns the cell of a row, a number in the fewest digits that are read back as it.
func (c *Column) text(row int) string {
	if c.Values == nil {
		return c.Texts[row]
	}
	return strconv.FormatFloat(c.Values[row], 'g', -1, 64)
}

// Write writes the cluster of each row with its id, in the format "csv", "jsonl" or "parquet", and
// further columns. In CSV a text that a spreadsheet would run as a formula is guarded by an
// apostrophe.
func Write(w io.Writer, format dataset.Format, labels []int, id func(row int) string,
	more ...Column) error {
	switch format {
	case dataset.FormatCSV:
		return writeCSV(w, labels, id, more)
	case dataset.FormatJSONL:
		return writeJSONL(w, labels, id, more)
	case dataset.FormatParquet:
		return writeParquet(w, labels, id, more)
	}
	return fmt.Errorf("partition: cannot write the format %q", format)
}

// WriteFile writes a partition in the format of the extension of the file (.csv, .jsonl or
// .parquet). The file appears whole or not at all.
func WriteFile(path string, labels []int, id func(row int) string, more ...Column) error {
	format, err := FormatOf(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		return Write(w, format, labels, id, more...)
	})
}

// CheckPath reports whether [WriteFile] knows what to write to a file of that name.
func CheckPath(path string) error {
	_, err := FormatOf(path)
	return err
}

// FormatOf returns the format that a partition, credal or not, written to path has: FormatCSV,
// FormatJSONL or FormatParquet.
func FormatOf(path string) (dataset.Format, error) { return FormatFor(path, "partitions") }

// FormatFor is FormatOf for a file of something else that is written in the same formats.
func FormatFor(path, what string) (dataset.Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return dataset.FormatCSV, nil
	case ".jsonl", ".ndjson":
		return dataset.FormatJSONL, nil
	case ".parquet":
		return dataset.FormatParquet, nil
	}
	return "", &fault.Input{File: path, Problem: "the extension names no format of " + what,
		Fix: "end it with .csv, .jsonl or .parquet"}
}

func writeCSV(w io.Writer, labels []int, id func(int) string, more []Column) error {
	c := csv.NewWriter(w)
	record := []string{IDColumn, ClusterColumn}
	for _, m := range more {
		record = append(record, m.Name)
	}
	if err := c.Write(record); err != nil {
		return err
	}
	for row, label := range labels {
		record[0], record[1] = safe.Guard(id(row)), strconv.Itoa(label)
		for i, m := range more {
			record[2+i] = m.text(row)
			if m.Values == nil {
				record[2+i] = safe.Guard(record[2+i])
			}
		}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func writeJSONL(w io.Writer, labels []int, id func(int) string, more []Column) error {
	b := bufio.NewWriter(w)
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	for row, label := range labels {
		line.Reset()
		if err := e.Encode(Row{ID: id(row), Cluster: label}); err != nil {
			return err
		}
		line.Truncate(line.Len() - len("}\n"))
		for _, m := range more {
			fmt.Fprintf(&line, ",%q:", m.Name)
			if m.Values != nil {
				line.WriteString(m.text(row))
				continue
			}
			if err := e.Encode(m.Texts[row]); err != nil {
				return err
			}
			line.Truncate(line.Len() - 1)
		}
		line.WriteString("}\n")
		if _, err := b.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return b.Flush()
}

// writeColumns writes Parquet with further columns.
func writeColumns(w io.Writer, labels []int, id func(int) string, more []Column) error {
	var o columns.Ordered
	o.Add(IDColumn, parquet.Compressed(parquet.String(), &parquet.Zstd))
	o.Add(ClusterColumn, parquet.Compressed(parquet.Int(64), &parquet.Zstd))
	for _, m := range more {
		node := parquet.Leaf(parquet.DoubleType)
		if m.Values == nil {
			node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		}
		o.Add(m.Name, parquet.Compressed(node, &parquet.Zstd))
	}
	p := parquet.NewGenericWriter[any](w, parquet.NewSchema("partition", &o))
	rows := make([]parquet.Row, 0, 1024)
	for row, label := range labels {
		r := parquet.Row{parquet.ByteArrayValue([]byte(id(row))).Level(0, 0, 0),
			parquet.Int64Value(int64(label)).Level(0, 0, 1)}
		for i, m := range more {
			var cell parquet.Value
			if m.Values == nil {
				cell = parquet.ByteArrayValue([]byte(m.Texts[row]))
			} else {
				cell = parquet.DoubleValue(m.Values[row])
			}
			r = append(r, cell.Level(0, 0, 2+i))
		}
		if rows = append(rows, r); len(rows) == cap(rows) || row == len(labels)-1 {
			if _, err := p.WriteRows(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return p.Close()
}

func writeParquet(w io.Writer, labels []int, id func(int) string, more []Column) error {
	if len(more) > 0 {
		return writeColumns(w, labels, id, more)
	}
	p := parquet.NewGenericWriter[Row](w, parquet.Compression(&parquet.Zstd))
	block := make([]Row, 0, 4096)
	for row, label := range labels {
		block = append(block, Row{ID: id(row), Cluster: label})
		if len(block) == cap(block) || row == len(labels)-1 {
			if _, err := p.Write(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	return p.Close()
}

// Compact numbers the clusters of labels from 1, in the order of their numbers, and returns the
// number that each had at its new number − 1. 0 stays 0. A file may number few clusters by any
// numbers.
func Compact(labels []int) (compact, numbers []int) {
	numbers = slices.Compact(slices.Sorted(slices.Values(labels)))
	numbers = slices.DeleteFunc(numbers, func(c int) bool { return c == 0 })
	number := make(map[int]int, len(numbers))
	for i, c := range numbers {
		number[c] = i + 1
	}
	compact = make([]int, len(labels))
	for row, c := range labels {
		compact[row] = number[c]
	}
	return compact, numbers
}
