package spectral

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

func init() { fold.RegisterJSON[lloydJob]("neighbours-lloyd") }

// state goes from round to round.
type state struct {
	Model   *Model
	Sizes   []int64 // rows of each cluster in the last round
	Inertia float64 // of the last round, about the centres that it began with
	Done    bool    // no centre moved in the last round
}

// held keeps the layout of the state last seen, as all kernels of a round have the same.
type held struct {
	lock sync.Mutex
	data []byte
	of   *layout
}

func (h *held) layout(data []byte) (*layout, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.of != nil && bytes.Equal(h.data, data) {
		return h.of, nil
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("neighbours: the model cannot be read: %w", err)
	}
	if m := s.Model; m == nil || m.Columns < 1 || m.Nearest < 1 || m.Nearest > m.landmarks() ||
		len(m.Map) != m.landmarks()*m.Dimensions ||
		len(m.Centers) != 0 && len(m.Centers) != m.Clusters*m.Dimensions {
		return nil, fmt.Errorf("neighbours: the model is not whole")
	}
	h.data, h.of = bytes.Clone(data), s.Model.prepare()
	return h.of, nil
}

// lloydJob is Lloyd's iteration in the layout, which is worked out again for each row in each
// round: to keep it would take memory for every row.
type lloydJob struct{ held held }

// Kernel implements [fold.Job].
func (j *lloydJob) Kernel(data []byte, _ shard.Split) (fold.Kernel, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, err
	}
	return &lloydKernel{w: l.workspace(), sums: make([]float64, l.Clusters*l.Dimensions),
		sizes: make([]int64, l.Clusters)}, nil
}

// lloydKernel sums the rows of each cluster. As all rows lie on the unit sphere, or at 0, nothing
// is lost by summing them as they are.
type lloydKernel struct {
	w       *workspace
	sums    []float64
	sizes   []int64
	inertia float64
	row     []float64
}

// Block implements [fold.Kernel].
func (k *lloydKernel) Block(b *shard.Block) error {
	e := k.w.Dimensions
	for i := range b.X.Rows {
		k.row = b.X.AppendRow(k.row[:0], i)
		place := k.w.layOut(k.row)
		c, d := k.w.nearest(place)
		sum := k.sums[int(c)*e:][:e]
		for t, v := range place {
			sum[t] += v
		}
		k.sizes[c]++
		k.inertia += d
	}
	return nil
}

// End implements [fold.Kernel].
func (k *lloydKernel) End(emit func(key int64, data []byte)) error {
	emit(0, fold.AppendNumbers(nil, k.sums, k.sizes, k.inertia))
	return nil
}

// addSums adds the sums, sizes and inertia in data, and returns the inertia.
func addSums(sums []float64, sizes []int64, data []byte) (inertia float64, err error) {
	more, rows := make([]float64, len(sums)), make([]int64, len(sizes))
	if err := fold.Numbers(data, more, rows, &inertia); err != nil {
		return 0, err
	}
	for i, v := range more {
		sums[i] += v
	}
	for i, n := range rows {
		sizes[i] += n
	}
	return inertia, nil
}

// Merge implements [fold.Job].
func (j *lloydJob) Merge(data []byte, _ int64, parts []fold.Part) ([]byte, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, err
	}
	sums, sizes := make([]float64, l.Clusters*l.Dimensions), make([]int64, l.Clusters)
	inertia := 0.0
	for _, p := range parts {
		more, err := addSums(sums, sizes, p.Data)
		if err != nil {
			return nil, err
		}
		inertia += more
	}
	return fold.AppendNumbers(nil, sums, sizes, inertia), nil
}

// Next implements [fold.Job]: it moves each centre to the mean of its rows. One without rows stays
// where it is.
func (j *lloydJob) Next(data []byte, merged []fold.Merged) ([]byte, bool, error) {
	l, err := j.held.layout(data)
	if err != nil {
		return nil, false, err
	}
	m := *l.Model
	e := m.Dimensions
	sums, out := make([]float64, m.Clusters*e), state{Model: &m, Sizes: make([]int64, m.Clusters)}
	for _, part := range merged {
		more, err := addSums(sums, out.Sizes, part.Data)
		if err != nil {
			return nil, false, err
		}
		out.Inertia += more
	}
	m.Centers = slices.Clone(m.Centers)
	for c, n := range out.Sizes {
		for t := c * e; n > 0 && t < (c+1)*e; t++ {
			m.Centers[t] = sums[t] / float64(n)
		}
	}
	out.Done = slices.Equal(m.Centers, l.Model.Centers)
	next, err := json.Marshal(out)
	return next, out.Done, err
}

// lloyd runs the job from the centres of a model.
func (p passes) lloyd(ctx context.Context, m *Model, rounds int) (state, int, error) {
	out, err := p.run(ctx, "neighbours-lloyd", struct{}{}, m, rounds)
	if err != nil {
		return state{}, 0, err
	}
	var s state
	if err := json.Unmarshal(out.State, &s); err != nil {
		return state{}, 0, fmt.Errorf("neighbours: %w", err)
	}
	return s, out.Rounds, nil
}
