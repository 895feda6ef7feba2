package spectral

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

func init() { fold.RegisterJSON[graphJob]("neighbours-graph") }

// graphJob adds up, over all rows, the products of the weights of each two landmarks: ZᵀZ of the
// mixtures Z. The state is a model, and afterwards the sums.
type graphJob struct{ held held }

// stripe is how many landmarks' sums go by one key.
const stripe = 64

// pairAt returns the place of a pair of landmarks i ≤ j of p in the upper triangle, by rows.
func pairAt(i, j, p int) int { return i*(2*p-i-1)/2 + j }

// Kernel implements [fold.Job].
func (g *graphJob) Kernel(data []byte, split shard.Split) (fold.Kernel, error) {
	l, err := g.held.layout(data)
	if err != nil {
		return nil, err
	}
	p := l.landmarks()
	return &graphKernel{w: l.workspace(), split: split, p: p,
		sums: make([]float64, pairAt(p-1, p-1, p)+1)}, nil
}

// KernelBytes implements [fold.Heavy].
func (g *graphJob) KernelBytes(data []byte) int64 {
	l, err := g.held.layout(data)
	if err != nil {
		return 0 // of which Kernel returns the error
	}
	p := int64(l.landmarks())
	return 4*p*(p+1) + 8*p
}

type graphKernel struct {
	w     *workspace
	split shard.Split
	p     int
	sums  []float64 // upper triangle
	row   []float64
}

// Block implements [fold.Kernel].
func (k *graphKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		k.row = b.X.AppendRow(k.row[:0], i)
		k.w.mix(k.row)
		if k.w.far() {
			return tooFar(k.split, b, i)
		}
		for s, a := range k.w.at {
			for t, c := range k.w.at[:s+1] {
				k.sums[pairAt(int(min(a, c)), int(max(a, c)),
					k.p)] += float64(k.w.weight[s] * k.w.weight[t])
			}
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *graphKernel) End(emit func(key int64, data []byte)) error {
	for lo := 0; lo < k.p; lo += stripe {
		from, to := stripeOf(lo, k.p)
		if data := sparse(nil, k.sums[from:to]); len(data) > 0 {
			emit(int64(lo/stripe), data)
		}
	}
	return nil
}

// stripeOf returns where the sums of the landmarks from lo begin and end.
func stripeOf(lo, p int) (from, to int) {
	hi := min(p, lo+stripe)
	return pairAt(lo, lo, p), pairAt(hi-1, p-1, p) + 1
}

// Merge implements [fold.Job].
func (g *graphJob) Merge(data []byte, key int64, parts []fold.Part) ([]byte, error) {
	l, err := g.held.layout(data)
	if err != nil {
		return nil, err
	}
	p := l.landmarks()
	if key < 0 || key > int64((p-1)/stripe) {
		return nil, fmt.Errorf("neighbours: %d landmarks have no stripe %d", p, key)
	}
	from, to := stripeOf(int(key)*stripe, p)
	sums := make([]float64, to-from)
	err = fold.Each(parts, func(data []byte) error { return addSparse(sums, data) })
	return sparse(nil, sums), err
}

// Next implements [fold.Job].
func (g *graphJob) Next(data []byte, merged []fold.Merged) ([]byte, bool, error) {
	l, err := g.held.layout(data)
	if err != nil {
		return nil, false, err
	}
	p := l.landmarks()
	sums := make([]float64, pairAt(p-1, p-1, p)+1)
	for _, m := range merged {
		from, to := stripeOf(int(m.Key)*stripe, p)
		if err := addSparse(sums[from:to], m.Data); err != nil {
			return nil, false, err
		}
	}
	return sparse(nil, sums), true, nil
}

// sparse writes the values that are not 0: for each how many places it is beyond the last, and the
// value.
func sparse(to []byte, values []float64) []byte {
	last := -1
	for i, v := range values {
		if v != 0 {
			to = binary.AppendUvarint(to, uint64(i-last))
			to = binary.LittleEndian.AppendUint64(to, math.Float64bits(v))
			last = i
		}
	}
	return to
}

// addSparse adds what sparse wrote.
func addSparse(to []float64, data []byte) error {
	for at := -1; len(data) > 0; {
		gap, n := binary.Uvarint(data)
		if n <= 0 || gap > uint64(len(to)) || at+int(gap) >= len(to) || len(data) < n+8 {
			return fmt.Errorf("neighbours: sums of another number of landmarks")
		}
		at += int(gap)
		to[at] += math.Float64frombits(binary.LittleEndian.Uint64(data[n:]))
		data = data[n+8:]
	}
	return nil
}

// gram runs the job, and returns the upper triangle.
func (p passes) gram(ctx context.Context, m *Model) ([]float64, error) {
	out, err := p.run(ctx, "neighbours-graph", struct{}{}, m, 1)
	if err != nil {
		return nil, err
	}
	n := m.landmarks()
	sums := make([]float64, pairAt(n-1, n-1, n)+1)
	return sums, addSparse(sums, out.State)
}

// layOut finds how mixtures are laid out, of the sums over pairs of landmarks. With Z the mixtures,
// whose rows sum to 1, and D the column sums of Z, Ẑ = Z D^−½ has the singular value decomposition
// U Σ Vᵀ; V and Σ² are the eigenvectors and eigenvalues of ẐᵀẐ = D^−½ ZᵀZ D^−½ (Chen and Cai 2011,
// eqs. 8–10). As the rows of Z sum to 1, D is the row sums of ZᵀZ, too, so that this is the
// normalised graph of the weights ZᵀZ between landmarks. A row z lies at z D^−½ V Σ⁻¹, its row of
// U.
func (r *Result) layOut(ctx context.Context, gram []float64, cfg Config) error {
	m := r.Model
	p := m.landmarks()
	degree := make([]float64, p)
	var entries []spectral.Entry
	for i := range p {
		for j := i; j < p; j++ {
			v := gram[pairAt(i, j, p)]
			if v == 0 {
				continue
			}
			entries = append(entries, spectral.Entry{Row: int32(i), Col: int32(j), Value: v})
			degree[i] += v
			if i != j {
				degree[j] += v
			}
		}
	}
	rows := 0.0
	for _, d := range degree {
		rows += d
	}
	for e := range entries {
		// a mean degree of 1, beside which a link that joins components is weak
		entries[e].Value *= float64(p) / rows
	}
	weights, err := spectral.NewSparse(p, entries)
	if err != nil {
		return err
	}
	g, err := spectral.WeightedGraph(dataset.Matrix{Rows: p, Cols: m.Columns, F64: m.Landmarks},
		weights, m.Bandwidth)
	if err != nil {
		return err
	}
	embedding, err := g.Embed(ctx, cfg.Clusters, cfg.Clusters, cfg.Seed, cfg.Threads, nil)
	if err != nil {
		return err
	}
	r.Components = embedding.Components
	var columns [][]float64
	for c, value := range embedding.Values {
		if value >= 1-1e-9 { // no row separates this one from 0
			continue
		}
		r.Values = append(r.Values, value)
		v := embedding.Vectors[c]
		for i, d := range degree {
			if d > 0 {
				v[i] /= math.Sqrt(d) * math.Sqrt(1-value)
			}
		}
		columns = append(columns, v)
	}
	m.Dimensions = len(columns)
	m.Map = make([]float64, p*m.Dimensions)
	for c, v := range columns {
		for i, x := range v {
			m.Map[i*m.Dimensions+c] = x
		}
	}
	return nil
}
