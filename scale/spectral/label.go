package spectral

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const labelJobName = "neighbours-label"

func init() {
	fold.Register(labelJobName, func(config []byte) (fold.Job, error) {
		var j labelJob
		return &j, json.Unmarshal(config, &j)
	})
}

// Label finds the cluster of every row by a model, and writes to the folder out a part for each
// split: id and cluster, from 1. Format is csv, parquet or jsonl; "": csv. Rows without ids are
// named by their numbers in the table, from 1. It returns the number of rows in each cluster.
//
// It fails with a [*fault.Input] when the table has other columns than the model, and on data that
// cannot be read; and when ctx is done.
func Label(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, m *Model, out,
	format string) ([]int64, error) {
	if len(src.Columns) != m.Columns {
		return nil, &fault.Input{Problem: fmt.Sprintf("the table has %d columns and the model %d",
			len(src.Columns), m.Columns), Fix: "give the columns it was made from"}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if format == "" {
		format = string(dataset.FormatCSV)
	}
	src.Label = ""
	start := state{Model: m}
	data, err := start.encode()
	if err != nil {
		return nil, err
	}
	p := passes{r: r, src: src, splits: sv.Splits}
	done, err := p.run(ctx, labelJobName, labelJob{Out: out, Format: format}, data, 1)
	if err != nil {
		return nil, err
	}
	if err := shard.Finish(ctx, out, len(sv.Splits)); err != nil {
		return nil, err
	}
	sizes := make([]int64, m.Clusters)
	_, err = addSums(nil, sizes, done.State)
	return sizes, err
}

// labelJob writes parts. The state is that of rounds, and becomes the sizes of clusters.
type labelJob struct {
	Out, Format string
	held        held
}

// Kernel implements [fold.Job].
func (j *labelJob) Kernel(data []byte, split shard.Split) (fold.Kernel, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, err
	}
	part, err := shard.CreatePart(context.Background(), j.Out, split.Index, j.Format,
		[]shard.Column{{Name: partition.IDColumn, Kind: shard.String},
			{Name: partition.ClusterColumn, Kind: shard.Int}})
	if err != nil {
		return nil, err
	}
	return &labelKernel{w: l.workspace(), part: part, split: split,
		guard: j.Format == string(dataset.FormatCSV), sizes: make([]int64, l.Clusters)}, nil
}

type labelKernel struct {
	w        *workspace
	part     *shard.Part
	split    shard.Split
	guard    bool
	sizes    []int64
	row      []float64
	ids      []string
	clusters []int64
}

// Block implements [fold.Kernel].
func (k *labelKernel) Block(b *shard.Block) error {
	k.ids, k.clusters = k.ids[:0], k.clusters[:0]
	for i := range b.X.Rows {
		k.row = b.X.AppendRow(k.row[:0], i)
		c, _ := k.w.nearest(k.w.layOut(k.row))
		if k.w.far() {
			return tooFar(k.split, b, i)
		}
		k.sizes[c]++
		k.clusters = append(k.clusters, int64(c)+1)
		switch {
		case b.IDs == nil:
			k.ids = append(k.ids, strconv.FormatInt(k.split.First+b.Number(i)+1, 10))
		case k.guard:
			k.ids = append(k.ids, safe.Guard(b.IDs[i]))
		default:
			k.ids = append(k.ids, b.IDs[i])
		}
	}
	return k.part.Write(k.ids, k.clusters)
}

// End implements [fold.Kernel].
func (k *labelKernel) End(emit func(key int64, data []byte)) error {
	if err := k.part.Close(); err != nil {
		return err
	}
	emit(0, appendSums(nil, nil, k.sizes, 0))
	return nil
}

// Close forgets the part of a split that failed.
func (k *labelKernel) Close() error {
	k.part.Abort()
	return nil
}

// Merge implements [fold.Job].
func (j *labelJob) Merge(data []byte, _ int64, parts []fold.Part) ([]byte, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, err
	}
	sizes := make([]int64, l.Clusters)
	for _, p := range parts {
		if _, err := addSums(nil, sizes, p.Data); err != nil {
			return nil, err
		}
	}
	return appendSums(nil, nil, sizes, 0), nil
}

// Next implements [fold.Job].
func (j *labelJob) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	if len(merged) != 1 {
		return nil, false, fmt.Errorf("neighbours: %d sums of sizes", len(merged))
	}
	return merged[0].Data, true, nil
}
