package evclus

import (
	"context"
	"math"
	"sync"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// Model places new objects into a partition by their dissimilarities to landmarks, fitted objects
// that stand for all: one row programme yields the mass function of an object. Its fields can be
// written and read as JSON.
type Model struct {
	Clusters  int          `json:"clusters"`
	Focal     []belief.Set `json:"focal"`
	Mass      []float64    `json:"mass"` // L×f, the landmarks' masses
	Transform Transform    `json:"transform"`
	D0        float64      `json:"d0"`
	Gamma     float64      `json:"gamma"`
	// Rank: quantiles of the dissimilarities of the fit, ascending
	Ranks []float32 `json:"ranks,omitempty"`
}

// Landmarks draws up to count fitted objects evenly, ascending, for [Result.Model].
func (r *Result) Landmarks(count int, seed uint64) []int32 {
	n := r.Credal.Len()
	return sampleObjects(n, min(n, max(0, count)), seed)
}

// Model returns what places new objects by their dissimilarities to the given fitted objects. It
// fails for a fit of the Sammon stress, whose row programmes have no such form.
func (r *Result) Model(landmarks []int32) (*Model, error) {
	if r.scale == nil {
		return nil, errSammonPlaces()
	}
	m := &Model{
		Clusters: r.Credal.Clusters, Focal: r.Credal.Focal, Transform: r.scale.transform,
		D0: r.scale.d0, Gamma: r.scale.gamma, Ranks: r.scale.ranks,
	}
	for _, i := range landmarks {
		if i < 0 || int(i) >= r.Credal.Len() {
			return nil, fault.Inputf("name fitted objects",
				"object %d cannot be a landmark: %d objects were fitted", int(i)+1, r.Credal.Len())
		}
		m.Mass = append(m.Mass, r.Credal.Row(int(i))...)
	}
	return m, m.Check()
}

func errSammonPlaces() error {
	return fault.Inputf("fit the conflict stress (--stress conflict)",
		"a fit of the Sammon stress cannot place new objects")
}

// Check reports whether the model can be used: a file may hold anything.
func (m *Model) Check() error {
	bad := func(problem string, args ...any) error {
		return fault.Inputf("write it again with kindred cluster --model", "the model "+problem,
			args...)
	}
	p := credal.Partition{Clusters: m.Clusters, Focal: m.Focal, Mass: m.Mass}
	if err := p.Check(); err != nil {
		return bad("holds no credal partition: %v", err)
	}
	if p.Len() == 0 {
		return bad("has no landmarks")
	}
	switch m.Transform {
	case Exponential:
		if !(m.Gamma > 0) || math.IsInf(m.Gamma, 0) {
			return bad("has the exponent %g", m.Gamma)
		}
	case Linear:
		if !(m.D0 > 0) || math.IsInf(m.D0, 0) {
			return bad("has d0 = %g", m.D0)
		}
	case Rank:
		if len(m.Ranks) == 0 {
			return bad("has no ranks")
		}
		for i, v := range m.Ranks {
			if v != v || i > 0 && v < m.Ranks[i-1] {
				return bad("has ranks out of order")
			}
		}
	default:
		return bad("has an unknown transform")
	}
	return nil
}

// Len returns the number of landmarks.
func (m *Model) Len() int { return len(m.Mass) / len(m.Focal) }

// Place returns the masses of n new objects; rows has their dissimilarities to the landmarks. The
// result does not depend on threads (0: one per processor), nor on which objects are placed
// together.
func (m *Model) Place(ctx context.Context, rows dissim.Rows, n, threads int) (*credal.Partition,
	error) {
	out := &credal.Partition{Clusters: m.Clusters, Focal: m.Focal,
		Mass: make([]float64, n*len(m.Focal))}
	return out, m.Placer().PlaceInto(ctx, out.Mass, rows, n, threads)
}

// placeBlock is how many objects are placed at a time.
const placeBlock = 256

// Placer places objects block after block with what all of them share worked out once: H, and the
// landmarks' conflict vectors by column. It is safe for concurrent use. The model must not change
// meanwhile.
type Placer struct {
	fr      *frame
	scale   scale
	count   int // landmarks
	mass    []float64
	cols    []float64
	h       []float64
	scratch sync.Pool // of *placing
}

// placing is the scratch of one goroutine that places.
type placing struct {
	delta    []float32
	each     [][]float32
	products []float64
	prog     programme
}

// Placer prepares to place many blocks of objects by the model, which [Model.Check] must pass.
func (m *Model) Placer() *Placer {
	p := &Placer{fr: newFrame(m.Focal), count: m.Len(), mass: m.Mass}
	p.scale = scale{transform: m.Transform, d0: m.D0, gamma: m.Gamma, ranks: m.Ranks}
	f, w := p.fr.f, p.fr.w
	p.cols, p.h = make([]float64, w*p.count), make([]float64, f*f)
	c := make([]float64, w)
	ext := make([]float64, w+1)
	for j := range p.count {
		p.fr.conflictOf(c, m.Mass[j*f:j*f+f])
		ext[0] = 1
		copy(ext[1:], c)
		for q, v := range c {
			p.cols[q*p.count+j] = v
		}
		for k := range f {
			for l := range f {
				p.h[k*f+l] += float64(ext[p.fr.ext[k]] * ext[p.fr.ext[l]])
			}
		}
	}
	p.scratch.New = func() any {
		s := &placing{
			delta: make([]float32, placeBlock*p.count), each: make([][]float32, placeBlock),
			products: make([]float64, placeBlock*w), prog: newProgramme(f),
		}
		for i := range s.each {
			s.each[i] = s.delta[i*p.count : (i+1)*p.count]
		}
		return s
	}
	return p
}

// PlaceInto sets mass, n×f, to the masses of n objects, of which rows has the dissimilarities to
// the landmarks. They are those of [Model.Place] to the last bit, whatever the threads (0: one per
// processor) and whichever objects a block holds.
func (p *Placer) PlaceInto(ctx context.Context, mass []float64, rows dissim.Rows, n,
	threads int) error {
	return parallel.Blocks(ctx, n, placeBlock, threads, func(_, lo, hi int) {
		s := p.scratch.Get().(*placing)
		defer p.scratch.Put(s)
		p.block(ctx, s, mass, rows, lo, hi)
	})
}

// block places the objects from lo up to hi, until ctx ends.
func (p *Placer) block(ctx context.Context, s *placing, mass []float64, rows dissim.Rows, lo,
	hi int) {
	f, w := p.fr.f, p.fr.w
	each := s.each[:hi-lo]
	for i, row := range each {
		if ctx.Err() != nil { // dissimilarities may be costly
			return
		}
		rows.Row(row, lo+i, nil)
	}
	delta := s.delta[:(hi-lo)*p.count]
	p.scale.apply(delta, delta)
	simd.Products(s.products[:(hi-lo)*w], each, p.cols, p.count, w)
	for i, row := range each {
		sum := 0.0
		for _, v := range row {
			sum += float64(v)
		}
		for k := range f {
			s.prog.g[k] = sum
			if a := p.fr.ext[k]; a > 0 {
				s.prog.g[k] = s.products[i*w+a-1]
			}
		}
		m := mass[(lo+i)*f : (lo+i+1)*f]
		copy(m, p.mass[linalg.ArgMin(row)*f:]) // mostly of the focal sets that m ends with
		s.prog.solver.Solve(p.h, s.prog.g, m)
	}
}
