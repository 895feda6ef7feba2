package worth

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// Every row of every table has a cell for each column.
func TestShapes(t *testing.T) {
	e, cfg := small(t)
	e.Needs = append(e.Needs, frame.Need{Name: "twenty", Title: "Twenty", Law: "blobs", Rows: 100,
		Cols: 2, Classes: manyGroups, Parts: e.Needs[0].Parts})
	all := e.Units
	e.Units = func(p frame.Plan) []frame.Unit {
		return slices.DeleteFunc(all(p), func(u frame.Unit) bool {
			return u.Part != silentPart && !slices.Contains(
				[]string{"kin", "kin, told", "COBRA 25", "PCK-means minmax"}, u.Setting)
		})
	}
	cfg.Parts = []string{"right", "wrong10", silentPart}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range r.Tables {
		names = append(names, table.Name)
		for _, row := range table.Rows {
			if len(row.Keys) != len(table.Keys) || len(row.Cells) != len(table.Groups) {
				t.Errorf("%s: %d keys and %d cells in a table of %d and %d", table.Name,
					len(row.Keys), len(row.Cells), len(table.Keys), len(table.Groups))
			}
		}
	}
	for _, name := range []string{"choose", "ranking-right", "many-right", "many-wrong10",
		"no-answers", "untold", "untold-wrong10", "calibration", "calibration-bins", "settled",
		"groups-right", "cost"} {
		if !slices.Contains(names, name) {
			t.Errorf("no table %s in %v", name, names)
		}
	}
}
