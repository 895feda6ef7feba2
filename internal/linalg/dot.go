package linalg

import "math"

// Dot returns Σ a·b, summed in four chains of fused multiply-adds. b has at least the length of a.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var w, x, y, z float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		w = math.FMA(a[i], b[i], w)
		x = math.FMA(a[i+1], b[i+1], x)
		y = math.FMA(a[i+2], b[i+2], y)
		z = math.FMA(a[i+3], b[i+3], z)
	}
	for ; i < len(a); i++ {
		w = math.FMA(a[i], b[i], w)
	}
	return (w + x) + (y + z)
}

// DotInOrder returns Σ a·b, each product rounded and added in the order of the values. It is slower
// than [Dot], and there for sums whose rounding results of earlier versions depend on.
func DotInOrder(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// SquaredDistance returns Σ (x−y)², one chain of fused multiply-adds in the order of the values.
func SquaredDistance(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for j, v := range x {
		t := v - y[j]
		sum = math.FMA(t, t, sum)
	}
	return sum
}

// Transpose writes rows of so many columns to dst column by column.
func Transpose(dst, rows []float64, cols int) {
	if cols == 0 {
		return
	}
	n := len(rows) / cols
	for i := range n {
		for j, v := range rows[i*cols : (i+1)*cols] {
			dst[j*n+i] = v
		}
	}
}
