package kin_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/link"
)

// TestWhatAQuestionStates: its kind and its probability are those of its words.
func TestWhatAQuestionStates(t *testing.T) {
	x, classes := clouds(300)
	run := begin(t, x, kin.Config{SuperInstances: 60})
	kinds := make(map[bool]int)
	for range 60 {
		q, ok := run.Next()
		if !ok {
			break
		}
		kinds[q.Groups]++
		if q.Groups != strings.Contains(q.Why, "nearest") {
			t.Errorf("about two groups: %v, in words %q", q.Groups, q.Why)
		}
		stated := fmt.Sprintf("%.0f %%", min(99, max(1, math.Round(100*q.Same))))
		if q.Same <= 0 || q.Same > 1 || !strings.Contains(q.Why, stated) {
			t.Errorf("%g the same, in words %q", q.Same, q.Why)
		}
		answer(t, run, 1, func(a, b int) link.Kind { return truly(classes, a, b) })
	}
	if kinds[false] == 0 || kinds[true] == 0 {
		t.Errorf("of two groups or not: %v", kinds)
	}
}
