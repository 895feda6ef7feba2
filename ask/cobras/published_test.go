package cobras_test

import "testing"

// TestAgainstTheAuthors compares the mean adjusted Rand index over the answers 1 to 100, and the
// one after 100, with those of the authors' program (cobras-ts 0.1.3, COBRAS_kmeans) on the same
// data, exact answers: means over five seeds each.
func TestAgainstTheAuthors(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	const spread = 0.04 // about a standard deviation of the authors' runs
	for set, theirs := range map[string]struct{ area, last float64 }{
		"iris_dedup": {0.797, 0.865}, "wine": {0.856, 0.893},
		"dermatology_complete": {0.835, 0.907}, "ecoli": {0.630, 0.732},
		"optdigits389": {0.768, 0.818},
	} {
		area, last := means(t, set, "cobras", 0)
		t.Logf("%s: area %.3f (theirs %.3f), after 100 answers %.3f (%.3f)", set, area, theirs.area,
			last, theirs.last)
		if area < theirs.area-spread || last < theirs.last-spread {
			t.Errorf("%s: area %.3f, the authors' program has %.3f; after 100 answers %.3f and "+
				"%.3f", set, area, theirs.area, last, theirs.last)
		}
	}
}

// TestWrongAnswersOnWine: nCOBRAS keeps an adjusted Rand index of about .83 and .78 with 5 and 10 %
// wrong answers, where COBRAS has .53 and .45 (Soenen et al. 2020).
func TestWrongAnswersOnWine(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for wrong, paper := range map[float64]float64{0.05: 0.83, 0.1: 0.78} {
		area, last := means(t, "wine", "ncobras", wrong)
		if t.Logf("%g wrong: area %.3f, after 100 answers %.3f", wrong, area,
			last); last < paper-0.03 {
			t.Errorf("%g of the answers wrong: %.3f after 100, the paper has %.2f", wrong, last,
				paper)
		}
	}
}

// means returns the area under the curve of a method, and its end, means over five seeds.
func means(t *testing.T, set, name string, wrong float64) (area, last float64) {
	t.Helper()
	const seeds = 5
	x, classes := published(t, set)
	for seed := range uint64(seeds) {
		run, labels := begin(t, x, name, seed)
		values := curve(t, run, labels, classes, wrong, seed)
		for _, v := range values {
			area += v / budget / seeds
		}
		last += values[budget-1] / seeds
	}
	return area, last
}
