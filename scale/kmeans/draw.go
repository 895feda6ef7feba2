package kmeans

import (
	"context"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
)

// drawer draws the rows of a split into a lightweight coreset (Bachem et al. 2018, algorithm 1) of
// about m rows, each by itself: row x of n with the chance
//
//	q(x) = min(1, ½m·(1/n + ‖x − mean‖²/Σ‖y − mean‖²))
//
// and then it stands for 1/q(x) rows. Mean and sum come from the survey; were they wrong, the
// weights would still be right.
type drawer struct {
	w       *work
	split   shard.Split
	m       int
	squared []float64
	drawn   []byte // stands and values of each row
}

func newDrawer(w *work, split shard.Split) *drawer {
	return &drawer{w: w, split: split, m: kmeans.SampleRows(w.Clusters)}
}

// Block implements [fold.Kernel].
func (k *drawer) Block(b *shard.Block) error {
	w, d := k.w, k.w.Cols
	if cap(k.squared) < b.X.Rows {
		k.squared = make([]float64, b.X.Rows)
	}
	squared := k.squared[:b.X.Rows]
	simd.SquaredDistances(squared, w.Mean, b.X.F64)
	even, far := float64(k.m)/2/float64(w.Rows), 0.0
	if w.Spread > 0 {
		far = float64(k.m) / 2 / w.Spread
	}
	for i, v := range squared {
		q := 1.0
		if int64(k.m) < w.Rows {
			q = min(1, even+float64(far*v))
			// Another use of the seed, and of the number, than other samples of the same rows make.
			if float64(sample.Key(^w.Seed, k.split.First+b.Number(i))>>11) >= q*(1<<53) {
				continue
			}
		}
		k.drawn = fold.AppendNumbers(k.drawn, 1/q, b.X.F64[i*d:(i+1)*d])
	}
	return nil
}

// End implements [fold.Kernel].
func (k *drawer) End(emit func(key int64, data []byte)) error {
	emit(int64(k.split.Index)>>6, k.drawn) // keys that sort as splits do
	return nil
}

func mergeDrawn(parts []fold.Part) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p.Data...)
	}
	return all
}

// start draws the centres from the sample.
func (w *work) start(s *state, merged []fold.Merged) error {
	m := dataset.Matrix{Cols: w.Cols}
	var stands []float64
	weighted := false
	for _, part := range merged {
		values := make([]float64, len(part.Data)/8)
		if err := fold.Numbers(part.Data, values); err != nil {
			return err
		}
		for ; len(values) > 0; values = values[1+w.Cols:] {
			weighted = weighted || values[0] != 1
			stands = append(stands, values[0])
			m.F64 = append(m.F64, values[1:1+w.Cols]...)
			m.Rows++
		}
	}
	if !weighted {
		stands = nil
	}
	if w.Single {
		m.F32 = make([]float32, len(m.F64))
		for i, v := range m.F64 {
			m.F32[i] = float32(v)
		}
		m.F64 = nil
	}
	centers, err := kmeans.Start(context.Background(), m, stands, w.Clusters, w.Seed, 0)
	if err != nil {
		return err
	}
	s.Phase, s.Centers = phaseAssign, centers.F64
	return nil
}
