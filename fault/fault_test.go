package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func ExampleInput() {
	err := &fault.Input{File: "wine.csv", Line: 14, Column: "ash", Problem: `"abc" is not a number`,
		Fix: "fix the value, or leave the column out with --drop ash"}
	fmt.Println(err)
	// Output:
	// wine.csv, line 14, column ash: "abc" is not a number; fix the value, or leave the column out with --drop ash
}

func TestOnlyWhatIsKnownIsSaid(t *testing.T) {
	for want, in := range map[string]fault.Input{
		"the data are empty":          {Problem: "the data are empty"},
		"x.npy, row 3: is cut short":  {File: "x.npy", Row: 3, Problem: "is cut short"},
		"column y: twice; rename one": {Column: "y", Problem: "twice", Fix: "rename one"},
		"x.csv, line 2: ragged; add fields": {File: "x.csv", Line: 2, Row: 1, Problem: "ragged",
			Fix: "add fields"},
	} {
		if got := in.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestIsInputLooksThroughWrapping(t *testing.T) {
	cause := &fault.Input{Problem: "is cut short", Err: io.ErrUnexpectedEOF}
	wrapped := fmt.Errorf("reading: %w", cause)
	if !fault.IsInput(wrapped) || !errors.Is(wrapped, io.ErrUnexpectedEOF) {
		t.Error("a wrapped fault is not found")
	}
	if fault.IsInput(io.EOF) || fault.IsInput(nil) {
		t.Error("another error is taken for a fault")
	}
}
