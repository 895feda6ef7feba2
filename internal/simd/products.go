package simd

// Products sets out[i*f+q] to the product of row i and column q, as many values as a row has. Rows
// are equally long; value j of column q is cols[q*stride+j]:
//
//	for i, row := range rows {
//		for q := range f {
//			var lane [8]float64
//			for j, v := range row {
//				lane[j%8] = fma(float64(v), cols[q*stride+j], lane[j%8])
//			}
//			for w := 4; w > 0; w /= 2 {
//				for l := range w {
//					lane[l] += lane[l+w]
//				}
//			}
//			out[i*f+q] = lane[0]
//		}
//	}
//
// It panics when rows differ in length, or columns or out are shorter than they need to be.
func Products(out []float64, rows [][]float32, cols []float64, stride, f int) {
	products(active, out, rows, cols, stride, f)
}

func products(at level, out []float64, rows [][]float32, cols []float64, stride, f int) {
	if len(rows) == 0 || f == 0 {
		return
	}
	n := len(rows[0])
	for _, row := range rows {
		if len(row) != n {
			panic("simd: rows of different lengths")
		}
	}
	if f > 1 && uint(stride) > uint(len(cols)) || len(cols) < (f-1)*stride+n {
		panic("simd: short column")
	}
	out = out[:len(rows)*f]
	height, _ := productTile(at)
	var store [productStore]productLanes
	lanes := store[:]
	if f*height > len(lanes) {
		lanes = make([]productLanes, f*height)
	}
	batch := len(lanes) / (f * height) * height
	for lo := 0; lo < len(rows); lo += batch {
		some := rows[lo:min(len(rows), lo+batch)]
		whole := 0
		clear(lanes[:(len(some)+height-1)/height*height*f])
		if at != portable {
			whole = n &^ 7
			productVectors(at, lanes, some, cols, stride, f, whole)
		}
		for i, row := range some {
			for q := range f {
				lane := &lanes[productPlace(at, i, q, f)]
				lane.add(row[whole:n], cols[q*stride:][whole:n])
				out[(lo+i)*f+q] = lane.sum()
			}
		}
	}
}

const (
	// productStore is a number of products whose lanes stay in the nearest cache.
	productStore = 256
	// productChunk is the part of a row that meets all columns, and columns all rows of a batch,
	// before the next part does.
	productChunk = 4096
)

// productPlace returns the position of the lanes of row i and column q: tile after tile.
func productPlace(at level, i, q, f int) int {
	height, across := productTile(at)
	first := q - q%across
	return i/height*height*f + first*height + i%height*min(across, f-first) + q - first
}

// productVectors adds the first n values, a multiple of 8, of some rows and all columns to their
// lanes.
func productVectors(at level, lanes []productLanes, rows [][]float32, cols []float64, stride, f,
	n int) {
	height, across := productTile(at)
	for lo := 0; lo < n; lo += productChunk {
		m := min(productChunk, n-lo)
		for i := 0; i < len(rows); i += height {
			var row [4]*float32
			for r := range row {
				row[r] = &rows[min(i+r, len(rows)-1)][lo] // past the last, the last again
			}
			for q := 0; q < f; q += across {
				addProducts(at, lanes[productPlace(at, i, q, f):], &row, cols[q*stride+lo:], stride,
					min(across, f-q), m)
			}
		}
	}
}

// productTile returns the rows and the most columns of a tile: with assembly as many as have their
// lanes in registers.
func productTile(at level) (height, across int) {
	switch at {
	case avx512:
		return 4, 6
	case avx2:
		return 2, 3
	default:
		return 1, 1
	}
}

// productLanes are the chains of one product.
type productLanes [8]float64

// add begins with lane 0.
func (lane *productLanes) add(x []float32, y []float64) {
	y = y[:len(x)]
	for j, v := range x {
		lane[j%8] = fma(float64(v), y[j], lane[j%8])
	}
}

func (lane *productLanes) sum() float64 {
	a, b, c, d := lane[0]+lane[4], lane[1]+lane[5], lane[2]+lane[6], lane[3]+lane[7]
	return (a + c) + (b + d)
}
