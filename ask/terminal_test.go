package ask

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// keyed returns a terminal that takes keys without Enter.
func keyed(keys string) (*Terminal, *strings.Builder) {
	var out strings.Builder
	t := NewTerminal(strings.NewReader(keys), &out,
		TerminalConfig{Show: func(link.Question) string { return "the two rows\n" }})
	t.raw = func() (func(), error) { return func() {}, nil }
	return t, &out
}

// TestSpaceIsDontKnowOnATerminal, as on the page; in a stream it lies between keys.
func TestSpaceIsDontKnowOnATerminal(t *testing.T) {
	on, out := keyed(" s")
	defer on.Close()
	for _, want := range []Reply{DontKnow, Same} {
		if got, err := on.Ask(t.Context(), link.Question{}); got != want || err != nil {
			t.Errorf("reply %d (%v), want %d", got, err, want)
		}
	}
	if !strings.Contains(out.String(), "[space] don't know") {
		t.Errorf("the key is not shown:\n%s", out)
	}
	stream, _ := keyed(" s")
	defer stream.Close()
	stream.raw = nil
	if got, err := stream.Ask(t.Context(), link.Question{}); got != Same || err != nil {
		t.Errorf("in a stream: reply %d (%v)", got, err)
	}
}

// TestHListsTheKeys, and the question goes on.
func TestHListsTheKeys(t *testing.T) {
	for _, steps := range []bool{false, true} {
		on, out := keyed("xhs")
		on.steps = steps
		if got, err := on.Ask(t.Context(), link.Question{}); got != Same || err != nil {
			t.Errorf("reply %d (%v)", got, err)
		}
		for text, want := range map[string]int{
			"x is no choice: h lists the keys\n": 1, "\n  d or !      different": 1,
			"\n  h           this list\n": 1, "[s] same": 3, "later: ask about": 0,
			"bad data: leave": 0,
		} {
			if steps && want == 0 {
				want = 1
			}
			if n := strings.Count(out.String(), text); n != want {
				t.Errorf("steps %v: %q is there %d times, not %d:\n%s", steps, text, n, want, out)
			}
		}
		on.Close()
	}
}

// TestNobodySeesTheQuestion: where nothing can be shown any more, there is no wait for a key.
func TestNobodySeesTheQuestion(t *testing.T) {
	keys, wait := io.Pipe()
	defer wait.Close()
	gone, out := io.Pipe()
	gone.Close()
	on := NewTerminal(keys, out,
		TerminalConfig{Show: func(link.Question) string { return "two\n" }})
	defer on.Close()
	if got, err := on.Ask(t.Context(), link.Question{}); got != Quit || err != nil {
		t.Errorf("reply %d (%v)", got, err)
	}
}

// TestStepsOnATerminal: k and b are what they are on the page where that is wanted.
func TestStepsOnATerminal(t *testing.T) {
	for keys, want := range map[string][]Reply{
		"kb1b2s":                 {Later, LeaveFirst, LeaveSecond, Same},
		"bbd":                    {Different}, // back
		"k\nbad\nback\nbad\n2\n": {Later, LeaveSecond},
		"b":                      {Quit}, // the end of the input
		"bq":                     {Quit}, // and not only back
		"bx1":                    {LeaveFirst},
	} {
		for _, stream := range []bool{false, true} {
			if !stream && strings.Contains(keys, "\n") {
				continue // words are for streams
			}
			on, out := keyed(keys)
			on.steps, on.name = true, func(row int) string { return fmt.Sprint("row ", row+1) }
			if stream {
				on.raw = nil
			}
			for _, reply := range want {
				if got, err := on.Ask(t.Context(), link.Question{A: 0, B: 6}); got != reply ||
					err != nil {
					t.Errorf("%q: reply %d (%v), want %d", keys, got, err, reply)
				}
			}
			on.Close()
			if keys[0] == 'k' && (!strings.Contains(out.String(), "[k] later   [b] bad data") ||
				!strings.Contains(out.String(), "[1] row 1   [2] row 7   [b] back   [q] quit")) {
				t.Errorf("%q: the keys are not shown:\n%s", keys, out)
			}
		}
	}
}

func TestAPersonSettlesAClash(t *testing.T) {
	clash := Clash{Answer: "12 ≠ 7", Chain: []Stated{
		{Words: "12 = 40", Opposite: "they differ"},
		{Words: "40 = 3, given with the data", Opposite: "they differ", Fixed: true},
		{Words: "3 = 7", Opposite: "they differ"},
	}}
	for keys, want := range map[string]struct {
		r  Remedy
		at int
	}{
		"t": {TakeBack, 0}, "k": {KeepDoubt, 0}, "1c": {Correct, 0}, "3x": {Drop, 2},
		"1b3c": {Correct, 2}, "2t": {TakeBack, 0}, "": {TakeBack, 0}, "1": {TakeBack, 0},
	} {
		on, out := keyed(keys)
		r, at, err := on.Settle(t.Context(), clash)
		on.Close()
		if r != want.r || r != TakeBack && at != want.at || err != nil {
			t.Errorf("%q: remedy %d of %d (%v), want %v", keys, r, at, err, want)
		}
		if keys == "" && !strings.Contains(out.String(), "Your answer was taken back.\n") {
			t.Errorf("nothing says that the answer is gone:\n%s", out)
		}
		for _, line := range []string{"  1  12 = 40\n", "     40 = 3, given with the data\n",
			"  3  3 = 7\n", "     12 ≠ 7, your answer now\n", "[1] [3] change that answer"} {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%q is not shown:\n%s", line, out)
			}
		}
	}
}
