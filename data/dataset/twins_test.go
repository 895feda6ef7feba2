package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// TestEqualNames reads columns of the same name, in each format: the second has a number behind,
// which no other column has, is found by that name, and is noted.
func TestEqualNames(t *testing.T) {
	want := []string{"score", "score_2", "name", "score_3", "score_4"}
	const note = "columns with the name of an earlier one were renamed: " +
		"the 4th column, score, is score_3, the 5th column, score, is score_4"
	workbook := book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"score", "score_2", "name", "score", "score"},
			[]any{1, 2, "a", 3, 5}, []any{4, 5, "b", 6, 7})
	})
	base := database(t, `CREATE TABLE t (score, score_2, name)`,
		`INSERT INTO t VALUES (1, 2, 'a'), (4, 5, 'b')`)
	for _, c := range []struct {
		name, file, content string
		query               string
	}{
		{"CSV", "a.csv", "score,score_2,name,score,score\n1,2,a,3,5\n4,5,b,6,7\n", ""},
		{"JSON", "a.json", `[["score","score_2","name","score","score"],[1,2,"a",3,5],` +
			`[4,5,"b",6,7]]`, ""},
		{"JSON of pandas", "a.json", `{"columns":["score","score_2","name","score","score"],` +
			`"data":[[1,2,"a",3,5],[4,5,"b",6,7]]}`, ""},
		{"ARFF", "a.arff", "@relation r\n@attribute score numeric\n@attribute score_2 numeric\n" +
			"@attribute name string\n@attribute score numeric\n@attribute score numeric\n@data\n" +
			"1,2,a,3,5\n4,5,b,6,7\n", ""},
		{"Excel", workbook, "", ""},
		{"SQLite", base, "", "SELECT score, score_2, name, score + 2 AS score, " +
			"score + 3 AS score FROM t"},
	} {
		path := c.file
		if c.content != "" {
			path = writeFile(t, c.file, []byte(c.content))
		}
		table, err := Read(t.Context(), path, ReadOptions{Keep: true, Query: c.query,
			Types: map[string]Type{"score_3": Category}, Features: []string{"score", "score_3"}})
		if err != nil {
			if c.name == "ARFF" { // its types are declared
				t.Fatal(err)
			}
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var names []string
		for _, column := range table.Columns {
			names = append(names, column.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if got := table.Cell(1, 3); got != "6" {
			t.Errorf("%s: score_3 of the second row is %s", c.name, got)
		}
		if c.name != "ARFF" && table.Columns[3].Type != Category {
			t.Errorf("%s: score_3 is %v", c.name, table.Columns[3].Type)
		}
		if !slices.Contains(table.Notes, note) {
			t.Errorf("%s: the notes are %q", c.name, table.Notes)
		}
	}
}

// TestManyEqualNames takes no longer for many of them.
func TestManyEqualNames(t *testing.T) {
	names := slices.Repeat([]string{"x"}, 60000)
	renamed, note := distinctNames(names)
	if renamed[59999] != "x_60000" || names[59999] != "x" ||
		!strings.HasSuffix(note, "and 59991 more") {
		t.Errorf("%s, %s", renamed[59999], note)
	}
}
