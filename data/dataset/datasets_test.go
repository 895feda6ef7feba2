package dataset

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestPublishedSets reads every attribute table of the folder KINDRED_DATASETS and compares rows,
// features and classes with its index.
func TestPublishedSets(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets")
	}
	f, err := os.Open(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	index, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, line := range index[1:] {
		name, file, kind := line[0], line[1], line[2]
		path := filepath.Join(folder, file)
		info, err := os.Stat(path)
		if kind != "attributes" || err != nil || testing.Short() && info.Size() > 1<<20 {
			continue
		}
		read++
		t.Run(name, func(t *testing.T) {
			rows, features, classes := number(t, line[3]), number(t, line[4]), number(t, line[5])
			o := ReadOptions{}
			if classes > 0 {
				o.Label = "class"
			}
			table, err := Read(context.Background(), path, o)
			if err != nil {
				t.Fatal(err)
			}
			_, names, _ := table.Labels()
			if table.Rows != rows || len(table.Features()) != features || len(names) != classes {
				t.Errorf("%d rows, %d features, %d classes, want %d, %d, %d: %v", table.Rows,
					len(table.Features()), len(names), rows, features, classes, table.Notes)
			}
		})
	}
	if read < 10 {
		t.Errorf("only %d tables read", read)
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
