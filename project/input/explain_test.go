package input

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestExplain: what the columns add is the squared distance, and Gower's dissimilarity.
func TestExplain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("x,town\n0,Bonn\n5,Rome\n10,Bonn\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	for _, c := range []struct {
		metric   string
		weights  []string
		distance float64
		amounts  []float64 // of town and x
	}{
		// the town has the variance 1 − (2/3)² − (1/3)² = 4/9, so that two differ by 2/(12·4/9)
		{"", nil, math.Sqrt(0.625), []float64{0.375, 0.25}},
		{"gower", nil, 0.75, []float64{0.5, 0.25}},
		{"gower", []string{"town=3"}, 0.875, []float64{0.75, 0.125}},
	} {
		s := Source{Missing: "refuse", Duplicates: "keep", Metric: c.metric,
			ColumnWeights: c.weights}
		d, err := s.Objects(t.Context(), Place{}, path, true, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := d.Explain(0, 1)
		if !near(e.Distance, c.distance) || len(e.Columns) != 2 || e.Columns[0].Column != "town" ||
			!near(e.Columns[0].Amount, c.amounts[0]) || e.Columns[1].Amount != c.amounts[1] ||
			e.Columns[0].A != "Bonn" || e.Columns[0].B != "Rome" {
			t.Errorf("%s: %+v", c.metric, e)
		}
		if same := d.Explain(0, 0); same.Distance != 0 || same.Columns[0].Share != 0 {
			t.Errorf("%s: a row and itself: %+v", c.metric, same)
		}
	}
}

func TestSharedWords(t *testing.T) {
	got := sharedWords("My card, my PIN and card", "The card has a pin")
	if len(got) != 2 || got[0] != "card" || got[1] != "pin" {
		t.Errorf("%v", got)
	}
}
