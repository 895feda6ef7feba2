package simd

import "math"

// Tiles is a float32 copy of float64 rows, less an origin, in the order the kernels read. Labelling
// the same rows by one set of centroids after another goes faster from it: it takes half the memory
// traffic, and nothing is packed again.
type Tiles struct {
	at     level
	d      int
	width  int
	origin []float64
	tiles  []float32 // width·d a tile
	norm   []float32 // ‖x−origin‖² of each row, of the copy
}

// TileRows is a number of rows that makes whole tiles at every level.
const TileRows = maxTile

// NewTiles allocates n rows of len(origin) values. It returns nil without assembly, where a copy
// is no help.
func NewTiles(n int, origin []float64) *Tiles { return newTiles(active, n, origin) }

func newTiles(at level, n int, origin []float64) *Tiles {
	if at == portable {
		return nil
	}
	t := &Tiles{at: at, d: len(origin), width: at.tile(true), origin: origin}
	count := (n + t.width - 1) / t.width
	t.tiles, t.norm = make([]float32, count*t.width*t.d), make([]float32, count*t.width)
	return t
}

// Fill copies rows lo to hi of rows; lo is a multiple of TileRows. Goroutines may fill different
// rows at once.
func (t *Tiles) Fill(rows []float64, lo, hi int) {
	zeros := make([]float32, t.d)
	for ; lo < hi; lo += t.width {
		tile := t.tiles[lo*t.d : (lo+t.width)*t.d]
		packNarrow(t.at, tile, rows[lo*t.d:min(hi, lo+t.width)*t.d], t.origin, t.width)
		squaredDistancesColumns(t.at, t.norm[lo:lo+t.width], zeros, tile, t.width)
	}
}

// TiledCentroids is a set of centroids made ready to label the rows of tiles. Goroutines may share
// it.
type TiledCentroids struct {
	tiles  *Tiles
	wide   *Centroids[float64]
	screen *screen
	shift  []float64
}

// Against readies the centroids, which are relative to shift. It returns nil where float32 is of no
// use to them.
func (t *Tiles) Against(c *Centroids[float64], shift []float64) *TiledCentroids {
	if c.screen == nil || c.at != t.at {
		return nil
	}
	s := *c.screen
	rows := make([]float64, c.k*c.d)
	for j := range c.d {
		off := shift[j] - t.origin[j]
		s.offset += float64(off * off)
		for i := range c.k {
			rows[i*c.d+j] = s.columns[j*s.stride+i] + off
		}
	}
	s.offset = math.Sqrt(s.offset)
	s.narrow = newNarrow(c, rows)
	if !(s.offset < 0x1p50) || !(s.narrow.error.least < 0x1p100) {
		return nil
	}
	return &TiledCentroids{tiles: t, wide: c, screen: &s, shift: shift}
}

// Labels does what [Centroids.Labels] does for rows lo+index[i], or for rows lo+i when index is nil
// and lo is a multiple of TileRows. Rows are all the rows that the tiles were filled from.
func (c *TiledCentroids) Labels(w *Workspace[float64], rows []float64, lo int, index, label []int32,
	gap []float32) {
	t, d := c.tiles, c.tiles.d
	if w.narrow == nil {
		w.narrow = new(Workspace[float32])
	}
	if len(w.row) < d {
		w.row = make([]float64, d)
	}
	if len(w.scores) < c.screen.stride {
		w.scores = make([]float64, c.screen.stride)
	}
	base := rows[lo*d:]
	for at := 0; at < len(label); at += t.width {
		m := min(t.width, len(label)-at)
		if index == nil {
			from := lo + at
			c.screen.scan(w.narrow, t.tiles[from*d:(from+t.width)*d])
			c.screen.settle(c.wide, w, t.norm[from:from+m], base[at*d:], c.shift, nil,
				label[at:at+m], part(gap, at, m))
			continue
		}
		if len(w.narrow.tile) < t.width*d {
			w.narrow.tile = make([]float32, t.width*d)
		}
		var norm [maxTile]float32
		t.gather(w.narrow.tile, norm[:m], lo, index[at:at+m])
		c.screen.scan(w.narrow, w.narrow.tile)
		c.screen.settle(c.wide, w, norm[:m], base, c.shift, index[at:at+m], label[at:at+m],
			part(gap, at, m))
	}
}

// gather puts rows lo+index[i] side by side. What it leaves of an earlier tile does no harm.
func (t *Tiles) gather(tile, norm []float32, lo int, index []int32) {
	for i, q := range index {
		at := lo + int(q)
		first := at - at%t.width
		from := t.tiles[first*t.d+at-first:]
		for j := range t.d {
			tile[j*t.width+i] = from[j*t.width]
		}
		norm[i] = t.norm[at]
	}
}
