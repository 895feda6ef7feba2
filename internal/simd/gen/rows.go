package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pack writes the kernel of packTile: squares of rows by columns are turned in registers. It does
// width rows, as many columns as make whole vectors, at least one of them.
func pack(v isa) {
	TEXT(v.name("pack"), NOSPLIT, fmt.Sprintf("func(tile, rows, shift *%s, d, width int)", v.elem()))
	tile := Load(Param("tile"), GP64())
	rows := Load(Param("rows"), GP64())
	shift := Load(Param("shift"), GP64())
	d := Load(Param("d"), GP64())
	width := Load(Param("width"), GP64())
	side := v.lanes()

	across := GP64() // squares in a row
	MOVQ(d, across)
	SHRQ(U8(by(v, 2, 3)), across)
	left := GP64()
	MOVQ(width, left)
	stride := GP64()
	MOVQ(d, stride)
	v.scale(stride)
	v.scale(width)

	Label("band")
	from, to, ps, j := GP64(), GP64(), GP64(), GP64()
	MOVQ(rows, from)
	MOVQ(tile, to)
	MOVQ(shift, ps)
	MOVQ(across, j)
	row, pointers := every(from, stride, side)
	Label("square")
	s := v.vector()
	v.load(Mem{Base: ps}, s)
	r := v.vectors(side)
	for i := range r {
		v.load(row(i, 0), r[i])
		v.sub(s, r[i], r[i])
	}
	for _, c := range by(v, turn4, turn8)(r) {
		v.store(c, Mem{Base: to})
		ADDQ(width, to)
	}
	for _, p := range pointers {
		advance(v.bytes(), p)
	}
	advance(v.bytes(), ps)
	DECQ(j)
	JNZ(LabelRef("square"))
	for range side {
		ADDQ(stride, rows)
	}
	advance(v.bytes(), tile)
	SUBQ(U8(uint8(side)), left)
	JNZ(LabelRef("band"))
	VZEROUPPER()
	RET()
}

// turn4 transposes four vectors of four float64.
func turn4(r []reg.VecVirtual) []reg.VecVirtual {
	var pair, out [4]reg.VecVirtual
	for i := range pair {
		pair[i], out[i] = YMM(), YMM()
	}
	for i := 0; i < 4; i += 2 {
		VUNPCKLPD(r[i+1], r[i], pair[i])   // columns 0 and 2 of rows i, i+1
		VUNPCKHPD(r[i+1], r[i], pair[i+1]) // columns 1 and 3
	}
	for i := range 2 {
		VPERM2F128(U8(0x20), pair[i+2], pair[i], out[i])
		VPERM2F128(U8(0x31), pair[i+2], pair[i], out[i+2])
	}
	return out[:]
}

// turn8 transposes eight vectors of eight float32. A step's results reuse the registers of the step
// before.
func turn8(r []reg.VecVirtual) []reg.VecVirtual {
	step := func(do func(a, b, lo, hi reg.VecVirtual), in []reg.VecVirtual, gap int) []reg.VecVirtual {
		out := make([]reg.VecVirtual, 8)
		for i := range in {
			if i&gap == 0 {
				out[i], out[i+gap] = YMM(), YMM()
				do(in[i], in[i+gap], out[i], out[i+gap])
			}
		}
		return out
	}
	// Each step exchanges one bit of the row's number with one of the column's.
	a := step(func(a, b, lo, hi reg.VecVirtual) {
		VUNPCKLPS(b, a, lo)
		VUNPCKHPS(b, a, hi)
	}, r, 1)
	b := step(func(a, b, lo, hi reg.VecVirtual) {
		VSHUFPS(U8(0x44), b, a, lo)
		VSHUFPS(U8(0xee), b, a, hi)
	}, a, 2)
	c := step(func(a, b, lo, hi reg.VecVirtual) {
		VPERM2F128(U8(0x20), b, a, lo)
		VPERM2F128(U8(0x31), b, a, hi)
	}, b, 4)
	// After the first step a vector holds columns 0 1 | 4 5 or 2 3 | 6 7 of two rows, so the second
	// leaves columns 0 and 1 where the numbers below say.
	return []reg.VecVirtual{c[0], c[2], c[1], c[3], c[4], c[6], c[5], c[7]}
}

// accumulate writes the kernel of Accumulate.
func accumulate(v isa) {
	TEXT(v.name("accumulate"), NOSPLIT,
		fmt.Sprintf("func(sums *float64, rows, shift *%s, label *int32, n, d int)", v.elem()))
	sums := Load(Param("sums"), GP64())
	row := Load(Param("rows"), GP64())
	shift := Load(Param("shift"), GP64())
	label := Load(Param("label"), GP64())
	n := Load(Param("n"), GP64())
	d := Load(Param("d"), GP64())

	Label("row")
	sum, ps, left := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: label}, sum)
	IMULQ(d, sum)
	LEAQ(Mem{Base: sums, Index: sum, Scale: 8}, sum)
	MOVQ(shift, ps)
	MOVQ(d, left)
	const quad = 4
	Label("quad")
	CMPQ(left, U8(quad))
	JLT(LabelRef("one"))
	a, b := YMM(), YMM()
	if v.single {
		VCVTPS2PD(Mem{Base: row}, a)
		VCVTPS2PD(Mem{Base: ps}, b)
		VSUBPD(b, a, a)
	} else {
		VMOVUPD(Mem{Base: row}, a)
		VSUBPD(Mem{Base: ps}, a, a)
	}
	VADDPD(Mem{Base: sum}, a, a)
	VMOVUPD(a, Mem{Base: sum})
	advance(quad*v.size(), row)
	advance(quad*v.size(), ps)
	advance(quad*8, sum)
	SUBQ(U8(quad), left)
	JMP(LabelRef("quad"))
	Label("one")
	TESTQ(left, left)
	JZ(LabelRef("next"))
	x, y := XMM(), XMM()
	if v.single {
		VXORPS(x, x, x) // the conversion keeps the upper half: do not wait for it
		VXORPS(y, y, y)
		VCVTSS2SD(Mem{Base: row}, x, x)
		VCVTSS2SD(Mem{Base: ps}, y, y)
		VSUBSD(y, x, x)
	} else {
		VMOVSD(Mem{Base: row}, x)
		VSUBSD(Mem{Base: ps}, x, x)
	}
	VADDSD(Mem{Base: sum}, x, x)
	VMOVSD(x, Mem{Base: sum})
	advance(v.size(), row)
	advance(v.size(), ps)
	advance(8, sum)
	DECQ(left)
	JMP(LabelRef("one"))
	Label("next")
	advance(4, label)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
