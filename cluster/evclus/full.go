package evclus

import (
	"context"

	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// sweeper is what both engines have.
type sweeper struct {
	fr      *frame
	squares float64 // Σ δ² over the pairs in use
	links   linkTerms
	penalty float64 // weight of a link against one squared difference
	omega   float64 // see simplexqp.Solver.Relax
	threads int
	mass    []float64 // n×f, as rows are visited
}

// solve solves the programme of row i, under its links, and returns the change of the objective.
func (e *sweeper) solve(p *programme, i int) (change float64) {
	if e.penalty != 0 {
		e.links.linear(p.g, i, e.mass, e.fr.penalty, -e.penalty/2)
	}
	m := e.mass[i*e.fr.f : (i+1)*e.fr.f]
	if change, _ = p.solver.Solve(p.h, p.g, m); change != 0 {
		change += p.solver.Relax(m, e.omega)
	}
	return change
}

func (e *sweeper) total() float64 { return e.squares }

func (e *sweeper) relax(omega float64) { e.omega = omega }

// fullBlock is how many rows of the matrix are multiplied at a time.
const fullBlock = 64

// full sweeps over all pairs. A row's programme needs H = Σ_{j≠i} c_j c_jᵀ and g = Σ_j δ_ij c_j. H
// is the sum over all objects, kept up to date, less the row's own part. The products g of a block
// of rows are made at once, in parallel, and corrected for the rows of the block that moved before:
// each row so sees all rows before it as they are now, as Algorithm 1 wants it.
type full struct {
	sweeper
	n     int
	delta []float32 // n×n
	sums  []float64 // Σ_j δ_ij of each row

	cols  []float64 // w×n, conflict vectors by column
	gram  []float64 // (w+1)², upper half: Σ over objects of (1, c)(1, c)ᵀ
	out   []float64 // fullBlock×w
	moved []float64 // fullBlock×w, how conflict vectors of the block changed
	own   []float64 // 1 and a conflict vector
	fresh []float64
	rows  [][]float32
	prog  programme
}

func newFull(ctx context.Context, fr *frame, n int, delta []float32, threads int) (*full, error) {
	e := &full{sweeper: sweeper{fr: fr, threads: threads}, n: n, delta: delta}
	e.sums = make([]float64, n)
	squares := make([]float64, n)
	err := parallel.Blocks(ctx, n, fullBlock, threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			var s, q float64
			for _, v := range delta[i*n : i*n+n] {
				s += float64(v)
				q += float64(float64(v) * float64(v))
			}
			e.sums[i], squares[i] = s, q
		}
	})
	for _, q := range squares {
		e.squares += q / 2
	}
	e.refocus(fr)
	return e, err
}

// refocus changes the focal sets.
func (e *full) refocus(fr *frame) {
	e.fr = fr
	w := fr.w
	e.cols = make([]float64, w*e.n)
	e.gram = make([]float64, (w+1)*(w+1))
	e.out, e.moved = make([]float64, fullBlock*w), make([]float64, fullBlock*w)
	e.own, e.fresh = make([]float64, w+1), make([]float64, w)
	e.rows = make([][]float32, 0, fullBlock)
	e.prog = newProgramme(fr.f)
}

func (e *full) tie(links linkTerms, penalty float64) { e.links, e.penalty = links, penalty }

func (e *full) reset(_ context.Context, mass []float64) error {
	e.mass = mass
	f, w := e.fr.f, e.fr.w
	for i := range e.n {
		e.fr.conflictOf(e.fresh, mass[i*f:i*f+f])
		for q := range w {
			e.cols[q*e.n+i] = e.fresh[q]
		}
	}
	return nil
}

// settle has nothing to do: the masses of reset are those that sweeps change.
func (e *full) settle() {}

// regram sums the products of conflict vectors anew, so that rounding does not pile up over sweeps.
func (e *full) regram() {
	clear(e.gram)
	for i := range e.n {
		e.conflictVector(i)
		e.rankOne(1)
	}
}

// conflictVector puts (1, c_i) into own.
func (e *full) conflictVector(i int) {
	e.own[0] = 1
	for q := range e.fr.w {
		e.own[q+1] = e.cols[q*e.n+i]
	}
}

// rankOne adds a multiple of own·ownᵀ to the upper half of gram.
func (e *full) rankOne(sign float64) {
	for a, v := range e.own {
		row := e.gram[a*len(e.own):]
		for b := a; b < len(e.own); b++ {
			row[b] += float64(sign * float64(v*e.own[b]))
		}
	}
}

func (e *full) sweep(ctx context.Context, only []bool) (change float64, err error) {
	e.regram()
	rows := make([]int, 0, fullBlock)
	for i := 0; i <= e.n; i++ {
		if i < e.n && (only == nil || only[i]) {
			rows = append(rows, i)
		}
		if len(rows) == fullBlock || i == e.n && len(rows) > 0 {
			part, err := e.block(ctx, rows)
			change += part
			if err != nil {
				return change, err
			}
			rows = rows[:0]
		}
	}
	return change, nil
}

// products sets out to Σ_j δ_ij c_j for each of the rows.
func (e *full) products(ctx context.Context, rows []int) error {
	e.rows = e.rows[:0]
	for _, i := range rows {
		e.rows = append(e.rows, e.delta[i*e.n:i*e.n+e.n])
	}
	w, size := e.fr.w, len(rows)
	if len(rows)*e.n*w > 1<<17 {
		size = 8
	}
	return parallel.Blocks(ctx, len(rows), size, e.threads, func(_, lo, hi int) {
		simd.Products(e.out[lo*w:hi*w], e.rows[lo:hi], e.cols, e.n, w)
	})
}

// block updates the rows in turn.
func (e *full) block(ctx context.Context, rows []int) (change float64, err error) {
	if err := e.products(ctx, rows); err != nil {
		return 0, err
	}
	f, w := e.fr.f, e.fr.w
	for at, i := range rows {
		if err := ctx.Err(); err != nil { // programmes of many focal sets are slow
			return change, err
		}
		g := e.out[at*w : at*w+w]
		for before, j := range rows[:at] {
			if v := float64(e.rows[at][j]); v != 0 {
				for q, d := range e.moved[before*w : before*w+w] {
					g[q] += float64(v * d)
				}
			}
		}
		m := e.mass[i*f : i*f+f]
		e.conflictVector(i)
		e.rankOne(-1)
		e.fill(i, g)
		change += e.solve(&e.prog, i)
		e.fr.conflictOf(e.fresh, m)
		for q, v := range e.fresh {
			e.moved[at*w+q] = v - e.own[q+1]
			e.own[q+1] = v
			e.cols[q*e.n+i] = v
		}
		e.rankOne(1)
	}
	return change, nil
}

// fill sets the programme of row i from gram, which leaves the row out, and from its products.
func (e *full) fill(i int, g []float64) {
	f, side := e.fr.f, e.fr.w+1
	for k := range f {
		a := e.fr.ext[k]
		if a == 0 {
			e.prog.g[k] = e.sums[i]
		} else {
			e.prog.g[k] = g[a-1]
		}
		for l := range f {
			b := e.fr.ext[l]
			e.prog.h[k*f+l] = e.gram[min(a, b)*side+max(a, b)]
		}
	}
}

// stress returns Σ_{i<j} (κ_ij − δ_ij)² of the masses as they are.
func (e *full) stress(ctx context.Context) (float64, error) {
	e.regram()
	f, sum := e.fr.f, 0.0
	rows := make([]int, 0, fullBlock)
	for lo := 0; lo < e.n; lo += fullBlock {
		rows = rows[:0]
		for i := lo; i < min(e.n, lo+fullBlock); i++ {
			rows = append(rows, i)
		}
		if err := e.products(ctx, rows); err != nil {
			return 0, err
		}
		for at, i := range rows {
			w := e.fr.w
			m := e.mass[i*f : i*f+f]
			e.conflictVector(i)
			e.rankOne(-1)
			e.fill(i, e.out[at*w:at*w+w])
			e.rankOne(1)
			sum += e.prog.value(m)
		}
	}
	return e.squares + sum/2, nil
}
