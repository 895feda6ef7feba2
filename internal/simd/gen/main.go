// Command gen writes the assembly of package simd. It is a module of its own, so that the main
// module does not depend on the assembler; run it with go generate in the folder above.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64,!purego")
	for _, single := range []bool{false, true} {
		narrow, wide := isa{single: single}, isa{single: single, wide: true}
		squaredRows(narrow, false)
		squaredRows(narrow, true)
		pack(narrow, false)
		accumulate(narrow)
		move(narrow)
		for _, v := range []isa{narrow, wide} {
			columns(v, false)
			nearest(v, false)
			nearest(v, true)
		}
	}
	pack(isa{single: true}, true)
	columns(isa{}, true)
	columns(isa{wide: true}, true)
	momentsFew(false)
	momentsFew(true)
	within()
	first(true)
	first(false)
	raise()
	blend()
	for _, v := range []isa{{}, {wide: true}} {
		paddedDistances(v)
		paddedToward(v)
		momentsCorner(v, false)
		momentsCorner(v, true)
		momentsSquare(v)
		products(v)
		saturate(v)
		roots(v)
		sumRoots(v)
		single := isa{single: true, wide: v.wide}
		near(single)
		multiply(single)
		gelu(single)
		exps(single)
	}
	Generate()
}
