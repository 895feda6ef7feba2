package simd

// Factor is a matrix of k×n float32, and a row of n to which products are added, made ready to be
// multiplied from the left. Goroutines may multiply with one at once.
type Factor struct {
	at    level
	k, n  int
	tile  int       // columns of a tile
	tiles []float32 // k·tile of each
	start []float32
}

// NewFactor allocates a factor of k ≥ 1 rows and n ≥ 1 columns of zeros.
func NewFactor(k, n int) *Factor { return newFactor(active, k, n) }

func newFactor(at level, k, n int) *Factor {
	f := &Factor{at: at, tile: pairGroup}
	if at != portable {
		f.tile = at.tile(true)
	}
	f.Reset(k, n)
	return f
}

// Reset makes it one of k rows and n columns, whose values are set next. The row that is added is
// zeros.
func (f *Factor) Reset(k, n int) {
	if k < 1 || n < 1 {
		panic("simd: empty factor")
	}
	f.k, f.n = k, n
	whole := (n + f.tile - 1) / f.tile * f.tile
	f.tiles, f.start = sized(f.tiles, whole*k), sized(f.start, whole)
	clear(f.start)
}

func sized(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// Start sets the row that is added.
func (f *Factor) Start(row []float32) { copy(f.start[:f.n], row[:f.n]) }

// Columns sets all columns: value j of column c is values[c*stride+j].
func (f *Factor) Columns(values []float32, stride int) {
	for c := range len(f.start) {
		to := f.tiles[c/f.tile*f.tile*f.k+c%f.tile:]
		if c >= f.n {
			for j := range f.k {
				to[j*f.tile] = 0
			}
			continue
		}
		for j, v := range values[c*stride:][:f.k] {
			to[j*f.tile] = v
		}
	}
}

// Rows sets all rows: value c of row j is values[j*stride+c].
func (f *Factor) Rows(values []float32, stride int) {
	for j := range f.k {
		row := values[j*stride:][:f.n]
		for c := 0; c < len(f.start); c += f.tile {
			to := f.tiles[c*f.k+j*f.tile:][:f.tile]
			clear(to[copy(to, row[min(c, f.n):]):])
		}
	}
}

// Multiply sets m rows of out, of n values each, to the products of m rows of k values with the
// factor. Row i of them begins at rows[i*stride], and that of the products at out[i*to]. The two do
// not overlap.
//
//	for i := range m {
//		for c := range n {
//			s := start[c]
//			for j := range k {
//				s = fma(factor[j][c], rows[i*stride+j], s)
//			}
//			out[i*to+c] = s
//		}
//	}
func (f *Factor) Multiply(out []float32, to int, rows []float32, stride, m int) {
	if m < 1 {
		return
	}
	out, rows = out[:(m-1)*to+f.n], rows[:(m-1)*stride+f.k]
	if to < f.n || stride < 0 {
		panic("simd: rows that overlap")
	}
	if f.at == portable {
		f.multiplyPortable(out, to, rows, stride, m)
		return
	}
	var last [maxFactorRows * maxTile]float32 // of a tile that is wider than what is left of it
	chunk := min(maxFactorRows, max(1, callWork/(f.k*f.tile)/8)*8)
	// Rows meet all tiles while they are in the cache next to the processor.
	block := max(chunk, factorBlock/f.k/chunk*chunk)
	for from := 0; from < m; from += block {
		upto := min(m, from+block)
		for c := 0; c < f.n; c += f.tile {
			tile, start := f.tiles[c*f.k:(c+f.tile)*f.k], f.start[c:c+f.tile]
			for lo := from; lo < upto; lo += chunk {
				count := min(chunk, upto-lo)
				if c+f.tile <= f.n {
					multiplyVectors(f.at, out[lo*to+c:], rows[lo*stride:], tile, start, count, f.k,
						to, stride)
					continue
				}
				multiplyVectors(f.at, last[:], rows[lo*stride:], tile, start, count, f.k, f.tile,
					stride)
				for i := range count {
					copy(out[(lo+i)*to+c:(lo+i)*to+f.n], last[i*f.tile:])
				}
			}
		}
	}
}

const (
	// maxFactorRows is the most rows that a call of assembly takes.
	maxFactorRows = 64
	// factorBlock is a number of values of rows that leave room for a tile beside them.
	factorBlock = 1 << 16
)

// multiplyPortable keeps the sums of two rows and four columns in registers. Blocks of rows meet a
// tile while it is in the cache.
func (f *Factor) multiplyPortable(out []float32, to int, rows []float32, stride, m int) {
	var sums [2][4]float32
	for c := 0; c < f.n; c += 4 {
		tile := f.tiles[c/f.tile*f.tile*f.k+c%f.tile:]
		width := min(4, f.n-c)
		for i := 0; i < m; i += 2 {
			next := min(i+1, m-1) // the last of an odd number stands twice
			sums[0] = [4]float32(f.start[c:])
			sums[1] = sums[0]
			multiplyTwo(&sums, rows[i*stride:][:f.k], rows[next*stride:][:f.k], tile, f.tile)
			copy(out[i*to+c:][:width], sums[0][:])
			copy(out[next*to+c:][:width], sums[1][:])
		}
	}
}

// multiplyTwo adds the products of two rows with four columns, which begin at every step values.
func multiplyTwo(sums *[2][4]float32, x, y, columns []float32, step int) {
	for j := 0; j < len(x); j++ {
		j += multiplyTwoRounded(sums, x[j:], y[j:], columns[j*step:], step)
		if j == len(x) {
			return
		}
		for c, v := range columns[j*step:][:4] {
			sums[0][c], sums[1][c] = fma32(v, x[j], sums[0][c]), fma32(v, y[j], sums[1][c])
		}
	}
}

// multiplyTwoRounded is multiplyTwo as far as no sum is the midpoint of two float32 (see [fma32]).
// It returns how many values of the rows that is.
func multiplyTwoRounded(sums *[2][4]float32, x, y, columns []float32, step int) int {
	a, b, c, d := sums[0][0], sums[0][1], sums[0][2], sums[0][3]
	e, f, g, h := sums[1][0], sums[1][1], sums[1][2], sums[1][3]
	y = y[:len(x)]
	j := 0
	for ; j < len(x); j++ {
		v, w := float64(x[j]), float64(y[j])
		four := (*[4]float32)(columns[j*step:])
		q := float64(four[0])
		sa, se := q*v+float64(a), q*w+float64(e)
		q = float64(four[1])
		sb, sf := q*v+float64(b), q*w+float64(f)
		q = float64(four[2])
		sc, sg := q*v+float64(c), q*w+float64(g)
		q = float64(four[3])
		sd, sh := q*v+float64(d), q*w+float64(h)
		if midpoint(sa) || midpoint(sb) || midpoint(sc) || midpoint(sd) || midpoint(se) ||
			midpoint(sf) || midpoint(sg) || midpoint(sh) {
			break
		}
		a, b, c, d = float32(sa), float32(sb), float32(sc), float32(sd)
		e, f, g, h = float32(se), float32(sf), float32(sg), float32(sh)
	}
	sums[0], sums[1] = [4]float32{a, b, c, d}, [4]float32{e, f, g, h}
	return j
}
