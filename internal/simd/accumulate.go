package simd

// Accumulate adds each row, less shift, to the sum of its label. Rows has len(label) rows of
// len(shift) values, and sums one row of as many float64 for each label in use:
//
//	for i, l := range label {
//		for j := range d {
//			sums[l*d+j] += float64(rows[i*d+j]) - float64(shift[j])
//		}
//	}
//
// It panics when a label has no row in sums.
func Accumulate[T Float](sums []float64, rows, shift []T, label []int32) {
	accumulate(active, sums, rows, shift, label)
}

func accumulate[T Float](at level, sums []float64, rows, shift []T, label []int32) {
	d := len(shift)
	if d == 0 || len(label) == 0 {
		return
	}
	rows = rows[:len(label)*d]
	k := uint(len(sums) / d)
	for _, l := range label {
		if uint(l) >= k {
			panic("simd: label without a sum")
		}
	}
	if at != portable {
		chunk := max(1, callWork/d)
		for lo := 0; lo < len(label); lo += chunk {
			hi := min(len(label), lo+chunk)
			accumulateRows(sums, rows[lo*d:hi*d], shift, label[lo:hi])
		}
		return
	}
	for i, l := range label {
		row, sum := rows[i*d:][:d], sums[int(l)*d:][:d]
		for j, v := range row {
			sum[j] += float64(v) - float64(shift[j])
		}
	}
}
