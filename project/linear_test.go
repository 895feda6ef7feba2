package project_test

import (
	"runtime"
	"testing"
)

// TestOpeningIsLinear: whatever the method and the strategy, a project with four times the answers
// is opened with about four times the memory allocated, or a few times more where more answers let
// the method go another way: nothing is copied for each answer, or each few, which would allocate
// up to sixteen times as much.
func TestOpeningIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens every kind of project several times")
	}
	const few, many = 2_000, 8_000
	type begun struct {
		data     string
		projects [2]string // of few and of many answers
	}
	start := func(rows int) (b begun) {
		b.data = file(t, rows, 4)
		for i, n := range []int{few, many} {
			b.projects[i] = projectFile(t)
			answers(t, open(t, b.projects[i], b.data, "label", "class", "method", "cobra"),
				b.projects[i], n)
		}
		return b
	}
	all, small := start(1_000), start(200)
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			of := all
			if w.rows == fewRows {
				of = small
			}
			var allocated []float64 // MB
			for _, path := range of.projects {
				path := copied(t, path)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				d := open(t, path, of.data, w.set...)
				runtime.ReadMemStats(&after)
				d.Close()
				allocated = append(allocated, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
			}
			const most = many / few * 2.5
			ratio := allocated[1] / allocated[0]
			t.Logf("%.0f and %.0f MB: %.1f times", allocated[0], allocated[1], ratio)
			if ratio > most {
				t.Errorf("opening %d answers allocates %.0f MB, and %d answers %.0f MB, more than "+
					"%g times as much", few, allocated[0], many, allocated[1], most)
			}
		})
	}
}
