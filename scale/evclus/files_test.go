package evclus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// surveyed plans a source, counts its rows and prepares them as a table is prepared.
func surveyed(t *testing.T, src shard.Source, e dataset.Encoding) (shard.Source, *survey.Survey) {
	t.Helper()
	src, splits, err := shard.Plan(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	if src, err = recipe.Apply(src, e); err != nil {
		t.Fatal(err)
	}
	return src, sv
}

// writeCSV writes a table with ids and gaps: every gap-th value is missing; 0: none.
func writeCSV(t *testing.T, x dataset.Matrix, gap int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("name," + strings.Join(columns(x.Cols), ",") + "\n")
	for i := range x.Rows {
		fmt.Fprintf(&b, "n%d", i)
		for j := range x.Cols {
			b.WriteByte(',')
			if at := i*x.Cols + j; gap == 0 || at%gap != gap-1 {
				b.WriteString(strconv.FormatFloat(x.At(i, j), 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeParquet writes a table of floats, in groups of rows.
func writeParquet[R any](t *testing.T, x dataset.Matrix,
	row func(name string, values []float64) R) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[R](f, parquet.MaxRowsPerRowGroup(700))
	for i := range x.Rows {
		if _, err := w.Write([]R{row(fmt.Sprint("n", i), x.AppendRow(nil, i))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFilesAreAsPredictPlacesThem: a model that is written and read again, in a process that knows
// nothing of splits, finds for the rows of the file the masses that are in the parts, to the last
// bit, for text and Parquet, numbers of 64 and 32 bits, any scaling, and rows with missing values.
func TestFilesAreAsPredictPlacesThem(t *testing.T) {
	x, _ := blobs(5000, 2, 3, 3)
	for i := range x.F64 {
		x.F64[i] += 1e-3 * rand.New(rand.NewPCG(4, uint64(i))).Float64()
	}
	type wide struct {
		Name string  `parquet:"name"`
		X1   float64 `parquet:"x1"`
		X2   float64 `parquet:"x2"`
	}
	type narrow struct {
		Name string  `parquet:"name"`
		X1   float32 `parquet:"x1"`
		X2   float32 `parquet:"x2"`
	}
	for name, c := range map[string]struct {
		path string
		how  dataset.Preparation
	}{
		"csv": {writeCSV(t, x, 0), dataset.Preparation{Scale: dataset.ScaleZScore}},
		"csv, rows left": {writeCSV(t, x, 71),
			dataset.Preparation{Scale: dataset.ScaleMinMax, Missing: dataset.MissingDrop}},
		"csv, filled": {writeCSV(t, x, 71),
			dataset.Preparation{Scale: dataset.ScaleZScore, Missing: dataset.MissingMean}},
		"parquet": {writeParquet(t, x,
			func(n string, v []float64) wide { return wide{n, v[0], v[1]} }),
			dataset.Preparation{Scale: dataset.ScaleNone}},
		"parquet, 32 bit": {writeParquet(t, x,
			func(n string, v []float64) narrow { return narrow{n, float32(v[0]), float32(v[1])} }),
			dataset.Preparation{Scale: dataset.ScaleZScore}},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := dataset.Read(t.Context(), c.path, dataset.ReadOptions{ID: "name"})
			if err != nil {
				t.Fatal(err)
			}
			prepared, err := table.Prepare(t.Context(), c.how)
			if err != nil {
				t.Fatal(err)
			}
			src, sv := surveyed(t,
				shard.Source{Paths: []string{c.path}, ID: "name", SplitRows: 1500, BlockRows: 400},
				prepared.Encoding)
			if len(sv.Splits) < 3 || sv.Rows != 5000 {
				t.Fatalf("%d rows in %d splits", sv.Rows, len(sv.Splits))
			}
			cfg := Config{Scale: c.how.Scale.String(),
				Method: kevclus(t, "clusters=3", "landmarks=200")}
			fit, err := Fit(t.Context(), fold.Local{Threads: 2}, src, sv, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if fit.Model.Encoding.Single != prepared.Encoding.Single {
				t.Errorf("numbers of 32 bits: %v", fit.Model.Encoding.Single)
			}
			saved := filepath.Join(t.TempDir(), "groups.model")
			if err := model.Save(fit.Model, saved); err != nil {
				t.Fatal(err)
			}
			m, err := model.Load(saved)
			if err != nil {
				t.Fatal(err)
			}
			want, rows, err := model.Placement(t.Context(), m, table, 2)
			if err != nil {
				t.Fatal(err)
			}
			out := Output{Path: t.TempDir(), Format: "parquet", Doubtful: 10}
			// the model has the rest
			again := shard.Source{Paths: src.Paths, ID: src.ID, SplitRows: src.SplitRows,
				BlockRows: 333, Delimiter: src.Delimiter, Decimal: src.Decimal}
			s, err := Place(t.Context(), fold.Local{Threads: 1}, again, sv, m, out)
			if err != nil {
				t.Fatal(err)
			}
			got, ids := parts(t, out.Path, "parquet")
			if !slices.Equal(got.Mass, want.Mass) {
				t.Errorf("other masses: %d rows, want %d", got.Len(), want.Len())
			}
			for i, id := range ids {
				at := i
				if rows != nil {
					at = int(rows[i])
				}
				if id != table.ID(at) {
					t.Fatalf("row %d is called %q, want %q", i, id, table.ID(at))
				}
			}
			wanted := brute(t, got, func(i int) string { return ids[i] }, 10)
			if rows != nil {
				for i, d := range wanted.Doubtful {
					wanted.Doubtful[i].Number = int64(rows[d.Number])
				}
			}
			agree(t, s, wanted)
		})
	}
}
