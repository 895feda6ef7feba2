package cobras

import (
	"cmp"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// DefaultErrorRate is the share of wrong answers that the noise-robust version reckons with (Soenen
// et al. 2020).
const DefaultErrorRate = 0.1

// DefaultCertainty is how probable it must be that the answers in use are right (Soenen et al.
// 2020).
const DefaultCertainty = 0.95

// fewRows is the number of rows up to which a split takes ten k-means starts, as the authors do,
// and up to 300 iterations.
const fewRows = 20_000

// Config sets how super-instances are split and what is known before the first question. The
// zero value is COBRAS without given links.
type Config struct {
	// Options.Progress reports the k-means iterations while a super-instance is split.
	fit.Options
	// Limits are those of the k-means of a split. Starts 0: 10, or 1 for splits of more than 20 000
	// rows. MaxIterations 0: 300, or 10 for splits of more than 20 000 rows, where a person would
	// have to wait for the next question. Tolerance means nothing.
	fit.Limits
	// Knowledge.Links are known before the first question, between any rows. Contradictions is
	// what to do with links that contradict each other: refuse them (the default), or keep them out
	// of the clustering and count them as unmet. With an ErrorRate answers that contradict others
	// are always taken.
	fit.Knowledge

	// ErrorRate is how probable it is that an answer or a given link is wrong, below ½. 0: none is,
	// which is plain COBRAS. A link whose confidence is less than 1 − ErrorRate is wrong with one
	// minus its confidence.
	ErrorRate float64
	// Certainty is how probable it must be that all links in use are right before no more redundant
	// questions are asked, in [½, 1). 0: DefaultCertainty. It means something with an ErrorRate
	// only.
	Certainty float64
	// Askable marks the rows that may be asked about, one entry a row; nil means all. A
	// super-instance is represented by one of them, and one without any goes with the nearest that
	// has some.
	Askable []bool
}

func (c Config) check(data dataset.Matrix) error {
	if err := cmp.Or(cobra.CheckData("cobras", data, c.Askable),
		cobra.CheckErrorRate(c.ErrorRate)); err != nil {
		return err
	}
	switch {
	case c.Starts < 0:
		return fault.Inputf("give a positive number", "%d starts asked for", c.Starts)
	case c.MaxIterations < 0:
		return fault.Inputf("give a positive number",
			"at most %d iterations asked for", c.MaxIterations)
	case c.Certainty != 0 && !(c.Certainty >= 0.5 && c.Certainty < 1):
		return fault.Inputf("give a probability from 0.5 to below 1",
			"a certainty of %g", c.Certainty)
	}
	return cobra.CheckValues(data)
}

// starts is the number of k-means starts for a split of n rows.
func (c Config) starts(n int) int {
	switch {
	case c.Starts > 0:
		return c.Starts
	case n > fewRows:
		return 1
	}
	return 10
}

// iterations bounds the k-means iterations for a split of n rows.
func (c Config) iterations(n int) int {
	const few = 10
	if c.MaxIterations == 0 && n > fewRows {
		return few
	}
	return c.MaxIterations
}

func (c Config) certainty() float64 { return cmp.Or(c.Certainty, DefaultCertainty) }
