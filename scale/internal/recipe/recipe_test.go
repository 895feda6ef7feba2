package recipe

import (
	"reflect"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestWhatAModelSaysOfAPreparationIsThatPreparation for every way to scale and to treat missing
// values.
func TestWhatAModelSaysOfAPreparationIsThatPreparation(t *testing.T) {
	shift, divisor, fill := []float64{1, -2}, []float64{4, 0}, []float64{0.5, 1}
	for scale, p := range map[string]shard.Preparation{
		"none":   {Missing: shard.MissingRefuse},
		"minmax": {Missing: shard.MissingDrop, Shift: shift, Divisor: divisor},
		"zscore": {Missing: shard.MissingMean, Shift: shift, Divisor: divisor, Fill: fill},
	} {
		src := shard.Source{Paths: []string{"a"}, Columns: []string{"x", "y"}, Prepare: p,
			Single: scale == "none", Booleans: []string{"y"}}
		e, err := Of(src, scale)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Apply(shard.Source{Paths: []string{"a"}}, e)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, src) {
			t.Errorf("%s: %+v, want %+v", scale, back, src)
		}
	}
}

func TestAModelOfCategoriesIsRefused(t *testing.T) {
	e := dataset.Encoding{Columns: []dataset.EncodedColumn{{Source: "colour",
		Type: dataset.Category, Levels: []string{"red"}}}}
	if _, err := Apply(shard.Source{}, e); !fault.IsInput(err) {
		t.Errorf("got %v", err)
	}
}
