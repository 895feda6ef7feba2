package belief_test

import (
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

// Frames, focal sets and dense functions work up to their limits, and one beyond is refused.
func TestLimitsOfFrames(t *testing.T) {
	sets := func(n int) error {
		all := make([]belief.Set, n)
		for i := range all {
			all[i] = belief.Set(i)
		}
		_, err := belief.Sort(belief.MaxDense, all)
		return err
	}
	vacuous := func(c int) error { _, err := belief.Vacuous(c); return err }
	dense := func(c int) error {
		m, err := belief.Vacuous(c)
		if err == nil {
			_, err = m.Beliefs()
		}
		return err
	}
	for what, c := range map[string]struct {
		most int
		try  func(int) error
	}{
		"clusters":          {belief.MaxClusters, vacuous},
		"focal sets":        {belief.MaxFocal, sets},
		"clusters, densely": {belief.MaxDense, dense},
	} {
		if err := c.try(c.most); err != nil {
			t.Errorf("%d %s: %v", c.most, what, err)
		}
		if err := c.try(c.most + 1); !fault.IsInput(err) {
			t.Errorf("%d %s: %v", c.most+1, what, err)
		}
	}
}
