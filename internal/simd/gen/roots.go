package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// roots writes the kernel of Roots, for a whole number of vectors of float64.
func roots(v isa) {
	TEXT("roots"+v.level(), NOSPLIT, "func(dst *float32, squares *float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	squares := Load(Param("squares"), GP64())
	n := Load(Param("n"), GP64())
	Label("step")
	root := v.vector()
	VSQRTPD(Mem{Base: squares}, root)
	if v.wide {
		low := YMM()
		VCVTPD2PS(root, low)
		VMOVUPS(low, Mem{Base: dst})
	} else {
		low := XMM()
		VCVTPD2PSY(root, low)
		VMOVUPS(low, Mem{Base: dst})
	}
	advance(v.bytes(), squares)
	advance(v.bytes()/2, dst)
	SUBQ(U8(uint8(v.lanes())), n)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}

// sumRoots writes the kernel of RootSum.Add, for a multiple of 8 values.
func sumRoots(v isa) {
	TEXT("sumRoots"+v.level(), NOSPLIT, "func(high, low, squares, weights *float64, n int)")
	Pragma("noescape")
	to, rest := Load(Param("high"), GP64()), Load(Param("low"), GP64())
	squares := Load(Param("squares"), GP64())
	weights := Load(Param("weights"), GP64())
	n := Load(Param("n"), GP64())
	high, low := v.vectors(8/v.lanes()), v.vectors(8/v.lanes())
	for q := range high {
		v.load(Mem{Base: to, Disp: q * v.bytes()}, high[q])
		v.load(Mem{Base: rest, Disp: q * v.bytes()}, low[q])
	}
	Label("step")
	for q := range high {
		root, sum, part, off := v.vector(), v.vector(), v.vector(), v.vector()
		VSQRTPD(Mem{Base: squares, Disp: q * v.bytes()}, root)
		VMULPD(Mem{Base: weights, Disp: q * v.bytes()}, root, root)
		v.add(root, high[q], sum)
		v.sub(high[q], sum, part)
		v.sub(part, sum, off)
		v.sub(off, high[q], off)
		v.sub(part, root, root)
		v.add(root, off, off)
		v.add(off, low[q], low[q])
		v.load(sum, high[q])
	}
	advance(64, squares)
	advance(64, weights)
	SUBQ(U8(8), n)
	JNZ(LabelRef("step"))
	for q := range high {
		v.store(high[q], Mem{Base: to, Disp: q * v.bytes()})
		v.store(low[q], Mem{Base: rest, Disp: q * v.bytes()})
	}
	VZEROUPPER()
	RET()
}
