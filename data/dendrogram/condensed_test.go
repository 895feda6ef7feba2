package dendrogram_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
)

// fork is a tree of five objects: one falls off, and two pairs part.
func fork() *dendrogram.Condensed {
	return &dendrogram.Condensed{
		Clusters: []dendrogram.Part{{Parent: -1, Size: 5}, {Birth: 2, Size: 2, Label: 2},
			{Birth: 2, Size: 2, Label: 1}},
		Cluster: []int32{2, 0, 1, 1, 2}, Lambda: []float64{4, .5, 3, 3, 4},
	}
}

const forkCSV = `parent,child,lambda,size,id,cluster
5,1,0.5,1,row 1,
5,6,2,2,,2
5,7,2,2,,1
6,2,3,1,row 2,
6,3,3,1,row 3,
7,0,4,1,'=0,
7,4,4,1,row 4,
`

func names(row int) string { return []string{"=0", "row 1", "row 2", "row 3", "row 4"}[row] }

func TestWritesCondensedTrees(t *testing.T) {
	tree, folder := fork(), t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"t.csv", "t.JSON", "t.parquet"} {
		if err := tree.WriteFile(path(name), names); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path("t.csv"))
	if err != nil || string(text) != forkCSV {
		t.Errorf("%s %v", text, err)
	}
	type line struct {
		Parent, Child, Size, Cluster int
		Lambda                       float64
		ID                           string
	}
	text, err = os.ReadFile(path("t.JSON"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	if err := json.Unmarshal(text, &lines); err != nil || len(lines) != 7 ||
		lines[1] != (line{Parent: 5, Child: 6, Size: 2, Cluster: 2, Lambda: 2}) ||
		lines[5].ID != "=0" {
		t.Errorf("%v %v", lines, err)
	}
	rows, err := parquet.ReadFile[struct {
		Parent int     `parquet:"parent"`
		Child  int     `parquet:"child"`
		Lambda float64 `parquet:"lambda"`
		Size   int     `parquet:"size"`
		ID     string  `parquet:"id,optional"`
		Group  int     `parquet:"cluster,optional"`
	}](path("t.parquet"))
	if err != nil || len(rows) != 7 || rows[2].Child != 7 || rows[2].Group != 1 ||
		rows[2].ID != "" || rows[6].ID != "row 4" || rows[6].Lambda != 4 {
		t.Errorf("%v %v", rows, err)
	}
	if err := tree.WriteFile(path("t.svg"), names); !fault.IsInput(err) {
		t.Error(err)
	}
}

// Without ids objects are numbered from 1.
func TestCondensedTreesWithoutIDs(t *testing.T) {
	var b bytes.Buffer
	if err := fork().WriteCSV(&b, nil); err != nil || !strings.Contains(b.String(), "7,4,4,1,5,\n") {
		t.Errorf("%s %v", b.String(), err)
	}
}
