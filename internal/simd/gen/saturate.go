package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// saturate writes the kernel of Saturate, for a whole number of vectors of float64. The constants
// stay in registers with AVX-512, in memory with AVX2.
func saturate(v isa) {
	const round = 0x1.8p52
	values := []uint64{math.Float64bits(-40), math.Float64bits(math.Log2E), math.Float64bits(round),
		math.Float64bits(math.Ln2), 1023, math.Float64bits(1)}
	const least, log2e, rounder, ln2, bias, unit, series = 0, 1, 2, 3, 4, 5, 6
	const degree = 10
	factorial := 1.0
	for m := 2; m <= degree; m++ {
		factorial *= float64(m)
		values = append(values, math.Float64bits(1/factorial))
	}
	table := GLOBL("saturate"+v.level()+"Constants", 8|16) // RODATA, NOPTR
	for i, u := range values {
		for l := range v.lanes() {
			DATA((i*v.lanes()+l)*8, U64(u))
		}
	}

	TEXT("saturate"+v.level(), NOSPLIT, "func(dst, d *float32, gamma float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	d := Load(Param("d"), GP64())
	n := Load(Param("n"), GP64())
	minus, zero := v.vector(), v.vector()
	v.spread(NewParamAddr("gamma", 16), minus)
	v.zero(zero)
	v.sub(minus, zero, minus)
	constant := make([]Op, len(values))
	for i := range constant {
		constant[i] = table.Offset(i * v.bytes())
		if v.wide {
			constant[i] = v.vector()
			v.load(table.Offset(i*v.bytes()), constant[i])
		}
	}

	Label("step")
	y, whole, p, s := v.vector(), v.vector(), v.vector(), v.vector()
	VCVTPS2PD(Mem{Base: d}, y)
	VMULPD(y, y, y)
	VMULPD(minus, y, y)
	VMAXPD(constant[least], y, y)
	v.load(constant[rounder], whole)
	v.fma(constant[log2e], y, whole)
	// The power of two is made of the bits of the rounded number, before the rounder goes.
	VPADDQ(constant[bias], whole, s)
	VPSLLQ(U8(52), s, s)
	v.sub(constant[rounder], whole, whole)
	v.fnma(constant[ln2], whole, y)
	v.load(constant[series+degree-2], p)
	for m := degree - 1; m > 1; m-- {
		VFMADD213PD(constant[series+m-2], y, p)
	}
	VFMADD213PD(constant[unit], y, p)
	VMULPD(y, p, p)
	one := v.vector()
	v.load(constant[unit], one)
	v.sub(s, one, one)
	v.fnma(s, p, one)
	if v.wide {
		low := YMM()
		VCVTPD2PS(one, low)
		VMOVUPS(low, Mem{Base: dst})
	} else {
		low := XMM()
		VCVTPD2PSY(one, low)
		VMOVUPS(low, Mem{Base: dst})
	}
	advance(v.bytes()/2, d)
	advance(v.bytes()/2, dst)
	SUBQ(U8(uint8(v.lanes())), n)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}
