package cobra_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	scalecobra "github.com/kindred-go/kindred/scale/cobra"
)

// blobs are rows around k centres, with the centre of each as its class.
func blobs(rows, cols, k int, seed uint64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, classes := make([]float64, rows*cols), make([]int32, rows)
	for i := range rows {
		classes[i] = int32(rng.IntN(k))
		for j := range cols {
			x[i*cols+j] = 3*float64((int(classes[i])*(j+2))%k) + rng.NormFloat64()
		}
	}
	m, err := dataset.NewMatrix(rows, cols, x)
	if err != nil {
		panic(err)
	}
	return m, classes
}

// tableOf keeps of the super-instances of all rows what lasts when the rows are left behind.
func tableOf(x dataset.Matrix, classes []int32, si *cobra.SuperInstances) *scalecobra.Table {
	t := &scalecobra.Table{Raw: x.Subset(si.Medoids), Medoids: x.Subset(si.Medoids),
		Means: si.Means, Label: "class"}
	for j := range x.Cols {
		name := "x" + strconv.Itoa(j+1)
		t.Names = append(t.Names, name)
		t.Recipe.Columns = append(t.Recipe.Columns,
			dataset.EncodedColumn{Source: name, Type: dataset.Number})
	}
	t.Recipe.Scale = dataset.ScaleNone
	for s, row := range si.Medoids {
		t.IDs = append(t.IDs, strconv.Itoa(row+1))
		t.Sizes = append(t.Sizes, int64(si.Sizes[s]))
		t.Classes = append(t.Classes, strconv.Itoa(int(classes[row])))
	}
	return t
}

// TestWithoutItsRowsCOBRAAsksAndGroupsTheSame is what the folder of super-instances rests on: with
// nothing but medoids, means and sizes the questions, the answers and the groups are those of COBRA
// with all rows at hand, after any number of answers.
func TestWithoutItsRowsCOBRAAsksAndGroupsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, k := rapid.IntRange(30, 300).Draw(t, "rows"), rapid.IntRange(2, 5).Draw(t, "classes")
		seed := rapid.Uint64Range(0, 1000).Draw(t, "seed")
		budget := rapid.IntRange(0, 60).Draw(t, "budget")
		x, classes := blobs(rows, 2, k, seed)
		all, err := cobra.New(t.Context(), x,
			cobra.Config{
				SuperInstances: rapid.IntRange(2, 25).Draw(t, "super-instances"),
				Options:        fit.Options{Seed: seed},
			})
		if err != nil {
			t.Fatal(err)
		}
		table := tableOf(x, classes, all.SuperInstances())
		if err := ask.Drive(t.Context(), all.Session, ask.Labels(classes), budget,
			nil); err != nil {
			t.Fatal(err)
		}
		want := all.Result()
		got, err := table.Answer(t.Context(), budget, nil, link.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.ClusterOf, want.ClusterOf) || got.Complete != want.Complete {
			t.Fatalf("groups %v, want %v", got.ClusterOf, want.ClusterOf)
		}
		if len(got.Asked) != len(want.Answers) {
			t.Fatalf("%d questions, want %d", len(got.Asked), len(want.Answers))
		}
		for i, a := range got.Asked {
			w := want.Answers[i]
			if a.Kind != w.Kind || table.IDs[a.A] != strconv.Itoa(w.A+1) ||
				table.IDs[a.B] != strconv.Itoa(w.B+1) {
				t.Fatalf("question %d is %+v, want %+v", i+1, a, w)
			}
		}
	})
}

// TestAFolderComesBackBitForBit, so that questions asked later are the same ones.
func TestAFolderComesBackBitForBit(t *testing.T) {
	x, classes := blobs(200, 3, 3, 7)
	si, err := cobra.Build(t.Context(), x, cobra.Config{SuperInstances: 12})
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(x, classes, si)
	table.IDs[3], table.IDs[4] = "=1+1", "a,\"b\""
	folder := t.TempDir()
	if err := table.Save(folder); err != nil {
		t.Fatal(err)
	}
	back, err := scalecobra.Load(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]bool{
		"ids": slices.Equal(back.IDs, table.IDs), "sizes": slices.Equal(back.Sizes, table.Sizes),
		"means":   slices.Equal(back.Means.F64, table.Means.F64),
		"medoids": slices.Equal(back.Medoids.F64, table.Medoids.F64),
		"raw":     slices.Equal(back.Raw.F64, table.Raw.F64),
	} {
		if !same {
			t.Errorf("the %s changed", name)
		}
	}
	if back.Rows() != 200 {
		t.Errorf("%d rows, want 200", back.Rows())
	}
}

// TestGroupsOfAFileAreNumberedByAllTheirRows, whatever the file's numbers are.
func TestGroupsOfAFileAreNumberedByAllTheirRows(t *testing.T) {
	table := &scalecobra.Table{IDs: []string{"a", "b", "c", "-d"}, Sizes: []int64{10, 500, 10, 30}}
	path := filepath.Join(t.TempDir(), "groups.csv")
	for _, c := range []struct {
		text, fails string
		want        []int
	}{
		{text: "id,cluster\na,1\nb,2\nc,1\n'-d,0\n", want: []int{2, 1, 2, 0}},
		{text: "id,cluster\nc,7\nb,7\na,3\n-d,3\n", want: []int{2, 1, 1, 2}},
		{text: "id,cluster\na,1\nb,2\nc,1\n", fails: `has no cluster for the row "-d"`},
		{text: "id,cluster\na,1\nb,2\nc,1\nx,2\n",
			fails: `row 4, column id: "x" is no row that stands for others`},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := table.ReadGroups(t.Context(), path)
		switch {
		case c.fails != "":
			if !fault.IsInput(err) || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: %v", c.text, err)
			}
		case err != nil:
			t.Error(err)
		case !slices.Equal(got.ClusterOf, c.want):
			t.Errorf("%q: %v, want %v", c.text, got.ClusterOf, c.want)
		}
	}
}

// TestWhatCannotBeAskedIsRefused before anybody is asked.
func TestWhatCannotBeAskedIsRefused(t *testing.T) {
	x, classes := blobs(60, 2, 2, 3)
	si, err := cobra.Build(t.Context(), x, cobra.Config{SuperInstances: 4})
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*scalecobra.Table){
		"no classes": func(s *scalecobra.Table) { s.Classes = nil },
		"twin ids":   func(s *scalecobra.Table) { s.IDs[1] = s.IDs[0] },
	} {
		s := tableOf(x, classes, si)
		spoil(s)
		if _, err := s.Answer(t.Context(), 0, nil, link.Refuse); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := scalecobra.Load(t.Context(), t.TempDir()); !fault.IsInput(err) {
		t.Errorf("an empty folder: %v", err)
	}
}
