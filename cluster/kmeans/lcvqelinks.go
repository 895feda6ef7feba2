package kmeans

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// linked are the links of a fit by LCVQE, and the rows that they name.
type linked struct {
	rows         []float64 // m×d
	at           []int32   // where in the data each of them is
	must, cannot []pair
}

// pair is a link.
type pair struct {
	x, y int32   // of linked.rows
	p    float64 // confidence
}

func newLinked(data dataset.Matrix, links []link.Link) *linked {
	l := &linked{}
	local := make(map[int]int32)
	row := func(i int) int32 {
		at, known := local[i]
		if !known {
			at = int32(len(l.at))
			local[i] = at
			l.at = append(l.at, int32(i))
			l.rows = data.AppendRow(l.rows, i)
		}
		return at
	}
	for _, given := range links {
		switch given.Kind {
		case link.MustLink:
			l.must = append(l.must, pair{row(given.A), row(given.B), given.Confidence()})
		case link.CannotLink:
			l.cannot = append(l.cannot, pair{row(given.A), row(given.B), given.Confidence()})
		}
	}
	return l
}

// violations are the linked rows in one iteration.
type violations struct {
	*linked
	k, d    int
	nearest []int32   // cluster of the nearest prototype
	now     []int32   // cluster
	space   []float64 // k
}

func newViolations(l *linked, k, d int) *violations {
	v := &violations{linked: l, k: k, d: d, space: make([]float64, k)}
	v.nearest, v.now = slices.Repeat([]int32{-1}, len(l.at)), slices.Repeat([]int32{-1}, len(l.at))
	return v
}

func (v *violations) row(i int32) []float64 { return v.rows[int(i)*v.d:][:v.d] }

// distance returns the squared distance of a linked row from a prototype.
func (v *violations) distance(i, cluster int32, at []float64) float64 {
	return simd.SquaredDistance(v.row(i), at[int(cluster)*v.d:][:v.d])
}

// checkEvery is how many links are gone through between looks at the context.
const checkEvery = 1024

// settle puts the linked rows into clusters. Labels are those by the nearest of the prototypes at.
// It returns how many linked rows changed cluster since the call before, and how many their nearest
// prototype.
func (v *violations) settle(ctx context.Context, labels []int32, at []float64) (moved, turned int,
	err error) {
	before := slices.Clone(v.now)
	for i, row := range v.at {
		if l := labels[row]; v.nearest[i] != l {
			v.nearest[i] = l
			turned++
		}
	}
	copy(v.now, v.nearest)
	for n, l := range v.must {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		v.join(l, at)
	}
	for n, l := range v.cannot {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		v.part(l, at)
	}
	for i, c := range v.now {
		if c != before[i] {
			moved++
		}
	}
	return moved, turned, nil
}

// join takes the cheapest of the three ways with a violated must-link.
func (v *violations) join(l pair, at []float64) {
	j, n := v.now[l.x], v.now[l.y]
	if j == n {
		return
	}
	xj, xn, yj, yn := v.distance(l.x, j, at), v.distance(l.x, n, at), v.distance(l.y, j, at),
		v.distance(l.y, n, at)
	keep := (xj+yn)/2 + float64(l.p*(yj+xn))/4
	first, second := (xj+yj)/2, (xn+yn)/2
	switch {
	case keep <= first && keep <= second:
	case first <= second:
		v.now[l.y] = j
	default:
		v.now[l.x] = n
	}
}

// part takes the cheaper of the two ways with a violated cannot-link.
func (v *violations) part(l pair, at []float64) {
	if v.now[l.x] != v.now[l.y] || v.k == 1 {
		return
	}
	// Leaving both costs ½(own − (1−p)·other) more, with no rounding of what the two ways share.
	if far, to, own, other := v.rival(l, v.now[l.x], at); own > float64((1-l.p)*other) {
		v.now[far] = to
	}
}

// rival returns, for a cannot-link within a cluster, the object farther from its prototype, R, with
// that squared distance, and the nearest other prototype of R, V, with that squared distance. There
// are at least two clusters.
func (v *violations) rival(l pair, cluster int32, at []float64) (far, to int32, own,
	other float64) {
	x, y := v.distance(l.x, cluster, at), v.distance(l.y, cluster, at)
	far, own = l.y, y
	if x > y {
		far, own = l.x, x
	}
	simd.SquaredDistances(v.space, v.row(far), at)
	to = -1
	for c, distance := range v.space {
		if int32(c) != cluster && (to < 0 || distance < other) {
			to, other = int32(c), distance
		}
	}
	return far, to, own, other
}

// labels puts what the links have moved into labels by the nearest prototype, and returns them.
func (v *violations) labels(labels []int32) []int32 {
	for i, row := range v.at {
		labels[row] = v.now[i]
	}
	return labels
}

// moved counts the linked rows that are elsewhere than with the nearest prototype.
func (v *violations) moved() (n int) {
	for i, c := range v.now {
		if c != v.nearest[i] {
			n++
		}
	}
	return n
}

// extra returns by how much the objective exceeds half the squared distances from the nearest
// prototypes.
func (v *violations) extra(at []float64) float64 {
	sum := 0.0
	for i, c := range v.now {
		if c != v.nearest[i] {
			sum += (v.distance(int32(i), c, at) - v.distance(int32(i), v.nearest[i], at)) / 2
		}
	}
	return sum + v.cost(v.now, at)
}

// cost returns what the links cost that are violated where linked rows are in these clusters: the
// second and later sums of equation A.1.
func (v *violations) cost(cluster []int32, at []float64) float64 {
	sum := 0.0
	for _, l := range v.must {
		if j, n := cluster[l.x], cluster[l.y]; j != n {
			sum += float64(l.p*(v.distance(l.y, j, at)+v.distance(l.x, n, at))) / 4
		}
	}
	for _, l := range v.cannot {
		if cluster[l.x] == cluster[l.y] && v.k > 1 {
			_, _, _, other := v.rival(l, cluster[l.x], at)
			sum += float64(l.p*other) / 2
		}
	}
	return sum
}

// update moves the prototypes by equations A.4 to A.6.
func (v *violations) update(nearest, origin []float64, counts []int64, at []float64) {
	sums, weight := slices.Clone(nearest), make([]float64, v.k)
	for c, m := range counts {
		weight[c] = float64(m)
	}
	add := func(cluster, i int32, w float64) {
		weight[cluster] += w
		sum := sums[int(cluster)*v.d:][:v.d]
		for j, x := range v.row(i) {
			sum[j] += float64(w * (x - origin[j]))
		}
	}
	for i, c := range v.now {
		if was := v.nearest[i]; c != was {
			add(was, int32(i), -1)
			add(c, int32(i), 1)
		}
	}
	for c, w := range weight {
		if w == 0 { // what rounding has left there would be divided by what doubtful links weigh
			clear(sums[c*v.d:][:v.d])
		}
	}
	for _, l := range v.must {
		if j, n := v.now[l.x], v.now[l.y]; j != n {
			add(j, l.y, l.p/2)
			add(n, l.x, l.p/2)
		}
	}
	for _, l := range v.cannot {
		if v.now[l.x] == v.now[l.y] && v.k > 1 {
			far, to, _, _ := v.rival(l, v.now[l.x], at)
			add(to, far, l.p)
		}
	}
	for c, w := range weight {
		if w == 0 {
			continue
		}
		for j := range v.d {
			at[c*v.d+j] = origin[j] + sums[c*v.d+j]/w
		}
	}
}
