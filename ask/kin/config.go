package kin

import (
	"cmp"
	"fmt"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
)

// DefaultSuperInstances is the number of super-instances when none is given and few groups are
// expected. Of many groups each has eight, or more up to 28 while there are less than 3000 in all.
// Fewer rows have one each.
const DefaultSuperInstances = 300

// MaxSuperInstances bounds the number of super-instances, as each question looks at all of them.
const MaxSuperInstances = 100_000

// Certainty is how plausible a group must be, beside the others, for an object to join it without
// further questions.
const Certainty = 0.9

// Config sets how to ask. The zero value is the method as described, for answers that are right.
type Config struct {
	// Options.Progress reports the work before the first question: the estimate of the number of
	// groups, and the k-means iterations.
	fit.Options
	// Limits are those of the k-means that builds super-instances. Starts 0: 1. MaxIterations 0:
	// 300 up to 20 000 rows and 5 above, where a person would have to wait for the first question:
	// super-instances need not be the best, only small. Tolerance means nothing.
	fit.Limits
	// Knowledge.Links are known before the first question, between any rows. Contradictions is
	// what to do with links that contradict each other: refuse them (the default), or keep them out
	// of the clustering and count them as unmet. Unless answers are Reliable, those that contradict
	// others are always taken, and with an ErrorRate such links are, too.
	fit.Knowledge

	// Expected is the number of groups that the distances alone are to suggest: there are so many
	// before the first answer, unless links say otherwise, and answers make them others. At most four
	// for each ten super-instances are told apart. 0: it is estimated.
	Expected int
	// SuperInstances is the number of super-instances, up to MaxSuperInstances. 0:
	// DefaultSuperInstances, or more of many groups. More than there are rows is taken as one per
	// row. With as many answers as super-instances nothing is left to ask.
	SuperInstances int
	// ErrorRate is how probable it is that an answer is wrong, below ½. Answers that surprise are
	// asked for again about other objects of the same group. 0: it is inferred from the answers
	// that contradict others, but where answers are Reliable.
	ErrorRate float64
	// Reliable means that no answer is wrong: nothing is asked again.
	Reliable bool
	// Askable marks the rows that may be asked about, one entry a row; nil means all. A
	// super-instance is represented by one of them, and one without any goes with the nearest that
	// has some.
	Askable []bool
}

// infers reports whether the error rate is inferred.
func (c Config) infers() bool { return c.ErrorRate == 0 && !c.Reliable }

func (c Config) check(data dataset.Matrix) error {
	if c.SuperInstances < 0 || c.SuperInstances > MaxSuperInstances {
		return fault.Inputf(fmt.Sprintf("give a number from 1 to %d", MaxSuperInstances),
			"%d super-instances asked for", c.SuperInstances)
	}
	if c.Expected < 0 || c.Expected > data.Rows {
		return fault.Inputf(fmt.Sprintf("give a number from 1 to %d", data.Rows),
			"%d groups expected of %s", c.Expected, words.Count(data.Rows, "row"))
	}
	return cmp.Or(cobra.CheckErrorRate(c.ErrorRate), cobra.CheckData("kin", data, c.Askable))
}

// parts is the configuration of the super-instances of n rows, of which so many groups are
// expected.
func (c Config) parts(n, groups int) cobra.Config {
	fine := int((nodesEach + float64(nodesMore*compact(groups))) * float64(groups))
	count := cmp.Or(c.SuperInstances, min(MaxSuperInstances,
		max(DefaultSuperInstances, nodesEach*groups, min(someNodes, fine))))
	return cobra.Config{
		SuperInstances: min(count, n),
		Limits: fit.Limits{Starts: c.Starts,
			MaxIterations: cmp.Or(c.MaxIterations, iterations(n))},
		Options: c.Options,
		Askable: c.Askable,
	}
}

// iterations is how many k-means iterations n rows take at most, where it is not said; 0: as many
// as k-means takes.
func iterations(n int) int {
	const many, few = 20_000, 5
	if n > many {
		return few
	}
	return 0
}
