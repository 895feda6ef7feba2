package shard

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
)

// bean is a row of the tables of these tests.
type bean struct {
	ID     string   `parquet:"id"`
	Length *float64 `parquet:"length,optional"`
	Width  float32  `parquet:"width"`
	Pods   int32    `parquet:"pods,dict"`
	Ripe   bool     `parquet:"ripe"`
	Weight int64    `parquet:"weight,delta"`
	Note   string   `parquet:"note"`
	Class  string   `parquet:"class,dict"`
}

func beans(n int, seed uint64, missing float64) []bean {
	random := rand.New(rand.NewPCG(seed, 2))
	rows := make([]bean, n)
	for i := range rows {
		rows[i] = bean{ID: "b" + strconv.Itoa(i), Width: float32(random.NormFloat64()),
			Pods: random.Int32N(9), Ripe: random.IntN(2) == 0,
			Weight: random.Int64N(1 << 50), Note: strconv.FormatUint(random.Uint64(), 36),
			Class: []string{"red", "black", "white"}[random.IntN(3)]}
		if x := random.NormFloat64() * 1e3; random.Float64() >= missing {
			rows[i].Length = &x
		}
	}
	return rows
}

func writeParquet[T any](tb interface{ Fatal(...any) }, path string, rows []T,
	options ...parquet.WriterOption) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// gathered is all that Each passes on, put together.
type gathered struct {
	x           []float64
	ids, labels []string
	rows        []int64 // numbers over all splits, from 0
	tally       Tally
}

func gather(tb interface{ Fatal(...any) }, s Source, splits []Split) gathered {
	var t gathered
	for _, split := range splits {
		tally, err := s.Each(context.Background(), split, func(b *Block) error {
			t.x = append(t.x, b.X.F64...)
			t.ids, t.labels = append(t.ids, b.IDs...), append(t.labels, b.Labels...)
			for i := range b.X.Rows {
				t.rows = append(t.rows, split.First+b.Number(i))
			}
			if len(b.X.F64) != b.X.Rows*b.X.Cols || b.Split != split.Index ||
				b.X.Rows > s.blockRows() {
				tb.Fatal("a block of a wrong shape")
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		t.tally.Add(tally)
	}
	return t
}

// preparation is what a survey would find, taken from dataset.
func preparation(e dataset.Encoding, missing string) Preparation {
	p := Preparation{Missing: missing}
	for _, c := range e.Columns {
		fill := math.NaN()
		if c.Fill != nil {
			fill = *c.Fill
		}
		p.Fill = append(p.Fill, fill)
		p.Shift, p.Divisor = append(p.Shift, c.Shift...), append(p.Divisor, c.Divisor...)
	}
	return p
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestSameAsOneTable reads a table cut into files, row groups, pages, splits and blocks of any
// size: values, scaled or not, ids and labels are those that dataset reads from one file, bit for
// bit.
func TestSameAsOneTable(t *testing.T) {
	ctx, folder, round := context.Background(), t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		n := rapid.IntRange(3, 400).Draw(t, "rows")
		rows := beans(n, rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]float64{0, 0.2}).Draw(t, "missing"))
		// so that dropping leaves some
		rows[0].Length, rows[n-1].Length = new(float64), new(float64)
		one := filepath.Join(folder, "one"+strconv.Itoa(round)+".parquet")
		writeParquet(t, one, rows)
		many := filepath.Join(folder, "many"+strconv.Itoa(round))
		for lo, k := 0, 0; lo < n; k++ {
			hi := min(n, lo+rapid.IntRange(1, n).Draw(t, "file"))
			writeParquet(t, filepath.Join(many, "p"+strconv.Itoa(100+k)+".parquet"), rows[lo:hi],
				parquet.MaxRowsPerRowGroup(rapid.Int64Range(5, 500).Draw(t, "group")),
				parquet.PageBufferSize(rapid.IntRange(64, 2000).Draw(t, "page")))
			lo = hi
		}
		missing := rapid.SampledFrom([]string{MissingDrop, MissingMean}).Draw(t, "treatment")
		scaling := rapid.SampledFrom([]dataset.Scale{dataset.ScaleMinMax, dataset.ScaleZScore,
			dataset.ScaleNone}).Draw(t, "scale")
		whole, err := dataset.Read(ctx, one,
			dataset.ReadOptions{Label: "class", Drop: []string{"note"}})
		if err != nil {
			t.Fatal(err)
		}
		treatment, _ := dataset.ParseMissing(missing)
		want, err := whole.Prepare(ctx, dataset.Preparation{Scale: scaling, Missing: treatment})
		if err != nil {
			t.Fatal(err)
		}
		s, splits, err := Plan(ctx,
			Source{Paths: []string{many}, ID: "id", Label: "class", Ignore: []string{"note"},
				SplitRows: rapid.IntRange(1, 500).Draw(t, "split"),
				BlockRows: rapid.IntRange(1, 100).Draw(t, "block"),
				Prepare:   Preparation{Missing: missing, Fill: make([]float64, 5)}})
		if err == nil {
			s.Prepare = preparation(want.Encoding, missing)
		}
		if err != nil || !slices.Equal(s.Columns, want.Names) || s.Single {
			t.Fatal(s.Columns, want.Names, err)
		}
		got := gather(t, s, splits)
		if !sameBits(got.x, want.X.F64) {
			t.Fatalf("values differ:\n%v\n%v", got.x, want.X.F64)
		}
		codes, classes, _ := whole.Labels()
		for i, row := range got.rows {
			full := i
			if want.Rows != nil {
				full = int(want.Rows[i])
			}
			if int(row) != full || got.ids[i] != whole.ID(full) ||
				got.labels[i] != classes[codes[full]] {
				t.Fatalf("row %d is number %d with id %s and label %s", full, row, got.ids[i],
					got.labels[i])
			}
		}
		if diff := cmp.Diff(Tally{Rows: int64(n), Dropped: int64(want.Dropped)},
			got.tally); diff != "" || len(got.rows) != want.X.Rows {
			t.Fatal(diff)
		}
	})
}

// TestSinglePrecision keeps what dataset keeps of a table of 32-bit floats.
func TestSinglePrecision(t *testing.T) {
	type row struct {
		A float32  `parquet:"a"`
		B *float32 `parquet:"b,optional"`
	}
	ctx, random := context.Background(), rand.New(rand.NewPCG(4, 4))
	rows := make([]row, 1000)
	for i := range rows {
		rows[i].A = float32(random.NormFloat64())
		if v := float32(random.ExpFloat64()); i%7 != 3 {
			rows[i].B = &v
		}
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, path, rows)
	for _, scaling := range []dataset.Scale{dataset.ScaleMinMax, dataset.ScaleZScore,
		dataset.ScaleNone} {
		whole, err := dataset.Read(ctx, path, dataset.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.Prepare(ctx,
			dataset.Preparation{Scale: scaling, Missing: dataset.MissingMean})
		if err != nil {
			t.Fatal(err)
		}
		s, splits, err := Plan(ctx, Source{Paths: []string{path}, SplitRows: 300, BlockRows: 100})
		if err != nil || !s.Single || len(splits) != 4 {
			t.Fatal(s, splits, err)
		}
		s.Prepare = preparation(want.Encoding, MissingMean)
		got := gather(t, s, splits).x
		for i, v := range want.X.F32 {
			if float64(v) != got[i] {
				t.Fatalf("%v: value %d is %g, not %g", scaling, i, got[i], v)
			}
		}
	}
}

// TestFilesOfOthers reads what pyarrow wrote: booleans as bits and as runs, numbers with a
// dictionary, missing values, row groups without rows, packed and not.
func TestFilesOfOthers(t *testing.T) {
	ctx := context.Background()
	files, err := filepath.Glob("../../data/dataset/testdata/*.parquet")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	read := 0
	for _, file := range files {
		whole, err := dataset.Read(ctx, file, dataset.ReadOptions{})
		if err != nil {
			continue // without rows
		}
		var features []string
		for _, c := range whole.Columns {
			if c.Role == dataset.Feature && c.Type != dataset.Category {
				features = append(features, c.Name)
			}
		}
		if whole, err = dataset.Read(ctx, file,
			dataset.ReadOptions{Features: features}); err != nil {
			t.Fatal(err)
		}
		want, err := whole.Prepare(ctx,
			dataset.Preparation{Scale: dataset.ScaleNone, Missing: dataset.MissingDrop})
		if err != nil {
			t.Fatal(err)
		}
		for block := 1; block < 80; block += 11 {
			s, splits, err := Plan(ctx,
				Source{Paths: []string{file}, BlockRows: block, SplitRows: 20,
					Prepare: Preparation{Missing: MissingDrop}})
			if err != nil || !slices.Equal(s.Columns, want.Names) {
				t.Fatal(file, s.Columns, want.Names, err)
			}
			if got := gather(t, s, splits); !sameBits(got.x, want.X.F64) {
				t.Errorf("%s in blocks of %d: %v, want %v", file, block, got.x, want.X.F64)
			}
			read++
		}
	}
	if read < 7*14 {
		t.Errorf("only %d readings", read)
	}
}
