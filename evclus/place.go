package evclus

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/belief"
	"github.com/kindred-go/kindred/credal"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/simplexqp"
)

// Model places new objects into a partition by their dissimilarities to landmarks, fitted objects that stand for
// all: one row programme gives the mass function of an object. Its fields can be written and read as JSON.
type Model struct {
	Clusters  int          `json:"clusters"`
	Focal     []belief.Set `json:"focal"`
	Mass      []float64    `json:"mass"` // L×f, the landmarks' masses
	Transform Transform    `json:"transform"`
	D0        float64      `json:"d0"`
	Gamma     float64      `json:"gamma"`
	Ranks     []float32    `json:"ranks,omitempty"` // Rank: quantiles of the dissimilarities of the fit, ascending
}

// Landmarks draws up to count fitted objects evenly, ascending, for [Result.Model].
func (r *Result) Landmarks(count int, seed uint64) []int32 {
	n := r.Credal.Len()
	return sampleObjects(n, min(n, max(0, count)), seed)
}

// Model gives what places new objects by their dissimilarities to the given fitted objects. It fails for a fit
// of the Sammon stress, whose row programmes have no such form.
func (r *Result) Model(landmarks []int32) (*Model, error) {
	if r.scale == nil {
		return nil, &fault.Input{Problem: "a fit of the Sammon stress cannot place new objects", Mend: "fit the conflict stress (--stress conflict)"}
	}
	m := &Model{
		Clusters: r.Credal.Clusters, Focal: r.Credal.Focal, Transform: r.scale.transform,
		D0: r.scale.d0, Gamma: r.scale.gamma, Ranks: r.scale.ranks,
	}
	for _, i := range landmarks {
		if i < 0 || int(i) >= r.Credal.Len() {
			return nil, &fault.Input{Problem: fmt.Sprintf("object %d cannot be a landmark: %d objects were fitted", int(i)+1, r.Credal.Len()), Mend: "name fitted objects"}
		}
		m.Mass = append(m.Mass, r.Credal.Row(int(i))...)
	}
	return m, m.Check()
}

// Check tells whether the model can be used: a file may hold anything.
func (m *Model) Check() error {
	bad := func(problem string, args ...any) error {
		return &fault.Input{Problem: "the model " + fmt.Sprintf(problem, args...), Mend: "write it again with kindred cluster --model"}
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

// Len gives the number of landmarks.
func (m *Model) Len() int { return len(m.Mass) / len(m.Focal) }

// Place gives the masses of n new objects; rows gives their dissimilarities to the landmarks. The result
// does not depend on threads (0: one a processor), nor on which objects are placed together.
func (m *Model) Place(ctx context.Context, rows dissim.Rows, n, threads int) (*credal.Partition, error) {
	out := &credal.Partition{Clusters: m.Clusters, Focal: m.Focal, Mass: make([]float64, n*len(m.Focal))}
	return out, m.PlaceInto(ctx, out.Mass, rows, n, threads)
}

// PlaceInto is [Model.Place] into masses that are there, n×f.
func (m *Model) PlaceInto(ctx context.Context, mass []float64, rows dissim.Rows, n, threads int) error {
	p := newPlacer(m)
	return parallel.Blocks(ctx, n, placeBlock, threads, func(_, lo, hi int) {
		p.block(ctx, mass, rows, lo, hi)
	})
}

// placeBlock is how many objects are placed at a time.
const placeBlock = 256

// placer is what all objects to place share: H, and the landmarks' conflict vectors by column.
type placer struct {
	fr    *frame
	scale scale
	count int // landmarks
	mass  []float64
	cols  []float64
	h     []float64
}

func newPlacer(m *Model) *placer {
	p := &placer{fr: newFrame(m.Clusters, m.Focal), count: m.Len(), mass: m.Mass}
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
	return p
}

// block places the objects from lo up to hi, until ctx ends.
func (p *placer) block(ctx context.Context, mass []float64, rows dissim.Rows, lo, hi int) {
	f, w := p.fr.f, p.fr.w
	delta := make([]float32, (hi-lo)*p.count)
	each := make([][]float32, hi-lo)
	for i := range each {
		if ctx.Err() != nil { // dissimilarities may be costly
			return
		}
		each[i] = delta[i*p.count : (i+1)*p.count]
		rows.Row(each[i], lo+i, nil)
	}
	p.scale.apply(delta, delta)
	products := make([]float64, (hi-lo)*w)
	simd.Products(products, each, p.cols, p.count, w)
	solver, g := simplexqp.New(f), make([]float64, f)
	for i, row := range each {
		sum := 0.0
		for _, v := range row {
			sum += float64(v)
		}
		for k := range f {
			g[k] = sum
			if a := p.fr.ext[k]; a > 0 {
				g[k] = products[i*w+a-1]
			}
		}
		m := mass[(lo+i)*f : (lo+i+1)*f]
		copy(m, p.mass[leastOf(row)*f:]) // mostly of the focal sets that m ends with
		solver.Solve(p.h, g, m)
	}
}

// leastOf gives the landmark with the least conflict called for, the first on a tie.
func leastOf(row []float32) int {
	best := 0
	for j, v := range row {
		if v < row[best] {
			best = j
		}
	}
	return best
}

// FitLandmarks fits count objects drawn evenly, and places all others by their dissimilarities to them: time and memory
// beyond the landmarks' own fit grow as n·count and n. Linked objects become landmarks first; links for which
// there are too few landmarks are left out, and a note counts them.
func FitLandmarks(ctx context.Context, src dissim.Source, count int, cfg Config) (*Result, error) {
	n := src.Len()
	if count >= n {
		return Fit(ctx, src, cfg)
	}
	if count < 3 {
		return nil, &fault.Input{Problem: fmt.Sprintf("%d landmarks are too few", count), Mend: "ask for 3 or more"}
	}
	if _, err := checkLinks(n, cfg.Links, cfg.Contradictions); err != nil {
		return nil, err
	}
	marks := landmarksOf(n, count, cfg)
	at := make(map[int]int, count)
	for t, i := range marks {
		at[int(i)] = t
	}
	left := 0
	kept := cfg.Links[:0:0]
	for _, l := range cfg.Links {
		a, okA := at[l.A]
		b, okB := at[l.B]
		if !okA || !okB {
			left++
			continue
		}
		l.A, l.B = a, b
		kept = append(kept, l)
	}
	cfg.Links = kept
	res, err := Fit(ctx, subset{src, marks}, cfg)
	if res == nil || err != nil {
		return nil, err
	}
	all := make([]int32, count)
	for t := range all {
		all[t] = int32(t)
	}
	m, err := res.Model(all)
	if err != nil {
		return nil, err
	}
	placed, err := m.Place(ctx, toLandmarks{src, marks}, n, cfg.Threads)
	if err != nil {
		return nil, err
	}
	for t, i := range marks {
		copy(placed.Row(int(i)), res.Credal.Row(t))
	}
	res.Credal = placed
	res.Notes = append(res.Notes, fmt.Sprintf("%d landmarks were fitted, and the other %d objects placed by their dissimilarities to them.", count, n-count))
	if left > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%d links are not between landmarks and were left out.", left))
	}
	return res, nil
}

// landmarksOf draws landmarks, linked objects first so that links count.
func landmarksOf(n, count int, cfg Config) []int32 {
	linked := make(map[int32]bool)
	for _, l := range cfg.Links {
		for _, i := range []int{l.A, l.B} {
			if i >= 0 && i < n && len(linked) < count {
				linked[int32(i)] = true
			}
		}
	}
	free := sampleObjects(n-len(linked), count-len(linked), cfg.Seed)
	out := make([]int32, 0, count)
	seen := int32(0) // objects without a link met so far
	for i := int32(0); int(i) < n; i++ {
		switch {
		case linked[i]:
			out = append(out, i)
			continue
		case len(free) > 0 && free[0] == seen:
			out = append(out, i)
			free = free[1:]
		}
		seen++
	}
	return out
}

// subset is a source of some objects of another.
type subset struct {
	src   dissim.Source
	marks []int32
}

func (s subset) Len() int { return len(s.marks) }

func (s subset) Row(dst []float32, i int, js []int32) { toLandmarks(s).Row(dst, int(s.marks[i]), js) }

// toLandmarks gives the dissimilarities from all objects of a source to some of them.
type toLandmarks struct {
	src   dissim.Source
	marks []int32
}

func (s toLandmarks) Row(dst []float32, i int, js []int32) {
	if js == nil {
		s.src.Row(dst, i, s.marks)
		return
	}
	at := make([]int32, len(js))
	for t, j := range js {
		at[t] = s.marks[j]
	}
	s.src.Row(dst, i, at)
}
