package bert

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/internal/simd"
)

// Workspace is memory that calls of Encode use again. Goroutines need one each; the zero value
// works.
type Workspace struct {
	states, wide, joined, other []float32
	scores, sums                []float32
	keys, values                *simd.Factor
}

// Encode returns the vector of each piece of the texts, one text after the other, as rows of Hidden
// values that are good until the next call. The vectors of a text do not depend on the other texts.
// Texts have from one piece to Positions. If ctx is done, its error is returned.
func (m *Model) Encode(ctx context.Context, w *Workspace, texts [][]int32) ([]float32, error) {
	h := m.cfg.Hidden
	n := 0
	for _, text := range texts {
		if len(text) < 1 || len(text) > m.cfg.Positions {
			return nil, fmt.Errorf("bert: a text of %d pieces", len(text))
		}
		for _, id := range text {
			if id < 0 || int(id) >= m.cfg.Vocabulary {
				return nil, fmt.Errorf("bert: piece %d of %d", id, m.cfg.Vocabulary)
			}
		}
		n += len(text)
	}
	w.states, w.joined, w.other = sized(w.states, n*h), sized(w.joined, n*h), sized(w.other, n*h)
	w.wide = sized(w.wide, n*max(3*h, m.cfg.Intermediate))
	at := 0
	for _, text := range texts {
		for i, id := range text {
			state, word := w.states[at*h:(at+1)*h], m.words[int(id)*h:]
			for j, v := range m.positions[i*h : (i+1)*h] {
				state[j] = word[j] + v
			}
			at++
		}
	}
	m.embedded.apply(w.states, nil)
	for i := range m.layers {
		l := &m.layers[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.attend.Multiply(w.wide, 3*h, w.states, h, n)
		at := 0
		for _, text := range texts {
			m.attend(w, at, len(text))
			at += len(text)
		}
		l.join.Multiply(w.other, h, w.joined, h, n)
		l.joined.apply(w.states, w.other)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		wide := w.wide[:n*m.cfg.Intermediate]
		l.widen.Multiply(wide, m.cfg.Intermediate, w.states, h, n)
		simd.GELU(wide)
		l.narrow.Multiply(w.other, h, wide, m.cfg.Intermediate, n)
		l.widened.apply(w.states, w.other)
	}
	return w.states, ctx.Err()
}

func sized(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// attend sets the joined rows of a text of n pieces, from row at on, to the means of its values,
// weighted by the products of its queries and keys.
func (m *Model) attend(w *Workspace, at, n int) {
	h := m.cfg.Hidden
	each := h / m.cfg.Heads
	if w.keys == nil {
		w.keys, w.values = simd.NewFactor(each, n), simd.NewFactor(n, each)
	}
	w.keys.Reset(each, n)
	w.values.Reset(n, each)
	w.scores, w.sums = sized(w.scores, n*n), sized(w.sums, n)
	rows := w.wide[at*3*h:]
	for head := range m.cfg.Heads {
		from := head * each
		w.keys.Columns(rows[h+from:], 3*h)
		w.values.Rows(rows[2*h+from:], 3*h)
		w.keys.Multiply(w.scores, n, rows[from:], 3*h, n)
		for i := range n {
			w.sums[i] = soften(w.scores[i*n : (i+1)*n])
		}
		joined := w.joined[at*h+from:]
		w.values.Multiply(joined, h, w.scores, n, n)
		for i, sum := range w.sums[:n] {
			scale(joined[i*h:][:each], 1/sum)
		}
	}
}

// soften replaces scores by their exponentials, the largest by 1, and returns their sum.
func soften(scores []float32) float32 {
	top := scores[0]
	for _, v := range scores {
		if v > top {
			top = v
		}
	}
	simd.Exp(scores, top)
	var sum [4]float32
	for ; len(scores) >= 4; scores = scores[4:] {
		sum[0] += scores[0]
		sum[1] += scores[1]
		sum[2] += scores[2]
		sum[3] += scores[3]
	}
	for _, v := range scores {
		sum[0] += v
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3])
}

// apply adds other, unless it is nil, to rows, and brings each row to mean 0 and variance 1, scaled
// and shifted.
func (n *norm) apply(rows, other []float32) {
	d := len(n.scale)
	bias := n.shift[:d]
	for lo := 0; lo < len(rows); lo += d {
		row := rows[lo : lo+d]
		if other != nil {
			for j, v := range other[lo : lo+d] {
				row[j] += v
			}
		}
		mean := sum(row) / float64(d)
		off := float32(mean)
		var squares [4]float64
		rest := row
		for ; len(rest) >= 4; rest = rest[4:] {
			a, b, c, d := float64(rest[0]-off), float64(rest[1]-off), float64(rest[2]-off),
				float64(rest[3]-off)
			squares[0] += float64(a * a)
			squares[1] += float64(b * b)
			squares[2] += float64(c * c)
			squares[3] += float64(d * d)
		}
		for _, v := range rest {
			v := float64(v - off)
			squares[0] += float64(v * v)
		}
		// The mean was rounded: what that adds to the squares is taken off again.
		lost := mean - float64(off)
		variance := (squares[0]+squares[1]+squares[2]+squares[3])/float64(d) - float64(lost*lost)
		by := float32(1 / math.Sqrt(max(variance, 0)+n.epsilon))
		for j, v := range row {
			row[j] = float32(float32((v-off)*by)*n.scale[j]) + bias[j]
		}
	}
}

// sum adds values up in four chains.
func sum(x []float32) float64 {
	var s [4]float64
	for ; len(x) >= 4; x = x[4:] {
		s[0] += float64(x[0])
		s[1] += float64(x[1])
		s[2] += float64(x[2])
		s[3] += float64(x[3])
	}
	for _, v := range x {
		s[0] += float64(v)
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}
