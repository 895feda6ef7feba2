package density_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

// configured returns hdbscan with values of its parameters.
func configured(t *testing.T, values map[string]string) *method.Configured {
	t.Helper()
	i := slices.IndexFunc(density.Methods(),
		func(m method.Method) bool { return m.Name == "hdbscan" })
	c, err := density.Methods()[i].With(values)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Of more clusters than masses are of, strengths are the certainties, and every row has its scores.
func TestHDBSCANOfManyClusters(t *testing.T) {
	const clusters = 70
	p := method.Problem{Data: dataset.Matrix{Rows: 6 * clusters, Cols: 1}}
	for i := range p.Data.Rows {
		p.Data.F64 = append(p.Data.F64, float64(100*(i/6))+float64(i%6)+float64(i*i%7)/100)
	}
	out, err := configured(t, nil).Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if out.Clusters != clusters || out.Credal != nil || len(out.Columns) != 2 {
		t.Fatalf("%d clusters, masses %v, columns %v", out.Clusters, out.Credal, out.Columns)
	}
	doubt, err := method.Doubts(t.Context(), p, out, 0)
	if err != nil {
		t.Fatal(err)
	}
	for row, v := range doubt.Certainty {
		if v != float32(out.Strength[row]) || v == 0 {
			t.Errorf("row %d of strength %g is certain by %g", row, out.Strength[row], v)
		}
	}
	if words := doubt.Words(0); words != "group 1: 100 %" {
		t.Error(words)
	}
	placed, err := out.Model.Condensed.By.PlaceVectors(t.Context(), p.Data, p.Data, 0)
	if err != nil {
		t.Fatal(err)
	}
	if placed.Credal != nil || !slices.Equal(placed.Labels, out.Labels) ||
		len(placed.Columns) != 1 || placed.Columns[0].Name != "strength" ||
		placed.Columns[0].Values[0] != 1 {
		t.Errorf("placed %+v, want labels %v", placed, out.Labels)
	}
}

// The report on rows that are all equal says what may help.
func TestHDBSCANOfEqualRows(t *testing.T) {
	for single, clusters := range map[string]int{"false": 0, "true": 1} {
		p := method.Problem{Data: dataset.Matrix{Rows: 9, Cols: 2, F64: make([]float64, 18)}}
		out, err := configured(t, map[string]string{"single": single}).Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if out.Clusters != clusters ||
			clusters == 0 && !strings.Contains(strings.Join(out.Notes, " "), "equally far") {
			t.Errorf("single %s: %d clusters, %q", single, out.Clusters, out.Notes)
		}
	}
}

// The stabilities that are reported are those of the clusters, in their order.
func TestStabilitiesOfClusters(t *testing.T) {
	p := four()
	p.Data.F64 = append([]float64{-100, -100.1, -100.3, -100.6, -101}, p.Data.F64...)
	p.Data.Rows += 5
	out, err := configured(t, map[string]string{"min-points": "3"}).Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Stability []float64 `json:"stability"`
	}
	want.Stability = make([]float64, out.Clusters)
	for _, part := range out.Condensed.Clusters {
		if part.Label > 0 {
			want.Stability[part.Label-1] = part.Stability
		}
	}
	text, err := json.Marshal(out.Detail.Figures())
	if err != nil {
		t.Fatal(err)
	}
	if wanted, err := json.Marshal(want); err != nil || string(text) != string(wanted) ||
		out.Labels[0] == 1 || out.Clusters < 2 {
		t.Errorf("%s, want %s; %v", text, wanted, err)
	}
}
