package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// paddedDistances writes the kernel of Padded.Distances: as many rows side by side as a vector has
// lanes, so that x is loaded once a group and the sums of all its rows are folded together.
func paddedDistances(v isa) {
	TEXT("paddedDistances"+v.level(), NOSPLIT, "func(dst, x, rows *float64, groups, d int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	first := Load(Param("rows"), GP64())
	groups := Load(Param("groups"), GP64())
	rest, whole, stride := GP64(), GP64(), GP64()
	Load(Param("d"), rest)
	MOVQ(rest, whole)
	LEAQ(Mem{Base: rest, Disp: padding - 1}, stride)
	ANDQ(I32(-padding), stride)
	v.scale(stride)
	ANDQ(U8(padding-1), rest)
	SHRQ(U8(3), whole)
	parts := v.tailMasks(rest)
	side := v.lanes()

	Label("group")
	base := GP64()
	MOVQ(first, base)
	row, pointers := every(base, stride, side)
	px, left := GP64(), GP64()
	MOVQ(x, px)
	MOVQ(whole, left)
	sum := make([][]reg.VecVirtual, side)
	for i := range sum {
		sum[i] = v.vectors(len(parts))
		for _, s := range sum[i] {
			v.zero(s)
		}
	}
	t := v.vectors(2)
	step := func(load func(p int, from Mem, to Op)) {
		for p := range parts {
			a := v.vector()
			load(p, Mem{Base: px, Disp: p * v.bytes()}, a)
			for i := range sum {
				u := t[i%2]
				v.sub(row(i, p*v.bytes()), a, u)
				v.fma(u, u, sum[i][p])
			}
		}
	}
	TESTQ(left, left)
	JZ(LabelRef("tail"))
	Label("step")
	step(func(_ int, from Mem, to Op) { v.load(from, to) })
	advance(padding*8, px)
	for _, p := range pointers {
		advance(padding*8, p)
	}
	DECQ(left)
	JNZ(LabelRef("step"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("fold"))
	step(func(p int, from Mem, to Op) { v.loadSome(from, parts[p], to) })
	Label("fold")
	one := make([]reg.VecVirtual, side)
	for i := range one {
		one[i] = sum[i][0]
		if len(parts) == 2 {
			v.add(sum[i][1], one[i], one[i])
		}
	}
	v.store(v.fold(one), Mem{Base: dst})
	advance(v.bytes(), dst)
	LEAQ(Mem{Base: first, Index: stride, Scale: uint8(min(side, 8))}, first)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// padding is the number of float64 that rows are padded to a multiple of, and of the lanes of a
// sum, whatever the width of vectors.
const padding = 8

// tailMasks returns the masks of the first rest < 8 float64, one for each vector that holds a part
// of eight.
func (v isa) tailMasks(rest reg.Register) []Op {
	if v.wide {
		m, one, count := K(), GP64(), reg.RCX
		MOVQ(rest, count)
		MOVQ(U32(1), one)
		SHLQ(reg.CL, one)
		DECQ(one)
		KMOVW(one.As32(), m)
		return []Op{m}
	}
	at := GP64()
	LEAQ(NewDataAddr(NewStaticSymbol("squaredRowsMask64"), padding*8), at)
	back := GP64()
	MOVQ(rest, back)
	SHLQ(U8(3), back)
	SUBQ(back, at)
	out := make([]Op, 2)
	for p := range out {
		m := v.vector()
		v.load(Mem{Base: at, Disp: p * v.bytes()}, m)
		out[p] = m
	}
	return out
}

// loadSome loads float64 under a mask of tailMasks, and 0 elsewhere. It does not touch the memory
// of what it leaves out.
func (v isa) loadSome(from Mem, mask Op, to Op) {
	if v.wide {
		VMOVUPD_Z(from, mask, to)
	} else {
		VMASKMOVPD(from, mask, to)
	}
}

// fold sums the lanes of each of as many vectors as a vector has lanes, halves first, and returns
// the sums in order.
func (v isa) fold(s []reg.VecVirtual) reg.VecVirtual {
	if v.wide {
		half := make([]reg.VecVirtual, 0, 4)
		for _, i := range [][2]int{{0, 2}, {4, 6}, {1, 3}, {5, 7}} {
			half = append(half, joined(s[i[0]], s[i[1]], 0x44, 0xee))
		}
		s = []reg.VecVirtual{joined(half[0], half[1], 0x88, 0xdd),
			joined(half[2], half[3], 0x88, 0xdd)}
	} else {
		pair := func(a, b reg.VecVirtual) reg.VecVirtual {
			lo, hi := YMM(), YMM()
			VPERM2F128(U8(0x20), b, a, lo)
			VPERM2F128(U8(0x31), b, a, hi)
			v.add(hi, lo, lo)
			return lo
		}
		s = []reg.VecVirtual{pair(s[0], s[2]), pair(s[1], s[3])}
	}
	lo, hi := v.vector(), v.vector()
	VUNPCKLPD(s[1], s[0], lo)
	VUNPCKHPD(s[1], s[0], hi)
	v.add(hi, lo, lo)
	return lo
}

// joined adds two choices of the quarters of a and b.
func joined(a, b reg.VecVirtual, low, high uint8) reg.VecVirtual {
	lo, hi := ZMM(), ZMM()
	VSHUFF64X2(U8(low), b, a, lo)
	VSHUFF64X2(U8(high), b, a, hi)
	VADDPD(hi, lo, lo)
	return lo
}

// paddedToward writes the kernel of Padded.Toward.
func paddedToward(v isa) {
	TEXT("paddedToward"+v.level(), NOSPLIT, "func(row, x *float64, d int, rate float64)")
	Pragma("noescape")
	row := Load(Param("row"), GP64())
	x := Load(Param("x"), GP64())
	rest := Load(Param("d"), GP64())
	whole := GP64()
	MOVQ(rest, whole)
	ANDQ(U8(padding-1), rest)
	SHRQ(U8(3), whole)
	parts := v.tailMasks(rest)
	rate := v.vector()
	v.spread(NewParamAddr("rate", 24), rate)
	step := func(load func(p int, from Mem, to Op)) {
		for p := range parts {
			to, t, a := Mem{Base: row, Disp: p * v.bytes()}, v.vector(), v.vector()
			v.load(to, a)
			load(p, Mem{Base: x, Disp: p * v.bytes()}, t)
			v.sub(a, t, t)
			v.fma(t, rate, a)
			v.store(a, to)
		}
	}
	TESTQ(whole, whole)
	JZ(LabelRef("tail"))
	Label("step")
	step(func(_ int, from Mem, to Op) { v.load(from, to) })
	advance(padding*8, x)
	advance(padding*8, row)
	DECQ(whole)
	JNZ(LabelRef("step"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("done"))
	step(func(p int, from Mem, to Op) { v.loadSome(from, parts[p], to) })
	Label("done")
	VZEROUPPER()
	RET()
}

// within writes the kernel of Within, for a whole number of steps of 16 values.
func within() {
	v := isa{}
	TEXT("withinAVX2", NOSPLIT, "func(x *float64, steps int, limit float64) bool")
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	steps := Load(Param("steps"), GP64())
	limit, plain := v.vector(), v.vector()
	v.spread(NewParamAddr("limit", 16), limit)
	VPCMPEQD(plain, plain, plain) // all bits, of which the shift takes the sign
	VPSRLQ(U8(1), plain, plain)
	beyond := v.vectors(2)
	for _, b := range beyond {
		v.zero(b)
	}
	Label("step")
	for i := range 4 {
		t := v.vector()
		VANDPD(Mem{Base: x, Disp: i * v.bytes()}, plain, t)
		const notLessOrEqual = U8(6) // true of NaN
		VCMPPD(notLessOrEqual, limit, t, t)
		VORPD(t, beyond[i%2], beyond[i%2])
	}
	advance(4*v.bytes(), x)
	DECQ(steps)
	JNZ(LabelRef("step"))
	VORPD(beyond[0], beyond[1], beyond[0])
	VPTEST(beyond[0], beyond[0])
	ok := GP8()
	SETEQ(ok)
	Store(ok, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
