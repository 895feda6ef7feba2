package evclus

import "github.com/kindred-go/kindred/link"

// SettledAfter is how many answers in a row must change nothing for a run to be settled.
const SettledAfter = 5

// Settled reports whether the last answers, [SettledAfter] in a row, changed no label and hardly a
// mass: more are unlikely to change the groups. Answers that were told without a look between them
// count as one change, or as none.
func (r *Run) Settled() bool {
	r.look()
	return r.calm.settled(len(r.answers))
}

// calm follows what answers change.
type calm struct {
	// after[k]: how many answers in a row, up to the k-th, changed nothing; −1: not known
	after []int
	seen  *view // under the first at answers; nil: none
	at    int
	begun bool  // some answers were looked at
	due   []int // numbers of answers to look at before all of them
}

// saw takes the view under answers.
func (c *calm) saw(v *view, answers []link.Link) {
	k := len(answers)
	for len(c.after) <= k {
		c.after = append(c.after, -1)
	}
	if c.after[k] < 0 {
		c.after[k] = 0
		if c.seen != nil && c.at < k && v.settledSince(c.seen, answers[c.at:]) {
			c.after[k] = c.after[c.at] + k - c.at
		}
	}
	c.seen, c.at, c.begun = v, k, c.begun || k > 0
}

func (c *calm) settled(k int) bool { return k < len(c.after) && c.after[k] >= SettledAfter }

// rewind forgets all but the first answers.
func (c *calm) rewind(first int) {
	c.after = c.after[:min(len(c.after), first+1)]
	if c.at > first {
		c.seen = nil
	}
	c.due = nil
}

// expect has the last of n answers looked at one by one, if they are the first of this run: an
// earlier one may have been settled by them.
func (c *calm) expect(n int) {
	for k := max(0, n-SettledAfter); k < n && !c.begun; k++ {
		c.due = append(c.due, k)
	}
}

// told takes one more answer, after which there are n.
func (c *calm) told(n int) {
	if len(c.due) > 0 {
		c.due = append(c.due, n-1)
		c.due = c.due[max(0, len(c.due)-SettledAfter):]
	}
}
