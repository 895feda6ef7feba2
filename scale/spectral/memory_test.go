package spectral

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// inMemory runs plans over a matrix, cut into splits and blocks as asked: what files and engines
// come to.
type inMemory struct {
	x            dataset.Matrix
	split, block int
}

// table returns what Fit wants to know of the matrix.
func (m inMemory) table() (shard.Source, *survey.Survey) {
	src, sv := shard.Source{Columns: make([]string, m.x.Cols)},
		&survey.Survey{Rows: int64(m.x.Rows)}
	for lo := 0; lo < m.x.Rows; lo += m.split {
		sv.Splits = append(sv.Splits,
			shard.Split{Index: len(sv.Splits), First: int64(lo),
				Rows: int64(min(m.split, m.x.Rows-lo))})
	}
	return src, sv
}

// Rounds implements [fold.Runner]; splits come in no order.
func (m inMemory) Rounds(ctx context.Context, p fold.Plan) (fold.Outcome, error) {
	job, err := fold.Make(p.Job, p.Config)
	if err != nil {
		return fold.Outcome{}, err
	}
	out := fold.Outcome{State: p.State}
	for !out.Done && out.Rounds < max(1, p.Rounds) {
		parts := map[int64][]fold.Part{}
		for _, at := range rand.Perm(len(p.Splits)) {
			k, err := job.Kernel(out.State, p.Splits[at])
			if err != nil {
				return out, err
			}
			if err := m.each(p.Splits[at], k.Block); err != nil {
				return out, err
			}
			if err := k.End(func(key int64,
				data []byte) {
				parts[key] = append(parts[key], fold.Part{Split: at, Data: data})
			}); err != nil {
				return out, err
			}
		}
		var merged []fold.Merged
		for key, some := range parts {
			data, err := fold.Merge(job, out.State, key, some)
			if err != nil {
				return out, err
			}
			merged = append(merged, fold.Merged{Key: key, Data: data})
		}
		var err error
		if out.State, out.Done, err = fold.Next(job, out.State, merged); err != nil {
			return out, err
		}
		out.Rounds++
	}
	return out, ctx.Err()
}

func (m inMemory) each(s shard.Split, do func(*shard.Block) error) error {
	for lo := s.First; lo < s.First+s.Rows; lo += int64(m.block) {
		hi := min(s.First+s.Rows, lo+int64(m.block))
		d := int64(m.x.Cols)
		b := shard.Block{Split: s.Index, First: lo - s.First,
			X: dataset.Matrix{Rows: int(hi - lo), Cols: m.x.Cols,
				F64: append([]float64{}, m.x.F64[lo*d:hi*d]...)}}
		err := do(&b)
		clear(b.X.F64) // as a reader does that uses its blocks again
		if err != nil {
			return err
		}
	}
	return nil
}
