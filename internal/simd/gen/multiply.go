package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// multiply writes the kernel of Factor.Multiply: m rows of k values against one tile of columns, as
// many rows at a time as nearest takes centroids.
func multiply(v isa) {
	TEXT("multiply"+v.level(), NOSPLIT,
		"func(out, rows, tile, start *float32, m, k, outStride, rowStride int)")
	Pragma("noescape")
	out := Load(Param("out"), GP64())
	rows := Load(Param("rows"), GP64())
	tile := Load(Param("tile"), GP64())
	start := Load(Param("start"), GP64())
	m := Load(Param("m"), GP64())
	outStride := Load(Param("outStride"), GP64())
	v.scale(outStride)
	rowStride := Load(Param("rowStride"), GP64()).(reg.GPVirtual)
	v.scale(rowStride)
	sizes := []int{4, 2, 1}
	if v.wide {
		sizes = []int{8, 4, 2, 1}
	}
	for _, size := range sizes {
		again, step, done := fmt.Sprint("rows", size), fmt.Sprint("step", size),
			fmt.Sprint("done", size)
		Label(again)
		CMPQ(m, U8(uint8(size)))
		JLT(LabelRef(done))
		sum := v.vectors(size * across)
		for i := range sum {
			v.load(Mem{Base: start, Disp: i % across * v.bytes()}, sum[i])
		}
		point, left, first := GP64(), GP64(), GP64()
		MOVQ(tile, point)
		MOVQ(rows, first)
		Load(Param("k"), left)
		row, pointers := every(first, rowStride, size)
		x, at := v.vectors(across), v.vectors(by(isa{single: v.wide}, 1, 2))
		Label(step)
		for q := range x {
			v.load(Mem{Base: point, Disp: q * v.bytes()}, x[q])
		}
		for r := range size {
			spread := at[r%len(at)]
			v.spread(row(r, 0), spread)
			for q := range x {
				v.fma(x[q], spread, sum[r*across+q])
			}
		}
		advance(across*v.bytes(), point)
		for _, p := range pointers {
			ADDQ(U8(4), p)
		}
		DECQ(left)
		JNZ(LabelRef(step))
		for r := range size {
			for q := range across {
				v.store(sum[r*across+q], Mem{Base: out, Disp: q * v.bytes()})
			}
			ADDQ(outStride, out)
			ADDQ(rowStride, rows)
		}
		SUBQ(U8(uint8(size)), m)
		JMP(LabelRef(again))
		Label(done)
	}
	VZEROUPPER()
	RET()
}

// singles writes a table of float32 constants, each in all lanes of a vector, and returns their
// addresses.
func (v isa) singles(name string, bits []uint32) []Op {
	table := GLOBL(name+v.level()+"Constants", 8|16) // RODATA, NOPTR
	at := make([]Op, len(bits))
	for i, u := range bits {
		for l := range v.lanes() {
			DATA((i*v.lanes()+l)*4, U32(u))
		}
		at[i] = table.Offset(i * v.bytes())
	}
	return at
}

func floats(values ...float32) (bits []uint32) {
	for _, f := range values {
		bits = append(bits, math.Float32bits(f))
	}
	return bits
}

// geluP and geluQ are those of package simd.
var (
	geluP = []float32{4.45884644761918e-08, 1.2579004760482349e-05, 0.0003378779801,
		0.009354807436, 0.06786070019, 0.7978845238685608}
	geluQ = []float32{1.179543573925912e-06, 7.334553083637729e-05, 0.0018855478847,
		0.02867824211716652, 0.2517170906, 1}
)

// gelu writes the kernel of GELU, for a whole number of vectors.
func gelu(v isa) {
	c := v.singles("gelu", floats(append(append([]float32{5.6, -5.6, 0.5}, geluP...),
		geluQ...)...))
	const most, least, half = 0, 1, 2
	p, q := c[3:3+len(geluP)], c[3+len(geluP):]
	TEXT("gelu"+v.level(), NOSPLIT, "func(x *float32, n int)")
	Pragma("noescape")
	at := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	Label("step")
	x, y, square, top, bottom := v.vector(), v.vector(), v.vector(), v.vector(), v.vector()
	v.load(Mem{Base: at}, x)
	VMINPS(c[most], x, y)
	VMAXPS(c[least], y, y)
	VMULPS(y, y, square)
	v.load(p[0], top)
	for _, next := range p[1:] {
		VFMADD213PS(next, square, top)
	}
	v.load(q[0], bottom)
	for _, next := range q[1:] {
		VFMADD213PS(next, square, bottom)
	}
	VMULPS(y, top, top)
	VDIVPS(bottom, top, top)
	VMULPS(c[half], x, x)
	VFMADD231PS(top, x, x)
	v.store(x, Mem{Base: at})
	advance(v.bytes(), at)
	SUBQ(U8(uint8(v.lanes())), n)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}

// exps writes the kernel of Exp, for a whole number of vectors.
func exps(v isa) {
	const degree = 7
	values := floats(-87, 88, math.Log2E, 0x1.8p23, 0x1.62e4p-1, 0x1.7f7d1cp-20, 1)
	const least, most, log2e, rounder, high, low, unit, bias, series = 0, 1, 2, 3, 4, 5, 6, 7, 8
	values = append(values, 127)
	factorial := 1.0
	for m := 2; m <= degree; m++ {
		factorial *= float64(m)
		values = append(values, math.Float32bits(float32(1/factorial)))
	}
	c := v.singles("exps", values)
	TEXT("exps"+v.level(), NOSPLIT, "func(x *float32, n int, shift float32)")
	Pragma("noescape")
	at := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	shift := v.vector()
	v.spread(NewParamAddr("shift", 16), shift)
	Label("step")
	x, whole, p, s := v.vector(), v.vector(), v.vector(), v.vector()
	v.load(Mem{Base: at}, x)
	v.sub(shift, x, x)
	VMAXPS(c[least], x, x)
	VMINPS(c[most], x, x)
	v.load(c[rounder], whole)
	v.fma(c[log2e], x, whole)
	VPADDD(c[bias], whole, s)
	VPSLLD(U8(23), s, s)
	v.sub(c[rounder], whole, whole)
	v.fnma(c[high], whole, x)
	v.fnma(c[low], whole, x)
	v.load(c[series+degree-2], p)
	for m := degree - 1; m > 1; m-- {
		VFMADD213PS(c[series+m-2], x, p)
	}
	VFMADD213PS(c[unit], x, p)
	VFMADD213PS(c[unit], x, p)
	VMULPS(s, p, p)
	v.store(p, Mem{Base: at})
	advance(v.bytes(), at)
	SUBQ(U8(uint8(v.lanes())), n)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}
