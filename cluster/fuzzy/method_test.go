package fuzzy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// More clusters than masses can be about leave labels alone.
func TestManyFuzzyClusters(t *testing.T) {
	data := dataset.Matrix{Rows: 140, Cols: 1}
	for i := range data.Rows {
		data.F64 = append(data.F64, float64(i))
	}
	for _, name := range []string{"fcm", "ssnb"} {
		m, err := all.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := m.With(map[string]string{"clusters": "70"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.Fit(t.Context(), method.Problem{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(out.Notes,
			func(s string) bool { return strings.Contains(s, "at most 63 clusters") })
		if out.Credal != nil || !noted || slices.Max(out.Labels) < 10 {
			t.Errorf("%s: masses %v, notes %q", name, out.Credal != nil, out.Notes)
		}
	}
}
