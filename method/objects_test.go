package method_test

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

func TestSeriesThatAreNone(t *testing.T) {
	table, err := dataset.ReadStream(t.Context(),
		strings.NewReader("id,s\na,1 2\nb,[3; 4]\nc,1 x\nd,\n"), "t.csv",
		dataset.ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	for column, words := range map[string]string{
		"s": `t.csv, row 3, column s: "x" is no number of a series`,
		"z": "t.csv, column z: there is no such column",
	} {
		_, _, err := method.ObjectsOf(table, method.Comparison{Metric: dissim.DTW, Column: column},
			nil)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), words) {
			t.Errorf("column %s: %v", column, err)
		}
	}
}
