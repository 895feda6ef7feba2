package all_test

import (
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
)

// Every whole number that a method takes is taken up to its greatest, and one more is refused.
func TestLimitsOfParameters(t *testing.T) {
	tried := 0
	for _, m := range all.List() {
		for _, p := range m.Params() {
			if p.Kind != param.Int || p.Max == 0 || p.Below {
				continue
			}
			tried++
			set := func(n int) error {
				_, err := m.With(map[string]string{p.Name: strconv.Itoa(n)})
				return err
			}
			if err := set(int(p.Max)); err != nil {
				t.Errorf("%s: %s %g: %v", m.Name, p.Name, p.Max, err)
			}
			if err := set(int(p.Max) + 1); err == nil {
				t.Errorf("%s: %s may be more than %g", m.Name, p.Name, p.Max)
			}
		}
	}
	if tried < 5 {
		t.Errorf("%d parameters have a greatest value", tried)
	}
}
