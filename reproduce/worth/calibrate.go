package worth

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// What is stated as a probability: that a row is of its group, and that the answer to a question is
// "same".
const (
	ofRows = iota
	rowQuestions
	groupQuestions
	kinds
)

// stated names the kinds, in measures and in tables.
var stated = [kinds]struct{ measure, title, short string }{
	{"rows", "rows", "rows"},
	{"row_questions", "questions about a row", "a row"},
	{"group_questions", "questions about two groups", "two groups"},
}

// bins are equal parts of [0, 1]. One with fewer than fewest cases does not count.
const bins, fewest = 10, 30

// tally counts by bins what was stated, and what came of it.
type tally struct {
	n, said, right [bins]float64 // cases, the sum of what was stated, and how many came true
}

// add adds a case.
func (t *tally) add(said float64, right bool) {
	b := min(bins-1, max(0, int(said*bins)))
	t.n[b]++
	t.said[b] += said
	if right {
		t.right[b]++
	}
}

// sum adds the cases of another.
func (t *tally) sum(o *tally) {
	for b := range bins {
		t.n[b] += o.n[b]
		t.said[b] += o.said[b]
		t.right[b] += o.right[b]
	}
}

// means returns what was stated in a bin and which share came true; NaN where too few cases are in
// it.
func (t *tally) means(b int) (said, right float64) {
	if t.n[b] < fewest {
		return math.NaN(), math.NaN()
	}
	return t.said[b] / t.n[b], t.right[b] / t.n[b]
}

// expectedError is the expected calibration error: the mean of |stated − true| over the bins that
// count, weighed by their cases (Naeini, Cooper and Hauskrecht 2015); NaN where none counts.
func (t *tally) expectedError() float64 {
	sum, n := 0.0, 0.0
	for b := range bins {
		if said, right := t.means(b); !math.IsNaN(said) {
			sum += float64(t.n[b] * math.Abs(said-right))
			n += t.n[b]
		}
	}
	return sum / n
}

// widest returns the largest |stated − true| of a bin that counts; NaN where none does.
func (t *tally) widest() float64 {
	most := math.NaN()
	for b := range bins {
		if said, right := t.means(b); !math.IsNaN(said) && !(math.Abs(said-right) <= most) {
			most = math.Abs(said - right)
		}
	}
	return most
}

// certainty returns how sure an outcome is of the cluster of each row: its strength, or else the
// largest mass on a cluster; nil where it has neither.
func certainty(out *method.Outcome) []float64 {
	if out.Strength != nil {
		return out.Strength
	}
	p := out.Credal
	if p == nil {
		return nil
	}
	said := make([]float64, p.Len())
	for i := range said {
		for j, m := range p.Row(i) {
			if p.Focal[j].Len() == 1 {
				said[i] = max(said[i], m)
			}
		}
	}
	return said
}

// inMajority reports of each row whether it has the majority class of its group; of equally many,
// the lowest.
func inMajority(labels, truth []int) []bool {
	count := map[[2]int]int{}
	for i, label := range labels {
		count[[2]int{label, truth[i]}]++
	}
	major := map[int]int{} // class by group
	for at, n := range count {
		now, known := major[at[0]]
		if most := count[[2]int{at[0], now}]; !known || n > most || n == most && at[1] < now {
			major[at[0]] = at[1]
		}
	}
	out := make([]bool, len(labels))
	for i, label := range labels {
		out[i] = truth[i] == major[label]
	}
	return out
}

// The measures of tallies.
func inBin(kind int, what string, b int) string {
	return fmt.Sprintf("%s_%s_%d", stated[kind].measure, what, b)
}

var tallied = []string{"n", "said", "right"}

func tallyMeasures() (names []string) {
	for kind := range kinds {
		for _, what := range tallied {
			for b := range bins {
				names = append(names, inBin(kind, what, b))
			}
		}
	}
	return names
}

// values sets the measures of a tally.
func (t *tally) values(v frame.Values, kind int) {
	for b := range bins {
		if t.n[b] > 0 {
			for i, of := range []*[bins]float64{&t.n, &t.said, &t.right} {
				v[inBin(kind, tallied[i], b)] = of[b]
			}
		}
	}
}

// tally returns what an asker stated on a set in all repetitions.
func (r *record) tally(part, set, name string, kind int) *tally {
	t := &tally{}
	for b := range bins {
		for i, to := range []*[bins]float64{&t.n, &t.said, &t.right} {
			for _, v := range r.Over(frame.Key{Part: part, Set: set, Setting: name}, 1, name,
				inBin(kind, tallied[i], b)) {
				if !math.IsNaN(v) {
					to[b] += v
				}
			}
		}
	}
	return t
}

// reliability is what an asker stated on some sets in the bins: where sets are weighed, the mean
// over those that have enough in a bin, so that none counts for more than another.
type reliability struct {
	n, said, right [bins]float64 // cases, or sets; NaN where too few
}

// reliability returns it of rows by sets, as they have very different numbers of them, and of
// questions by cases.
func (r *record) reliability(part, name string, kind int, sets []task) reliability {
	var out reliability
	all := &tally{}
	said, right := [bins][]float64{}, [bins][]float64{}
	for _, s := range sets {
		t := r.tally(part, s.name, name, kind)
		all.sum(t)
		for b := range bins {
			if x, y := t.means(b); !math.IsNaN(x) {
				said[b], right[b] = append(said[b], x), append(right[b], y)
			}
		}
	}
	for b := range bins {
		out.n[b] = all.n[b]
		out.said[b], out.right[b] = all.means(b)
		if kind == ofRows {
			out.n[b] = float64(len(said[b]))
			out.said[b], out.right[b] = frame.Mean(said[b]).Value, frame.Mean(right[b]).Value
		}
	}
	return out
}

// judgedErrors sets the measures of the expected calibration errors.
func (c curve) judgedErrors(v frame.Values) {
	v[ece(0)] = frame.Mean(c.Errors).Value
	for i, at := range judged {
		v[ece(at)] = c.Errors[i]
	}
}
