// Package simd holds the inner loops of kindred: squared distances, the nearest of many
// centroids, and centroid sums, for float64 and float32; weighted moments, products of a matrix
// with a few columns and of rows with a matrix, activations of networks, the saturation of
// dissimilarities, square roots, rows that move towards others, and searches and means of rows of
// dissimilarities.
//
// Each function's documentation is the plain Go loop it computes. On amd64 it runs in AVX-512 or in
// AVX2 with FMA, chosen once when the program starts; elsewhere, and under the build tag purego, it
// runs in a portable twin. All of them return the same bits: every lane is one chain of fused
// multiply-adds, which round once, in the order of the loop.
//
// GODEBUG=cpu.avx512f=off and GODEBUG=cpu.avx2=off (golang.org/x/sys/cpu) step down a level.
//
// Values must be finite; nothing here looks for NaN or infinities, and with them the levels may
// differ. Slices that are too short panic before any assembly runs.
package simd

//go:generate go run -C gen . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg simd

// Float is a type of value that the kernels take.
type Float interface{ float32 | float64 }

// level names one implementation of the kernels.
type level uint8

const (
	portable level = iota
	avx2           // 256-bit vectors with fused multiply-add
	avx512         // 512-bit vectors
)

func (l level) String() string { return [...]string{"portable", "avx2", "avx512"}[l] }

// Level names the implementation in use: "portable", "avx2" or "avx512".
func Level() string { return active.String() }
