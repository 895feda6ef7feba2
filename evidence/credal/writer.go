package credal

import (
	"fmt"
	"io"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Write writes a credal partition in the format "csv", "jsonl" or "parquet": a row for each object,
// with its id, in the columns of [NewWriter], and further columns. What has been written of it is
// never all in memory.
func Write(w io.Writer, format dataset.Format, p *Partition, id func(row int) string,
	more ...partition.Column) error {
	return write(w, format, p, id, false, more)
}

// write is Write, with masses and what follows from them for each cluster, or without.
func write(w io.Writer, format dataset.Format, p *Partition, id func(row int) string, rough bool,
	more []partition.Column) error {
	out, err := newWriter(w, format, p.Focal, p.Clusters, rough, more)
	if err != nil {
		return err
	}
	f := len(p.Focal)
	ids := make([]string, 0, out.size)
	for lo := 0; lo < p.Len(); lo += out.size {
		hi := min(p.Len(), lo+out.size)
		ids = ids[:0]
		for i := lo; i < hi; i++ {
			ids = append(ids, id(i))
		}
		if err := out.WriteBlock(ids, p.Mass[lo*f:hi*f]); err != nil {
			return err
		}
	}
	return out.Close()
}

// WriteFile writes a credal partition in the format of the extension of the file (.csv, .jsonl
// or .parquet). The file appears whole or not at all.
func WriteFile(path string, p *Partition, id func(row int) string,
	more ...partition.Column) error {
	return writeFile(path, p, id, false, more)
}

// WriteRoughFile is WriteFile without masses: of [NewWriter] the columns up to outlier, and further
// columns. [Read] does not read it; [partition.Read] does.
func WriteRoughFile(path string, p *Partition, id func(row int) string,
	more ...partition.Column) error {
	return writeFile(path, p, id, true, more)
}

func writeFile(path string, p *Partition, id func(row int) string, rough bool,
	more []partition.Column) error {
	format, err := partition.FormatOf(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		return write(w, format, p, id, rough, more)
	})
}

// Writer writes a credal partition block by block, in memory that does not grow with the rows. It
// is not for use by several goroutines at a time.
type Writer struct {
	layout *layout
	focal  []belief.Set
	more   []partition.Column
	at     int // row that is encoded next
	out    encoder
	size   int       // rows that are encoded together
	ids    []string  // rows that wait for it to be reached
	mass   []float64 // their masses
	err    error     // the first failure; nothing is written after it
}

// encoder writes the rows of a group in one format.
type encoder interface {
	encode(g *group) error
	close() error
}

// NewWriter begins to write in the format "csv", "jsonl" or "parquet". The columns are id; cluster
// (by maximum plausibility, from 1; 0 is an outlier); lower and upper (the clusters in whose
// approximations the object is, as 1|3); outlier (true or false); pl_k, bel_k and betp_k for each
// cluster k; m_F for each focal set F, as "m_{1+2}". In CSV an id that a spreadsheet would run as a
// formula is guarded by an apostrophe. Masses are written so that the same float64 is read back;
// what follows from them is float32 in Parquet, which keeps large files small.
func NewWriter(w io.Writer, format dataset.Format, focal []belief.Set, clusters int) (*Writer,
	error) {
	return newWriter(w, format, focal, clusters, false, nil)
}

// newWriter is NewWriter with further columns, of which the first are those of masses unless rough.
func newWriter(w io.Writer, format dataset.Format, focal []belief.Set, clusters int, rough bool,
	more []partition.Column) (*Writer, error) {
	if err := (&Partition{Clusters: clusters, Focal: focal}).Check(); err != nil {
		return nil, err
	}
	const mostRows, mostMasses = 1 << 16, 1 << 21
	out := &Writer{layout: newLayout(clusters, focal), focal: focal, more: more,
		size: max(64, min(mostRows, mostMasses/len(focal)))}
	further := furtherColumns(out.layout, focal, more)
	first := 0 // of them that is written
	if rough {
		first = len(further) - len(more)
	}
	switch format {
	case dataset.FormatCSV:
		out.out = newCSV(w, out.layout, further, first)
	case dataset.FormatJSONL:
		out.out = newJSONL(w, out.layout, further, first)
	case dataset.FormatParquet:
		out.out = newParquet(w, out.layout, focal, more, first)
	default:
		return nil, fmt.Errorf("credal: cannot write the format %q", format)
	}
	return out, nil
}

// WriteBlock writes rows: their ids, and len(ids)×f masses, row-major. Neither is kept. After an
// error nothing more is written, and the error comes back from every call.
func (w *Writer) WriteBlock(ids []string, masses []float64) error {
	f := w.layout.f
	if w.err == nil && len(masses) != len(ids)*f {
		w.err = fmt.Errorf("credal: %d masses for %d rows of %d focal sets", len(masses), len(ids),
			f)
	}
	for w.err == nil && len(ids) > 0 {
		if len(w.ids) == 0 && len(ids) >= w.size { // no need to gather
			w.err = w.out.encode(w.view(ids[:w.size], masses[:w.size*f]))
			ids, masses = ids[w.size:], masses[w.size*f:]
			continue
		}
		take := min(len(ids), w.size-len(w.ids))
		w.ids, w.mass = append(w.ids, ids[:take]...), append(w.mass, masses[:take*f]...)
		ids, masses = ids[take:], masses[take*f:]
		if len(w.ids) == w.size {
			w.flush()
		}
	}
	return w.err
}

func (w *Writer) flush() {
	if w.err == nil && len(w.ids) > 0 {
		w.err = w.out.encode(w.view(w.ids, w.mass))
		w.ids, w.mass = w.ids[:0], w.mass[:0]
	}
}

// Close writes what is left and ends the file's text; it does not close the underlying writer.
func (w *Writer) Close() error {
	if w.flush(); w.err != nil {
		return w.err
	}
	w.err = w.out.close()
	return w.err
}

// group is some rows and what their masses determine.
type group struct {
	ids          []string
	mass         []float64 // n×f
	cluster      []int
	lower, upper []belief.Set
	outlier      []bool
	pl, betp     []float64 // n×c; Bel({ω}) is the mass of the singleton
	more         []partition.Column
}

func (w *Writer) view(ids []string, mass []float64) *group {
	n, c := len(ids), w.layout.c
	p := &Partition{Clusters: c, Focal: w.focal, Mass: mass}
	g := &group{
		ids: ids, mass: mass, cluster: make([]int, n), lower: make([]belief.Set, n),
		outlier: make([]bool, n),
		pl:      make([]float64, n*c), betp: make([]float64, n*c),
	}
	for _, m := range w.more {
		if m.Values == nil {
			m.Texts = m.Texts[w.at : w.at+n]
		} else {
			m.Values = m.Values[w.at : w.at+n]
		}
		g.more = append(g.more, m)
	}
	w.at += n
	rough := &Rough{Clusters: c, Upper: make([]belief.Set, n), Outlier: g.outlier}
	p.rows(func(i int, row, scratch []float64) {
		pl := g.pl[i*c : (i+1)*c]
		w.layout.pignistic(row, g.betp[i*c:(i+1)*c])
		w.layout.plausibilities(row, pl)
		w.layout.beliefs(row, scratch[:c])
		g.outlier[i] = w.layout.outlier(row)
		rough.Upper[i] = belief.Undominated(scratch[:c], pl)
		g.lower[i] = rough.Lower(i)
		if !w.layout.stranger(row) {
			g.cluster[i] = linalg.ArgMax(pl) + 1
		}
	})
	g.upper = rough.Upper
	return g
}

// texts returns the texts in a column of [furtherColumns], nil of one of numbers.
func (g *group) texts(l *layout, column int) []string {
	if column -= 3*l.c + l.f; column >= 0 {
		return g.more[column].Texts
	}
	return nil
}

// number returns the value of row i in a column of [furtherColumns] that has no texts.
func (g *group) number(l *layout, i, column int) float64 {
	switch kind, k := column/l.c, column%l.c; {
	case kind == 0:
		return g.pl[i*l.c+k]
	case kind == 1 && l.single[k] >= 0:
		return g.mass[i*l.f+l.single[k]]
	case kind == 1:
		return 0
	case kind == 2:
		return g.betp[i*l.c+k]
	}
	if column -= 3 * l.c; column >= l.f {
		return g.more[column-l.f].Values[i]
	}
	return g.mass[i*l.f+column]
}

// furtherColumns names the columns after outlier: pl, bel, betp, the masses, and those of more.
func furtherColumns(l *layout, focal []belief.Set, more []partition.Column) []string {
	var names []string
	for _, kind := range []string{"pl_", "bel_", "betp_"} {
		for k := range l.c {
			names = append(names, kind+strconv.Itoa(k+1))
		}
	}
	for _, set := range focal {
		names = append(names, massColumn(set))
	}
	for _, m := range more {
		names = append(names, m.Name)
	}
	return names
}

// appendSet writes a set as 1|3, and the empty set as nothing.
func appendSet(dst []byte, s belief.Set) []byte {
	start := len(dst)
	for k := range s.All() {
		if len(dst) > start {
			dst = append(dst, '|')
		}
		dst = strconv.AppendInt(dst, int64(k+1), 10)
	}
	return dst
}
