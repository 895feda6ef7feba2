package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// first writes the kernel of FirstWithin, or of FirstAtMost, for steps of 32 values. It returns how
// many steps are left, with the one that has such a value.
func first(each bool) {
	v := isa{single: true}
	if each {
		TEXT("firstWithinAVX2", NOSPLIT, "func(x, reach *float32, steps int) int")
	} else {
		TEXT("firstAtMostAVX2", NOSPLIT, "func(x *float32, steps int, limit float32) int")
	}
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	steps := Load(Param("steps"), GP64())
	reach, limit := GP64(), v.vector()
	if each {
		Load(Param("reach"), reach)
	} else {
		v.spread(NewParamAddr("limit", 16), limit)
	}
	Label("step")
	found := v.vectors(4)
	for q, f := range found {
		at := q * v.bytes()
		const atLeast = U8(13)
		if each {
			v.load(Mem{Base: reach, Disp: at}, f)
			VCMPPS(atLeast, Mem{Base: x, Disp: at}, f, f)
		} else {
			VCMPPS(atLeast, Mem{Base: x, Disp: at}, limit, f)
		}
	}
	VORPS(found[0], found[1], found[0])
	VORPS(found[2], found[3], found[2])
	VORPS(found[0], found[2], found[0])
	VPTEST(found[0], found[0])
	JNZ(LabelRef("done"))
	advance(4*v.bytes(), x)
	if each {
		advance(4*v.bytes(), reach)
	}
	DECQ(steps)
	JNZ(LabelRef("step"))
	Label("done")
	Store(steps, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
