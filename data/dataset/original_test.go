package dataset

import (
	"math"
	"strings"
	"testing"
)

func TestOriginalUndoesScaling(t *testing.T) {
	const text = "x,colour,flat,y\n1,red,7,-5\n2,blue,7,0.25\n4,red,7,1e6\n"
	for _, scale := range []Scale{ScaleMinMax, ScaleZScore, ScaleNone} {
		table, err := ReadStream(t.Context(), strings.NewReader(text), "t.csv", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), Preparation{Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		// x, colour=blue, colour=red, flat, y
		want := [][]float64{{1, 0, 1, 7, -5}, {2, 1, 0, 7, 0.25}, {4, 0, 1, 7, 1e6}}
		for i, row := range want {
			for j, v := range row {
				if got := p.Encoding.Original(j, p.X.At(i, j)); math.Abs(got-v) > 1e-9*math.Max(1,
					math.Abs(v)) {
					t.Errorf("%v: %s of row %d is %v, want %v", scale, p.Names[j], i+1, got, v)
				}
			}
		}
	}
}
