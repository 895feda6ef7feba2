package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pack writes the kernel of packTile: squares of rows by columns are turned in registers. It does
// width rows, as many columns as make whole vectors, at least one of them. With narrow the rows are
// float64, and rounded to float32 once the shift is off.
func pack(v isa, narrow bool) {
	name, from := v.name("pack"), v
	if narrow {
		name, from = "packNarrowAVX2", isa{}
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(tile *%s, rows, shift *%s, d, width int)", v.elem(),
		from.elem()))
	tile := Load(Param("tile"), GP64())
	rows := Load(Param("rows"), GP64())
	shift := Load(Param("shift"), GP64())
	d := Load(Param("d"), GP64())
	width := Load(Param("width"), GP64())
	side := v.lanes()

	left := GP64()
	MOVQ(width, left)
	stride := GP64()
	MOVQ(d, stride)
	from.scale(stride)
	v.scale(width)

	Label("band")
	source, to, ps, j := GP64(), GP64(), GP64(), GP64()
	MOVQ(rows, source)
	MOVQ(tile, to)
	MOVQ(shift, ps)
	Load(Param("d"), j)
	SHRQ(U8(by(v, 2, 3)), j)
	row, pointers := every(source, stride, side)
	// The same rows of the next tile are fetched while this one is computed on. A prefetch never
	// faults.
	ahead := GP64()
	Load(Param("width"), ahead)
	IMULQ(stride, ahead)
	next := GP64()
	Label("square")
	for i := range side {
		if i%3 == 0 {
			LEAQ(Mem{Base: pointers[i/3], Index: ahead, Scale: 1}, next)
			PREFETCHT0(Mem{Base: next})
		} else {
			PREFETCHT0(Mem{Base: next, Index: stride, Scale: uint8(i % 3)})
		}
	}
	r := v.vectors(side)
	if narrow {
		shifts, y, low, high := from.vectors(2), from.vector(), YMM(), XMM()
		v.zero(low) // so that its upper half is not thought to come from before
		for h := range shifts {
			from.load(Mem{Base: ps, Disp: h * from.bytes()}, shifts[h])
		}
		for i := range r {
			from.load(row(i, from.bytes()), y)
			from.sub(shifts[1], y, y)
			VCVTPD2PSY(y, high)
			from.load(row(i, 0), y)
			from.sub(shifts[0], y, y)
			VCVTPD2PSY(y, low.AsX())
			VINSERTF128(U8(1), high, low, r[i])
		}
	} else {
		s := v.vector()
		v.load(Mem{Base: ps}, s)
		for i := range r {
			v.load(row(i, 0), r[i])
			v.sub(s, r[i], r[i])
		}
	}
	for _, c := range by(v, turn4, turn8)(r) {
		v.store(c, Mem{Base: to})
		ADDQ(width, to)
	}
	for _, p := range pointers {
		advance(side*from.size(), p)
	}
	advance(side*from.size(), ps)
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
	step := func(do func(a, b, lo, hi reg.VecVirtual), in []reg.VecVirtual,
		gap int) []reg.VecVirtual {
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
	// leaves columns 0 and 1 where the numbers below show.
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
	for _, quads := range []int{4, 1} {
		again, done := fmt.Sprint("quads", quads), fmt.Sprint("done", quads)
		Label(again)
		CMPQ(left, U8(uint8(quads*quad)))
		JLT(LabelRef(done))
		for q := range quads {
			from := Mem{Base: row, Disp: q * quad * v.size()}
			less := Mem{Base: ps, Disp: q * quad * v.size()}
			to := Mem{Base: sum, Disp: q * quad * 8}
			a := YMM()
			if v.single {
				b := YMM()
				VCVTPS2PD(from, a)
				VCVTPS2PD(less, b)
				VSUBPD(b, a, a)
			} else {
				VMOVUPD(from, a)
				VSUBPD(less, a, a)
			}
			VADDPD(to, a, a)
			VMOVUPD(a, to)
		}
		advance(quads*quad*v.size(), row)
		advance(quads*quad*v.size(), ps)
		advance(quads*quad*8, sum)
		SUBQ(U8(uint8(quads*quad)), left)
		JMP(LabelRef(again))
		Label(done)
	}
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

// move writes the kernel of Move.
func move(v isa) {
	TEXT(v.name("move"), NOSPLIT,
		fmt.Sprintf("func(sums *float64, rows, shift *%s, index, from, to *int32, n, d int)",
			v.elem()))
	sums := Load(Param("sums"), GP64())
	rows := Load(Param("rows"), GP64())
	index := Load(Param("index"), GP64())
	from := Load(Param("from"), GP64())
	to := Load(Param("to"), GP64())
	n := Load(Param("n"), GP64())
	d := Load(Param("d"), GP64())

	at := func(base reg.Register, label Mem, size int) reg.GPVirtual {
		p := GP64()
		MOVLQSX(label, p)
		IMULQ(d, p)
		LEAQ(Mem{Base: base, Index: p, Scale: uint8(size)}, p)
		return p
	}
	// The rows lie far apart: ask for one well before it is needed.
	const early = 6
	Label("row")
	CMPQ(n, U8(early+1))
	JLT(LabelRef("now"))
	soon := at(rows, Mem{Base: index, Disp: early * 4}, v.size())
	for line := range 4 {
		PREFETCHT0(Mem{Base: soon, Disp: 64 * line})
	}
	Label("now")
	row := at(rows, Mem{Base: index}, v.size())
	minus := at(sums, Mem{Base: from}, 8)
	plus := at(sums, Mem{Base: to}, 8)
	ps, left := GP64(), GP64()
	Load(Param("shift"), ps)
	MOVQ(d, left)
	Label("quad")
	CMPQ(left, U8(4))
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
	VMOVUPD(Mem{Base: minus}, b)
	VSUBPD(a, b, b)
	VMOVUPD(b, Mem{Base: minus})
	VADDPD(Mem{Base: plus}, a, a)
	VMOVUPD(a, Mem{Base: plus})
	advance(4*v.size(), row)
	advance(4*v.size(), ps)
	advance(4*8, minus)
	advance(4*8, plus)
	SUBQ(U8(4), left)
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
	VMOVSD(Mem{Base: minus}, y)
	VSUBSD(x, y, y)
	VMOVSD(y, Mem{Base: minus})
	VADDSD(Mem{Base: plus}, x, x)
	VMOVSD(x, Mem{Base: plus})
	advance(v.size(), row)
	advance(v.size(), ps)
	advance(8, minus)
	advance(8, plus)
	DECQ(left)
	JMP(LabelRef("one"))
	Label("next")
	for _, p := range []reg.Register{index, from, to} {
		advance(4, p)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
