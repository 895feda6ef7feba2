package density

import (
	"cmp"
	"context"
	"slices"
)

// findReach returns [Classified.Reach] for labels by position; largest is the radius where there is
// no noise.
func findReach(ctx context.Context, s space, labels []int32, largest float64) (float64, error) {
	taken, noise := make([]bool, s.size()), make([]bool, s.size())
	self := make([]int32, s.size())
	within, beyond := 0, 0 // objects taken, and noise, that a radius of nothing leaves alone
	for i, c := range labels {
		self[i] = int32(i)
		if taken[i], noise[i] = c >= 0, c < 0; noise[i] {
			beyond++
		}
	}
	if beyond == 0 || beyond == s.size() {
		return largest, nil
	}
	b := newBridges(s.size(), self, unreached)
	b.among = taken
	if err := s.bridge(ctx, b); err != nil {
		return 0, err
	}
	_, far, err := s.nearest(ctx, noise, taken, unreached)
	if err != nil {
		return 0, err
	}
	type step struct {
		key   float64
		noise bool
	}
	steps := make([]step, s.size())
	for i := range steps {
		if steps[i] = (step{b.low[i], false}); noise[i] {
			steps[i] = step{far[i], true}
		}
	}
	slices.SortFunc(steps, func(x, y step) int { return cmp.Compare(x.key, y.key) })
	members, strangers := float64(s.size()-beyond), float64(beyond)
	best, reach := -1.0, 0.0
	for i, at := range steps {
		if at.noise {
			beyond--
		} else {
			within++
		}
		if i+1 < len(steps) && steps[i+1].key == at.key || at.key == unreached {
			continue
		}
		if share := float64(within)/members + float64(beyond)/strangers; share > best+tieShare {
			best, reach = share, s.radius(at.key)
			if i+1 < len(steps) && steps[i+1].key < unreached {
				reach = (reach + s.radius(steps[i+1].key)) / 2
			}
		}
	}
	return reach, nil
}
