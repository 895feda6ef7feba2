package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairGroup is the number of rows in a group of Pairs.
const pairGroup = 8

// near writes the kernel of Pairs.Near: one tile of rows against n rows in groups, as many at a time
// as nearest takes centroids.
func near(v isa) {
	TEXT("near"+v.level(), NOSPLIT, "func(low *float32, mask *uint64, tile, half, boundX, groups, "+
		"halves, bound *float32, d, n int)")
	Pragma("noescape")
	low := Load(Param("low"), GP64())
	mask := Load(Param("mask"), GP64())
	tile := Load(Param("tile"), GP64())
	half := Load(Param("half"), GP64())
	boundX := Load(Param("boundX"), GP64())
	group := Load(Param("groups"), GP64())
	halves := Load(Param("halves"), GP64())
	bound := Load(Param("bound"), GP64())
	n := Load(Param("n"), GP64())
	size := 4
	if v.wide {
		size = 8
	}
	width := across * v.bytes()
	Label("group")
	for first := 0; first < pairGroup; first += size {
		score := make([][]reg.VecVirtual, size)
		for c := range score {
			score[c] = v.vectors(across)
			v.spread(Mem{Base: halves, Disp: (first + c) * 4}, score[c][0])
			for q := 1; q < across; q++ {
				VMOVAPS(score[c][0], score[c][q])
			}
		}
		point, row, left := GP64(), GP64(), GP64()
		MOVQ(tile, point)
		MOVQ(group, row)
		Load(Param("d"), left)
		x, at := v.vectors(across), v.vector()
		step := fmt.Sprint("step", first)
		Label(step)
		for q := range x {
			v.load(Mem{Base: point, Disp: q * v.bytes()}, x[q])
		}
		for c := range score {
			v.spread(Mem{Base: row, Disp: (first + c) * 4}, at)
			for q := range x {
				v.fnma(x[q], at, score[c][q])
			}
		}
		advance(width, point)
		advance(pairGroup*4, row)
		DECQ(left)
		JNZ(LabelRef(step))
		for c := range score {
			v.spread(Mem{Base: bound, Disp: (first + c) * 4}, at)
			all := GP64()
			for q, s := range score[c] {
				v.add(Mem{Base: half, Disp: q * v.bytes()}, s, s)
				v.store(s, Mem{Base: low, Disp: (first+c)*width + q*v.bytes()})
				reach := x[q]
				VMAXPS(Mem{Base: boundX, Disp: q * v.bytes()}, at, reach)
				const notAbove = U8(2)
				these := all
				if q > 0 {
					these = GP64()
				}
				if v.wide {
					m := K()
					VCMPPS(notAbove, reach, s, m)
					KMOVW(m, these.As32())
				} else {
					VCMPPS(notAbove, reach, s, reach)
					VMOVMSKPS(reach, these.As32())
				}
				if q > 0 {
					SHLQ(U8(uint8(q*v.lanes())), these)
					ORQ(these, all)
				}
			}
			MOVQ(all, Mem{Base: mask, Disp: (first + c) * 8})
		}
	}
	advance(pairGroup*width, low)
	advance(pairGroup*8, mask)
	advance(pairGroup*4, halves)
	advance(pairGroup*4, bound)
	groupBytes := GP64()
	Load(Param("d"), groupBytes)
	SHLQ(U8(5), groupBytes)
	ADDQ(groupBytes, group)
	SUBQ(U8(pairGroup), n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}
