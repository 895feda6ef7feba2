package evclus

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// configured returns a method with values of its parameters, as name=value.
func configured(t testing.TB, name string, values ...string) *method.Configured {
	t.Helper()
	m, err := all.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]string{}
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		by[name] = value
	}
	c, err := m.With(by)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kevclus returns k-EVCLUS with values of its parameters, as name=value.
func kevclus(t testing.TB, values ...string) *method.Configured {
	t.Helper()
	return configured(t, "kevclus", values...)
}

// inMemory runs plans over a matrix, cut into splits and blocks as asked: what the files and
// engines of other packages come to.
type inMemory struct {
	x             dataset.Matrix
	ids, labels   []string
	gone          map[int]bool // rows that preparation leaves out
	split, blocks int          // rows of a split and of a block
	rounds        *int         // counts rounds, where it is set
}

// survey counts the rows.
func (m inMemory) survey() *survey.Survey {
	sv := &survey.Survey{Rows: int64(m.x.Rows)}
	for lo := 0; lo < m.x.Rows; lo += m.split {
		sv.Splits = append(sv.Splits,
			shard.Split{Index: len(sv.Splits), File: "memory", First: int64(lo),
				Rows: int64(min(m.split, m.x.Rows-lo))})
	}
	return sv
}

// Rounds implements [fold.Runner]; parts arrive in no order.
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
			if err := k.End(func(key int64, data []byte) {
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
		if out.State, out.Done, err = fold.Next(job, out.State, merged); err != nil {
			return out, err
		}
		out.Rounds++
		if m.rounds != nil {
			*m.rounds++
		}
	}
	return out, ctx.Err()
}

func (m inMemory) each(s shard.Split, do func(*shard.Block) error) error {
	for lo := s.First; lo < s.First+s.Rows; lo += int64(m.blocks) {
		b := shard.Block{Split: s.Index, First: lo - s.First,
			X: dataset.Matrix{Cols: m.x.Cols, F64: []float64{}}}
		for i := lo; i < min(s.First+s.Rows, lo+int64(m.blocks)); i++ {
			if m.gone[int(i)] {
				continue
			}
			b.X.Rows++
			b.X.F64 = m.x.AppendRow(b.X.F64, int(i))
			b.Numbers = append(b.Numbers, i-s.First)
			if m.ids != nil {
				b.IDs = append(b.IDs, m.ids[i])
			}
			if m.labels != nil {
				b.Labels = append(b.Labels, m.labels[i])
			}
		}
		if m.gone == nil {
			b.Numbers = nil
		}
		err := do(&b)
		clear(b.X.F64) // as a reader does that uses its blocks again
		clear(b.IDs)
		clear(b.Labels)
		if err != nil {
			return err
		}
	}
	return nil
}

// blobs returns n rows around as many centres as there are clusters, in turn, and which.
func blobs(n, d, clusters int, seed uint64) (x dataset.Matrix, labels []string) {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, clusters*d)
	for i := range centres {
		centres[i] = 12 * rng.Float64()
	}
	x = dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		c := i % clusters
		for j := range d {
			x.F64 = append(x.F64, centres[c*d+j]+rng.NormFloat64())
		}
		labels = append(labels, string(rune('a'+c)))
	}
	return x, labels
}

// columns names the columns of a matrix.
func columns(d int) []string {
	return slices.Collect(func(yield func(string) bool) {
		for j := range d {
			if !yield("x" + string(rune('1'+j))) {
				return
			}
		}
	})
}
