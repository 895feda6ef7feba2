package constrained

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// mpck is a start of MPCK-means under way.
type mpck struct {
	*metrics
	t       *table
	f       *field
	weight  float64
	shared  bool
	cannot  bool // there are cannot-links
	labels  []int32
	centers []float64
	rivals  []farthest // of each metric the farthest pair
	apart   []float64  // pairs×k: the squared length of each link in each metric
	places  sync.Pool  // of *[]float64, n×d: the rows in a metric
}

// farthest is a pair of rows, and its squared distance.
type farthest struct {
	gap      []float64 // x′ − x″
	distance float64
}

func newMPCK(t *table, f *field, m *metrics, centers []float64, cfg MPCKConfig) *mpck {
	s := &mpck{metrics: m, t: t, f: f, weight: cfg.LinkWeight,
		shared: cfg.Shared && m.kind != fit.Euclidean, labels: make([]int32, t.n), centers: centers,
		rivals: make([]farthest, t.k), apart: make([]float64, len(f.pairs)*t.k)}
	for _, p := range f.pairs {
		s.cannot = s.cannot || !p.must
	}
	return s
}

// lookUp finds the farthest pairs under the metrics.
func (m *mpck) lookUp(ctx context.Context) error {
	if m.cannot {
		metrics := m.k
		if m.shared || m.kind == fit.Euclidean {
			metrics = 1
		}
		err := parallel.Try(ctx, metrics, 1, m.t.threads, func(c, _, _ int) (err error) {
			m.rivals[c], err = m.farthest(ctx, c)
			return err
		})
		if err != nil {
			return err
		}
		for c := metrics; c < m.k; c++ {
			m.rivals[c] = m.rivals[0]
		}
	}
	m.lengths()
	for n, p := range m.f.pairs {
		for c := range m.k {
			// Only where pairs were left out can a link be longer than the farthest pair found.
			if v := m.apart[n*m.k+c]; !p.must && v > m.rivals[c].distance {
				m.rivals[c] = farthest{m.gap(p), v}
			}
		}
	}
	m.price()
	return nil
}

// lengths measures the links in all metrics.
func (m *mpck) lengths() {
	s := measurer{metrics: m.metrics}
	for n, p := range m.f.pairs {
		for c := range m.k {
			at := n*m.k + c
			s.distances(m.apart[at:at+1], m.f.row(p.x), m.f.row(p.y), c)
		}
	}
}

// gap returns the difference of the rows of a link.
func (m *mpck) gap(p pair) []float64 {
	gap := make([]float64, m.d)
	less(gap, m.f.row(p.x), m.f.row(p.y))
	return gap
}

// price sets what each link costs in each cluster.
func (m *mpck) price() {
	for n, p := range m.f.pairs {
		for c := range m.k {
			at := n*m.k + c
			if v := m.apart[at]; p.must {
				m.f.ends[at] = m.weight * p.p * v / 2
			} else {
				m.f.ends[at] = m.weight * p.p * (m.rivals[c].distance - v)
			}
		}
	}
}

// toAll sets dst, k×rows, to what rows cost in each cluster by themselves.
func (m *mpck) toAll(s *measurer, dst, rows []float64) {
	n, d := len(rows)/m.t.d, m.t.d
	if m.shared {
		s.shared(dst, rows, m.centers, m.t.origin)
	}
	for c := range m.t.k {
		own := dst[c*n : (c+1)*n]
		if !m.shared {
			s.distances(own, rows, m.centers[c*d:(c+1)*d], c)
		}
		for i := range own {
			own[i] -= m.logDet[c]
		}
	}
}

// assign places all rows.
func (m *mpck) assign(ctx context.Context, rng *rand.Rand) error {
	t := m.t
	err := t.blocks(ctx, func(_, lo, hi int, rows []float64) {
		s, n := measurer{metrics: m.metrics}, hi-lo
		costs := make([]float64, n*t.k)
		m.toAll(&s, costs, rows)
		best := costs[:n]
		clear(m.labels[lo:hi])
		for c := 1; c < t.k; c++ {
			for i, v := range costs[c*n : (c+1)*n] {
				if v < best[i] {
					best[i], m.labels[lo+i] = v, int32(c)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	s, n := measurer{metrics: m.metrics}, len(m.f.at)
	costs := make([]float64, n*t.k)
	m.toAll(&s, costs, m.f.rows)
	for i := range n {
		for c := range t.k {
			m.f.alone[i*t.k+c] = costs[c*n+i]
		}
	}
	if err := m.f.settle(ctx, rng); err != nil {
		return err
	}
	m.f.put(m.labels, m.f.now)
	return nil
}

// objective returns the objective of the labels, centres, metrics and farthest pairs.
func (m *mpck) objective(ctx context.Context) (float64, error) {
	t := m.t
	sums := make([]float64, parallel.Count(t.n, t.block))
	err := t.blocks(ctx, func(b, lo, hi int, rows []float64) {
		s := measurer{metrics: m.metrics}
		var dist [1]float64
		for i, c := range m.labels[lo:hi] {
			s.distances(dist[:], rows[i*t.d:(i+1)*t.d], m.centers[int(c)*t.d:][:t.d], int(c))
			sums[b] += dist[0] - m.logDet[c]
		}
	})
	return added(sums, 1)[0] + m.f.penalty(), err
}

// learn moves centres and metrics to where they cost least for the labels and the farthest pairs.
func (m *mpck) learn(ctx context.Context) error {
	t := m.t
	sums, counts, err := t.sums(ctx, m.labels)
	if err != nil {
		return err
	}
	t.update(m.centers, sums, counts)
	if m.kind == fit.Euclidean {
		return nil
	}
	v, err := m.scatter(ctx)
	if err != nil {
		return err
	}
	size := m.size()
	m.addLinks(v)
	if m.shared {
		v = added(v, size)
		linalg.Divide(v, float64(t.n))
		m.set(ctx, 0, v)
		for c := 1; c < t.k; c++ {
			copy(m.root[c*size:(c+1)*size], m.root[:size])
			m.logDet[c] = m.logDet[0]
		}
		return ctx.Err()
	}
	err = parallel.Blocks(ctx, t.k, 1, t.threads, func(c, _, _ int) {
		if counts[c] == 0 {
			return
		}
		own := v[c*size : (c+1)*size]
		linalg.Divide(own, counts[c])
		m.set(ctx, c, own)
	})
	return errors.Join(err, ctx.Err())
}

// scatter returns Σ(x−μ)(x−μ)ᵀ of each cluster.
func (m *mpck) scatter(ctx context.Context) ([]float64, error) {
	// The sums of all blocks are held at once: of large matrices there are fewer blocks, down to 4.
	const most = 1 << 24
	t, size := *m.t, m.size()
	t.block = max(t.block, (t.n-1)/max(4, most/(t.k*size))+1)
	parts := make([]float64, parallel.Count(t.n, t.block)*t.k*size)
	err := t.blocks(ctx, func(b, lo, hi int, rows []float64) {
		gap := make([]float64, t.d)
		for i, c := range m.labels[lo:hi] {
			less(gap, rows[i*t.d:(i+1)*t.d], m.centers[int(c)*t.d:][:t.d])
			m.add(parts[(b*t.k+int(c))*size:][:size], gap, 1)
		}
	})
	return added(parts, t.k*size), err
}

// addLinks adds the violated links to the scatter of each cluster.
func (m *mpck) addLinks(v []float64) {
	size := m.size()
	for _, p := range m.f.pairs {
		a, b := int(m.f.now[p.x]), int(m.f.now[p.y])
		if p.must == (a == b) {
			continue
		}
		gap, w := m.gap(p), m.weight*p.p
		if p.must {
			m.add(v[a*size:(a+1)*size], gap, w/2)
			m.add(v[b*size:(b+1)*size], gap, w/2)
			continue
		}
		m.add(v[a*size:(a+1)*size], m.rivals[a].gap, w)
		m.add(v[a*size:(a+1)*size], gap, -w)
	}
}

// variances returns those of the columns, of those of a block their mean, and 1 for those that are
// constant.
func (t *table) variances(ctx context.Context, blocks [][]int) ([]float64, error) {
	whole := *t
	whole.k = 1
	m := &mpck{metrics: newMetrics(fit.Diagonal, 1, make([]float64, t.d), blocks), t: &whole,
		labels: make([]int32, t.n), centers: make([]float64, t.d)}
	sums, counts, err := whole.sums(ctx, m.labels)
	if err != nil {
		return nil, err
	}
	whole.update(m.centers, sums, counts)
	v, err := m.scatter(ctx)
	if err != nil {
		return nil, err
	}
	m.join(v)
	for j := range v {
		if v[j] /= float64(t.n); !(v[j] > 0) {
			v[j] = 1
		}
	}
	return v, nil
}
