package kmeans_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
)

// Parts and medoids bear the ids of the rows.
func TestCSVWithIDs(t *testing.T) {
	folder := t.TempDir()
	text := "name,x,y\n"
	m := dataset.Matrix{Cols: 2}
	for i := range 40 {
		x, y := float64(i%2*10)+float64(i)/100, float64(i)/7
		text += fmt.Sprintf("row %d,%v,%v\n", i, x, y)
		m.F64 = append(m.F64, x, y)
		m.Rows++
	}
	text = strings.Replace(text, "row 7,", "=7,", 1)
	if err := os.WriteFile(filepath.Join(folder, "a.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	src, sv := planned(t,
		shard.Source{Paths: []string{folder}, ID: "name", Columns: []string{"x", "y"}})
	out := t.TempDir()
	got := mustFit(t, src, sv, 1, scalekmeans.Config{Clusters: 2, Centers: first(m, 2), Out: out})
	ids, clusters := labelsIn(t, out)
	if ids[7] != "'=7" {
		t.Errorf("an id that a spreadsheet would run is written %q", ids[7])
	}
	ids[7] = "row 7"
	for i := range 40 {
		if ids[i] != fmt.Sprintf("row %d", i) || clusters[i] != got.ClusterOf[i%2] {
			t.Errorf("row %d is %q in cluster %d", i, ids[i], clusters[i])
		}
	}
	for c, medoid := range got.Medoids {
		if medoid.Row == 7 {
			medoid.ID = strings.Replace(medoid.ID, "=", "row ", 1)
		}
		if medoid.ID != fmt.Sprintf("row %d", medoid.Row) || int(medoid.Row)%2 != c {
			t.Errorf("medoid %+v of cluster %d", medoid, c)
		}
	}
}

// Label repeats the labels of a fit, and takes clusters of several centres.
func TestLabel(t *testing.T) {
	m := blobs(3000, 3, 4, 9)
	src, sv := table(t, m, 2, 500)
	out := t.TempDir()
	whole := mustFit(t, src, sv, 1, scalekmeans.Config{Clusters: 4, Out: out})
	_, want := labelsIn(t, out)
	again := t.TempDir()
	got, err := scalekmeans.Label(context.Background(), fold.Local{}, src, sv, whole.Centers,
		whole.ClusterOf, again, "csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, labels := labelsIn(t, again); !slices.Equal(labels, want) {
		t.Error("labels differ from those of the fit")
	}
	if diff := cmp.Diff(whole.Medoids, got.Medoids); diff != "" || got.Inertia != whole.Inertia {
		t.Errorf("inertia %v, and %v of the fit; %s", got.Inertia, whole.Inertia, diff)
	}
	pairs := t.TempDir()
	if _, err := scalekmeans.Label(context.Background(), fold.Local{}, src, sv, whole.Centers,
		[]int{1, 1, 2, 2}, pairs, "csv"); err != nil {
		t.Fatal(err)
	}
	rank := make([]int, 5) // of each cluster of the fit, the pair that its centre is of
	for c, of := range whole.ClusterOf {
		rank[of] = c/2 + 1
	}
	_, labels := labelsIn(t, pairs)
	for i, l := range labels {
		if l != rank[want[i]] {
			t.Fatalf("row %d in cluster %d", i+1, l)
		}
	}
}

// Rows with missing values that are dropped or filled in, columns that are scaled: the fit is that
// of the table as package dataset prepares it, and a model of it places the rows as the parts do.
func TestPreparedRows(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.csv")
	m := blobs(2000, 3, 4, 11)
	text := "a,b,c\n"
	for i := range m.Rows {
		b := fmt.Sprint(m.At(i, 1) * 1000)
		if i%7 == 3 {
			b = ""
		}
		text += fmt.Sprintf("%v,%s,%v\n", m.At(i, 0), b, m.At(i, 2))
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	read, err := dataset.Read(context.Background(), file, dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		missing, scale string
		how            dataset.Preparation
	}{
		{"drop", "zscore", dataset.Preparation{Missing: dataset.MissingDrop,
			Scale: dataset.ScaleZScore}},
		{"mean", "minmax", dataset.Preparation{Missing: dataset.MissingMean,
			Scale: dataset.ScaleMinMax}},
	} {
		t.Run(c.missing, func(t *testing.T) {
			prepared, err := read.Prepare(context.Background(), c.how)
			if err != nil {
				t.Fatal(err)
			}
			want, err := kmeans.Fit(context.Background(), prepared.X,
				kmeans.Config{Clusters: 4, Options: fit.Options{Seed: 1}})
			if err != nil {
				t.Fatal(err)
			}
			src, sv := planned(t, shard.Source{Paths: []string{folder}, SplitRows: 300})
			if src.Prepare, err = sv.Prepare(c.scale, c.missing); err != nil {
				t.Fatal(err)
			}
			out := t.TempDir()
			got := mustFit(t, src, sv, 2, scalekmeans.Config{Clusters: 4, Seed: 1, Out: out})
			for i, v := range want.Centers.F64 {
				if math.Abs(got.Centers.F64[i]-v) > 1e-10 {
					t.Fatalf("value %d of the centres is %v, and %v on one machine", i,
						got.Centers.F64[i], v)
				}
			}
			recipe, err := recipe.Of(src, c.scale)
			if err != nil {
				t.Fatal(err)
			}
			m := &method.Model{Method: "kmeans", Means: got.Centers, ClusterOf: got.ClusterOf,
				Encoding: recipe}
			path := filepath.Join(t.TempDir(), "model")
			if err := model.Save(m, path); err != nil {
				t.Fatal(err)
			}
			if m, err = model.Load(path); err != nil {
				t.Fatal(err)
			}
			predicted, rows, err := model.Predict(context.Background(), m, read, 1)
			if err != nil {
				t.Fatal(err)
			}
			ids, clusters := labelsIn(t, out)
			if !slices.Equal(clusters, predicted) {
				t.Error("a model of the fit places rows otherwise than the fit")
			}
			for i, row := range rows {
				if ids[i] != strconv.Itoa(int(row)+1) {
					t.Fatalf("place %d of the parts has row %s, and it is row %d", i, ids[i], row+1)
				}
			}
		})
	}
}
