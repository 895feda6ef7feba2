package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is an element type with a vector width, and writes the instructions that go with them. As in
// Go's assembler the destination comes last.
type isa struct {
	single bool // float32, else float64
	wide   bool // AVX-512, else AVX2
}

func (v isa) size() int { // bytes of an element
	if v.single {
		return 4
	}
	return 8
}

func (v isa) bytes() int { // of a vector
	if v.wide {
		return 64
	}
	return 32
}

func (v isa) lanes() int { return v.bytes() / v.size() }

func (v isa) elem() string {
	if v.single {
		return "float32"
	}
	return "float64"
}

// name adds element type and level to the name of a kernel.
func (v isa) name(kernel string) string {
	return kernel + map[bool]string{false: "F64", true: "F32"}[v.single] + v.level()
}

func (v isa) level() string { return map[bool]string{false: "AVX2", true: "AVX512"}[v.wide] }

func (v isa) vector() reg.VecVirtual {
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v isa) vectors(n int) []reg.VecVirtual {
	out := make([]reg.VecVirtual, n)
	for i := range out {
		out[i] = v.vector()
	}
	return out
}

// by picks the form for the element type.
func by[F any](v isa, double, single F) F {
	if v.single {
		return single
	}
	return double
}

func (v isa) load(from, to Op)  { by(v, vmovupd, vmovups)(from, to) }
func (v isa) store(from, to Op) { by(v, vmovupd, vmovups)(from, to) }
func (v isa) spread(from, to Op) {
	by(v, func(a, b Op) { VBROADCASTSD(a, b) }, func(a, b Op) { VBROADCASTSS(a, b) })(from, to)
}

func vmovupd(a, b Op) { VMOVUPD(a, b) }
func vmovups(a, b Op) { VMOVUPS(a, b) }

// sub sets d = b − a, add d = b + a.
func (v isa) sub(a, b, d Op) {
	by(v, func() { VSUBPD(a, b, d) }, func() { VSUBPS(a, b, d) })()
}
func (v isa) add(a, b, d Op) {
	by(v, func() { VADDPD(a, b, d) }, func() { VADDPS(a, b, d) })()
}

// fma sets d = a·b + d, fnma d = d − a·b.
func (v isa) fma(a, b, d Op) {
	by(v, func() { VFMADD231PD(a, b, d) }, func() { VFMADD231PS(a, b, d) })()
}
func (v isa) fnma(a, b, d Op) {
	by(v, func() { VFNMADD231PD(a, b, d) }, func() { VFNMADD231PS(a, b, d) })()
}

// lesser sets d to a where a < b and to b elsewhere; greater to a where a > b and to b elsewhere.
func (v isa) lesser(a, b, d Op) {
	by(v, func() { VMINPD(b, a, d) }, func() { VMINPS(b, a, d) })()
}
func (v isa) greater(a, b, d Op) {
	by(v, func() { VMAXPD(b, a, d) }, func() { VMAXPS(b, a, d) })()
}

// less sets the mask m where a < b.
func (v isa) less(a, b, m Op) {
	const ordered = U8(1)
	by(v, func() { VCMPPD(ordered, b, a, m) }, func() { VCMPPS(ordered, b, a, m) })()
}

func (v isa) zero(r Op) {
	if v.wide {
		VPXORQ(r, r, r)
	} else {
		VPXOR(r, r, r)
	}
}

// scale turns a count of elements into bytes.
func (v isa) scale(r Op) { SHLQ(U8(by(v, 3, 2)), r) }

// advance adds a constant number of bytes to a pointer.
func advance(n int, r Op) { ADDQ(U32(uint32(n)), r) }

// every returns addresses of row i for i < n: pointer + i·stride, with one pointer for three rows.
func every(base reg.Register, stride reg.GPVirtual, n int) (at func(row, disp int) Mem,
	pointers []reg.Register) {
	pointers = []reg.Register{base}
	for len(pointers)*3 < n {
		next := GP64()
		LEAQ(Mem{Base: pointers[len(pointers)-1], Index: stride, Scale: 2}, next)
		ADDQ(stride, next)
		pointers = append(pointers, next)
	}
	return func(row, disp int) Mem {
		m := Mem{Base: pointers[row/3], Disp: disp}
		if row%3 > 0 {
			m.Index, m.Scale = stride, uint8(row%3)
		}
		return m
	}, pointers
}
