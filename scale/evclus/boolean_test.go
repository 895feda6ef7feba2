package evclus

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// TestTrueAndFalseAreAsPredictReadsThem: a model of a table with a column of true and false has
// so, as one of a single machine does, so that it can be read with the same file; and what is
// filled in for a missing value is true or false, not a share.
func TestTrueAndFalseAreAsPredictReadsThem(t *testing.T) {
	x, _ := blobs(900, 2, 3, 3)
	for _, most := range []string{"true", "false"} {
		var b strings.Builder
		b.WriteString("name,x1,sure,x2\n")
		for i := range x.Rows {
			sure := most
			switch i % 7 {
			case 0, 1:
				sure = map[string]string{"true": "no", "false": "yes"}[most]
			case 2:
				sure = ""
			}
			fmt.Fprintf(&b, "n%d,%g,%s,%g\n", i, x.At(i, 0), sure, x.At(i, 1))
		}
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, how := range []dataset.Preparation{
			{Scale: dataset.ScaleNone, Missing: dataset.MissingDrop},
			{Scale: dataset.ScaleMinMax, Missing: dataset.MissingMean},
			{Scale: dataset.ScaleZScore, Missing: dataset.MissingMean},
		} {
			t.Run(fmt.Sprintf("mostly %s, %v, %v", most, how.Scale, how.Missing),
				func(t *testing.T) {
					table, err := dataset.Read(t.Context(), path, dataset.ReadOptions{ID: "name"})
					if err != nil {
						t.Fatal(err)
					}
					prepared, err := table.Prepare(t.Context(), how)
					if err != nil {
						t.Fatal(err)
					}
					src, splits, err := shard.Plan(t.Context(),
						shard.Source{Paths: []string{path}, ID: "name", SplitRows: 200,
							BlockRows: 64})
					if err != nil {
						t.Fatal(err)
					}
					sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
					if err != nil {
						t.Fatal(err)
					}
					if src.Prepare, err = sv.Prepare(how.Scale.String(),
						how.Missing.String()); err != nil {
						t.Fatal(err)
					}
					fit, err := Fit(t.Context(), fold.Local{}, src, sv,
						Config{Scale: how.Scale.String(),
							Method: kevclus(t, "clusters=3", "landmarks=100")})
					if err != nil {
						t.Fatal(err)
					}
					same(t, fit.Model.Encoding, prepared.Encoding)
					saved := filepath.Join(t.TempDir(), "groups.model")
					if err := model.Save(fit.Model, saved); err != nil {
						t.Fatal(err)
					}
					m, err := model.Load(saved)
					if err != nil {
						t.Fatal(err)
					}
					want, _, err := model.Placement(t.Context(), m, table, 1)
					if err != nil {
						t.Fatal(err)
					}
					out := Output{Path: t.TempDir(), Format: "csv"}
					if _, err := Place(t.Context(), fold.Local{}, src, sv, m, out); err != nil {
						t.Fatal(err)
					}
					if got, _ := parts(t, out.Path, "csv"); !slices.Equal(got.Mass, want.Mass) {
						t.Errorf("other masses: %d rows, want %d", got.Len(), want.Len())
					}
				})
		}
	}
}

// same holds a recipe against that of a single machine: means and deviations may differ in the last
// bits.
func same(t *testing.T, got, want dataset.Encoding) {
	t.Helper()
	near := func(a, b []float64) bool {
		return slices.EqualFunc(a, b,
			func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) })
	}
	fill := func(c dataset.EncodedColumn) []float64 {
		if c.Fill == nil {
			return nil
		}
		return []float64{*c.Fill}
	}
	for i, w := range want.Columns {
		g := got.Columns[i]
		if g.Source != w.Source || g.Type != w.Type || !near(fill(g), fill(w)) ||
			!near(g.Shift, w.Shift) || !near(g.Divisor, w.Divisor) {
			t.Errorf("column %+v, filled with %v, want %+v, filled with %v", g, fill(g), w, fill(w))
		}
	}
}
