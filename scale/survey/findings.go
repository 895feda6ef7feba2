package survey

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
)

// findings are what a split, or several that follow one another, came to.
type findings struct {
	rows    []int64 // by split
	whole   int64   // rows without a missing value
	classes classes
	columns []columnFound
}

// columnFound is what was found in a column.
type columnFound struct {
	present    moments // of all values present
	whole      moments // of those in rows without a missing value
	missing    bool    // there are missing values, the first
	split, row int64   // in this split and row
}

// merge takes the findings of later splits into f.
func (f *findings) merge(o *findings) error {
	f.rows = append(f.rows, o.rows...)
	f.whole += o.whole
	if o.classes.many {
		f.classes.forget()
	}
	for name := range o.classes.seen {
		f.classes.add(name)
	}
	if f.columns == nil {
		f.columns = o.columns
		return nil
	}
	if len(f.columns) != len(o.columns) {
		return errDamaged
	}
	for j := range o.columns {
		a, b := &f.columns[j], &o.columns[j]
		a.present.merge(b.present)
		a.whole.merge(b.whole)
		if !a.missing {
			a.missing, a.split, a.row = b.missing, b.split, b.row
		}
	}
	return nil
}

// classes are the different names seen. Beyond MaxClasses they are forgotten: which came first
// depends on who counts.
type classes struct {
	seen map[string]struct{}
	many bool
}

func (c *classes) add(name string) {
	if _, known := c.seen[name]; known || name == "" || c.many {
		return
	}
	if c.seen == nil {
		c.seen = map[string]struct{}{}
	}
	c.seen[name] = struct{}{}
	if len(c.seen) > MaxClasses {
		c.forget()
	}
}

func (c *classes) forget() { *c = classes{many: true} }

// names returns the names, sorted as texts.
func (c *classes) names() []string {
	names := slices.AppendSeq(make([]string, 0, len(c.seen)), maps.Keys(c.seen))
	slices.Sort(names)
	return names
}

// sorted returns the names, as numbers when all of them are: the order in which dataset has them.
func (c *classes) sorted() []string {
	names := c.names()
	values := make(map[string]float64, len(names))
	for _, name := range names {
		v, next, ok := dataset.ScanNumber(append([]byte(name), 0), 0)
		if !ok || next != len(name) {
			return names
		}
		values[name] = v
	}
	slices.SortStableFunc(names,
		func(a, b string) int { return cmp.Compare(values[a], values[b]) })
	return names
}

var errDamaged = errors.New("the findings of a survey are damaged")

// encode writes lists as their length and their parts, whole numbers as varints and others as their
// bits.
func (f *findings) encode() []byte {
	var b []byte
	b = binary.AppendUvarint(b, uint64(len(f.rows)))
	for _, n := range f.rows {
		b = binary.AppendVarint(b, n)
	}
	b = binary.AppendVarint(b, f.whole)
	names := f.classes.names()
	if f.classes.many {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(names)))
	for _, name := range names {
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
	}
	b = binary.AppendUvarint(b, uint64(len(f.columns)))
	for j := range f.columns {
		c := &f.columns[j]
		for _, m := range []*moments{&c.present, &c.whole} {
			b = binary.AppendVarint(b, m.n)
			b = binary.AppendVarint(b, int64(m.power))
			for _, v := range []float64{m.min, m.max, m.mean, m.sum, m.lost, m.squares} {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		}
		if !c.missing {
			b = append(b, 0)
			continue
		}
		b = append(b, 1)
		b = binary.AppendVarint(b, c.split)
		b = binary.AppendVarint(b, c.row)
	}
	return b
}

func decodeFindings(b []byte) (*findings, error) {
	r := reader{b: b}
	f := &findings{}
	for range r.count() {
		f.rows = append(f.rows, r.int())
	}
	f.whole = r.int()
	if flag := r.take(1); len(flag) == 1 && flag[0] == 1 {
		f.classes.forget()
	}
	for range r.count() {
		f.classes.add(string(r.take(r.count())))
	}
	for range r.count() {
		var c columnFound
		for _, m := range []*moments{&c.present, &c.whole} {
			m.n, m.power = r.int(), int(r.int())
			for _, v := range []*float64{&m.min, &m.max, &m.mean, &m.sum, &m.lost, &m.squares} {
				*v = r.float()
			}
		}
		if flag := r.take(1); len(flag) == 1 && flag[0] == 1 {
			c.missing, c.split, c.row = true, r.int(), r.int()
		}
		f.columns = append(f.columns, c)
	}
	if r.bad || len(r.b) > 0 {
		return nil, errDamaged
	}
	return f, nil
}

// reader takes numbers off bytes, and notes when there are too few.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

// count reads a number of things of at least one byte each.
func (r *reader) count() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) float() float64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
