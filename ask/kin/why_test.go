package kin_test

import (
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/link"
)

// TestReasonsVaryWithTheCase: a person who answers for a while does not read one sentence again and
// again, nor a long one.
func TestReasonsVaryWithTheCase(t *testing.T) {
	x, classes := prepared(t, "wine")
	run := begin(t, x, kin.Config{})
	kinds := map[string]bool{}
	for range 40 {
		q, ok := run.Next()
		if !ok {
			break
		}
		if len(q.Why) > 110 {
			t.Errorf("a long reason: %q", q.Why)
		}
		if q.Groups {
			kinds[digitless(q.Why)] = true
		}
		kind := truly(classes, q.A, q.B)
		if len(kinds)%2 == 0 {
			kind = link.Unknown
		}
		if err := run.Answer(kind); err != nil {
			t.Fatal(err)
		}
	}
	if len(kinds) < 3 {
		t.Errorf("all reasons to ask about groups: %v", kinds)
	}
}

// digitless returns a text without its numbers.
func digitless(text string) string {
	var out []rune
	for _, c := range text {
		if c < '0' || c > '9' {
			out = append(out, c)
		}
	}
	return string(out)
}
