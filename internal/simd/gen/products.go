package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// products writes the kernel of Products: a tile of rows by c columns, n values of each, a whole
// number of entries of eight. With AVX-512 four rows meet up to six columns, 24 chains in 32
// registers; with AVX2 two meet three, in two parts each. The lanes of row i and column q, which go
// on from what they are, are entry i·c + q.
func products(v isa) {
	height, across := 4, 6
	if !v.wide {
		height, across = 2, 3
	}
	params := "func(lanes *float64, row0, row1, row2, row3 *float32, cols *float64, stride, c, " +
		"n int)"
	if !v.wide {
		params = "func(lanes *float64, row0, row1 *float32, cols *float64, stride, c, n int)"
	}
	TEXT("products"+v.level(), NOSPLIT, params)
	Pragma("noescape")
	lanes := Load(Param("lanes"), GP64())
	row := make([]reg.Register, height)
	for i := range row {
		row[i] = Load(Param(fmt.Sprint("row", i)), GP64())
	}
	cols := Load(Param("cols"), GP64())
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	c := Load(Param("c"), GP64())
	n := Load(Param("n"), GP64())
	v.scale(stride)
	SHRQ(U8(3), n)
	for q := 1; q < across; q++ {
		CMPQ(c, U8(uint8(q)))
		JEQ(LabelRef(fmt.Sprint("across", q)))
	}
	for across := across; across > 0; across-- {
		Label(fmt.Sprint("across", across))
		sums := v.vectors(height * across * v.parts())
		for i := range sums {
			v.load(Mem{Base: lanes, Disp: i * v.bytes()}, sums[i])
		}
		column, pointers := every(cols, stride, across)
		step := fmt.Sprint("step", across)
		Label(step)
		x := v.vectors(height * v.parts())
		for i := range x {
			VCVTPS2PD(Mem{Base: row[i/v.parts()], Disp: i % v.parts() * v.lanes() * 4}, x[i])
		}
		for q := range across {
			for part := range v.parts() {
				at := column(q, part*v.bytes())
				var y Op = at
				if v.wide {
					y = v.vector()
					v.load(at, y)
				}
				for i := range height {
					v.fma(y, x[i*v.parts()+part], sums[(i*across+q)*v.parts()+part])
				}
			}
		}
		for _, p := range row {
			PREFETCHT0(Mem{Base: p, Disp: 1024}) // in time for memory; it never faults
			advance(entry/2, p)
		}
		for _, p := range pointers {
			advance(entry, p)
		}
		DECQ(n)
		JNZ(LabelRef(step))
		for i := range sums {
			v.store(sums[i], Mem{Base: lanes, Disp: i * v.bytes()})
		}
		VZEROUPPER()
		RET()
	}
}
