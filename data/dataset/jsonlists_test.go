package dataset

import (
	"strings"
	"testing"
)

// TestJSONLists reads lists as columns that are shown and not compared, in all forms of JSON.
func TestJSONLists(t *testing.T) {
	for name, text := range map[string]string{
		"lines": `{"tags":["a","b"],"v":[1,2],"x":1}` + "\n" + `{"tags":[],"v":[3],"x":2}`,
		"array": "[{\"tags\": [\"a\",\"b\"],\n \"v\": [1,2], \"x\": 1}, " +
			"{\"tags\": [], \"v\": [3], \"x\": 2}]",
		"rows":   `[["tags","v","x"],[["a","b"],[1,2],1],[[],[3],2]]`,
		"within": `{"data":[{"tags":["a","b"],"v":[1,2],"x":1},{"tags":[],"v":[3],"x":2}]}`,
	} {
		table, err := readBytes(t.Context(), []byte(text), "a.json", ReadOptions{Keep: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tags, v := table.Column("tags"), table.Column("v")
		if got := strings.Join(table.Features(), " "); got != "x" {
			t.Errorf("%s: the features are %s", name, got)
		}
		if got := table.Cell(0, tags); got != `["a","b"]` {
			t.Errorf("%s: a list is %s", name, got)
		}
		if c := table.Columns[tags]; c.Role != Unused || c.Why != "holds lists" || c.Missing != 0 {
			t.Errorf("%s: tags: %v, %s", name, c.Role, c.Why)
		}
		if !table.HoldsVectors(v) || table.HoldsVectors(tags) || table.Columns[v].Role != Unused {
			t.Errorf("%s: v %s", name, table.Columns[v].Why)
		}
	}
}

// TestGeoJSON reads the features of a map beside their coordinates.
func TestGeoJSON(t *testing.T) {
	text := `{"type":"FeatureCollection","bbox":[1,2,3,4],"features":[
		{"type":"Feature","properties":{"n":1},
		 "geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4]],[[5,6]]]}},
		{"type":"Feature","properties":{"n":2},
		 "geometry":{"type":"Point","coordinates":[1,2]}}]}`
	table, err := readBytes(t.Context(), []byte(text), "a.geojson", ReadOptions{Format: FormatJSONL,
		Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	at := table.Column("geometry.coordinates")
	if c := table.Columns[at]; c.Why != "holds lists" || table.Cell(1, at) != "[1,2]" {
		t.Errorf("the coordinates: %s, %q", c.Why, table.Cell(1, at))
	}
	if table.Value(1, table.Column("properties.n")) != 2 {
		t.Error("a property has another value")
	}
}
