package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// raise writes the kernel of Raise, for steps of 32 values. As integers, floats that are not below
// 0 have the same order, and 0 is above −0.
func raise() {
	v := isa{single: true}
	TEXT("raiseAVX2", NOSPLIT, "func(dst, x *float32, steps int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	steps := Load(Param("steps"), GP64())
	Label("step")
	for q := range 4 {
		t := v.vector()
		v.load(Mem{Base: x, Disp: q * v.bytes()}, t)
		VPMAXSD(Mem{Base: dst, Disp: q * v.bytes()}, t, t)
		v.store(t, Mem{Base: dst, Disp: q * v.bytes()})
	}
	advance(4*v.bytes(), dst)
	advance(4*v.bytes(), x)
	DECQ(steps)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}

// blend writes the kernel of Blend, for steps of 8 values.
func blend() {
	v := isa{}
	TEXT("blendAVX2", NOSPLIT, "func(dst, x *float32, steps int, p, q, most float64)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	steps := Load(Param("steps"), GP64())
	p, q, most := v.vector(), v.vector(), v.vector()
	v.spread(NewParamAddr("p", 24), p)
	v.spread(NewParamAddr("q", 32), q)
	v.spread(NewParamAddr("most", 40), most)
	Label("step")
	for at := 0; at < 32; at += 16 {
		a, b, least, short := v.vector(), v.vector(), v.vector(), XMM()
		VCVTPS2PD(Mem{Base: dst, Disp: at}, a)
		VCVTPS2PD(Mem{Base: x, Disp: at}, b)
		VMINPD(a, b, least)
		VMULPD(p, a, a)
		VMULPD(q, b, b)
		VADDPD(b, a, a)
		VMAXPD(a, least, a) // a where they are equal
		VMINPD(most, a, a)
		VCVTPD2PSY(a, short)
		VMOVUPS(short, Mem{Base: dst, Disp: at})
	}
	advance(32, dst)
	advance(32, x)
	DECQ(steps)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}
