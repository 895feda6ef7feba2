package nearest

// grower orders rows, which lie one after another until the tree is built.
type grower struct {
	*Tree
	rows []float64
}

// settle finds the box of a node, halves it at the median, or sorts the rows of a leaf. The nodes
// above are settled.
func (g *grower) settle(node int) {
	lo, hi, d := int(g.Low[node]), int(g.High[node]), g.D
	least, greatest := g.bounds(node)
	if lo == hi {
		return
	}
	copy(least, g.rows[lo*d:][:d])
	copy(greatest, least)
	for at := (lo + 1) * d; at < hi*d; at += d {
		for j, v := range g.rows[at : at+d] {
			if v < least[j] {
				least[j] = v
			} else if v > greatest[j] {
				greatest[j] = v
			}
		}
	}
	widest := 0
	for j := range d {
		if greatest[j]-least[j] > greatest[widest]-least[widest] {
			widest = j
		}
	}
	if node < g.First {
		g.split(lo, hi, int(g.High[2*node+1]), widest)
		return
	}
	for i := lo + 1; i < hi; i++ {
		for k := i; k > lo && g.less(k, k-1, widest); k-- {
			g.swap(k, k-1)
		}
	}
}

// less compares two rows by a column, and where it is equal by the following ones, the first after
// the last.
func (g *grower) less(a, b, column int) bool {
	x, y := g.rows[a*g.D:][:g.D], g.rows[b*g.D:][:g.D]
	if x[column] != y[column] {
		return x[column] < y[column]
	}
	for range g.D - 1 {
		if column++; column == g.D {
			column = 0
		}
		if x[column] != y[column] {
			return x[column] < y[column]
		}
	}
	return false
}

func (g *grower) swap(a, b int) {
	x, y := g.rows[a*g.D:][:g.D], g.rows[b*g.D:][:g.D]
	for j, v := range x {
		x[j], y[j] = y[j], v
	}
	g.Order[a], g.Order[b] = g.Order[b], g.Order[a]
}

// split orders rows lo to hi so that none from middle on is less than one before it (Hoare's FIND).
// Pivots are drawn from a fixed sequence: they decide how long it takes and nothing else.
func (g *grower) split(lo, hi, middle, column int) {
	state := uint64(lo)<<32 | uint64(hi)
	for hi-lo > 1 {
		state = state*6364136223846793005 + 1442695040888963407
		g.swap(lo, lo+int((state>>33)%uint64(hi-lo)))
		i, j := lo+1, hi-1
		for {
			for i <= j && g.less(i, lo, column) {
				i++
			}
			for i <= j && g.less(lo, j, column) {
				j--
			}
			if i >= j {
				break
			}
			g.swap(i, j)
			i++
			j--
		}
		g.swap(lo, j)
		switch {
		case j == middle:
			return
		case j < middle:
			lo = j + 1
		default:
			hi = j
		}
	}
}
