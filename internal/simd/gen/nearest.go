package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// across is the number of vectors of points in a tile. With AVX-512 they meet eight centroids at a
// time, 24 chains in 32 registers; with AVX2 four, 12 chains in 16. Either is enough to hide the
// latency of the multiply-add and to need fewer loads than the processor can do beside it.
const across = 3

// nearest writes the kernel of Centroids.scan: one tile of points against k centroids in groups.
func nearest(v isa, two bool) {
	name, more := "nearest", ""
	if two {
		name, more = "nearestTwo", fmt.Sprintf(", second *%s", v.elem())
	}
	TEXT(v.name(name), NOSPLIT, fmt.Sprintf(
		"func(tile, groups, half *%[1]s, d, k, first int, best *%[1]s%[2]s, index *int32)",
		v.elem(), more))
	tile := Load(Param("tile"), GP64())
	group := Load(Param("groups"), GP64())
	half := Load(Param("half"), GP64())
	d := Load(Param("d"), GP64())
	k := Load(Param("k"), GP64())
	first := Load(Param("first"), GP64()).(reg.GPVirtual)
	o := outputs{best: Load(Param("best"), GP64()), index: Load(Param("index"), GP64())}
	if two {
		o.second = Load(Param("second"), GP64())
	}
	sizes := []int{4, 2, 1}
	if v.wide {
		sizes = []int{8, 4, 2, 1}
	}
	for _, size := range sizes {
		again, step, done := fmt.Sprint("group", size), fmt.Sprint("step", size),
			fmt.Sprint("done", size)
		Label(again)
		CMPQ(k, U32(uint32(size)))
		JLT(LabelRef(done))
		score := make([][]reg.VecVirtual, size)
		for c := range score {
			score[c] = v.vectors(across)
			v.spread(Mem{Base: half, Disp: c * v.size()}, score[c][0])
			for q := 1; q < across; q++ {
				by(v, func() { VMOVAPD(score[c][0], score[c][q]) },
					func() { VMOVAPS(score[c][0], score[c][q]) })()
			}
		}
		point, left, ahead := GP64(), GP64(), GP64()
		MOVQ(tile, point)
		MOVQ(d, left)
		MOVQ(d, ahead) // bytes of a tile
		IMUL3Q(U8(across), ahead, ahead)
		SHLQ(U8(by(isa{single: v.wide}, 5, 6)), ahead)
		x := v.vectors(across)
		b := v.vectors(by(isa{single: v.wide}, 1, 2))
		Label(step)
		for q := range x {
			v.load(Mem{Base: point, Disp: q * v.bytes()}, x[q])
			if v.wide || q%2 == 0 { // the next tile; a prefetch never faults
				PREFETCHT0(Mem{Base: point, Index: ahead, Scale: 1, Disp: q * v.bytes()})
			}
		}
		for c := range score {
			at := b[c%len(b)]
			v.spread(Mem{Base: group, Disp: c * v.size()}, at)
			for q := range x {
				v.fnma(x[q], at, score[c][q])
			}
		}
		advance(across*v.bytes(), point)
		advance(size*v.size(), group)
		DECQ(left)
		JNZ(LabelRef(step))

		for q := range across {
			column := make([]reg.VecVirtual, size)
			for c := range column {
				column[c] = score[c][q]
			}
			if two {
				v.keepSecond(o, q, column)
			}
			v.keepBest(o, q, column, first)
		}
		advance(size*v.size(), half)
		ADDQ(U8(uint8(size)), first)
		SUBQ(U8(uint8(size)), k)
		JMP(LabelRef(again))
		Label(done)
	}
	VZEROUPPER()
	RET()
}

// outputs are the addresses of a tile's results.
type outputs struct{ best, second, index reg.Register }

// keepSecond lowers the second best scores of vector q by the scores of one group.
func (v isa) keepSecond(o outputs, q int, score []reg.VecVirtual) {
	best, second, other := v.vector(), v.vector(), v.vector()
	v.load(Mem{Base: o.best, Disp: q * v.bytes()}, best)
	v.load(Mem{Base: o.second, Disp: q * v.bytes()}, second)
	for _, s := range score {
		v.greater(best, s, other)
		v.lesser(s, best, best)
		v.lesser(other, second, second)
	}
	v.store(second, Mem{Base: o.second, Disp: q * v.bytes()})
}

// keepBest lowers the best scores of vector q by the scores of one group, whose first centroid has
// the number first, and notes whose they are.
func (v isa) keepBest(o outputs, q int, score []reg.VecVirtual, first reg.GPVirtual) {
	best, index, number := v.vector(), v.vector(), v.vector()
	at := Mem{Base: o.index, Disp: q * v.lanes() * 4}
	v.load(Mem{Base: o.best, Disp: q * v.bytes()}, best)
	switch {
	case !v.single:
		VPMOVSXDQ(at, index)
	case v.wide:
		VMOVDQU32(at, index)
	default:
		VMOVDQU(at, index)
	}
	for c, s := range score {
		t := GP64()
		LEAQ(Mem{Base: first, Disp: c}, t)
		if v.wide {
			m := K()
			v.less(s, best, m)
			v.lesser(s, best, best)
			by(v, func() { VPBROADCASTQ(t, m, index) },
				func() { VPBROADCASTD(t.As32(), m, index) })()
			continue
		}
		m := v.vector()
		x := number.AsX()
		by(v, func() {
			VMOVQ(t, x)
			VPBROADCASTQ(x, number)
		}, func() {
			VMOVD(t.As32(), x)
			VPBROADCASTD(x, number)
		})()
		v.less(s, best, m)
		v.lesser(s, best, best)
		by(v, func() { VBLENDVPD(m, number, index, index) },
			func() { VBLENDVPS(m, number, index, index) })()
	}
	v.store(best, Mem{Base: o.best, Disp: q * v.bytes()})
	switch {
	case v.single && v.wide:
		VMOVDQU32(index, at)
	case v.single:
		VMOVDQU(index, at)
	case v.wide:
		VPMOVQD(index, at)
	default:
		high := XMM()
		VEXTRACTI128(U8(1), index, high)
		VSHUFPS(U8(0x88), high, index.AsX(), high)
		VMOVDQU(high, at)
	}
}
