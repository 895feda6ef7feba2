package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// squaredRows writes the kernel of SquaredDistances, or with scattered that of SquaredDistancesAt:
// two vectors of lanes per row.
func squaredRows(v isa, scattered bool) {
	lanes := 2 * v.lanes()
	name, more := "squaredRows", ""
	if scattered {
		name, more = "squaredRowsAt", ", at *int32"
	}
	mask := GLOBL(name+by(v, "Mask64", "Mask32"), 8|16) // RODATA, NOPTR
	for i := range 2 * lanes {
		on := i < lanes
		if v.single {
			DATA(i*4, U32(by(isa{single: on}, uint32(0), ^uint32(0))))
		} else {
			DATA(i*8, U64(by(isa{single: on}, uint64(0), ^uint64(0))))
		}
	}

	TEXT(v.name(name), NOSPLIT, fmt.Sprintf("func(dst, x, rows *%s%s, n, d int)", v.elem(), more))
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	row := Load(Param("rows"), GP64())
	n := Load(Param("n"), GP64())
	d := Load(Param("d"), GP64())
	length, rows, index := GP64(), GP64(), GP64()
	if scattered {
		MOVQ(d, length)
		v.scale(length)
		MOVQ(row, rows)
		Load(Param("at"), index)
	}

	// The last d % lanes coordinates are loaded under a mask.
	m := v.vectors(2)
	rest, at := GP64(), GP64()
	MOVQ(d, rest)
	ANDQ(U8(uint8(lanes-1)), rest)
	LEAQ(mask.Offset(lanes*v.size()), at)
	MOVQ(rest, d) // d keeps the rest; whole the number of whole steps
	whole := GP64()
	Load(Param("d"), whole)
	SHRQ(U8(by(v, 3, 4)), whole)
	v.scale(rest)
	SUBQ(rest, at)
	for i := range m {
		v.load(Mem{Base: at, Disp: i * v.bytes()}, m[i])
	}

	Label("row")
	if scattered {
		// The rows lie anywhere: ask for the beginning of one well before it is needed.
		const early = 12
		CMPQ(n, U8(early+1))
		JLT(LabelRef("now"))
		MOVLQSX(Mem{Base: index, Disp: early * 4}, row)
		IMULQ(length, row)
		for line := range 2 {
			PREFETCHT0(Mem{Base: rows, Index: row, Scale: 1, Disp: 64 * line})
		}
		Label("now")
		MOVLQSX(Mem{Base: index}, row)
		IMULQ(length, row)
		ADDQ(rows, row)
		advance(4, index)
	}
	sum, t := v.vectors(2), v.vectors(2)
	for i := range sum {
		v.zero(sum[i])
	}
	px, left := GP64(), GP64()
	MOVQ(x, px)
	MOVQ(whole, left)
	TESTQ(left, left)
	JZ(LabelRef("tail"))
	Label("step")
	for i := range sum {
		v.load(Mem{Base: px, Disp: i * v.bytes()}, t[i])
		v.sub(Mem{Base: row, Disp: i * v.bytes()}, t[i], t[i])
		v.fma(t[i], t[i], sum[i])
	}
	advance(2*v.bytes(), px)
	advance(2*v.bytes(), row)
	DECQ(left)
	JNZ(LabelRef("step"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("fold"))
	for i := range sum {
		y := v.vector()
		by(v, func() {
			VMASKMOVPD(Mem{Base: px, Disp: i * v.bytes()}, m[i], t[i])
			VMASKMOVPD(Mem{Base: row, Disp: i * v.bytes()}, m[i], y)
		}, func() {
			VMASKMOVPS(Mem{Base: px, Disp: i * v.bytes()}, m[i], t[i])
			VMASKMOVPS(Mem{Base: row, Disp: i * v.bytes()}, m[i], y)
		})()
		v.sub(y, t[i], t[i])
		v.fma(t[i], t[i], sum[i])
	}
	ADDQ(rest, row)
	Label("fold")
	v.add(sum[1], sum[0], sum[0])
	lo, hi := sum[0].AsX(), XMM()
	VEXTRACTF128(U8(1), sum[0], hi)
	v.add(hi, lo, lo)
	if v.single {
		VMOVHLPS(lo, lo, hi)
		VADDPS(hi, lo, lo)
		VMOVSHDUP(lo, hi)
		VADDSS(hi, lo, lo)
		VMOVSS(lo, Mem{Base: dst})
	} else {
		VUNPCKHPD(lo, lo, hi)
		VADDSD(hi, lo, lo)
		VMOVSD(lo, Mem{Base: dst})
	}
	advance(v.size(), dst)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// columns writes the kernels that take one vector past many columns, a whole number of vectors of
// them: SquaredDistancesColumns, or with score the scores of one point.
func columns(v isa, score bool) {
	name, more := "squaredColumns", ""
	if score {
		name, more = "scoreColumns", ", half"
	}
	TEXT(v.name(name), NOSPLIT, fmt.Sprintf("func(dst, x, cols%s *%s, n, d, stride int)", more,
		v.elem()))
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	cols := Load(Param("cols"), GP64())
	half := GP64()
	if score {
		Load(Param("half"), half)
	}
	n := Load(Param("n"), GP64())
	d := Load(Param("d"), GP64())
	stride := Load(Param("stride"), GP64())
	v.scale(stride)
	for _, many := range []int{8, 4, 3, 2, 1} {
		again, step, done := fmt.Sprint("vectors", many), fmt.Sprint("step", many),
			fmt.Sprint("done", many)
		Label(again)
		CMPQ(n, U32(uint32(many*v.lanes())))
		JLT(LabelRef(done))
		sum, t := v.vectors(many), v.vectors(2)
		for i := range sum {
			if score {
				v.load(Mem{Base: half, Disp: i * v.bytes()}, sum[i])
			} else {
				v.zero(sum[i])
			}
		}
		b := v.vector()
		px, pc, left := GP64(), GP64(), GP64()
		MOVQ(x, px)
		MOVQ(cols, pc)
		MOVQ(d, left)
		Label(step)
		v.spread(Mem{Base: px}, b)
		for i := range sum {
			at := Mem{Base: pc, Disp: i * v.bytes()}
			if score {
				v.fnma(at, b, sum[i])
			} else {
				v.sub(at, b, t[i%2])
				v.fma(t[i%2], t[i%2], sum[i])
			}
		}
		advance(v.size(), px)
		ADDQ(stride, pc)
		DECQ(left)
		JNZ(LabelRef(step))
		for i := range sum {
			v.store(sum[i], Mem{Base: dst, Disp: i * v.bytes()})
		}
		advance(many*v.bytes(), dst)
		advance(many*v.bytes(), cols)
		if score {
			advance(many*v.bytes(), half)
		}
		SUBQ(U32(uint32(many*v.lanes())), n)
		JMP(LabelRef(again))
		Label(done)
	}
	VZEROUPPER()
	RET()
}
