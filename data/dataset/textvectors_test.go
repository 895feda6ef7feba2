package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// TestVectorsInTexts reads lists of numbers in the cells of a text as those of Parquet are, in the
// forms that programs write.
func TestVectorsInTexts(t *testing.T) {
	for name, text := range map[string]string{
		"JSON":            "id,v,w\na,\"[0.1, 0.2]\",1\nb,\"[3, -4e1]\",2\nc,,3\n",
		"pgvector":        "id,v,w\na,\"[0.1,0.2]\",1\nb,\"[3,-40]\",2\nc,NULL,3\n",
		"NumPy":           "id,v,w\na,[0.1 0.2],1\nb,\"[  3.\n -40. ]\",2\nc,,3\n",
		"semicolons":      "id,v,w\na,0.1;0.2,1\nb,3;-40,2\nc,,3\n",
		"blanks":          "id,v,w\na,0.1 0.2,1\nb,3 -40,2\nc,,3\n",
		"commas":          "id;v;w\na;0.1,0.2;1\nb;3,-40;2\nc;;3\n",
		"whole, commas":   "id;v;w\na;1,2;1\nb;3,-40;2\nc;;3\n",
		"PostgreSQL":      "id;v;w\na;{0.1,0.2};1\nb;{3,-40};2\nc;;3\n",
		"tuples":          "id;v;w\na;(0.1, 0.2);1\nb;(3, -40);2\nc;;3\n",
		"decimal commas":  "id\tv\tw\na\t0,1; 0,2\t1\nb\t3; -40\t2\nc\t\t3\n",
		"behind an empty": "id;v;w\nc;;3\na;{0.1,0.2};1\nb;{3,-40};2\nd;[];4\n",
	} {
		for _, chunk := range []int{0, 7} {
			path := writeFile(t, "a.csv", []byte(text))
			table, err := Read(t.Context(), path,
				ReadOptions{Vectors: "v", chunk: chunk, Threads: 2})
			if name == "behind an empty" {
				wantFault(t, err, path+", line 5, column v: has 0 numbers, and the lists "+
					"before have 2; give lists of one length, or compare them as series (--series v)")
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := table.Features(); !slices.Equal(got, []string{"v_1", "v_2"}) {
				t.Errorf("%s: the features are %q", name, got)
			}
			want := [][2]float64{{0.1, 0.2}, {3, -40}}
			if name == "whole, commas" {
				want[0] = [2]float64{1, 2}
			}
			at := table.Column("v_1")
			for i, row := range want {
				if got := [2]float64{table.Value(i, at), table.Value(i, at+1)}; got != row {
					t.Errorf("%s: row %d is %v", name, i+1, got)
				}
			}
			if c := table.Columns[at]; c.Missing != 1 || c.Vector != "v" {
				t.Errorf("%s: %d missing in %q", name, c.Missing, c.Vector)
			}
			if note := "column v: vectors of 2 numbers, named v_1 to v_2"; !slices.Contains(
				table.Notes, note) {
				t.Errorf("%s: the notes are %q", name, table.Notes)
			}
		}
	}
	beside, err := Read(t.Context(), writeFile(t, "a.csv",
		[]byte("id,v,w\na,\"[0.1, 0.2]\",1\nb,\"[3, 4]\",2\n")),
		ReadOptions{Vectors: "v", Features: []string{"w"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"v_1", "v_2", "w"}, beside.Features()); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"id,v\na,[1 2]\nb,[1 2 3]\n": ", line 3, column v: has 3 numbers, and the lists before " +
			"have 2; give lists of one length, or compare them as series (--series v)",
		"id,v\na,[1 2]\nb,[1 ...]\n": `, line 3, column v: "..." in the list is not a number`,
		"id,v\na,one\nb,two\n":       ", column v: holds no lists of numbers; give a column of",
		"id,v,z\na,1 2,x\nb,3 4,y\n": ": --vectors names \"q\", but there is no such column; the " +
			"columns of vectors are v",
	} {
		asked := "v"
		if strings.Contains(want, `"q"`) {
			asked = "q"
		}
		path := writeFile(t, "a.csv", []byte(text))
		_, err := Read(t.Context(), path, ReadOptions{Vectors: asked})
		wantFault(t, err, path+want)
	}
}

// TestVectorsInCells are texts in a workbook and in a database.
func TestVectorsInCells(t *testing.T) {
	workbook := book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"v", "w"}, []any{"[0.1, 0.2]", 1}, []any{"[3, 4]", 2})
	})
	base := database(t, `CREATE TABLE t (v TEXT, w)`,
		`INSERT INTO t VALUES ('[0.1,0.2]', 1), ('[3,4]', 2)`)
	for _, path := range []string{workbook, base} {
		table, err := Read(t.Context(), path, ReadOptions{Vectors: "v"})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := table.Features(); !slices.Equal(got, []string{"v_1", "v_2"}) ||
			table.Value(0, 1) != 0.2 || table.Value(1, 0) != 3 {
			t.Errorf("%s: %q", path, got)
		}
	}
}
