package link

import (
	"slices"
	"testing"
)

// TestTheLatestOfAPairCounts, whichever way round it was stated, in the place of the first.
func TestTheLatestOfAPairCounts(t *testing.T) {
	got := Latest([]Link{{A: 1, B: 2, Kind: MustLink}, {A: 3, B: 4},
		{A: 2, B: 1, Kind: CannotLink}})
	if want := []Link{{A: 2, B: 1, Kind: CannotLink}, {A: 3, B: 4}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if Latest(nil) != nil {
		t.Error("links of nothing")
	}
}
