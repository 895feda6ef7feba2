package cobra2017

import (
	"math"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// claims counts what the paper states in words, and of its figures, which have no numbers.
func (r results) claims() {
	add := func(says, paper string, of int, format string, values ...any) {
		if of > 0 {
			r.Claim(says, paper, format, values...)
		}
	}
	fewer, of := r.fewerQuestions()
	add("Table 1: each step, random order to closest pairs to super-instances, needs fewer "+
		"questions", "6 of 6 sets", of, "%d of %d sets", fewer, of)
	near, below, of := r.nearBound()
	add("Figure 2: the number of questions is near the lower bound (ours: within a quarter of it)",
		"most tasks", of, "%d of %d", near, of)
	add("Figure 2: fewer questions than the bound, where super-instances hold several clusters",
		"possible", of, "%d of %d", below, of)
	ahead, significant, of := r.duels(false)
	add("Table 2: COBRA wins against MPCKMeans more often than it loses", "6 of 6 comparisons", of,
		"%d of %d", ahead, of)
	add("Table 2: it is significantly ahead of MPCKMeans", "1 of 6", of, "%d of %d", significant,
		of)
	ahead, significant, of = r.duels(true)
	add("Table 2: COBRA wins against COSC more often than it loses", "6 of 6 comparisons", of,
		"%d of %d", ahead, of)
	add("Table 2: it is significantly ahead of COSC", "6 of 6", of, "%d of %d", significant, of)
	first, differ, of := r.ranked()
	add("Table 3: COBRA has the best average rank", "at 25, 50 and 100 super-instances", of,
		"%d of %d numbers of super-instances", first, of)
	add("Table 3: competitors that COBRA is significantly ahead of in rank", "10 of 12", of,
		"%d of %d", differ, of*len(competitors))
	right, apart, of := r.clustersFound()
	add("COBRA finds the number of classes", "most often", of, "in %d of %d runs", right, of)
	add("Where it does not, how far it is off on average", "very close", of-right, "%.1f clusters",
		apart)
	worse, better, gain, of := r.misledDiffer()
	add("Told a wrong number of clusters, competitors do worse", "in the majority of cases", of,
		"%d of %d", worse, of)
	add("Where they do better, the gain in adjusted Rand index", "typically small", better,
		"%.3f in %d cases", gain, better)
	still, leads := r.stillAhead()
	add("Figure 3: where COBRA is ahead up to 100 questions, it is ahead beyond", "all", leads,
		"%d of %d pairs of a set and a competitor", still, leads)
	flat, of := r.flat(mpckMinMax)
	add("Figure 3: MPCKMeans gains less than .05 after 100 questions",
		"especially true for MPCKMeans", of, "%d of %d sets", flat, of)
	for _, m := range []string{ours, coscMinMax} {
		flat, of := r.flat(m)
		add("Figure 3: "+m+" gains .05 or more after 100 questions", "several sets", of,
			"%d of %d sets", of-flat, of)
	}
}

func (r results) fewerQuestions() (fewer, of int) {
	for name := range paperOrders {
		var values []float64
		for _, m := range []string{inOrder, nearFirst, superInsts} {
			values = append(values, r.mean(orders, name, orders, m, "questions").Value)
		}
		if math.IsNaN(values[0]) {
			continue
		}
		if of++; values[0] > values[1] && values[1] > values[2] {
			fewer++
		}
	}
	return fewer, of
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

func (r results) nearBound() (near, below, of int) {
	for _, s := range supers(r.Plan) {
		bounds, questions, _ := r.dots(s)
		for i, b := range bounds {
			if of++; math.Abs(questions[i]-b) <= b/4 {
				near++
			}
			if questions[i] < b {
				below++
			}
		}
	}
	return near, below, of
}

func (r results) duels(spectral bool) (ahead, significant, of int) {
	for _, s := range supers(r.Plan) {
		for _, c := range competitors {
			p := r.play(c.name, s)
			if c.spectral != spectral || p.tasks() == 0 {
				continue
			}
			of++
			if sum(p.won) > sum(p.lost) {
				ahead++
				if p.significant() {
					significant++
				}
			}
		}
	}
	return ahead, significant, of
}

func (r results) ranked() (first, differ, of int) {
	for _, s := range supers(r.Plan) {
		_, scores := r.scored(fiveMethods(), s)
		each, err := ranks(scores)
		if err != nil || len(scores) < 2 {
			continue
		}
		of++
		best := true
		for m := range each {
			best = best && sum(each[0]) <= sum(each[m])
		}
		if best {
			first++
		}
		for m, p := range aligned(scores) {
			if m > 0 && p < alpha && sum(each[m]) > sum(each[0]) {
				differ++
			}
		}
	}
	return first, differ, of
}

func (r results) clustersFound() (right int, apart float64, of int) {
	for _, set := range r.Sets {
		for _, s := range supers(r.Plan) {
			for _, k := range r.folds(main, set.Name, ours, named(ours, s), "clusters") {
				of++
				if d := math.Abs(k - float64(set.Classes)); d == 0 {
					right++
				} else {
					apart += d
				}
			}
		}
	}
	return right, apart / float64(of-right), of
}

func (r results) misledDiffer() (worse, better int, gain float64, of int) {
	var gains []float64
	for _, c := range competitors {
		for _, offset := range offsets {
			if offset == 0 {
				continue
			}
			ch := r.change(c.name, offset)
			w, _, b := ch.split()
			worse, better, of, gains = worse+w, better+b, of+len(ch.all), append(gains, ch.gains...)
		}
	}
	return worse, better, frame.Mean(gains).Value, of
}
