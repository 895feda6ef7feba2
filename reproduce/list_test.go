package reproduce

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/reproduce/frame"
)

func TestFind(t *testing.T) {
	if e, err := Find("COBRA-2017"); err != nil || e.Name != "cobra-2017" {
		t.Errorf("%q, %v", e.Name, err)
	}
	if _, err := Find("nothing"); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "competitive-learning-2013") {
		t.Errorf("got %v", err)
	}
}

// TestNoFigureRestsOnFewerThanTenRepetitions: neither a full run nor a reduced one repeats what is
// drawn at random less often. What nothing is drawn for is made once.
func TestNoFigureRestsOnFewerThanTenRepetitions(t *testing.T) {
	x := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}
	d, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range List() {
		for _, reduced := range []bool{false, true} {
			p := frame.Plan{Config: frame.Config{Trials: e.Trials, Reduced: reduced}}
			if reduced {
				p.Trials = e.Reduced
			}
			for _, n := range e.Needs {
				p.Sets = append(p.Sets, &frame.Set{Need: n, X: x, D: d, Truth: []int32{0, 1}})
			}
			for _, u := range e.Units(p) {
				once := u.Draws == 0 || u.Setting == "wrapper" // of naive Bayes, in competitive2013
				if u.Draws < 10 && !once {
					t.Errorf("%s, reduced %v: %+v is repeated %d times", e.Name, reduced, u.Key,
						u.Draws)
				}
			}
		}
	}
}
