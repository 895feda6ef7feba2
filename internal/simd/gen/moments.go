package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of Moments. MomentLanes float64 are an entry of 64 bytes: one vector, or with AVX2
// two parts that are gone through one after the other.

const (
	entry = 64
	// fewColumns is the number of columns whose 26 entries fit the registers of AVX-512 beside the
	// columns themselves and the weights. It is also the side of the tiles that cover the triangle
	// of more columns; in 16 registers of AVX2 it is 3.
	fewColumns = 5
)

func (v isa) parts() int { return entry / v.bytes() }

func (v isa) side() int {
	if v.wide {
		return fewColumns
	}
	return 3
}

// least is the least side of two or more squares along the diagonal: one column more than a side
// has is cut in two.
func (v isa) least() int { return (v.side() + 1) / 2 }

// widen loads as many values of the type single, or else float64, as a vector of float64 has.
func (v isa) widen(single bool, from, to Op) {
	if single {
		VCVTPS2PD(from, to)
	} else {
		VMOVUPD(from, to)
	}
}

// corner is a square on the diagonal: the products of columns a ≤ b, and the other sums of each
// column.
type corner struct {
	product       [][]reg.VecVirtual // [a][b-a]
	sum, weighted []reg.VecVirtual
	total         reg.VecVirtual
}

func newCorner(v isa, size int) *corner {
	c := &corner{sum: v.vectors(size), weighted: v.vectors(size), total: v.vector()}
	for a := range size {
		c.product = append(c.product, v.vectors(size-a))
	}
	return c
}

// place is where a column of a term lies, and where a copy is to be kept.
type place struct {
	from, to Mem
	keep     bool
}

// add adds one term. With AVX-512 each column stays in a register; 16 registers are too few for
// that, and the copies serve.
func (c *corner) add(v isa, single bool, at []place, w reg.VecVirtual) {
	x := make([]reg.VecVirtual, len(at))
	one := v.vector()
	for q := range x {
		x[q] = one
		if v.wide {
			x[q] = v.vector()
		}
		v.widen(single, at[q].from, x[q])
		if at[q].keep {
			v.store(x[q], at[q].to)
		}
	}
	for a := range x {
		if !v.wide {
			v.load(at[a].to, x[a])
		}
		for b := a; b < len(x); b++ {
			var y Op = x[b]
			if !v.wide && b > a {
				y = at[b].to
			}
			v.fma(y, x[a], c.product[a][b-a])
		}
		v.fma(x[a], w, c.weighted[a])
		v.add(x[a], c.sum[a], c.sum[a])
	}
	v.add(w, c.total, c.total)
}

// momentsFew writes the kernel for up to fewColumns columns, which takes the terms from where they
// lie.
func momentsFew(single bool) {
	v, from := isa{wide: true}, isa{single: single}
	TEXT(by(from, "momentsFewF64AVX512", "momentsFewF32AVX512"), NOSPLIT,
		fmt.Sprintf("func(acc *float64, cols *%s, stride, f int, at *int32, d *float32, dAt "+
			"*int, n int)", from.elem()))
	Pragma("noescape")
	acc := Load(Param("acc"), GP64())
	cols := Load(Param("cols"), GP64())
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	f := Load(Param("f"), GP64())
	at := Load(Param("at"), GP64())
	d := Load(Param("d"), GP64())
	dAt := Load(Param("dAt"), GP64())
	n := Load(Param("n"), GP64())
	from.scale(stride)
	for size := 1; size < fewColumns; size++ {
		CMPQ(f, U8(uint8(size)))
		JEQ(LabelRef(fmt.Sprint("few", size)))
	}
	for size := fewColumns; size > 0; size-- {
		Label(fmt.Sprint("few", size))
		c := newCorner(v, size)
		entries := func(do func(Mem, reg.VecVirtual)) {
			e := 0
			for _, row := range append(c.product, c.sum, c.weighted, []reg.VecVirtual{c.total}) {
				for _, r := range row {
					do(Mem{Base: acc, Disp: e * entry}, r)
					e++
				}
			}
		}
		entries(func(m Mem, r reg.VecVirtual) { v.load(m, r) })
		base := make([]reg.GPVirtual, size)
		for q := range base {
			base[q] = GP64()
			if q == 0 {
				MOVQ(cols, base[q])
			} else {
				LEAQ(Mem{Base: base[q-1], Index: stride, Scale: 1}, base[q])
			}
		}
		step := fmt.Sprint("step", size)
		Label(step)
		i, j := GP64(), GP64()
		MOVLQSX(Mem{Base: at}, i)
		MOVQ(Mem{Base: dAt}, j)
		places := make([]place, size)
		for q := range places {
			places[q].from = Mem{Base: base[q], Index: i, Scale: uint8(from.size())}
		}
		w := v.vector()
		weights := Mem{Base: d, Index: j, Scale: 4}
		v.widen(true, weights, w)
		// The weights of the objects to come lie behind, and no two terms close together. A
		// prefetch never faults.
		PREFETCHT0(weights.Offset(128))
		c.add(v, single, places, w)
		advance(4, at)
		advance(8, dAt)
		DECQ(n)
		JNZ(LabelRef(step))
		entries(func(m Mem, r reg.VecVirtual) { v.store(r, m) })
		VZEROUPPER()
		RET()
	}
}

// momentsCorner writes the kernel for a square on the diagonal of more columns. Acc is where its
// first product lies, and step the number of entries from there to the first product of the next
// row, were it kept. The columns of each term are also laid out at to, in one piece, for the
// squares off the diagonal; the next term lies term entries on.
func momentsCorner(v isa, single bool) {
	from := isa{single: single}
	TEXT(by(from, "momentsCornerF64", "momentsCornerF32")+v.level(), NOSPLIT,
		fmt.Sprintf("func(acc *float64, step int, sum, weighted, total *float64, cols *%s, "+
			"stride int, at *int32, d *float32, dAt *int, n, size int, to *float64, term int)",
			from.elem()))
	Pragma("noescape")
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	d := Load(Param("d"), GP64())
	term := Load(Param("term"), GP64())
	from.scale(stride)
	SHLQ(U8(6), term)
	size := Load(Param("size"), GP64())
	least := 1
	if v.wide {
		least = v.least()
	}
	for s := least; s < v.side(); s++ {
		CMPQ(size, U8(uint8(s)))
		JEQ(LabelRef(fmt.Sprint("size", s)))
	}
	for s := v.side(); s >= least; s-- {
		Label(fmt.Sprint("size", s))
		for part := range v.parts() {
			c := newCorner(v, s)
			entries := func(do func(Mem, reg.VecVirtual)) {
				v.rows(c.product, part, true, do)
				for _, o := range []struct {
					name string
					row  []reg.VecVirtual
				}{{"sum", c.sum}, {"weighted", c.weighted}, {"total", []reg.VecVirtual{c.total}}} {
					p := Load(Param(o.name), GP64())
					for q, r := range o.row {
						do(Mem{Base: p, Disp: q*entry + part*v.bytes()}, r)
					}
				}
			}
			entries(func(m Mem, r reg.VecVirtual) { v.load(m, r) })
			cols := Load(Param("cols"), GP64())
			at := Load(Param("at"), GP64())
			dAt := Load(Param("dAt"), GP64())
			to := Load(Param("to"), GP64())
			left := Load(Param("n"), GP64())
			label := fmt.Sprintf("size%dpart%d", s, part)
			Label(label)
			i, j := GP64(), GP64()
			MOVLQSX(Mem{Base: at}, i)
			LEAQ(Mem{Base: cols, Index: i, Scale: uint8(from.size())}, i)
			MOVQ(Mem{Base: dAt}, j)
			column, _ := every(i, stride, s)
			places := make([]place, s)
			for q := range places {
				places[q] = place{column(q, part*v.lanes()*from.size()),
					Mem{Base: to, Disp: q*entry + part*v.bytes()}, true}
			}
			w := v.vector()
			v.widen(true, Mem{Base: d, Index: j, Scale: 4, Disp: part * v.lanes() * 4}, w)
			c.add(v, single, places, w)
			advance(4, at)
			advance(8, dAt)
			ADDQ(term, to)
			DECQ(left)
			JNZ(LabelRef(label))
			entries(func(m Mem, r reg.VecVirtual) { v.store(r, m) })
		}
		VZEROUPPER()
		RET()
	}
}

// rows goes through the entries of a square in acc, of which with half those below the diagonal are
// not kept.
func (v isa) rows(product [][]reg.VecVirtual, part int, half bool, do func(Mem, reg.VecVirtual)) {
	p := Load(Param("acc"), GP64())
	step := Load(Param("step"), GP64())
	SHLQ(U8(6), step)
	for i, row := range product {
		for j, r := range row {
			if half {
				j += i
			}
			do(Mem{Base: p, Disp: j*entry + part*v.bytes()}, r)
		}
		ADDQ(step, p)
		SUBQ(U8(entry), step)
	}
}

// momentsSquare writes the kernel for a square off the diagonal, of the columns at x by those at y.
// The sides differ by one at most, that of x being the longer, so that their sum determines both.
func momentsSquare(v isa) {
	TEXT("momentsSquare"+v.level(), NOSPLIT,
		"func(acc *float64, step int, x, y *float64, term, n, sides int)")
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	term := Load(Param("term"), GP64())
	SHLQ(U8(6), term)
	sides := Load(Param("sides"), GP64())
	least, most := 2*v.least(), 2*v.side()
	for s := least; s < most; s++ {
		CMPQ(sides, U8(uint8(s)))
		JEQ(LabelRef(fmt.Sprint("sides", s)))
	}
	for s := most; s >= least; s-- {
		Label(fmt.Sprint("sides", s))
		for part := range v.parts() {
			product := make([][]reg.VecVirtual, s-s/2)
			for i := range product {
				product[i] = v.vectors(s / 2)
			}
			v.rows(product, part, false, func(m Mem, r reg.VecVirtual) { v.load(m, r) })
			px, py, left := GP64(), GP64(), GP64()
			LEAQ(Mem{Base: x, Disp: part * v.bytes()}, px)
			LEAQ(Mem{Base: y, Disp: part * v.bytes()}, py)
			Load(Param("n"), left)
			label := fmt.Sprintf("sides%dpart%d", s, part)
			Label(label)
			a, b := v.vectors(len(product)), v.vector()
			for i := range a {
				v.load(Mem{Base: px, Disp: i * entry}, a[i])
			}
			for j := range s / 2 {
				v.load(Mem{Base: py, Disp: j * entry}, b)
				for i := range a {
					v.fma(b, a[i], product[i][j])
				}
			}
			ADDQ(term, px)
			ADDQ(term, py)
			DECQ(left)
			JNZ(LabelRef(label))
			v.rows(product, part, false, func(m Mem, r reg.VecVirtual) { v.store(r, m) })
		}
		VZEROUPPER()
		RET()
	}
}
