package evclus

import "github.com/kindred-go/kindred/internal/linalg"

// times sets dst to the product of a len(dst)×len(x) matrix and x.
func times(dst, matrix, x []float64) {
	for k := range dst {
		dst[k] = linalg.DotInOrder(matrix[k*len(x):(k+1)*len(x)], x)
	}
}

// conflicts sets dst[t] to the product of u and row js[t] of m, whose rows are as wide as u, a
// multiple of 4; js nil: row t.
func conflicts(dst, u, m []float64, js []int32) {
	wide := len(u)
	if wide == 8 {
		conflicts8(dst, (*[8]float64)(u), m, js)
		return
	}
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		row := m[j*wide : j*wide+wide]
		var s0, s1, s2, s3 float64
		for k := 0; k < wide; k += 4 {
			x, y := (*[4]float64)(u[k:]), (*[4]float64)(row[k:])
			s0 += float64(x[0] * y[0])
			s1 += float64(x[1] * y[1])
			s2 += float64(x[2] * y[2])
			s3 += float64(x[3] * y[3])
		}
		dst[t] = (s0 + s1) + (s2 + s3)
	}
}

// conflicts8 is conflicts for eight columns (three clusters with all sets, and up to six with few).
func conflicts8(dst []float64, u *[8]float64, m []float64, js []int32) {
	u0, u1, u2, u3, u4, u5, u6, u7 := u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7]
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		y := (*[8]float64)(m[j*8:])
		s0 := float64(u0*y[0]) + float64(u4*y[4])
		s1 := float64(u1*y[1]) + float64(u5*y[5])
		s2 := float64(u2*y[2]) + float64(u6*y[6])
		s3 := float64(u3*y[3]) + float64(u7*y[7])
		dst[t] = (s0 + s1) + (s2 + s3)
	}
}

// combine sets dst to the sum of w[t] times row js[t] of m.
func combine(dst, w, m []float64, js []int32) {
	wide := len(dst)
	if wide == 8 {
		combine8((*[8]float64)(dst), w, m, js)
		return
	}
	clear(dst)
	for t, x := range w {
		j := t
		if js != nil {
			j = int(js[t])
		}
		row := m[j*wide : j*wide+wide]
		for k := 0; k < wide; k += 4 {
			d, y := (*[4]float64)(dst[k:]), (*[4]float64)(row[k:])
			d[0] += float64(x * y[0])
			d[1] += float64(x * y[1])
			d[2] += float64(x * y[2])
			d[3] += float64(x * y[3])
		}
	}
}

// combine8 is combine for eight columns.
func combine8(dst *[8]float64, w, m []float64, js []int32) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for t, x := range w {
		j := t
		if js != nil {
			j = int(js[t])
		}
		y := (*[8]float64)(m[j*8:])
		s0 += float64(x * y[0])
		s1 += float64(x * y[1])
		s2 += float64(x * y[2])
		s3 += float64(x * y[3])
		s4 += float64(x * y[4])
		s5 += float64(x * y[5])
		s6 += float64(x * y[6])
		s7 += float64(x * y[7])
	}
	*dst = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}
