package dataset

import "testing"

// TestNumberedNote names one column as one.
func TestNumberedNote(t *testing.T) {
	for count, want := range map[int]string{1: "the column is named x1",
		3: "the columns are named x1 to x3"} {
		if got := numberedNote(count); got != want {
			t.Errorf("%d: %q, want %q", count, got, want)
		}
	}
}
