package ask_test

import (
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
)

// A million links can be drawn among more pairs than that, and no more.
func TestMostDrawnLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a million links")
	}
	const most = 1_000_000
	classes := make([]int32, 3000)
	links, err := ask.RandomLinks(classes, most, 1)
	if err != nil || len(links) != most {
		t.Errorf("%d links, %v", len(links), err)
	}
	if _, err := ask.RandomLinks(classes, most+1, 1); !fault.IsInput(err) {
		t.Errorf("one more: %v", err)
	}
}
