package worth

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// told is the small experiment with areas that are told, not measured.
func told(t *testing.T, areas map[string]float64) *frame.Report {
	t.Helper()
	e, cfg := small(t)
	cfg.Parts = []string{"right"}
	e.Pictures = nil
	e.Units = func(frame.Plan) []frame.Unit {
		var out []frame.Unit
		for name, v := range areas {
			key := frame.Key{Part: "right", Set: "dozen", Setting: name, Draw: 1}
			out = append(out, frame.Unit{Key: key, Starts: 1, Methods: []string{name}, Do: func(context.Context) ([]frame.Run, error) {
				return []frame.Run{{Start: 1, Method: name, Values: slices.Repeat([]float64{v}, len(e.Measures))}}, nil
			}})
		}
		return out
	}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTables(t *testing.T) {
	r := told(t, map[string]float64{preferred(): .7, "COBRA 50": .5, "PCK-means npu": .9})
	tables := map[string]frame.Table{}
	for _, table := range r.Tables {
		tables[table.Name] = table
	}
	var order []string
	for _, row := range tables["ranking-right"].Rows {
		order = append(order, row.Keys[0])
	}
	if want := []string{"PCK-means npu", preferred(), "COBRA 50"}; !slices.Equal(order, want) {
		t.Errorf("ranking %v, want %v", order, want)
	}
	choose := tables["choose"].Rows[0]
	if got, want := choose.Keys[3:], []string{preferred(), "PCK-means npu"}; !slices.Equal(got, want) {
		t.Errorf("chosen %v, want %v", got, want)
	}
	if a, b := choose.Cells[0].Mean.Value, choose.Cells[1].Mean.Value; a != .7 || b != .9 {
		t.Errorf("of areas %g and %g, want .7 and .9", a, b)
	}
	if len(r.Claims) != 1 || r.Claims[0].Mean != "1 of 1 sets, 0 lost; mean area 0.700 beside 0.500; Wilcoxon p 1.000" {
		t.Errorf("claims %v", r.Claims)
	}
}

// Three sets on which the first is better than the second each time: signed ranks have a two-sided p of 2/2³.
func TestCompared(t *testing.T) {
	ranks, beside := compared([][]float64{{.9, .5}, {.8, .6}, {.7, .6}}, 0)
	if !slices.Equal(ranks, []float64{1, 2}) {
		t.Errorf("ranks %v, want 1 and 2", ranks)
	}
	if beside[1][0] != "3 – 0" || beside[1][1] != ".250" || beside[0][0] != "" {
		t.Errorf("beside the first %v, want 3 – 0 at .250, and nothing beside itself", beside)
	}
	for p, want := range map[float64]string{1: "1.000", .0124: ".012", 1e-9: "< .001", math.NaN(): ""} {
		if got := chance(p); got != want {
			t.Errorf("%g is written %q, want %q", p, got, want)
		}
	}
}
