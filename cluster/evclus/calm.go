package evclus

import "github.com/kindred-go/kindred/ask"

// SettledAfter is how many answers in a row must change nothing for a run to be settled.
const SettledAfter = 5

// Settled reports whether the last answers, [SettledAfter] in a row, changed no label and hardly a
// mass: more are unlikely to change the groups. Answers that came without a look between them
// count as one change, or as none.
func (c *chooser) Settled(*ask.Ledger) bool {
	k := c.calm.at.Answers
	return k < len(c.calm.after) && c.calm.after[k] >= SettledAfter
}

// calm follows what answers change.
type calm struct {
	// after[k]: how many answers in a row, up to the k-th, changed nothing; −1: not known
	after []int
	at    ask.Mark // the answers that were looked at
	seen  *view    // under them; nil: none
	begun bool     // some answers were looked at
	slow  bool     // the last of them are looked at one by one
}

// due returns how many of the answers to look at, one look after the other. It forgets what was
// seen of answers that are gone. If answers that were restored are the first of this run, the last
// of them are looked at one by one: an earlier run may have been settled by them.
func (c *calm) due(known *ask.Ledger) (looks []int) {
	kept, fresh := known.Since(c.at)
	c.slow = known.Restored() > 0 && (!c.begun || c.slow)
	if kept < c.at.Answers {
		c.at, c.seen, c.slow = ask.Mark{}, nil, false
		c.after = c.after[:min(len(c.after), kept+1)]
	}
	all := kept + len(fresh)
	if c.slow {
		for k := max(0, all-SettledAfter); k < all; k++ {
			if c.seen == nil || k > c.at.Answers {
				looks = append(looks, k)
			}
		}
	}
	return append(looks, all)
}

// saw takes the view under the first k answers.
func (c *calm) saw(v *view, known *ask.Ledger, k int) {
	for len(c.after) <= k {
		c.after = append(c.after, -1)
	}
	if c.after[k] < 0 {
		c.after[k] = 0
		_, fresh := known.Since(c.at)
		since := k - c.at.Answers
		if c.seen != nil && since > 0 && v.settledSince(c.seen, fresh[:since]) {
			c.after[k] = c.after[c.at.Answers] + since
		}
	}
	c.at = known.Mark()
	c.slow = c.slow && k < c.at.Answers
	c.at.Answers = k
	c.seen, c.begun = v, c.begun || k > 0
}
