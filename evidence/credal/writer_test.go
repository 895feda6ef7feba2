package credal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/safe"
)

// table1 is Table 1 of cevclus-2013.
func table1() *credal.Partition {
	return &credal.Partition{Clusters: 2, Focal: []belief.Set{0, 1, 2, 3}, Mass: []float64{
		0, 1, 0, 0,
		0, .9, .1, 0,
		.1, 0, .8, .1,
		0, 0, 0, 1,
		1, 0, 0, 0,
	}}
}

func ExampleWrite() {
	ids := []string{"ann", "bob", "=2+2", "dan", "eve"}
	credal.Write(os.Stdout, dataset.FormatCSV, table1(), func(row int) string { return ids[row] })
	// Output:
	// id,cluster,lower,upper,outlier,pl_1,pl_2,bel_1,bel_2,betp_1,betp_2,m_{},m_{1},m_{2},m_{1+2}
	// ann,1,1,1,false,1,0,1,0,1,0,0,1,0,0
	// bob,1,1,1,false,0.9,0.1,0.9,0.1,0.9,0.1,0,0.9,0.1,0
	// '=2+2,2,2,2,false,0.1,0.9,0,0.8,0.05555555555555555,0.9444444444444444,0.1,0,0.8,0.1
	// dan,1,,1|2,false,1,1,0,0,0.5,0.5,0,0,0,1
	// eve,0,,1|2,true,0,0,0,0,0.5,0.5,1,0,0,0
}

// Further columns are written after the masses, and passed over by who reads them.
func TestFurtherColumns(t *testing.T) {
	p, err := credal.FromHard([]int{1, 2, 0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	more := partition.Column{Name: "glosh", Values: []float64{0.25, 0, 1}}
	texts := partition.Column{Name: "known_class", Texts: []string{"oak, \"red\"", "", "=elm"}}
	for _, name := range []string{"c.csv", "c.jsonl", "c.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := credal.WriteFile(path, p, strconv.Itoa, texts, more); err != nil {
			t.Fatal(err)
		}
		got, _, err := credal.Read(t.Context(), path)
		if err != nil || !slices.Equal(got.Mass, p.Mass) {
			t.Errorf("%s: %v %v", name, got, err)
		}
		table, err := dataset.Read(t.Context(), path,
			dataset.ReadOptions{ID: "id", Label: "known_class", Features: []string{"glosh"}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil || !slices.Equal(x.X.F64, more.Values) {
			t.Errorf("%s: %v %v", name, x, err)
		}
		codes, names, _ := table.Labels()
		for row, want := range texts.Texts {
			got := ""
			if codes[row] >= 0 {
				got = safe.Unguard(names[codes[row]])
			}
			if got != want {
				t.Errorf("%s: row %d has %q, want %q", name, row, got, want)
			}
		}
	}
}
