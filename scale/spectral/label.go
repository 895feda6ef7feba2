package spectral

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const labelJobName = "neighbours-label"

func init() { fold.RegisterJSON[labelJob](labelJobName) }

// Label finds the cluster of every row by a model, and writes to the folder out a part for each
// split: id and cluster, from 1. Format is csv, parquet or jsonl; "": csv. Rows without ids are
// named by their numbers in the table, from 1. It returns the number of rows in each cluster.
//
// It fails with a [*fault.Input] when the table has other columns than the model, and on data that
// cannot be read; and when ctx is done.
func Label(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, m *Model, out,
	format string) ([]int64, error) {
	if len(src.Columns) != m.Columns {
		return nil, fault.Inputf("give the columns it was made from",
			"the table has %d columns and the model %d", len(src.Columns), m.Columns)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	format = cmp.Or(format, string(dataset.FormatCSV))
	src.Label = ""
	p := passes{r: r, src: src, splits: sv.Splits}
	done, err := p.run(ctx, labelJobName, &labelJob{Out: out, Format: format}, m, 1)
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
	fold.Once
	held held
}

// Kernel implements [fold.Job].
func (j *labelJob) Kernel(data []byte, split shard.Split) (fold.Kernel, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, err
	}
	part, err := shard.CreateLabels(j.Out, split, j.Format)
	if err != nil {
		return nil, err
	}
	return &labelKernel{w: l.workspace(), part: part, split: split,
		sizes: make([]int64, l.Clusters)}, nil
}

type labelKernel struct {
	w        *workspace
	part     *shard.Labels
	split    shard.Split
	sizes    []int64
	row      []float64
	clusters []int64
}

// Block implements [fold.Kernel].
func (k *labelKernel) Block(b *shard.Block) error {
	k.clusters = k.clusters[:0]
	for i := range b.X.Rows {
		k.row = b.X.AppendRow(k.row[:0], i)
		c, _ := k.w.nearest(k.w.layOut(k.row))
		if k.w.far() {
			return tooFar(k.split, b, i)
		}
		k.sizes[c]++
		k.clusters = append(k.clusters, int64(c)+1)
	}
	return k.part.Write(b, k.clusters)
}

// End implements [fold.Kernel].
func (k *labelKernel) End(emit func(key int64, data []byte)) error {
	if err := k.part.Close(); err != nil {
		return err
	}
	emit(0, fold.AppendNumbers(nil, k.sizes, 0.0))
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
	err = fold.Each(parts, func(data []byte) error {
		_, err := addSums(nil, sizes, data)
		return err
	})
	return fold.AppendNumbers(nil, sizes, 0.0), err
}
