package input

import (
	"errors"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// TestSettingsOfFeaturesNeedFeatures: settings that mean nothing to what is compared are refused.
func TestSettingsOfFeaturesNeedFeatures(t *testing.T) {
	refused := map[string]string{"dissimilarity": "features levels column-weights scale drop",
		"series": "features levels column-weights scale", "text": "levels column-weights",
		"images": "levels column-weights", "embedding": "features levels column-weights"}
	values := map[string]string{"dissimilarity": "true", "levels": "5", "column-weights": "a=2",
		"scale": "zscore", "features": "b"}
	value := func(name string) string {
		if v := values[name]; v != "" {
			return v
		}
		return "a"
	}
	for by, useless := range refused {
		for _, name := range strings.Fields("features levels column-weights scale drop") {
			r := New()
			for _, set := range []string{by, name} {
				if err := r.Set(set, value(set)); err != nil {
					t.Fatal(err)
				}
			}
			err := r.Check()
			if want := strings.Contains(" "+useless+" ", " "+name+" "); (err != nil) != want {
				t.Errorf("--%s with --%s: %v", name, by, err)
			} else if want && (!isSetting(err) || !strings.Contains(err.Error(), "--"+name)) {
				t.Errorf("--%s with --%s: %v", name, by, err)
			}
		}
	}
	// A project that has them can be opened.
	r := New()
	if _, err := r.Recall(store.Header{Method: "evclus", Given: true, Settings: map[string]string{
		"plain": "", "text": "note", "column-weights": "a=2", "clusters": "2"}}, "a.kindred"); err != nil {
		t.Error(err)
	}
	if len(r.ColumnWeights) != 1 {
		t.Errorf("%q", r.ColumnWeights)
	}
}

func isSetting(err error) bool {
	var s fault.Setting
	return errors.As(err, &s)
}
