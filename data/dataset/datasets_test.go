package dataset

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// constants are the columns of published sets that have the same value in all rows. No other column
// is left out.
var constants = map[string][]string{
	"ionosphere":       {"a02"},
	"ionosphere_dedup": {"a02"},
	"optdigits_train":  {"p01", "p40"},
	"optdigits_test":   {"p01", "p33", "p40"},
	"optdigits389":     {"p01", "p25", "p32", "p33", "p40", "p41", "p49", "p57"},
	"ecoli3":           {"chg"},
	"segmentation":     {"region_pixel_count"},

	"kddcup99_10pct":        {"num_outbound_cmds", "is_host_login"},
	"kddcup99_10pct_ge1000": {"wrong_fragment", "num_outbound_cmds"},
}

// leftOut returns the columns that are neither features nor labels nor ids.
func leftOut(t *Table) (names []string) {
	for _, c := range t.Columns {
		if c.Role == Unused {
			names = append(names, c.Name)
		}
	}
	return names
}

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
			if diff := cmp.Diff(constants[name], leftOut(table)); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
			features -= len(constants[name])
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
