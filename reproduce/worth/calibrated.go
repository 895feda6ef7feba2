package worth

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// calibrated are the askers that state probabilities.
var calibrated = []string{preferred, preferred + ", told"}

// calibration is the table of expected calibration errors.
func (r *record) calibration() frame.Table {
	t := frame.Table{
		Name:  "calibration",
		Title: "Calibration: how far what is stated is from what comes true",
		Keys:  []string{"answers", "method", "sets"},
		Groups: []string{"rows", "after 50", "after 100", "after 200", "questions about a row",
			"their widest bin", "questions about two groups", "and the widest of these"},
		Digits: 3, Plain: true,
		Notes: []string{fmt.Sprintf("Expected calibration errors in ten equal bins of which those "+
			"with at least %d cases count. Rows: means over sets, repetitions and 50, 100, 150 "+
			"and 200 answers; stated is the strength of a row in its group, or else its largest "+
			"mass on a group, and it is right where the row has the majority class of its group. "+
			"Questions: all of the first 200 answers (300 where groups are many) in one table of "+
			"bins; stated is the probability of “same”, and true is the class, not the answer. "+
			"The widest bin is that of the largest difference.",
			fewest)},
	}
	for _, c := range r.marks {
		for _, name := range calibrated {
			s := r.stating(c, name)
			if s.sets == 0 {
				continue
			}
			var cells []frame.Cell
			for _, v := range s.rows {
				cells = append(cells, printed(v))
			}
			for _, kind := range []int{rowQuestions, groupQuestions} {
				cells = append(cells, printed(s.errors[kind]), printed(s.widest[kind]))
			}
			t.AddCells([]string{c.title, name, fmt.Sprint(s.sets)}, cells...)
		}
	}
	return t
}

// stating is how far from what comes true an asker's statements are.
type stating struct {
	sets           int
	rows           [4]float64     // expected calibration errors: of all, and after 50, 100 and 200
	errors, widest [kinds]float64 // of questions
}

func (r *record) stating(c condition, name string) (s stating) {
	sets := r.where(func(t task) bool { return r.of(c.name, t.name, name, ece(0)).There() })
	if s.sets = len(sets); s.sets == 0 {
		return s
	}
	for i, at := range []int{0, 50, 100, 200} {
		s.rows[i] = r.average(c.name, sets, name, ece(at))
	}
	for _, kind := range []int{rowQuestions, groupQuestions} {
		all := &tally{}
		for _, t := range sets {
			all.sum(r.tally(c.name, t.name, name, kind))
		}
		s.errors[kind], s.widest[kind] = all.expectedError(), all.widest()
	}
	return s
}

// ece names the measure of the expected calibration error of rows at a checkpoint, 0 being the mean
// of all.
func ece(at int) string {
	if at == 0 {
		return "ece"
	}
	return fmt.Sprintf("ece_%d", at)
}

// binned is the table of what is stated and what comes true, bin by bin.
func (r *record) binned() frame.Table {
	t := frame.Table{
		Name: "calibration-bins", Title: "What is stated and what comes true, by tenths",
		Keys:   []string{"answers", "method", "of", "stated", "cases"},
		Groups: []string{"stated, mean", "true", "true – stated"}, Digits: 3, Plain: true,
		Long: true,
		Notes: []string{fmt.Sprintf("Cases of rows are sets with at least %d rows in a bin, of "+
			"which the means are; those of questions are questions, at least %[1]d.", fewest)},
	}
	for _, c := range r.marks {
		for _, name := range calibrated {
			for kind := range kinds {
				got := r.reliability(c.name, name, kind, r.tasks)
				for b := range bins {
					if math.IsNaN(got.said[b]) {
						continue
					}
					t.AddCells([]string{c.title, name, stated[kind].title,
						fmt.Sprintf("%d–%d %%", 100*b/bins, 100*(b+1)/bins),
						fmt.Sprint(got.n[b])}, printed(got.said[b]), printed(got.right[b]),
						printed(got.right[b]-got.said[b]))
				}
			}
		}
	}
	return t
}

// settled is the table of what came of the claims that more answers are unlikely to change much.
func (r *record) settled() frame.Table {
	t := frame.Table{
		Name: "settled", Title: fmt.Sprintf("“Settled”, and %d answers later", patience),
		Keys: []string{"answers", "method", "sessions", "settled", "changed by .02 or more"},
		Groups: []string{"share of them", "answers before", "index then", "index later",
			"largest change"},
		Digits: 3, Plain: true,
		Notes: []string{"The first time that a session states that more answers are unlikely to " +
			"change much. Where the questions end before, the last partition counts."},
	}
	for _, c := range r.marks {
		for _, name := range calibrated {
			s := r.settling(c, name)
			if s.sessions == 0 {
				continue
			}
			n := len(s.then)
			share, most := math.NaN(), math.NaN()
			if n > 0 {
				share, most = float64(s.changed)/float64(n), s.most
			}
			t.AddCells([]string{c.title, name, fmt.Sprint(s.sessions), fmt.Sprint(n),
				fmt.Sprint(s.changed)}, printed(share), printed(frame.Mean(s.after).Value),
				printed(frame.Mean(s.then).Value), printed(frame.Mean(s.later).Value),
				printed(most))
		}
	}
	return t
}

// settling is what came of the claims of an asker.
type settling struct {
	sessions, changed  int
	after, then, later []float64
	most               float64
}

// moved is by how much an index changes that has changed.
const moved = 0.02

// settling returns what came of them on all sets.
func (r *record) settling(c condition, name string) (s settling) {
	for _, t := range r.tasks {
		key := frame.Key{Part: c.name, Set: t.name, Setting: name}
		s.sessions += len(r.Over(key, 1, name, area100))
		then, later := r.Over(key, 1, name, settledIndex), r.Over(key, 1, name, settledLater)
		for i, after := range r.Over(key, 1, name, settledAfter) {
			if math.IsNaN(after) {
				continue
			}
			change := math.Abs(later[i] - then[i])
			if change >= moved {
				s.changed++
			}
			s.most = max(s.most, change)
			s.after, s.then, s.later = append(s.after, after), append(s.then, then[i]),
				append(s.later, later[i])
		}
	}
	return s
}

// statedClaims are what untold errors, what is stated and claims to be settled come to.
func (r *record) statedClaims() {
	for _, c := range r.marks {
		for _, name := range calibrated {
			if f := r.fallen(c, name); f.sets > 0 && c.errors > 0 {
				r.Claim(fmt.Sprintf("index of %s after 200 answers below its best where %s", name,
					c.title), "", "%.3f on a set, %.3f of the mean curve; mean area %.3f", f.onSet,
					f.ofMean, f.area)
			}
			if s := r.stating(c, name); s.sets > 0 {
				text := fmt.Sprintf("rows %.3f", s.rows[0])
				for _, kind := range []int{rowQuestions, groupQuestions} {
					if !math.IsNaN(s.errors[kind]) {
						text += fmt.Sprintf("; %s %.3f, in a tenth at most %.3f",
							stated[kind].title, s.errors[kind], s.widest[kind])
					}
				}
				r.Claim(fmt.Sprintf("expected calibration error of %s where %s", name, c.title), "",
					"%s", text)
			}
			s := r.settling(c, name)
			if len(s.then) == 0 {
				continue
			}
			r.Claim(fmt.Sprintf("%s states that it is settled where %s, and %d more answers "+
				"change the index by .02 or more", name, c.title, patience), "",
				"%d of %d claims in %s", s.changed, len(s.then), words.Count(s.sessions, "session"))
		}
	}
}
