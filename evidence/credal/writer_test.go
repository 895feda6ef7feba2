package credal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// TestRoughFiles have no masses, nor the digest of them, and the types of files that have.
func TestRoughFiles(t *testing.T) {
	more := partition.Column{Name: "certainty", Values: []float64{1, 0.9, 0.8, 0.5, 0}}
	for name, want := range map[string]string{
		"c.csv": "id,cluster,lower,upper,outlier,certainty\n0,1,1,1,false,1\n1,1,1,1,false,0.9\n" +
			"2,2,2,2,false,0.8\n3,1,,1|2,false,0.5\n4,0,,1|2,true,0\n",
		"c.jsonl": `{"id":"0","cluster":1,"lower":"1","upper":"1","outlier":false,"certainty":1}
{"id":"1","cluster":1,"lower":"1","upper":"1","outlier":false,"certainty":0.9}
{"id":"2","cluster":2,"lower":"2","upper":"2","outlier":false,"certainty":0.8}
{"id":"3","cluster":1,"lower":"","upper":"1|2","outlier":false,"certainty":0.5}
{"id":"4","cluster":0,"lower":"","upper":"1|2","outlier":true,"certainty":0}
`,
		"c.parquet": "",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := credal.WriteRoughFile(path, table1(), strconv.Itoa, more); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || want != "" && string(text) != want {
			t.Errorf("%s: %v %s", name, err, text)
		}
		if credal.Is(path) || strings.Contains(string(text), "kindred.digest") {
			t.Errorf("%s passes for a file of masses", name)
		}
		table, err := dataset.Read(t.Context(), path, dataset.ReadOptions{ID: "id",
			Label: "cluster", Drop: []string{"lower", "upper", "outlier"}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil || !slices.Equal(x.X.F64, more.Values) {
			t.Errorf("%s: %v %v", name, x, err)
		}
	}
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
