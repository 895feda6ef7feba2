package pages

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// mixed has a column of every kind that holds numbers.
type mixed struct {
	A float64  `parquet:"a"`
	B *float64 `parquet:"b,optional"`
	C float32  `parquet:"c,dict"`
	D *int32   `parquet:"d,optional,dict"`
	E int64    `parquet:"e,delta"`
	F bool     `parquet:"f"`
	G *bool    `parquet:"g,optional"`
	H uint32   `parquet:"h"`
	I uint64   `parquet:"i"`
	J float64  `parquet:"j,split"`
	K *float32 `parquet:"k,optional"`
}

func number(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// numbers returns a row as it should be read.
func (m mixed) numbers() []float64 {
	row := []float64{m.A, math.NaN(), float64(m.C), math.NaN(), float64(m.E), number(m.F),
		math.NaN(), float64(m.H), float64(m.I), m.J, math.NaN()}
	if m.B != nil {
		row[1] = *m.B
	}
	if m.D != nil {
		row[3] = float64(*m.D)
	}
	if m.G != nil {
		row[6] = number(*m.G)
	}
	if m.K != nil {
		row[10] = float64(*m.K)
	}
	return row
}

func makeMixed(n int, seed uint64, missing float64) []mixed {
	random := rand.New(rand.NewPCG(seed, 1))
	rows := make([]mixed, n)
	for i := range rows {
		m := mixed{A: random.NormFloat64(), C: float32(random.IntN(5)) / 2,
			E: random.Int64() - 1<<62, F: random.IntN(3) == 0,
			H: random.Uint32(), I: random.Uint64(), J: random.ExpFloat64()}
		if b := random.NormFloat64(); random.Float64() >= missing {
			m.B = &b
		}
		if d := random.Int32N(7) - 3; random.Float64() >= missing {
			m.D = &d
		}
		if g := random.IntN(2) == 0; random.Float64() >= missing {
			m.G = &g
		}
		if k := random.Float32(); random.Float64() >= missing {
			m.K = &k
		}
		rows[i] = m
	}
	return rows
}

func writeMixed(tb interface{ Fatal(...any) }, rows []mixed,
	options ...parquet.WriterOption) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[mixed](&b, options...)
	if _, err := w.Write(rows); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

var codecs = map[string]parquet.WriterOption{
	"none":   parquet.Compression(&parquet.Uncompressed),
	"snappy": parquet.Compression(&parquet.Snappy), "zstd": parquet.Compression(&parquet.Zstd),
	"gzip": parquet.Compression(&parquet.Gzip), "brotli": parquet.Compression(&parquet.Brotli),
	"lz4": parquet.Compression(&parquet.Lz4Raw),
}

// TestRowsOfEveryKind reads blocks of any size from any row on, of files with pages and row groups
// of any size.
func TestRowsOfEveryKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 600).Draw(t, "rows")
		want := makeMixed(n, rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "missing"))
		names := slices.Sorted(maps.Keys(codecs))
		file := writeMixed(t, want, codecs[rapid.SampledFrom(names).Draw(t, "codec")],
			parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "version")),
			parquet.PageBufferSize(rapid.IntRange(64, 3000).Draw(t, "page")),
			parquet.MaxRowsPerRowGroup(rapid.Int64Range(50, 700).Draw(t, "group")))
		in := bytes.NewReader(file)
		f, err := Open(in, in.Size())
		if err != nil {
			t.Fatal(err)
		}
		leaves, err := Leaves(f)
		if err != nil {
			t.Fatal(err)
		}
		d := len(leaves)
		r := NewRows(f, in, leaves)
		base := int64(0)
		for group, g := range f.RowGroups() {
			at := rapid.Int64Range(0, g.NumRows()).Draw(t, "from")
			if err := r.Seek(group, at); err != nil {
				t.Fatal(err)
			}
			for r.left > 0 {
				count := min(int64(rapid.IntRange(1, 200).Draw(t, "block")), r.left)
				got := make([]float64, int(count)*d)
				if err := r.Read(got, int(count)); err != nil {
					t.Fatal(err)
				}
				for i := range int(count) {
					for j, v := range want[base+at+int64(i)].numbers() {
						if w := got[i*d+j]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
							t.Fatalf("row %d, %s: %g is read as %g", base+at+int64(i),
								leaves[j].Name, v, w)
						}
					}
				}
				at += count
			}
			if r.Read(make([]float64, d), 1) == nil {
				t.Fatal("a row is read that is not there")
			}
			base += g.NumRows()
		}
	})
}

// TestRowsOfDamagedFiles changes a byte here and there: what is read may be wrong where no check
// sum is, but reading ends, and no more is allocated than the file may hold.
func TestRowsOfDamagedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, codec := range codecs {
		whole := writeMixed(t, makeMixed(120, 3, 0.3), codec, parquet.PageBufferSize(256))
		refused := 0
		for at := 0; at < len(whole); at += 11 {
			file := bytes.Clone(whole)
			file[at] ^= 1 << (at % 8)
			if readAll(file) != nil {
				refused++
			}
		}
		if refused < len(whole)/33 {
			t.Errorf("%s: only %d of %d damaged files are refused", name, refused, len(whole)/11)
		}
	}
}

func readAll(file []byte) (err error) {
	defer Recover("a.parquet", &err)
	in := bytes.NewReader(file)
	f, err := Open(in, in.Size())
	if err != nil {
		return err
	}
	leaves, err := Leaves(f)
	if err != nil {
		return err
	}
	leaves = slices.DeleteFunc(leaves, func(l Leaf) bool { return l.Kind == parquet.ByteArray })
	r := NewRows(f, in, leaves)
	for group := range f.RowGroups() {
		if err := r.Seek(group, 1); err != nil {
			return err
		}
		for r.left > 0 {
			n := int(min(50, r.left))
			if err := r.Read(make([]float64, n*len(leaves)), n); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestPagesOfMoreRowsThanTheGroup are refused before memory is allocated for what they claim.
func TestPagesOfMoreRowsThanTheGroup(t *testing.T) {
	file := writeMixed(t, makeMixed(120, 3, 0.3))
	in := bytes.NewReader(file)
	f, err := Open(in, in.Size())
	if err != nil {
		t.Fatal(err)
	}
	leaves, err := Leaves(f)
	if err != nil {
		t.Fatal(err)
	}
	f.Metadata().RowGroups[0].NumRows = 119
	for _, l := range leaves {
		r := NewRows(f, in, []Leaf{l})
		if err := r.Seek(0, 0); err != nil {
			t.Fatal(err)
		}
		if err := r.Read(make([]float64, 119), 119); !errors.Is(err, ErrRows) {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
}
