package evclus

import "github.com/kindred-go/kindred/data/dissim"

// gradientTerms returns the terms of a stress, object by object: the others that share one with
// object i and, for each, the dissimilarity d (Sammon) or the conflict δ it calls for (Conflict).
// js is nil for all objects in order, i itself among them, which is passed over. A term is in
// the rows of both of its ends, and as often as it counts. What is given is only read, and good
// until scratch is used again.
type gradientTerms interface {
	row(i int, scratch *termScratch) (js []int32, values []float32)
	most() int // the length of the longest row
}

// termScratch is room for a row.
type termScratch struct {
	js     []int32
	values []float32
}

func newTermScratch(t gradientTerms) *termScratch {
	most := t.most()
	return &termScratch{make([]int32, 0, most), make([]float32, 0, most)}
}

// matrixTerms are those of all pairs.
type matrixTerms struct {
	n      int
	values []float32 // n×n, symmetric
}

func (t matrixTerms) most() int { return t.n }

func (t matrixTerms) row(i int, _ *termScratch) ([]int32, []float32) {
	return nil, t.values[i*t.n : (i+1)*t.n]
}

// sampledTerms are those of a sample: each object's own partners and the objects that drew it.
type sampledTerms struct {
	sample   *dissim.Sampled
	values   []float32 // laid out as generate.D
	position []int32   // of each object in generate.Order
}

func newSampledTerms(s *dissim.Sampled, values []float32) sampledTerms {
	t := sampledTerms{s, values, make([]int32, s.N)}
	for p, i := range s.Order[:s.N] {
		t.position[i] = int32(p)
	}
	return t
}

func (t sampledTerms) most() int { return 2 * t.sample.K }

func (t sampledTerms) row(i int, scratch *termScratch) ([]int32, []float32) {
	s, p := t.sample, int(t.position[i])
	js, values := scratch.js[:0], scratch.values[:0]
	for r, shift := range s.Shifts {
		after, before := p+int(shift), p-int(shift)
		if after >= s.N {
			after -= s.N
		}
		if before < 0 {
			before += s.N
		}
		js = append(js, s.Order[after], s.Order[before])
		values = append(values, t.values[r*s.Stride+p], t.values[r*s.Stride+before])
	}
	return js, values
}
