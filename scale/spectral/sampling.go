package spectral

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
)

func init() {
	fold.Register("neighbours-sample", func(config []byte) (fold.Job, error) {
		var j sampleJob
		return &j, json.Unmarshal(config, &j)
	})
}

// sampleJob draws rows. The state becomes the rows drawn.
type sampleJob struct {
	Columns int
	Below   uint64
	Least   int
	Seed    uint64
}

func (j *sampleJob) set() sample.Set { return sample.Set{Below: j.Below, Least: j.Least} }

// Kernel implements [fold.Job].
func (j *sampleJob) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	if split.First < 0 {
		return nil, fmt.Errorf("neighbours: split %d was not counted", split.Index)
	}
	return &sampleKernel{job: j, set: j.set(), first: split.First}, nil
}

// Merge implements [fold.Job].
func (j *sampleJob) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	set := j.set()
	for _, p := range parts {
		if err := set.AddRows(p.Data, j.Columns); err != nil {
			return nil, err
		}
	}
	return set.AppendRows(nil), nil
}

// Next implements [fold.Job].
func (j *sampleJob) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	if len(merged) == 0 {
		return nil, true, nil
	}
	return merged[0].Data, true, nil
}

type sampleKernel struct {
	job   *sampleJob
	set   sample.Set
	first int64
	row   []float64
}

// Block implements [fold.Kernel].
func (k *sampleKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		number := k.first + b.Number(i)
		if key := sample.Key(k.job.Seed, number); k.set.Wants(key) {
			k.row = b.X.AppendRow(k.row[:0], i)
			k.set.Add(sample.Row{Key: key, Number: number, Values: k.row})
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *sampleKernel) End(emit func(key int64, data []byte)) error {
	emit(0, k.set.AppendRows(nil))
	return nil
}

// sample draws about cfg.Sample of so many rows, in order; all of them where there are no more.
func (p passes) sample(ctx context.Context, rows int64, cfg Config) (dataset.Matrix, error) {
	d := len(p.src.Columns)
	job := sampleJob{Columns: d, Below: sample.Below(int64(cfg.Sample), rows),
		Least: min(cfg.Landmarks, 32), Seed: cfg.Seed}
	out, err := p.run(ctx, "neighbours-sample", job, nil, 1)
	if err != nil {
		return dataset.Matrix{}, err
	}
	set := job.set()
	if err := set.AddRows(out.State, d); err != nil {
		return dataset.Matrix{}, err
	}
	x := dataset.Matrix{Rows: len(set.Rows), Cols: d}
	if x.Rows == 0 {
		return x, &fault.Input{Problem: "there are no rows", Fix: "give files that hold some"}
	}
	for _, r := range set.Sorted() {
		x.F64 = append(x.F64, r.Values...)
	}
	return x, nil
}
