// Package generate writes tables of any size, by a known law, for trials, tests and benchmarks of
// what runs on engines.
package generate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/scale/shard"
)

// Config describes what to write. The zero value writes 100 000 rows of 16 columns into one file.
type Config struct {
	Rows       int64 // 0: 100 000
	Dimensions int   // 0: 16
	Clusters   int   // 0: 25
	// standard deviation within a cluster, whose centres lie in the cube from −10 to 10; 0: 1
	Noise       float64
	Files       int    // 0: 1
	Class       bool   // a column "class" holds the cluster of each row, from 1
	Single      bool   // columns are 32-bit floats
	Compression string // none, snappy or zstd; "": none
	GroupRows   int64  // rows of a row group; 0: 131 072
	Seed        uint64
	// files written at the same time; 0: one a processor. The bytes never depend on it
	Threads int
	Shared  bool // others may read the files, as the umask says; else they are for this user alone
}

var codecs = map[string]parquet.WriterOption{
	"":       parquet.Compression(&parquet.Uncompressed),
	"none":   parquet.Compression(&parquet.Uncompressed),
	"snappy": parquet.Compression(&parquet.Snappy),
	"zstd":   parquet.Compression(&parquet.Zstd),
}

// complete fills in what is left to it.
func (c Config) complete() (Config, error) {
	if c.Rows < 0 || c.Dimensions < 0 || c.Clusters < 0 || c.Files < 0 || c.GroupRows < 0 ||
		!(c.Noise >= 0) || math.IsInf(c.Noise, 1) {
		return c, fault.Inputf("give numbers from 1 on, or 0 for the default",
			"a number of the table to make is negative or no number")
	}
	if _, ok := codecs[c.Compression]; !ok {
		return c, fault.Inputf("give one of none, snappy, zstd", "unknown compression %q",
			c.Compression)
	}
	c.Dimensions, c.Clusters = cmp.Or(c.Dimensions, 16), cmp.Or(c.Clusters, 25)
	c.Rows, c.Files = cmp.Or(c.Rows, 100_000), cmp.Or(c.Files, 1)
	c.GroupRows = cmp.Or(c.GroupRows, 1<<17)
	c.Noise = cmp.Or(c.Noise, 1)
	if int64(c.Files) > c.Rows {
		return c, fault.Inputf("take fewer files", "there are more files than rows")
	}
	return c, nil
}

// centers returns the true centres, clusters×dimensions, row-major: uniform in the cube from −10 to
// 10.
func centers(c Config) ([]float64, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(c.Seed, 0))
	centers := make([]float64, c.Clusters*c.Dimensions)
	for i := range centers {
		centers[i] = float64(20*random.Float64()) - 10
	}
	return centers, nil
}

// Write writes the table as Parquet files part-00000.parquet, … into the folder out, which must be
// empty or lacking, with columns x1, x2, …: Gaussian clusters of one spread, each row from a
// cluster drawn uniformly. It holds a row group of each file being written in memory, whatever the
// number of rows. A file depends on the seed, its number and the configuration alone, on processors
// of one kind: normal variates of the standard library may differ in their last bits elsewhere. It
// fails with a [*fault.Input] when the configuration is wrong or the folder is taken.
func Write(ctx context.Context, out string, cfg Config) error {
	c, err := cfg.complete()
	if err != nil {
		return err
	}
	centers, err := centers(c)
	if err != nil {
		return err
	}
	name := c
	name.Threads, name.Shared = 0, false
	if err := shard.Claim(ctx, out, fmt.Sprintf("sample %+v", name), c.Shared); err != nil {
		return err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(parallel.Threads(c.Threads))
	for file := range c.Files {
		lo, hi := c.Rows*int64(file)/int64(c.Files), c.Rows*int64(file+1)/int64(c.Files)
		group.Go(func() error { return c.writeFile(within, out, file, hi-lo, centers) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return shard.Finish(ctx, out, c.Files)
}

// writeRows is how many rows are made at a time.
const writeRows = 1024

func (c Config) writeFile(ctx context.Context, out string, file int, rows int64,
	centers []float64) error {
	f, err := shard.CreateFile(ctx, out, file, "parquet")
	if err != nil {
		return err
	}
	defer f.Abort()
	var fields columns.Ordered
	typ := parquet.DoubleType
	if c.Single {
		typ = parquet.FloatType
	}
	for j := range c.Dimensions {
		fields.Add("x"+strconv.Itoa(j+1), parquet.Leaf(typ))
	}
	if c.Class {
		fields.Add("class", parquet.Int(32))
	}
	w := parquet.NewWriter(f, parquet.NewSchema("sample", &fields), codecs[c.Compression],
		parquet.MaxRowsPerRowGroup(c.GroupRows), parquet.PageBufferSize(256<<10))
	random := rand.New(rand.NewPCG(c.Seed, 1+uint64(file)))
	block := make([]parquet.Row, writeRows)
	values := make([]parquet.Value, writeRows*fields.Len())
	for i := range block {
		block[i] = values[i*fields.Len() : (i+1)*fields.Len()]
	}
	for done := int64(0); done < rows; {
		if err := ctx.Err(); err != nil {
			return err
		}
		// so that row groups end where they should
		n := int(min(writeRows, rows-done, c.GroupRows-done%c.GroupRows))
		for _, row := range block[:n] {
			cluster := random.IntN(c.Clusters)
			center := centers[cluster*c.Dimensions : (cluster+1)*c.Dimensions]
			for j, v := range center {
				v += float64(c.Noise * random.NormFloat64())
				if c.Single {
					row[j] = parquet.FloatValue(float32(v)).Level(0, 0, j)
				} else {
					row[j] = parquet.DoubleValue(v).Level(0, 0, j)
				}
			}
			if c.Class {
				row[c.Dimensions] = parquet.Int32Value(int32(cluster+1)).Level(0, 0, c.Dimensions)
			}
		}
		if _, err := w.WriteRows(block[:n]); err != nil {
			return err
		}
		done += int64(n)
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
