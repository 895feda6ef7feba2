package frame

import (
	"math"

	"github.com/kindred-go/kindred/eval"
)

// Duel is how a method did against another one on the same tasks.
type Duel struct {
	Won, Lost, Drawn int       // tasks
	Wins, Losses     []float64 // margins, of those won and lost
	P                float64   // two-sided, of Wilcoxon's signed ranks; NaN where there is none
}

// Against sets the scores of a method beside those of another one. Scores that differ by no more
// than tie are equal.
func Against(ours, theirs []float64, tie float64) Duel {
	d := Duel{P: math.NaN()}
	for i, v := range ours {
		switch margin := v - theirs[i]; {
		case margin > tie:
			d.Won++
			d.Wins = append(d.Wins, margin)
		case margin < -tie:
			d.Lost++
			d.Losses = append(d.Losses, -margin)
		default:
			d.Drawn++
		}
	}
	if test, err := eval.Wilcoxon(ours, theirs); err == nil {
		d.P = test.P
	}
	return d
}

// Tasks is the number of tasks.
func (d Duel) Tasks() int { return d.Won + d.Lost + d.Drawn }
