package worth

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// kindFresh are the sets that kin was not tuned on, which depend on who answers.
const kindFresh = "any that kin was not tuned on"

// kindsOfSets are kinds of data that a user can recognise.
var kindsOfSets = []struct {
	name string
	fits func(task) bool
}{
	{"any", func(task) bool { return true }},
	{"up to 250 rows", func(t task) bool { return t.x.Rows <= 250 }},
	{"251 to 1000 rows", func(t task) bool { return t.x.Rows > 250 && t.x.Rows <= 1000 }},
	{"above 1000 rows", func(t task) bool { return t.x.Rows > 1000 }},
	{"2 classes", func(t task) bool { return t.clusters == 2 }},
	{"3 to 5 classes", func(t task) bool { return t.clusters >= 3 && t.clusters <= 5 }},
	{"6 to 19 classes", func(t task) bool { return t.clusters >= 6 && !t.many() }},
	{"20 classes or more", task.many},
}

// few is how many sets of a kind are needed to conclude anything.
const few = 3

// choose is the table of which method is best for which data.
func (r *record) choose() frame.Table {
	t := frame.Table{
		Name: "choose", Title: "Which method to choose: the largest mean area over the first 100 " +
			"answers",
		Keys: []string{"data", "sets", "answers", "best that knows nothing",
			"best that knows the number of clusters"},
		Groups: []string{"of the former", "of the latter", preferred},
		Digits: 3, Plain: true,
		Notes: []string{"Of the methods that run on all the sets in question. Small sets are " +
			"those on which all methods run; see the rankings. Kinds with fewer than three sets " +
			"are left out."},
	}
	add := func(name string, sets []task, c condition) {
		without, a, some := r.best(c.name, sets,
			func(a asker) bool { return !a.KnowsClusters && !a.KnowsErrors })
		with, b, more := r.best(c.name, sets, func(a asker) bool { return a.KnowsClusters })
		if !some && !more {
			return
		}
		keys, cells := []string{name, fmt.Sprint(len(sets)), c.title, "–", "–"}, []frame.Cell{}
		for i, side := range []struct {
			name string
			mean float64
			ok   bool
		}{{without.Name, a, some}, {with.Name, b, more}} {
			if !side.ok {
				side.mean = math.NaN()
			} else {
				keys[3+i] = side.name
			}
			cells = append(cells, printed(side.mean))
		}
		t.AddCells(keys, append(cells, printed(r.average(c.name, sets, preferred, area100)))...)
	}
	ran := func(c condition, fits func(task) bool) []task {
		return r.where(func(s task) bool {
			return fits(s) && s.x.Rows <= quick.limit(r.Reduced) && r.has(c.name, s.name, "COBRAS")
		})
	}
	for i, kind := range kindsOfSets {
		for _, c := range r.marks {
			if sets := ran(c, kind.fits); i == 0 || len(sets) >= few {
				add(kind.name, sets, c)
			}
		}
		if i > 0 {
			continue
		}
		for _, c := range r.marks {
			add(kindFresh, c.apart(ran(c, kind.fits)), c)
		}
	}
	if all := r.reaches(); len(all) > 0 {
		small := all[len(all)-1]
		for _, c := range r.marks {
			add(fmt.Sprintf("small: up to %d rows", small.most), small.sets, c)
		}
	}
	if len(t.Rows) == 0 {
		t.Notes = []string{"Nothing was asked about: a reduced run leaves out large sets, and " +
			"some that are like others."}
	}
	return t
}

// claims count on how many sets the default beats others, without the share of wrong answers and
// with it.
func (r *record) claims() {
	for _, c := range r.marks {
		for _, ours := range []string{preferred, preferred + ", told"} {
			for _, rival := range []string{"COBRA 25", "COBRA 50", "COBRA 100", "COBRAS",
				"nCOBRAS"} {
				r.claim(c, ours, rival)
			}
		}
	}
}

// claim compares two askers on the sets on which both ran, if any.
func (r *record) claim(c condition, ours, rival string) {
	sets := r.where(func(s task) bool {
		return r.has(c.name, s.name, ours) && r.has(c.name, s.name, rival)
	})
	if len(sets) == 0 {
		return
	}
	text := "on " + r.counted(c, sets, ours, rival)
	if fresh := c.apart(sets); len(fresh) > 0 {
		text += ". Of those not tuned on, " + r.counted(c, fresh, ours, rival)
	}
	r.Claim(fmt.Sprintf("%s has a larger area over 100 answers than %s where %s", ours, rival,
		c.title), "", "%s", text)
}

// counted returns in words on how many sets one asker has a larger area than another, and how much
// larger it is.
func (r *record) counted(c condition, sets []task, ours, rival string) string {
	a, b := r.over(c.name, sets, ours, area100), r.over(c.name, sets, rival, area100)
	d := frame.Against(a, b, tie)
	text := fmt.Sprintf("%d of %s, %d lost; mean area %.3f beside %.3f", d.Won,
		words.Count(len(sets), "set"), d.Lost, frame.Mean(a).Value, frame.Mean(b).Value)
	if p := chance(d.P); p != "" {
		text += "; Wilcoxon p " + p
	}
	return text
}
