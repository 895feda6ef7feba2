package store

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// What an event holds is bounded, each part at its limit and not beyond.
func TestLimitsOfEvents(t *testing.T) {
	text := func(n int) string { return strings.Repeat("a", n) }
	for what, c := range map[string]struct {
		most int
		make func(n int) Event
	}{
		"id of a step": {64, func(n int) Event { return Event{Step: Same, ID: text(n), A: "1", B: "2"} }},
		"id of a row":  {mostRowID, func(n int) Event { return Event{Step: Same, A: text(n), B: "2"} }},
		"person":       {mostWho, func(n int) Event { return Event{Step: Bad, A: "1", Who: text(n)} }},
		"reason":       {mostWhy, func(n int) Event { return Event{Step: Bad, A: "1", Why: text(n)} }},
		"name of a group": {mostText, func(n int) Event {
			return Event{Step: Name, A: "1", Text: text(n)}
		}},
	} {
		at, beyond := c.make(c.most), c.make(c.most+1)
		if err := at.check(); err != nil {
			t.Errorf("%s of %d bytes: %v", what, c.most, err)
		}
		if err := beyond.check(); !fault.IsInput(err) {
			t.Errorf("%s of %d bytes: %v", what, c.most+1, err)
		}
	}
	for n, want := range map[int]bool{mostSetting: true, mostSetting + 1: false} {
		if _, err := setting("x", text(n-2)); (err == nil) != want { // in JSON it has quotes
			t.Errorf("a setting of %d bytes: %v", n, err)
		}
	}
}
