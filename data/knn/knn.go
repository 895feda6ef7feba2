// Package knn writes graphs of nearest neighbours: a line for each row and each of its neighbours.
package knn

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/safe"
)

// Edge leads from a row to one of its neighbours.
type Edge struct {
	ID        string  `json:"id" parquet:"id,dict"`
	Neighbour string  `json:"neighbour" parquet:"neighbour,dict"`
	Rank      int     `json:"rank" parquet:"rank"` // from 1, the nearest
	Distance  float32 `json:"distance" parquet:"distance"`
}

// header names the columns of a written graph.
var header = []string{"id", "neighbour", "rank", "distance"}

// Graph is the K nearest others of each of some objects, nearest first.
type Graph struct {
	K     int
	Index []int32   // n×K
	Dist  []float32 // n×K
}

// CheckPath reports whether [WriteFile] knows what to write to a file of that name.
func CheckPath(path string) error {
	_, err := partition.FormatFor(path, "graphs")
	return err
}

// WriteFile writes a graph in the format of the extension of the file (.csv, .jsonl or .parquet).
// The file appears whole or not at all.
func WriteFile(ctx context.Context, path string, g Graph, id func(row int) string) error {
	format, err := partition.FormatFor(path, "graphs")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return Write(ctx, w, format, g, id) })
}

// Write writes a graph in the format "csv", "jsonl" or "parquet". In CSV an id that a spreadsheet
// would run as a formula is guarded by an apostrophe. It fails when ctx is done.
func Write(ctx context.Context, w io.Writer, format dataset.Format, g Graph,
	id func(row int) string) error {
	out := bufio.NewWriter(w)
	var write func(Edge) error
	end := out.Flush
	switch format {
	case dataset.FormatCSV:
		c := csv.NewWriter(out)
		if err := c.Write(header); err != nil {
			return err
		}
		write = func(e Edge) error {
			return c.Write([]string{safe.Guard(e.ID), safe.Guard(e.Neighbour), strconv.Itoa(e.Rank),
				strconv.FormatFloat(float64(e.Distance), 'g', -1, 32)})
		}
		end = func() error {
			c.Flush()
			if err := c.Error(); err != nil {
				return err
			}
			return out.Flush()
		}
	case dataset.FormatJSONL:
		j := json.NewEncoder(out)
		j.SetEscapeHTML(false)
		write = func(e Edge) error { return j.Encode(e) }
	case dataset.FormatParquet:
		p := parquet.NewGenericWriter[Edge](out, parquet.Compression(&parquet.Zstd))
		block := make([]Edge, 0, 4096)
		flush := func() error {
			_, err := p.Write(block)
			block = block[:0]
			return err
		}
		write = func(e Edge) error {
			if block = append(block, e); len(block) < cap(block) {
				return nil
			}
			return flush()
		}
		end = func() error {
			if err := flush(); err != nil {
				return err
			}
			if err := p.Close(); err != nil {
				return err
			}
			return out.Flush()
		}
	default:
		return fmt.Errorf("knn: cannot write the format %q", format)
	}
	for at, j := range g.Index {
		if at%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if j < 0 { // there are no more
			continue
		}
		e := Edge{ID: id(at / g.K), Neighbour: id(int(j)), Rank: at%g.K + 1, Distance: g.Dist[at]}
		if err := write(e); err != nil {
			return err
		}
	}
	return end()
}
