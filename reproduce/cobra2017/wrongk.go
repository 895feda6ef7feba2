package cobra2017

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// change is what a wrong number of clusters does to a method on the tasks: scores less those with
// the right number.
type change struct{ all, gains []float64 }

// worse, equal and better tasks.
func (c change) split() (worse, equal, better int) {
	for _, d := range c.all {
		switch {
		case d > tie:
			better++
		case d < -tie:
			worse++
		default:
			equal++
		}
	}
	return worse, equal, better
}

func (r results) change(method string, offset int) (c change) {
	for _, set := range r.Sets {
		right := r.mean(wrongK, set.Name, method+" "+offsetName(0), method, "ari")
		wrong := r.mean(wrongK, set.Name, method+" "+offsetName(offset), method, "ari")
		if !right.There() || !wrong.There() {
			continue
		}
		d := wrong.Value - right.Value
		if c.all = append(c.all, d); d > tie {
			c.gains = append(c.gains, d)
		}
	}
	return c
}

func (r results) misled() frame.Table {
	t := frame.Table{
		Name: "told", Title: fmt.Sprintf("Section 4. Competitors with a wrong number of "+
			"clusters, at COBRA's questions with %d super-instances: the change of the adjusted "+
			"Rand index", beside),
		Keys:   []string{"method", "number", "worse : equal : better"},
		Groups: []string{"mean change", "mean gain where better"}, Digits: 3, Signed: true,
		Plain: true, Spread: true,
		Notes: []string{"Means and standard deviations over the tasks that each was run on; K − " +
			"1 and K − 2 only where that is two clusters or more. MinMax takes the same number " +
			"as the method."},
	}
	t.Notes = append(t.Notes, r.leftOut(wrongK)...)
	for _, c := range competitors {
		for _, offset := range offsets {
			ch := r.change(c.name, offset)
			if offset == 0 || len(ch.all) == 0 {
				continue
			}
			worse, equal, better := ch.split()
			t.AddCells([]string{c.name, offsetName(offset),
				fmt.Sprintf("%d : %d : %d", worse, equal, better)},
				one(frame.None, frame.Mean(ch.all)), one(frame.None, frame.Mean(ch.gains)))
		}
	}
	return t
}

// timedMethods in the order of figure 4.
func timedMethods() []string { return append(fiveMethods(), splits) }

func (r results) time(set, method string) frame.Figure {
	return r.mean(times, set, method, method, "seconds")
}

func (r results) seconds() frame.Table {
	t := frame.Table{
		Name: "times", Title: fmt.Sprintf(
			"Figure 4 in numbers: seconds from the data to the clustering, at %d super-instances "+
				"and as many questions as COBRA takes", beside),
		Keys: []string{"task"}, Groups: timedMethods(), Digits: 3, Plain: true, Spread: true,
		Long:  true,
		Notes: []string{"On one thread; the seconds of those who answer are none."},
	}
	t.Notes = append(append(t.Notes, r.leftOut(times)...), r.pace()...)
	for _, set := range r.Sets {
		t.AddSome([]string{set.Title},
			func(m string) frame.Cell { return one(frame.None, r.time(set.Name, m)) })
	}
	return t
}

// pace returns what the paper states of times, and ours: in notes, for seconds differ from run to
// run.
func (r results) pace() (notes []string) {
	paper := map[string]string{mpckMinMax: "comparable", coscMinMax: "significantly more",
		mpckNPU: "much slower", coscNPU: "much slower"}
	for _, c := range competitors {
		if ratio, of := r.slower(c.name); of > 0 {
			notes = append(notes,
				fmt.Sprintf("%s takes %.1f times as long as COBRA (median of %d tasks); the "+
					"paper: %s.", c.name, ratio, of, paper[c.name]))
		}
	}
	if longest, of := r.longest(ours, mpckMinMax); of > 0 {
		notes = append(notes,
			fmt.Sprintf("COBRA and MPCKM-MinMax take at most %.2g seconds; the paper: always "+
				"under 10.", longest))
	}
	return notes
}

// slower returns the median over tasks of the time of a method over COBRA's.
func (r results) slower(method string) (ratio float64, of int) {
	var ratios []float64
	for _, set := range r.Sets {
		a, b := r.time(set.Name, method), r.time(set.Name, ours)
		if a.There() && b.There() && b.Value > 0 {
			ratios = append(ratios, a.Value/b.Value)
		}
	}
	if len(ratios) == 0 {
		return math.NaN(), 0
	}
	slices.Sort(ratios)
	low, high := ratios[(len(ratios)-1)/2], ratios[len(ratios)/2]
	return (low + high) / 2, len(ratios)
}

func (r results) longest(methods ...string) (seconds float64, of int) {
	for _, set := range r.Sets {
		for _, m := range methods {
			if f := r.time(set.Name, m); f.There() {
				seconds = max(seconds, f.Value)
				of++
			}
		}
	}
	return seconds, of
}
