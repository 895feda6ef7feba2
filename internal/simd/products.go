package simd

// Products sets out[i*f+q] to the product of row i and column q, as many values as a row has. Rows are equally long;
// value j of column q is cols[q*stride+j]:
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
func Products(out []float64, rows [][]float32, cols []float64, stride, f int) {
	products(active, out, rows, cols, stride, f)
}

func products(_ level, out []float64, rows [][]float32, cols []float64, stride, f int) {
	if len(rows) == 0 || f == 0 {
		return
	}
	n := len(rows[0])
	for i, row := range rows {
		row = row[:n]
		for q := range f {
			var lane productLanes
			lane.add(row, cols[q*stride:][:n])
			out[i*f+q] = lane.sum()
		}
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
