package competitive2013

import (
	"math"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

func TestPrintedFiguresHangTogether(t *testing.T) {
	for method, sets := range paperNMI {
		for set, row := range sets {
			mean := (row[0] + row[1] + row[2] + row[3] + row[4]) / 5
			if math.Abs(mean-row[5]) > .0011 {
				t.Errorf("table I, %s, %s: the average is %.4f, not %.3f", method, set, mean,
					row[5])
			}
		}
	}
	for method, sets := range paperViolated {
		for set, row := range sets {
			mean := (row[0] + row[1] + row[2] + row[3]) / 4
			if math.Abs(mean-row[4]) > .11 {
				t.Errorf("table III, %s, %s: the average is %.3f, not %.1f", method, set, mean,
					row[4])
			}
		}
	}
}

// TestThePapersCountsComeOfItsTables has the counts of section IV: 27 of 40, 47 %, 75 %, and 24 of
// 32. The third is 30 cells in the text and 29 by the printed figures, where two cells tie.
func TestThePapersCountsComeOfItsTables(t *testing.T) {
	var sets []*frame.Set
	for _, n := range needs() {
		sets = append(sets, &frame.Set{Need: n})
	}
	c := compiler{&frame.Results{Runs: &frame.Runs{},
		Plan: frame.Plan{Config: frame.Config{Trials: 1}, Sets: sets}}}
	c.counted(c.differences(0))
	c.fewer(c.violations("", "", "violated"))
	claims := c.Claims
	for i, want := range []string{"27 of 40 (68 %)", "19 of 40 (48 %)", "29 of 40 (72 %)",
		"24 of 32 (75 %)", "24 of 32 (75 %)"} {
		if claims[i].Paper != want {
			t.Errorf("%s: %s, not %s", claims[i].Text, claims[i].Paper, want)
		}
	}
}
