//go:build unix

package simd

import (
	"fmt"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded copies values into memory that ends (or begins) at a page that may not be touched, so
// that a kernel that reads or writes past the end (or before the start) faults.
func guarded[T Float | int32 | int](t *testing.T, atEnd bool, values []T) []T {
	t.Helper()
	page := unix.Getpagesize()
	size := len(values) * int(unsafe.Sizeof(values[0]))
	inner := (size + page - 1) / page * page
	mem, err := unix.Mmap(-1, 0, inner+2*page, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory map: ", err)
	}
	t.Cleanup(func() { _ = unix.Munmap(mem) })
	for _, guard := range [][]byte{mem[:page], mem[page+inner:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Skip("no page protection: ", err)
		}
	}
	start := page
	if atEnd {
		start = page + inner - size
	}
	out := unsafe.Slice((*T)(unsafe.Pointer(&mem[start])), len(values))
	copy(out, values)
	return out
}

// TestKernelsStayInside runs every kernel on guarded memory, and looks at what they should leave
// alone.
func TestKernelsStayInside(t *testing.T) {
	t.Run("float64", func(t *testing.T) { kernelsStayInside[float64](t) })
	t.Run("float32", func(t *testing.T) { kernelsStayInside[float32](t) })
}

func kernelsStayInside[T Float](t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, at := range levels() {
		for _, atEnd := range []bool{true, false} {
			for _, s := range shapes {
				t.Run(fmt.Sprintf("%v/%v/%dx%d,%d", at, atEnd, s.n, s.d, s.k), func(t *testing.T) {
					rows := guarded(t, atEnd, noise[T](s.n*s.d, 1))
					shift := guarded(t, atEnd, noise[T](s.d, 2))
					dist := guarded(t, atEnd, make([]T, s.n))
					squaredDistances(at, dist, shift, rows)
					squaredDistancesColumns(at, dist, shift, rows, s.n)
					there := guarded(t, atEnd, make([]int32, s.n))
					for i := range there {
						there[i] = int32(s.n - 1 - i)
					}
					squaredDistancesAt(at, dist, shift, rows, there)

					c := newCentroids(at, noise[T](s.k*s.d, 3), s.d)
					c.half, c.groups = guarded(t, atEnd, c.half), guarded(t, atEnd, c.groups)
					width := at.tile(isSingle[T]())
					var w Workspace[T]
					w.tile = guarded(t, atEnd, make([]T, width*s.d))
					for i := width; i < maxTile; i++ {
						w.best[i], w.second[i], w.index[i] = 77, 77, 77
					}
					label := guarded(t, atEnd, make([]int32, s.n))
					second := guarded(t, atEnd, make([]T, s.n))
					c.Nearest(&w, rows, shift, label, dist, second)
					c.Nearest(&w, rows, shift, label, dist, nil)
					for i := width; i < maxTile; i++ {
						if w.best[i] != 77 || w.second[i] != 77 || w.index[i] != 77 {
							t.Fatal("the kernel wrote past its tile")
						}
					}
					sums := guarded(t, atEnd, noise[float64](s.k*s.d, 4))
					before := slices.Clone(sums)
					for i := range label {
						label[i] = 0
					}
					accumulate(at, sums, rows, shift, label)
					last := guarded(t, atEnd, []int32{int32(s.n - 1)})
					zero := guarded(t, atEnd, []int32{0})
					move(at, sums, rows, shift, last, zero, zero)
					if !slices.Equal(sums[s.d:], before[s.d:]) {
						t.Fatal("the kernel wrote past its sum")
					}
				})
			}
		}
	}
}

// TestTermsStayInside does the same for the kernels that sum terms, products and saturation.
func TestTermsStayInside(t *testing.T) {
	t.Run("float64", func(t *testing.T) { termsStayInside[float64](t) })
	t.Run("float32", func(t *testing.T) { termsStayInside[float32](t) })
}

func termsStayInside[T Float](t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, l := range levels() {
		for _, atEnd := range []bool{true, false} {
			for f := 1; f <= 22; f++ {
				t.Run(fmt.Sprintf("%v/%v/%d", l, atEnd, f), func(t *testing.T) {
					cols, stride, at, d, dAt := momentTerms[T](f, 3*f, 5)
					acc := guarded(t, atEnd, make([]float64, MomentCount(f)*MomentLanes))
					moments(l, acc, guarded(t, atEnd, cols), stride, f, guarded(t, atEnd, at),
						guarded(t, atEnd, d), guarded(t, atEnd, dAt))
				})
			}
		}
	}
}

func TestProductsAndSaturationStayInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, l := range levels() {
		for _, atEnd := range []bool{true, false} {
			for _, s := range productShapes {
				if s.m*s.n*s.f == 0 {
					continue
				}
				t.Run(fmt.Sprintf("%v/%v/%dx%d,%d", l, atEnd, s.m, s.n, s.f), func(t *testing.T) {
					rows := productRows(s.m, s.n)
					for i := range rows {
						rows[i] = guarded(t, atEnd, rows[i])
					}
					cols := guarded(t, atEnd, noise[float64](s.f*s.n, 7))
					products(l, guarded(t, atEnd, make([]float64, s.m*s.f)), rows, cols, s.n, s.f)
					saturate(l, guarded(t, atEnd, make([]float32, s.n)), rows[0], 1)
					squares := guarded(t, atEnd, make([]float64, s.n))
					roots(l, guarded(t, atEnd, make([]float32, s.n)), squares)
					one, two := guarded(t, atEnd, make([]float32, s.n)), guarded(t, atEnd, rows[0])
					firstWithin(l, two, one)
					firstAtMost(l, two, 0)
					raise(l, one, two)
					blend(l, one, two, 0.5, 0.5)
					new(RootSum).add(l, squares, guarded(t, atEnd, make([]float64, s.n)))
				})
			}
		}
	}
}

func TestPaddedStaysInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, l := range levels() {
		for _, atEnd := range []bool{true, false} {
			for d := 1; d <= 40; d++ {
				p, _ := filled(l, 5, d)
				p.rows = guarded(t, atEnd, p.rows)
				x, dst := guarded(t, atEnd, noise[float64](d, 1)),
					guarded(t, atEnd, make([]float64, p.Len()))
				p.Distances(dst, x)
				p.Toward(4, x, 0.25)
				within(l, x, 3)
			}
		}
	}
}

func TestFactorsStayInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, at := range levels() {
		for _, atEnd := range []bool{true, false} {
			for _, s := range factorShapes {
				f := newFactor(at, s.k, s.n)
				f.tiles, f.start = guarded(t, atEnd, f.tiles), guarded(t, atEnd, f.start)
				f.Columns(guarded(t, atEnd, noise[float32](s.k*s.n, 1)), s.k)
				f.Rows(guarded(t, atEnd, noise[float32](s.k*s.n, 1)), s.n)
				f.Multiply(guarded(t, atEnd, make([]float32, s.m*s.n)), s.n,
					guarded(t, atEnd, noise[float32](s.m*s.k, 2)), s.k, s.m)
				x := guarded(t, atEnd, noise[float32](s.n, 1))
				gelu(at, x)
				exps(at, x, 1)
			}
		}
	}
}
