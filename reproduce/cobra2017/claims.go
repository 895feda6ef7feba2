package cobra2017

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// claims counts what the paper states in words, and of its figures, which have no numbers.
func (r results) claims() {
	add := func(text, paper, format string, of frame.Share) {
		if of.Of > 0 {
			r.Claim(text, paper, format, of)
		}
	}
	add("Table 1: each step, random order to closest pairs to super-instances, needs fewer "+
		"questions", "6 of 6 sets", "%s sets", r.fewerQuestions())
	near, below := r.nearBound()
	add("Figure 2: the number of questions is near the lower bound (ours: within a quarter of it)",
		"most tasks", "%s", near)
	add("Figure 2: fewer questions than the bound, where super-instances hold several clusters",
		"possible", "%s", below)
	for _, other := range []struct{ name, significant string }{{"MPCKMeans", "1 of 6"},
		{"COSC", "6 of 6"}} {
		ahead, significant := r.duels(other.name == "COSC")
		add("Table 2: COBRA wins against "+other.name+" more often than it loses",
			"6 of 6 comparisons", "%s", ahead)
		add("Table 2: it is significantly ahead of "+other.name, other.significant, "%s",
			significant)
	}
	first, differ := r.ranked()
	add("Table 3: COBRA has the best average rank", "at 25, 50 and 100 super-instances",
		"%s numbers of super-instances", first)
	add("Table 3: competitors that COBRA is significantly ahead of in rank", "10 of 12", "%s",
		differ)
	right, apart := r.clustersFound()
	add("COBRA finds the number of classes", "most often", "in %s runs", right)
	if right.N < right.Of {
		r.Claim("Where it does not, how far it is off on average", "very close", "%.1f clusters",
			apart/float64(right.Of-right.N))
	}
	worse, gains := r.misledDiffer()
	add("Told a wrong number of clusters, competitors do worse", "in the majority of cases", "%s",
		worse)
	if len(gains) > 0 {
		r.Claim("Where they do better, the gain in adjusted Rand index", "typically small",
			"%.3f in %d cases", frame.Mean(gains).Value, len(gains))
	}
	add("Figure 3: where COBRA is ahead up to 100 questions, it is ahead beyond", "all",
		"%s pairs of a set and a competitor", r.stillAhead())
	add("Figure 3: MPCKMeans gains less than .05 after 100 questions",
		"especially true for MPCKMeans", "%s sets", r.flat(mpckMinMax))
	for _, m := range []string{ours, coscMinMax} {
		flat := r.flat(m)
		add("Figure 3: "+m+" gains .05 or more after 100 questions", "several sets", "%s sets",
			frame.Share{N: flat.Of - flat.N, Of: flat.Of})
	}
}

func (r results) fewerQuestions() (fewer frame.Share) {
	for name := range paperOrders {
		var values []float64
		for _, m := range []string{inOrder, nearFirst, superInsts} {
			values = append(values, r.mean(orders, name, orders, m, "questions").Value)
		}
		if !math.IsNaN(values[0]) {
			fewer.Count(values[0] > values[1] && values[1] > values[2])
		}
	}
	return fewer
}

// dots of figure 2: the bound and the questions of each task at so many super-instances.
func (r results) dots(supers int) (bounds, questions []float64, titles []string) {
	for _, set := range r.Sets {
		if q := r.at(set.Name, ours, supers, "questions"); q.There() {
			bounds = append(bounds,
				bound(r.at(set.Name, ours, supers, "supers").Value, set.Classes))
			questions, titles = append(questions, q.Value), append(titles, set.Title)
		}
	}
	return bounds, questions, titles
}

func (r results) nearBound() (near, below frame.Share) {
	for _, s := range superCounts {
		bounds, questions, _ := r.dots(s)
		for i, b := range bounds {
			near.Count(math.Abs(questions[i]-b) <= b/4)
			below.Count(questions[i] < b)
		}
	}
	return near, below
}

func (r results) duels(spectral bool) (ahead, significant frame.Share) {
	for _, s := range superCounts {
		for _, c := range competitors {
			p := r.play(c.name, s)
			if c.spectral != spectral || p.Tasks() == 0 {
				continue
			}
			wins := p.Won > p.Lost
			ahead.Count(wins)
			significant.Count(wins && p.P < alpha)
		}
	}
	return ahead, significant
}

func (r results) ranked() (first, differ frame.Share) {
	for _, s := range superCounts {
		_, scores := r.scored(fiveMethods(), s)
		each, err := ranks(scores)
		if err != nil || len(scores) < 2 {
			continue
		}
		first.Count(!slices.ContainsFunc(each,
			func(other []float64) bool { return sum(each[0]) > sum(other) }))
		p := aligned(scores)
		for m := 1; m < len(each); m++ {
			differ.Count(p != nil && p[m] < alpha && sum(each[m]) > sum(each[0]))
		}
	}
	return first, differ
}

// clustersFound also returns by how many clusters the other runs are off in all.
func (r results) clustersFound() (right frame.Share, apart float64) {
	for _, set := range r.Sets {
		for _, s := range superCounts {
			for _, k := range r.folds(main, set.Name, ours, named(ours, s), "clusters") {
				d := math.Abs(k - float64(set.Classes))
				right.Count(d == 0)
				apart += d
			}
		}
	}
	return right, apart
}

func (r results) misledDiffer() (worse frame.Share, gains []float64) {
	for _, c := range competitors {
		for _, offset := range offsets {
			if offset == 0 {
				continue
			}
			ch := r.change(c.name, offset)
			for _, d := range ch.all {
				worse.Count(d < -tie)
			}
			gains = append(gains, ch.gains...)
		}
	}
	return worse, gains
}
