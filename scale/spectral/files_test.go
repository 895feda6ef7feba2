package spectral_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/spectral"
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
			fmt.Fprintf(&b, "=%d,%v,%v,%s\n", i, r*math.Cos(a), r*math.Sin(a),
				[]string{"inner", "outer"}[i%2])
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rows-%03d.csv", lo/700)),
			[]byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// TestFilesToParts: from files to parts, and parts compared with the classes in the files: two
// rings, which no two centres separate.
func TestFilesToParts(t *testing.T) {
	folder := t.TempDir()
	if err := rings(folder, 2000); err != nil {
		t.Fatal(err)
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{folder}, ID: "id", Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	r, err := spectral.Fit(t.Context(), fold.Local{}, src, sv,
		spectral.Config{Clusters: 2, Landmarks: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"", "parquet"} {
		out := filepath.Join(t.TempDir(), "labels")
		sizes, err := spectral.Label(t.Context(), fold.Local{}, src, sv, r.Model, out, format)
		if err != nil {
			t.Fatal(err)
		}
		if sizes[0] != 1000 || sizes[1] != 1000 {
			t.Errorf("sizes %v", sizes)
		}
		table, err := eval.Compare(t.Context(), fold.Local{}, src, sv, eval.Side{Folder: out},
			eval.Side{})
		if err != nil {
			t.Fatal(err)
		}
		if c, err := table.Report(); err != nil || c.AdjustedRand != 1 || c.N != 2000 {
			t.Errorf("%+v (%v)", c, err)
		}
		// The parts are what the model makes of the rows, and a spreadsheet runs no id.
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

// Two rings about one centre, in files: clustered, labelled in parts, and the parts compared with
// the classes.
func Example() {
	folder, err := os.MkdirTemp("", "rings")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := rings(folder, 2000); err != nil {
		panic(err)
	}
	out := filepath.Join(folder, "_labels")

	ctx, runner := context.Background(), fold.Local{}
	src, splits, err := shard.Plan(ctx,
		shard.Source{Paths: []string{folder}, ID: "id", Label: "class"})
	if err != nil {
		panic(err)
	}
	sv, err := survey.Run(ctx, runner, src, splits)
	if err != nil {
		panic(err)
	}
	fit, err := spectral.Fit(ctx, runner, src, sv, spectral.Config{Clusters: 2, Landmarks: 100})
	if err != nil {
		panic(err)
	}
	sizes, err := spectral.Label(ctx, runner, src, sv, fit.Model, out, "parquet")
	if err != nil {
		panic(err)
	}
	counts, err := eval.Compare(ctx, runner, src, sv, eval.Side{Folder: out},
		eval.Side{Column: "class"})
	if err != nil {
		panic(err)
	}
	report, err := counts.Report()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d splits, clusters of %v rows, adjusted Rand index %.2f\n", len(splits), sizes,
		report.AdjustedRand)
	// Output: 3 splits, clusters of [1000 1000] rows, adjusted Rand index 1.00
}
