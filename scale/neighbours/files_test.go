package neighbours_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/neighbours"
	"github.com/kindred-go/kindred/scale/scoring"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// rings writes n rows on two circles about one centre, in files of 700 rows: id, x, y, class.
func rings(folder string, n int) error {
	rng := rand.New(rand.NewPCG(5, 5))
	for lo := 0; lo < n; lo += 700 {
		var b strings.Builder
		b.WriteString("id,x,y,class\n")
		for i := lo; i < min(n, lo+700); i++ {
			a, r := 2*math.Pi*rng.Float64(), []float64{1, 3}[i%2]
			fmt.Fprintf(&b, "=%d,%v,%v,%s\n", i, r*math.Cos(a), r*math.Sin(a), []string{"inner", "outer"}[i%2])
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rows-%03d.csv", lo/700)), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// counted plans a table, and counts its rows by reading them.
func counted(t testing.TB, src shard.Source) (shard.Source, *survey.Survey) {
	t.Helper()
	src, splits, err := shard.Plan(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	sv := &survey.Survey{Splits: splits}
	for i := range splits {
		tally, err := src.Each(t.Context(), splits[i], func(*shard.Block) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		splits[i].First, splits[i].Rows = sv.Rows, tally.Rows
		sv.Rows += tally.Rows
	}
	return src, sv
}

// TestFilesToParts: from files to parts, and parts compared with the classes in the files: two rings, which no two centres tell apart.
func TestFilesToParts(t *testing.T) {
	folder := t.TempDir()
	if err := rings(folder, 2000); err != nil {
		t.Fatal(err)
	}
	src, sv := counted(t, shard.Source{Paths: []string{folder}, ID: "id", Label: "class"})
	r, err := neighbours.Fit(t.Context(), fold.Local{}, src, sv, neighbours.Config{Clusters: 2, Landmarks: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"", "parquet"} {
		out := filepath.Join(t.TempDir(), "labels")
		sizes, err := neighbours.Label(t.Context(), fold.Local{}, src, sv, r.Model, out, format)
		if err != nil {
			t.Fatal(err)
		}
		if sizes[0] != 1000 || sizes[1] != 1000 {
			t.Errorf("sizes %v", sizes)
		}
		table, err := scoring.Compare(t.Context(), fold.Local{}, src, sv, scoring.Side{Folder: out}, scoring.Side{})
		if err != nil {
			t.Fatal(err)
		}
		if c, err := table.Report(); err != nil || c.AdjustedRand != 1 || c.N != 2000 {
			t.Errorf("%+v (%v)", c, err)
		}
		// The parts are what the model says of the rows, and a spreadsheet runs no id.
		if format == "" {
			text, err := os.ReadFile(filepath.Join(out, "part-00001.csv"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(text), "id,cluster\n'=700,") {
				t.Errorf("a part begins %.30q", text)
			}
		}
	}
}
