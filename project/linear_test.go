package project_test

import (
	"runtime"
	"testing"
)

// TestOpeningIsLinear: whatever the method and the strategy, a project with twice the answers is
// opened with about twice the memory allocated: nothing is copied for each answer, or each few.
func TestOpeningIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens every kind of project several times")
	}
	const few, many = 1_000, 4_000
	data := file(t, 100, 4)
	var begun []string // projects of few and of many answers
	for _, n := range []int{few, many} {
		path := projectFile(t)
		answers(t, open(t, path, data, "label", "class", "method", "cobra"), path, n)
		begun = append(begun, path)
	}
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			var allocated []float64
			for _, path := range begun {
				path := copied(t, path)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				d := open(t, path, data, w.set...)
				runtime.ReadMemStats(&after)
				d.Close()
				allocated = append(allocated, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
			}
			const most = many / few * 1.5
			if ratio := allocated[1] / allocated[0]; ratio > most {
				t.Errorf("opening %d answers allocates %.0f MB, and %d answers %.0f MB: %.1f "+
					"times as much, and at most %g times are linear", few, allocated[0], many,
					allocated[1], ratio, most)
			} else {
				t.Logf("%.0f and %.0f MB: %.1f times", allocated[0], allocated[1], ratio)
			}
		})
	}
}
