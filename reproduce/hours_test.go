package reproduce

import "testing"

func TestHoursAreWritten(t *testing.T) {
	for n, want := range map[float64]string{0.25: "0.25 hours", 1: "1 hour", 1.04: "1 hour",
		1.5: "1.5 hours", 12: "12 hours"} {
		if got := hours(n); got != want {
			t.Errorf("%g: %q, not %q", n, got, want)
		}
	}
}
