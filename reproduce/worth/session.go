package worth

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// checkpoints are the numbers of answers after which a partition is looked at: those that tables
// show, and some between, so that areas under the curve follow how fast it rises.
var checkpoints = []int{0, 1, 5, 10, 15, 20, 25, 35, 50, 75, 100, 150, 200, 250, 300}

// The last checkpoints of a set of few groups, and of one of many.
const lastFew, lastMany = 200, 300

// upTo returns the checkpoints up to the last one of a session.
func upTo(last int) []int {
	i, _ := slices.BinarySearch(checkpoints, last+1)
	return checkpoints[:i]
}

// shown are the checkpoints that are measures of rows that no answer is about, and columns of
// rankings.
var shown = []int{0, 10, 25, 50, 100, 200}

// counted are those at which groups are counted.
var counted = []int{0, 50, 100, 200, 300}

// judged are those at which the certainty of rows is compared with the classes.
var judged = []int{50, 100, 150, 200}

// curve is what a session came to.
type curve struct {
	// adjusted Rand index over all rows at each checkpoint, or at the last answer where the
	// questions ended before
	All     []float64
	Free    []float64 // the same over rows nobody was asked about; NaN where there is none
	Groups  []int     // clusters that the method estimates, or shows
	Asked   int       // questions asked up to the last checkpoint
	Seconds float64   // up to there
	Errors  []float64 // expected calibration error of the rows at judged; NaN: nothing is stated
	said    [kinds]tally
	claim   claim
}

// claim is what came of the first statement that more answers are unlikely to change anything.
type claim struct {
	made  bool
	after int     // answers
	index float64 // adjusted Rand index then
	later float64 // and patience answers later, or where the questions ended before
}

// patience is after how many more answers a claim is looked at again.
const patience = 50

// follower drives a session and looks at what it shows.
type follower struct {
	session *method.Session
	oracle  ask.Oracle
	classes []int32
	truth   []int // classes from 1
	over    bool  // nothing is left to ask
	asked   int
	curve   curve

	out   *method.Outcome // after at answers
	at    int
	index float64 // of out
}

// follow drives a session up to a checkpoint, and further where it states late that it is settled.
// "Don't know" counts as an answer.
func follow(ctx context.Context, m *method.Configured, p method.Problem, o ask.Oracle,
	last int) (curve, error) {
	start := time.Now()
	session, err := m.Begin(ctx, p)
	if err != nil {
		return curve{}, err
	}
	f := &follower{session: session, oracle: o, classes: p.Classes, truth: frame.FromOne(p.Classes)}
	for _, at := range upTo(last) {
		if err := f.until(ctx, at); err != nil {
			return curve{}, err
		}
		if err := f.look(ctx, at); err != nil {
			return curve{}, err
		}
	}
	f.curve.Asked, f.curve.Seconds = f.asked, time.Since(start).Seconds()
	return f.curve, f.settle(ctx)
}

// until asks until there are so many answers, or nothing is left to ask.
func (f *follower) until(ctx context.Context, at int) error {
	for !f.over && f.asked < at {
		if err := ctx.Err(); err != nil {
			return err
		}
		q, more := f.session.Next()
		if err := f.session.Err(); err != nil {
			return err
		}
		if f.over = !more; f.over {
			break
		}
		if q.Same > 0 {
			kind := rowQuestions
			if q.Groups {
				kind = groupQuestions
			}
			f.curve.said[kind].add(q.Same, f.classes[q.A] == f.classes[q.B])
		}
		reply, err := f.oracle.Ask(ctx, q)
		if err != nil {
			return err
		}
		kind, _ := reply.Kind()
		if err := f.session.Answer(kind); err != nil {
			return err
		}
		f.asked++
		if err := f.watch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// watch notes the first claim that the session is settled, and the index some answers later.
func (f *follower) watch(ctx context.Context) (err error) {
	c := &f.curve.claim
	switch {
	case !c.made && f.session.Settled():
		c.made, c.after, c.later = true, f.asked, math.NaN()
		c.index, err = f.show(ctx)
	case c.made && f.asked == c.after+patience:
		c.later, err = f.show(ctx)
	}
	return err
}

// settle goes on until a claim can be judged.
func (f *follower) settle(ctx context.Context) (err error) {
	c := &f.curve.claim
	if !c.made || !math.IsNaN(c.later) {
		return nil
	}
	said := f.curve.said // of the questions up to the last checkpoint
	err = f.until(ctx, c.after+patience)
	f.curve.said = said
	if err == nil && math.IsNaN(c.later) { // the questions have ended
		c.later, err = f.show(ctx)
	}
	return err
}

// show brings the outcome to the answers, and returns its adjusted Rand index.
func (f *follower) show(ctx context.Context) (float64, error) {
	if f.out != nil && f.at == f.asked {
		return f.index, nil
	}
	out, err := f.session.Outcome(ctx)
	if err != nil {
		return 0, err
	}
	all, err := eval.Compare(out.Labels, f.truth)
	if err != nil {
		return 0, err
	}
	f.out, f.at, f.index = out, f.asked, all.AdjustedRand
	return f.index, nil
}

// look measures what the session shows at a checkpoint.
func (f *follower) look(ctx context.Context, at int) error {
	index, err := f.show(ctx)
	if err != nil {
		return err
	}
	free, err := eval.CompareUntouched(f.out.Labels, f.truth, f.session.Answers())
	if err != nil { // none is left
		free.AdjustedRand = math.NaN()
	}
	c := &f.curve
	c.All, c.Free = append(c.All, index), append(c.Free, free.AdjustedRand)
	c.Groups = append(c.Groups, groupsOf(f.out))
	if slices.Contains(judged, at) {
		var now tally // which has an error of NaN where nothing is stated
		if said := certainty(f.out); said != nil {
			for row, right := range inMajority(f.out.Labels, f.truth) {
				now.add(said[row], right)
			}
		}
		c.said[ofRows].sum(&now)
		c.Errors = append(c.Errors, now.expectedError())
	}
	return nil
}

// groupsOf returns the number of clusters that an outcome estimates, or else has.
func groupsOf(out *method.Outcome) int {
	if out.Estimate > 0 {
		return out.Estimate
	}
	return out.Clusters
}
