package eval_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// looked writes a file and surveys it.
func looked(t *testing.T, name, text string, src shard.Source) (shard.Source, *survey.Survey) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src.Paths = []string{path}
	src, splits, err := shard.Plan(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	return src, sv
}

// TestNamesOfAnyText: classes with commas, line ends and quotes are classes like others.
func TestNamesOfAnyText(t *testing.T) {
	src, sv := looked(t, "t.csv",
		"x,cluster,class\n1,1,\"a,b\"\n2,1,\"a,b\"\n3,2,\"c\nd\"\n4,2,\"say \"\"e\"\"\"\n",
		shard.Source{Label: "class", Columns: []string{"x"}})
	counts, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Column: "cluster"},
		eval.Side{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(counts.Truth, []string{"a,b", "c\nd", `say "e"`}) || len(counts.Cells) != 3 {
		t.Errorf("%+v", counts)
	}
}

// TestZeroHasOneName: the noise of a column of floats is noise, whatever its sign and whichever
// comes first.
func TestZeroHasOneName(t *testing.T) {
	type row struct {
		X     float64 `parquet:"x"`
		Found float64 `parquet:"found"`
		Class string  `parquet:"class"`
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	minus := math.Copysign(0, -1)
	if err := parquet.WriteFile(path,
		[]row{{1, minus, "a"}, {2, 0, "a"}, {3, 1, "b"}, {4, minus, "b"}}); err != nil {
		t.Fatal(err)
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{path}, Label: "class", Columns: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Column: "colour"},
		eval.Side{}); !fault.IsInput(err) || strings.Contains(err.Error(), "any more") {
		t.Errorf("a column that never was there: %v", err)
	}
	counts, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Column: "found"},
		eval.Side{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := counts.Report(); err != nil || r.Noise != 3 || r.Clusters != 1 {
		t.Errorf("%+v (%v)", r, err)
	}
}

// TestSilhouetteOfTheRowsLeft is exact where no more rows are left than the sample, though there
// were more.
func TestSilhouetteOfTheRowsLeft(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,class\n")
	for i := range 400 {
		b.WriteString([]string{"1.5,a\n", "2,a\n", "7,b\n", ",b\n"}[i%4])
	}
	src, sv := looked(t, "t.csv", b.String(), shard.Source{Label: "class"})
	src.Prepare.Missing = shard.MissingDrop
	got, err := eval.Silhouette(t.Context(), fold.Local{}, src, sv, eval.Side{},
		eval.SilhouetteConfig{Sample: 320, Least: 2})
	if err != nil || got.Sample != 300 || got.Error != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
}

// TestTablesThatTellLittle: one row, one cluster and rows that are all equal.
func TestTablesThatTellLittle(t *testing.T) {
	src, sv := looked(t, "t.csv", "x,class\n1,a\n", shard.Source{Label: "class"})
	counts, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{}, eval.Side{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := counts.Report(); err != nil || r.AdjustedRand != 1 || r.NMI != 1 {
		t.Errorf("one row: %+v (%v)", r, err)
	}
	if _, err := eval.Silhouette(t.Context(), fold.Local{}, src, sv, eval.Side{},
		eval.SilhouetteConfig{}); !fault.IsInput(err) {
		t.Errorf("one cluster: %v", err)
	}
	src, sv = looked(t, "t.csv", "x,class\n"+strings.Repeat("1,a\n1,b\n", 40),
		shard.Source{Label: "class"})
	got, err := eval.Silhouette(t.Context(), fold.Local{}, src, sv, eval.Side{},
		eval.SilhouetteConfig{Sample: 20, Least: 5})
	if err != nil || got.Mean != 0 || got.Error != 0 {
		t.Errorf("equal rows: %+v (%v)", got, err)
	}
	src, sv = looked(t, "t.csv", "x,class\n1,\n2,0\n3,\n", shard.Source{Label: "class"})
	if _, err := eval.Silhouette(t.Context(), fold.Local{}, src, sv, eval.Side{},
		eval.SilhouetteConfig{}); !fault.IsInput(err) {
		t.Errorf("noise alone: %v", err)
	}
	counts, err = eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Column: "x"},
		eval.Side{})
	if err != nil || counts.Left != 2 {
		t.Errorf("%+v (%v)", counts, err)
	}
	if _, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Column: "colour"},
		eval.Side{}); !fault.IsInput(err) {
		t.Errorf("a column that is not there: %v", err)
	}
}
