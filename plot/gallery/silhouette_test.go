package gallery

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// The means are those of the two groups, in one of which a row is alone.
func TestSilhouette(t *testing.T) {
	s := full(t)
	s.Problem.Data = dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 9, 5}}
	s.Outcome = &method.Outcome{Labels: []int{1, 1, 3, 0}, Clusters: 3}
	fig, err := Draw(t.Context(), s, "silhouette")
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(t, fig)
	// Rows 0 and 1 are 1 apart, and 9 and 8 from the other group: 1 − 1/9 and 1 − 1/8.
	for _, want := range []string{"group 1, mean 0.88", "group 3, mean 0.00",
		"silhouette 0.5880 over all 3 objects in 2 clusters", "points.csv: 2 groups"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	if bytes.Contains(svg, []byte("group 2")) {
		t.Error("a group without rows is in the picture")
	}
}

func TestSilhouetteReportsWhatIsMissing(t *testing.T) {
	one := full(t)
	one.Outcome = &method.Outcome{Labels: slices.Repeat([]int{1}, rows), Clusters: 1}
	for _, c := range []struct {
		of   *method.Scene
		want string
	}{{bare(t), "compared otherwise"}, {one, "need two clusters with rows, and there are 1"}} {
		_, err := Draw(t.Context(), c.of, "silhouette")
		var input *fault.Input
		if !errors.As(err, &input) || !strings.Contains(input.Problem, c.want) || input.Fix == "" {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}
