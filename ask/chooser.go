package ask

import "context"

// Chooser chooses the questions of a session: what a method that asks has of its own. What it
// chooses must follow from its data, its configuration and the ledger alone. It may keep what it
// worked out, and see what has changed since by [Ledger.Since] and [Ledger.Excluded]; the ledger of
// a chooser is always the same one.
type Chooser interface {
	// Questions returns up to most open questions about different pairs: the one to ask now, and
	// those that are likely to follow. None is the end. When ctx ends it returns the error of ctx,
	// and the next call goes on from what is known then.
	Questions(ctx context.Context, known *Ledger, most int) ([]Prompt, error)
	// Remaining estimates how many answers are left: how many are likely, and how many at most. It
	// is called where Questions found one, and nothing has changed since.
	Remaining(known *Ledger) (likely, most int)
}

// Settler is a chooser that knows when further answers are unlikely to change anything. Its number
// of answers that remain is an estimate, as answers may raise new questions.
type Settler interface {
	// Settled reports whether they are; an answer taken back, or one that changes something, undoes
	// it. It is called after Questions, when nothing has changed since.
	Settled(known *Ledger) bool
}

// Guesser is a chooser that has an opinion of any pair.
type Guesser interface {
	// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in
	// words. It is asked of pairs that the ledger entails nothing of.
	Guess(known *Ledger, a, b int) (same float64, words string)
}

// ManyMore is the number of likely answers beyond which nobody is told a number of them where the
// method merely estimates it, as a [Settler] does.
const ManyMore = 50

// steps are the bounds that estimates are shown by. They are apart as far as estimates are wrong, so
// that few answers change what is shown.
var steps = [...]int{1, 3, 5, 10, 20, ManyMore}

// Between returns the bounds that an estimate of the answers that are left is shown by, of which
// there are at most so many: what may well be is 0.7 to 1.3 times as many. upto is 0 where that is
// more than [ManyMore], and both are 0 where none are likely.
func Between(likely, most int) (least, upto int) {
	if likely <= 0 {
		return 0, 0
	}
	least = 1
	for _, s := range steps {
		if 10*s <= 7*likely {
			least = s
		}
		if upto == 0 && 10*s >= 13*likely {
			upto = s
		}
	}
	if upto == 0 && most <= ManyMore {
		upto = most
	}
	return min(least, most), min(upto, most)
}
