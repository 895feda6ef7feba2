package kmeans

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
)

// assigner labels the rows of a split and sums up the clusters.
type assigner struct {
	w       *work
	split   shard.Split
	pass    *kmeans.Pass
	account account
	squares *kmeans.Sums // Σ‖x − origin‖²; nil once the variance is known
	squared []float64
}

func newAssigner(w *work, r *round, split shard.Split) *assigner {
	k := &assigner{w: w, split: split, pass: r.frame.Pass(w.Origin, r.state.Close)}
	if r.state.Enough == nil {
		k.squares = kmeans.NewSums(1)
	}
	return k
}

// Block implements [fold.Kernel].
func (k *assigner) Block(b *shard.Block) error {
	if err := k.w.take(k.pass, b, k.split); err != nil {
		return err
	}
	k.account.add(k.pass.Labels)
	if k.squares == nil {
		return nil
	}
	if cap(k.squared) < b.X.Rows {
		k.squared = make([]float64, b.X.Rows)
	}
	simd.SquaredDistances(k.squared[:b.X.Rows], k.w.Origin, b.X.F64)
	total := 0.0
	for _, v := range k.squared[:b.X.Rows] {
		total += v
	}
	k.squares.Add([]float64{total})
	return nil
}

// End implements [fold.Kernel].
func (k *assigner) End(emit func(key int64, data []byte)) error {
	k.account.Inertia = k.pass.Inertia()
	if k.squares != nil {
		k.account.Squares = k.squares.Values()[0]
	}
	emit(accountKey, fold.AppendNumbers(nil, k.account))
	d, sums := k.w.Cols, k.pass.Sums()
	return groups(k.w.Clusters, func(key int64, lo, hi int) error {
		emit(key, fold.AppendNumbers(nil, k.pass.Counts[lo:hi], sums[lo*d:hi*d]))
		return nil
	})
}

// decodeSums reads the counts of some clusters, and then their sums in d columns.
func decodeSums(data []byte, d int) (counts []int64, sums []float64, err error) {
	m := len(data) / (8 * (1 + d))
	counts, sums = make([]int64, m), make([]float64, m*d)
	return counts, sums, fold.Numbers(data, counts, sums)
}

// mergeSums adds up some clusters over the splits, in their order.
func (w *work) mergeSums(parts []fold.Part) ([]byte, error) {
	var counts []int64
	var sums *kmeans.Sums
	for _, p := range parts {
		m, of, err := decodeSums(p.Data, w.Cols)
		if err != nil {
			return nil, err
		}
		if sums == nil {
			counts, sums = make([]int64, len(m)), kmeans.NewSums(len(of))
		}
		if len(m) != len(counts) {
			return nil, fmt.Errorf("lloyd: split %d has %d clusters where others have %d", p.Split,
				len(m), len(counts))
		}
		for c, v := range m {
			counts[c] += v
		}
		sums.Add(of)
	}
	return fold.AppendNumbers(nil, counts, sums.Values()), nil
}

// accountKey is the key of accounts; groups of centres have those from 0.
const accountKey = -1

// account is what a pass comes to beside the clusters.
type account struct {
	Rows    int64
	Digest  uint64  // of the labels in order
	Inertia float64 // where it is wanted
	Squares float64 // Σ‖x − origin‖², where it is wanted
}

// digestFactor is odd, so that no change of a single label leaves a digest as it was.
const digestFactor = 0x9e3779b97f4a7c15

func (a *account) add(labels []int32) {
	h := a.Digest
	for _, l := range labels {
		h = h*digestFactor + uint64(l) + 1
	}
	a.Digest = h
	a.Rows += int64(len(labels))
}

func mergeAccounts(parts []fold.Part) ([]byte, error) {
	var all account
	sums := kmeans.NewSums(2)
	for _, p := range parts {
		var a account
		if err := fold.Numbers(p.Data, &a); err != nil {
			return nil, err
		}
		all.Rows += a.Rows
		// were it a sum again, changes in two splits could cancel
		all.Digest = sample.Key(all.Digest, int64(a.Digest))
		sums.Add([]float64{a.Inertia, a.Squares})
	}
	both := sums.Values()
	all.Inertia, all.Squares = both[0], both[1]
	return fold.AppendNumbers(nil, all), nil
}

// assigned takes the sums of all splits.
func (w *work) assigned(s *state, merged []fold.Merged) (done bool, err error) {
	var a account
	if err := fold.Numbers(merged[0].Data, &a); err != nil {
		return false, err
	}
	var counts []int64
	var sums []float64
	for _, part := range merged[1:] {
		m, of, err := decodeSums(part.Data, w.Cols)
		if err != nil {
			return false, err
		}
		counts, sums = append(counts, m...), append(sums, of...)
	}
	if len(counts) != w.Clusters || a.Rows == 0 {
		return false, fmt.Errorf(
			"lloyd: sums of %d clusters and %d rows, where there are %d clusters", len(counts),
			a.Rows, w.Clusters)
	}
	if s.Enough == nil {
		if a.Rows < int64(w.Clusters) {
			return false, tooFew(w.Clusters, a.Rows)
		}
		v := w.variance(a.Rows, sums, a.Squares)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false, fault.Inputf("scale the columns, to 0..1 say",
				"the values lie so far apart that their squared distances overflow")
		}
		enough := -1.0
		if w.Tolerance > 0 {
			enough = w.Tolerance * v
		}
		s.Enough, s.Squares, s.Changed = &enough, a.Squares, true
	}
	if !s.Close {
		a.Inertia = w.inertia(s, counts, sums)
		if s.Close = !(a.Inertia > closeBelow*s.Squares); s.Close {
			return false, nil
		}
	}
	s.Changed = s.Changed || a.Digest != s.Digest
	s.Digest = a.Digest
	s.Found = &found{Counts: counts, Means: w.means(s, counts, sums), Inertia: a.Inertia}
	return w.judge(s), nil
}

// closeBelow is the part of Σ‖x − origin‖² below which rounding would take more than about the
// tenth digit of an inertia that is found without a look at each row. The pass is then done again,
// and from then on each row is looked at.
const closeBelow = 1e-6

// inertia returns the sum of squared distances of the rows to the centres of their
// labels: with o the origin, m_c the mean of cluster c and n_c its size,
//
//	Σ‖x − o‖² − Σ n_c‖m_c − o‖² + Σ n_c‖m_c − centre_c‖²
func (w *work) inertia(s *state, counts []int64, sums []float64) float64 {
	parts := kmeans.NewSums(1)
	parts.Add([]float64{s.Squares})
	for c, m := range counts {
		if m == 0 {
			continue
		}
		between, off := 0.0, 0.0
		for j := range w.Cols {
			u := sums[c*w.Cols+j] / float64(m)
			v := u - (s.Centers[c*w.Cols+j] - w.Origin[j])
			between += float64(u * u)
			off += float64(v * v)
		}
		parts.Add([]float64{-float64(float64(m) * between)})
		parts.Add([]float64{float64(float64(m) * off)})
	}
	return parts.Values()[0]
}
