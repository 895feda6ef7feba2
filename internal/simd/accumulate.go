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

// Move takes rows, less shift, from one sum to another: row index[i] of rows from that of from[i]
// to that of to[i].
//
//	for i := range index {
//		for j := range d {
//			x := float64(rows[index[i]*d+j]) - float64(shift[j])
//			sums[from[i]*d+j] -= x
//			sums[to[i]*d+j] += x
//		}
//	}
//
// It panics when a row or a sum is not there.
func Move[T Float](sums []float64, rows, shift []T, index, from, to []int32) {
	move(active, sums, rows, shift, index, from, to)
}

func move[T Float](at level, sums []float64, rows, shift []T, index, from, to []int32) {
	n, d := len(index), len(shift)
	if n == 0 || d == 0 {
		return
	}
	from, to = from[:n], to[:n]
	k, m := uint(len(sums)/d), uint(len(rows)/d)
	for i, q := range index {
		if uint(q) >= m || uint(from[i]) >= k || uint(to[i]) >= k {
			panic("simd: row or sum out of range")
		}
	}
	if at != portable {
		chunk := max(1, callWork/d)
		for lo := 0; lo < n; lo += chunk {
			hi := min(n, lo+chunk)
			moveRows(sums, rows, shift, index[lo:hi], from[lo:hi], to[lo:hi])
		}
		return
	}
	for i, q := range index {
		minus, plus := sums[int(from[i])*d:][:d], sums[int(to[i])*d:][:d]
		for j, v := range rows[int(q)*d:][:d] {
			x := float64(v) - float64(shift[j])
			minus[j] -= x
			plus[j] += x
		}
	}
}
