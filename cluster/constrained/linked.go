package constrained

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// linked are the rows that links name, by numbers of their own, and the links between them.
type linked struct {
	rows  []float64 // m×d
	at    []int32   // where in the data each of them is
	pairs []pair
	of    [][]int32 // of each row the pairs it is in
	k, d  int
}

// pair is a link.
type pair struct {
	x, y int32
	must bool
	p    float64 // confidence
}

func newLinked(data dataset.Matrix, links []link.Link, k int) *linked {
	l := &linked{k: k, d: data.Cols}
	local := make(map[int]int32)
	row := func(i int) int32 {
		at, known := local[i]
		if !known {
			at = int32(len(l.at))
			local[i] = at
			l.at, l.of = append(l.at, int32(i)), append(l.of, nil)
			l.rows = data.AppendRow(l.rows, i)
		}
		l.of[at] = append(l.of[at], int32(len(l.pairs)))
		return at
	}
	for _, given := range links {
		if given.Kind == link.MustLink || given.Kind == link.CannotLink {
			p := pair{x: row(given.A), y: row(given.B), must: given.Kind == link.MustLink,
				p: given.Confidence()}
			l.pairs = append(l.pairs, p)
		}
	}
	return l
}

func (l *linked) row(i int32) []float64 { return l.rows[int(i)*l.d:][:l.d] }

// other returns the other end of a pair.
func (p pair) other(x int32) int32 {
	if p.x == x {
		return p.y
	}
	return p.x
}

// distances returns the squared distance of each linked row from each centre, m×k.
func (l *linked) distances(dst, centers []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(l.at)*l.k)
	}
	for i := range l.at {
		simd.SquaredDistances(dst[i*l.k:(i+1)*l.k], l.row(int32(i)), centers)
	}
	return dst
}

// components returns the linked rows that must-links join, as the closure has them: those of one
// component each, in order of their first rows.
func (l *linked) components(set *link.Set) [][]int32 {
	number := make(map[int]int)
	var out [][]int32
	for i, row := range l.at {
		c := set.Component(int(row))
		at, known := number[c]
		if !known {
			at = len(out)
			number[c] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], int32(i))
	}
	return out
}

// means returns the mean of each group of linked rows, and the group of each row.
func (l *linked) means(groups [][]int32) (means []float64, of []int32) {
	means, of = make([]float64, len(groups)*l.d), make([]int32, len(l.at))
	for g, rows := range groups {
		mean := means[g*l.d : (g+1)*l.d]
		for _, i := range rows {
			of[i] = int32(g)
			for j, v := range l.row(i) {
				mean[j] += v / float64(len(rows))
			}
		}
	}
	return means, of
}

// put writes the clusters of linked rows into labels.
func (l *linked) put(labels, now []int32) {
	for i, row := range l.at {
		labels[row] = now[i]
	}
}

// take reads the clusters of linked rows from labels.
func (l *linked) take(now, labels []int32) []int32 {
	now = now[:0]
	for _, row := range l.at {
		now = append(now, labels[row])
	}
	return now
}
