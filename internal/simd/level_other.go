//go:build !amd64 || purego

package simd

// active is the implementation in use.
const active = portable

// Without assembly nothing calls these.

func squaredRows[T Float](level, []T, []T, []T)            {}
func squaredRowsAt[T Float]([]T, []T, []T, []int32)        {}
func squaredColumns[T Float](level, []T, []T, []T, int)    {}
func packVectors[T Float](_, _, _ []T, _ int) int          { return 0 }
func accumulateRows[T Float]([]float64, []T, []T, []int32) {}
func scanTile[T Float](level, *Workspace[T], []T, []T, []T, int, int, bool) {
}
func narrowVectors(_ []float32, _, _ []float64, _ int) int                    { return 0 }
func scoreColumns(_ level, _, _, _, _ []float64, _ int)                       {}
func moveRows[T Float](_ []float64, _, _ []T, _, _, _ []int32)                {}
func momentsFew[T Float]([]float64, []T, int, int, []int32, []float32, []int) {}
func momentsCorner[T Float](_ level, _ square, _, _, _ []float64, _ []T, _ int, _ []int32,
	_ []float32, _ []int) {
}
func momentsSquare(level, square, []float64, int)                               {}
func addProducts(level, []productLanes, *[4]*float32, []float64, int, int, int) {}
func rootsVectors(level, []float32, []float64)                                  {}
func sumRootsVectors(level, *RootSum, []float64, []float64)                     {}
func saturateVectors(level, []float32, []float32, float64)                      {}
func paddedDistances(_ level, _, _, _ []float64)                                {}
func paddedToward(_ level, _, _ []float64, _ float64)                           {}
func firstWithinVectors(_, _ []float32, _ int) int                              { return 0 }
func firstAtMostVectors([]float32, int, float32) int                            { return 0 }
func raiseVectors(_, _ []float32, _ int)                                        {}
func blendVectors(_, _ []float32, _ int, _, _ float64)                          {}
func withinVectors([]float64, int, float64) bool                                { return false }
func nearVectors(_ level, _ []float32, _ []uint64, _, _, _, _, _, _ []float32, _ int) {
}
func multiplyVectors(_ level, _, _, _, _ []float32, _, _, _, _ int) {}
func geluVectors(level, []float32)                                  {}
func expVectors(level, []float32, float32)                          {}
