package eval_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// table is rows in memory and in files.
type table struct {
	x      dataset.Matrix
	class  []int // "" in the files where negative
	source shard.Source
	survey *survey.Survey
}

// groups makes rows about some centres, those of class c about centre c, and writes them to files
// of 300 rows: id, x1 …, class, other. The last is the class by another name.
func groups(t testing.TB, class []int, d int, ids bool) *table {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, uint64(len(class))))
	tab := &table{x: dataset.Matrix{Rows: len(class), Cols: d}, class: class}
	folder := t.TempDir()
	for lo := 0; lo < len(class); lo += 300 {
		var b strings.Builder
		b.WriteString("name")
		for j := range d {
			fmt.Fprintf(&b, ",x%d", j+1)
		}
		b.WriteString(",class,other\n")
		for i := lo; i < min(len(class), lo+300); i++ {
			fmt.Fprintf(&b, "-r%d", i)
			for j := range d {
				v := rng.NormFloat64() + 2.5*float64((class[i]*(j+3))%7)
				tab.x.F64 = append(tab.x.F64, v)
				fmt.Fprintf(&b, ",%v", v)
			}
			if class[i] < 0 {
				b.WriteString(",,\n")
			} else {
				fmt.Fprintf(&b, ",c%d,%d\n", class[i], class[i]+1)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rows-%03d.csv", lo/300)),
			[]byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tab.source = shard.Source{Paths: []string{folder}, Label: "class",
		Ignore: []string{"other", "name"}}
	if ids {
		tab.source.ID = "name"
	}
	src, splits, err := shard.Plan(t.Context(), tab.source)
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	tab.source, tab.survey = src, sv
	return tab
}

// parts writes clusters as a pipeline does, and returns the folder.
func (tab *table) parts(t testing.TB, cluster []int, format string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "parts")
	for _, s := range tab.survey.Splits {
		f, err := shard.CreateFile(t.Context(), out, s.Index, format)
		if err != nil {
			t.Fatal(err)
		}
		var rows []partRow
		for i := s.First; i < s.First+s.Rows; i++ {
			id := strconv.FormatInt(i+1, 10)
			if tab.source.ID != "" {
				id = fmt.Sprintf("-r%d", i)
				if format == "csv" {
					id = "'" + id
				}
			}
			rows = append(rows, partRow{id, int64(cluster[i]), int64(cluster[i] / 2)})
		}
		if err := errors.Join(writeRows(f, format, rows), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := shard.Finish(t.Context(), out, len(tab.survey.Splits)); err != nil {
		t.Fatal(err)
	}
	return out
}

// partRow is a row of a part with another column of numbers beside the clusters.
type partRow struct {
	ID      string `parquet:"id"`
	Cluster int64  `parquet:"cluster"`
	Half    int64  `parquet:"half"`
}

func writeRows(w io.Writer, format string, rows []partRow) error {
	if format == "parquet" {
		return parquet.Write(w, rows)
	}
	text := "id,cluster,half\n"
	for _, r := range rows {
		text += fmt.Sprintf("%s,%d,%d\n", r.ID, r.Cluster, r.Half)
	}
	_, err := io.WriteString(w, text)
	return err
}

// labels returns n labels below k, and clusters that mostly follow them.
func labels(n, k int) (class, cluster []int) {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	for range n {
		c := rng.IntN(k)
		class = append(class, c)
		if rng.IntN(4) == 0 {
			c = rng.IntN(k + 1)
		}
		cluster = append(cluster, c)
	}
	return class, cluster
}
