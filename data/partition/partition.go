// Package partition reads and writes hard partitions: the cluster of each row, by row id.
package partition

import (
	"bufio"
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

// Write writes the cluster of each row with its id, in the format "csv", "jsonl" or "parquet". In
// CSV an id that a spreadsheet would run as a formula is guarded by an apostrophe.
func Write(w io.Writer, format dataset.Format, labels []int, id func(row int) string) error {
	switch format {
	case dataset.FormatCSV:
		return writeCSV(w, labels, id)
	case dataset.FormatJSONL:
		return writeJSONL(w, labels, id)
	case dataset.FormatParquet:
		return writeParquet(w, labels, id)
	}
	return fmt.Errorf("partition: cannot write the format %q", format)
}

// WriteFile writes a partition in the format of the extension of the file (.csv, .jsonl or
// .parquet). The file appears whole or not at all.
func WriteFile(path string, labels []int, id func(row int) string) error {
	format, err := FormatOf(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return Write(w, format, labels, id) })
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

func writeCSV(w io.Writer, labels []int, id func(int) string) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{IDColumn, ClusterColumn}); err != nil {
		return err
	}
	record := make([]string, 2)
	for row, label := range labels {
		record[0], record[1] = safe.Guard(id(row)), strconv.Itoa(label)
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func writeJSONL(w io.Writer, labels []int, id func(int) string) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for row, label := range labels {
		if err := e.Encode(Row{ID: id(row), Cluster: label}); err != nil {
			return err
		}
	}
	return b.Flush()
}

func writeParquet(w io.Writer, labels []int, id func(int) string) error {
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
