package studio

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/project"
)

// What is missing is shown with what can be done about it, and what follows from each; nothing is
// created before that is said.
func TestMissingValuesAreAskedAbout(t *testing.T) {
	x := open(t, Config{})
	x.put("gaps.csv", "a,b,c\n1,2,red\n3,,red\n,4,blue\n5,6,\n7,7,blue\n9,8,red\n2,2,red\n")
	got := into[Preview](x.post("/api/v1/preview", `{"data":"gaps.csv"}`).wants(200))
	want := Preview{Rows: 7, Features: 4, Missing: &Missing{Values: 3, Rows: 3,
		Columns: []MissingColumn{{"a", 1}, {"b", 1}, {"c", 1}},
		Choices: []MissingChoice{
			{"keep", "keep all rows: what is missing is predicted from the other columns", 7, 4},
			{"drop", "leave out 3 rows, so that 4 stay", 4, 4},
			{"median", "fill in the median of the column, or its most frequent word", 7, 4},
			{"mean", "fill in the mean of the column, or its most frequent word", 7, 4},
		}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Each choice leads to what was shown.
	for _, choice := range got.Missing.Choices {
		settings, err := json.Marshal(map[string]string{"missing": choice.Name})
		if err != nil {
			t.Fatal(err)
		}
		request := `{"data":"gaps.csv","settings":` + string(settings) + `}`
		said := into[Preview](x.post("/api/v1/preview", request).wants(200))
		if said.Missing != nil || said.Rows != choice.Rows || said.Features != choice.Features {
			t.Errorf("%s: %+v", choice.Name, said)
		}
		id := into[Started](x.post("/api/v1/projects", request).wants(202)).ID
		if l := x.ready(id); l.State != stateOpen {
			t.Fatalf("%s: %+v", choice.Name, l)
		}
		state := into[project.State](x.get("/api/v1/projects/" + id).wants(200))
		if state.Rows != choice.Rows || state.Settings["missing"] != choice.Name {
			t.Errorf("%s: %d rows under %v", choice.Name, state.Rows, state.Settings)
		}
	}
}

// Data that cannot be read are refused as a project would be, and what needs no choice has none.
func TestPreviewOfOtherData(t *testing.T) {
	x := open(t, Config{})
	x.put("ragged.csv", "a,b\n1,2\n3\n")
	x.put("gaps.csv", "a,b\n1,2\n3,\n5,6\n")
	x.post("/api/v1/preview", `{"data":"ragged.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"none.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"../gaps.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"gaps.csv","settings":{"missing":"guess"}}`).wants(422)
	for request, want := range map[string]Preview{
		`{"data":"iris"}`: {Rows: 150, Features: 4},
		`{"data":"gaps.csv","settings":{"metric":"gower"}}`: {Rows: 3, Features: 2},
	} {
		got := into[Preview](x.post("/api/v1/preview", request).wants(200))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", request, diff)
		}
	}
}
