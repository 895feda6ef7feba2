package simd

import "unsafe"

// MomentLanes is the number of objects that Moments takes side by side.
const MomentLanes = 8

// MomentCount returns the entries that Moments keeps for f columns, MomentLanes sums each: first
// the f(f+1)/2 products of columns a ≤ b, in the order (0,0), (0,1) … (0,f-1), (1,1) … (f-1,f-1),
// then the f sums of the columns, then their f sums weighted, then the sum of the weights.
func MomentCount(f int) int { return f*(f+1)/2 + 2*f + 1 }

// Moments adds the terms at[r] to the weighted and unweighted moments of f columns, for MomentLanes
// objects side by side. Value i of column q is cols[q*stride+i]; the lanes of term r begin with
// value at[r], and their weights with d[dAt[r]]. Entry e of acc, in the order of [MomentCount], has
// its lanes at acc[e*MomentLanes].
//
//	for r := range at {
//		for l := range MomentLanes {
//			w, e := float64(d[dAt[r]+l]), l
//			v := func(q int) float64 { return float64(cols[q*stride+int(at[r])+l]) }
//			for a := range f {
//				for b := a; b < f; b++ {
//					acc[e] = fma(v(a), v(b), acc[e])
//					e += MomentLanes
//				}
//			}
//			for a := range f {
//				acc[e] += v(a)
//				acc[e+f*MomentLanes] = fma(w, v(a), acc[e+f*MomentLanes])
//				e += MomentLanes
//			}
//			acc[e+f*MomentLanes] += w
//		}
//	}
//
// It panics when a term has no values or no weights.
func Moments[T Float](acc []float64, cols []T, stride, f int, at []int32, d []float32, dAt []int) {
	moments(active, acc, cols, stride, f, at, d, dAt)
}

func moments[T Float](l level, acc []float64, cols []T, stride, f int, at []int32, d []float32,
	dAt []int) {
	n := len(at)
	if n == 0 {
		return
	}
	dAt = dAt[:n]
	acc = acc[:MomentCount(f)*MomentLanes]
	var last, lastD uint // as unsigned numbers those below 0 are the greatest
	for r, i := range at {
		last, lastD = max(last, uint(i)), max(lastD, uint(dAt[r]))
	}
	if len(d) < MomentLanes || lastD > uint(len(d)-MomentLanes) {
		panic("simd: term without weights")
	}
	least := MomentLanes
	if f > 1 && uint(stride) <= uint(len(cols)) {
		least += (f - 1) * stride
	} else if f > 1 {
		panic("simd: stride out of range")
	}
	if f > 0 && (len(cols) < least || last > uint(len(cols)-least)) {
		panic("simd: term without values")
	}
	switch {
	case l == portable || f == 0:
		momentsPortable(acc, cols, stride, f, at, d, dAt)
	case l == avx512 && f <= momentsSide(avx512):
		chunk := callWork / len(acc)
		for lo := 0; lo < n; lo += chunk {
			hi := min(n, lo+chunk)
			momentsFew(acc, cols, stride, f, at[lo:hi], d, dAt[lo:hi])
		}
	default:
		momentsTiled(l, acc, cols, stride, f, at, d, dAt)
	}
}

// momentsSide is the greatest side of the squares whose sums fit the registers at a level with
// assembly.
func momentsSide(l level) int {
	if l == avx512 {
		return 5
	}
	return 3
}

// momentsStore is the number of values of terms in one piece, which are to stay in the nearest
// cache.
const momentsStore = 3 << 10

// momentsTiled takes some terms at a time past one square of the triangle after another. Those on
// the diagonal, which meet each column once, lay the terms out in one piece for the others.
func momentsTiled[T Float](l level, acc []float64, cols []T, stride, f int, at []int32, d []float32,
	dAt []int) {
	const line = 8 // values of a cache line, on which the terms are to begin
	var store [momentsStore + line]float64
	packed, term := store[:], f*MomentLanes
	if term+line > len(packed) {
		packed = make([]float64, term+line)
	}
	packed = packed[-uintptr(unsafe.Pointer(&packed[0]))/8%line:]
	var spare [MomentLanes]float64 // for the sum of weights, which only one corner is to keep
	sums := acc[f*(f+1)/2*MomentLanes:]
	side := momentsSide(l)
	tiles := (f + side - 1) / side
	begin := func(i int) int { return i*(f/tiles) + min(i, f%tiles) } // the longer sides come first
	chunk := len(packed) / term
	for lo := 0; lo < len(at); lo += chunk {
		n := min(chunk, len(at)-lo)
		for i := range tiles {
			a, size := begin(i), begin(i+1)-begin(i)
			total := spare[:]
			if i == 0 {
				total = acc[len(acc)-MomentLanes:]
			}
			first := a*f - a*(a-1)/2 // the entry (a,a)
			s := square{acc[first*MomentLanes:], f - a - 1, packed[a*MomentLanes:], f, size}
			momentsCorner(l, s, sums[a*MomentLanes:], sums[(f+a)*MomentLanes:], total,
				cols[a*stride:], stride, at[lo:lo+n], d, dAt[lo:lo+n])
		}
		for i := range tiles {
			a := begin(i)
			first := a*f - a*(a-1)/2
			for j := i + 1; j < tiles; j++ {
				b, size := begin(j), begin(i+1)-a+begin(j+1)-begin(j)
				s := square{acc[(first+b-a)*MomentLanes:], f - a - 1, packed[a*MomentLanes:], f,
					size}
				momentsSquare(l, s, packed[b*MomentLanes:], n)
			}
		}
	}
}

// square is a part of the triangle of products for a kernel to add to.
type square struct {
	acc     []float64 // from the first product
	step    int       // entries from there to the first product of the next row
	columns []float64 // of the first term in one piece, those that are rows here
	term    int       // columns of a term
	size    int       // of a side on the diagonal, of both sides off it
}

func momentsPortable[T Float](acc []float64, cols []T, stride, f int, at []int32, d []float32,
	dAt []int) {
	var w [MomentLanes]float64
	var store [16 * MomentLanes]float64
	v := store[:]
	if f > 16 {
		v = make([]float64, f*MomentLanes)
	}
	for r, i := range at {
		for l, u := range d[dAt[r]:][:MomentLanes] {
			w[l] = float64(u)
		}
		for q := range f {
			for l, u := range cols[q*stride+int(i):][:MomentLanes] {
				v[q*MomentLanes+l] = float64(u)
			}
		}
		next := acc
		lanes := func() *[MomentLanes]float64 {
			s := (*[MomentLanes]float64)(next)
			next = next[MomentLanes:]
			return s
		}
		for a := range f {
			x := (*[MomentLanes]float64)(v[a*MomentLanes:])
			for b := a; b < f; b++ {
				y, s := (*[MomentLanes]float64)(v[b*MomentLanes:]), lanes()
				for l := range s {
					s[l] = fma(x[l], y[l], s[l])
				}
			}
		}
		for a := range f {
			s := lanes()
			for l := range s {
				s[l] += v[a*MomentLanes+l]
			}
		}
		for a := range f {
			s := lanes()
			for l := range s {
				s[l] = fma(w[l], v[a*MomentLanes+l], s[l])
			}
		}
		s := lanes()
		for l := range s {
			s[l] += w[l]
		}
	}
}
