package dataset

import "hash/maphash"

// textColumn keeps one text per row, end to end.
type textColumn struct {
	data []byte
	ends []int // ends[i] is where text i ends in data
}

func (c *textColumn) add(s []byte) {
	c.data = append(c.data, s...)
	c.ends = append(c.ends, len(c.data))
}

func (c *textColumn) bytes(row int) []byte {
	start := 0
	if row > 0 {
		start = c.ends[row-1]
	}
	return c.data[start:c.ends[row]]
}

func (c *textColumn) at(row int) string { return string(c.bytes(row)) }

// idIndex finds rows by id: open addressing, 4 bytes per entry, at most two thirds full.
type idIndex struct {
	seed   maphash.Seed
	column *textColumn
	places []int32 // row + 1; 0 is free
}

// newIDIndex indexes a column. If two rows share an id, or one has none, it returns that row and,
// for a shared id, the row that had it first (else -1).
func newIDIndex(c *textColumn) (index *idIndex, row, first int, ok bool) {
	size := 16
	for size < len(c.ends)+len(c.ends)/2+1 {
		size *= 2
	}
	x := &idIndex{seed: maphash.MakeSeed(), column: c, places: make([]int32, size)}
	for i := range c.ends {
		id := c.bytes(i)
		if len(id) == 0 {
			return nil, i, -1, false
		}
		p := x.place(id)
		if x.places[p] != 0 {
			return nil, i, int(x.places[p]) - 1, false
		}
		x.places[p] = int32(i + 1)
	}
	return x, 0, 0, true
}

// place returns where id is, or the free place where it belongs.
func (x *idIndex) place(id []byte) int {
	mask := len(x.places) - 1
	p := int(maphash.Bytes(x.seed, id)) & mask
	for x.places[p] != 0 && string(x.column.bytes(int(x.places[p])-1)) != string(id) {
		p = (p + 1) & mask
	}
	return p
}

func (x *idIndex) find(id string) (int, bool) {
	row := x.places[x.place([]byte(id))]
	return int(row) - 1, row != 0
}
