package competitive2013

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// TestAReducedRunGoesBeyondOnce: what is not in the paper is made from one draw, and its tables
// hold that draw.
func TestAReducedRunGoesBeyondOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	r := shipped(t, frame.Config{Reduced: true, Parts: []string{"beyond"}})
	most := 0
	for _, run := range r.Runs.All() {
		if run.Part == "beyond" {
			most = max(most, run.Draw)
		}
	}
	if got := text(t, r); most != 1 || r.Trials < 2 || strings.Contains(got, "NaN") {
		t.Errorf("%d draws in %d trials:\n%s", most, r.Trials, got)
	}
}
