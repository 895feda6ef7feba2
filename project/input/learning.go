package input

import (
	"math"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// Learning are the parameters of competitive learning, as their flags set them.
type Learning struct {
	Epochs                 int
	Rate, Unlearning       float64
	HalfLife               float64
	Schedule, Metric, Init string
	Penalty                string
	Prune                  bool

	given func(flag string) bool
}

// RateFlags adds the flags that say how prototypes start and learn, also on a stream.
func (l *Learning) RateFlags(fs *pflag.FlagSet) {
	l.given = fs.Changed
	fs.Float64Var(&l.Rate, "learning-rate", 0,
		"α, the share of the way to a row that a prototype goes (default 0.05)")
	fs.Float64Var(&l.Unlearning, "unlearning-rate", 0,
		"β, the share that a rival is driven away; 0: none (default 0.002)")
	fs.StringVar(&l.Penalty, "penalty", "controlled",
		"how far rpcl and crpcl drive a rival: controlled, by the winner's distance too, or "+
			"plain, as in the paper")
	fs.StringVar(&l.Schedule, "rate", "constant",
		"how α and β fall: constant, harmonic (one over the rows a prototype has won) or power "+
			"(over all rows)")
	fs.StringVar(&l.Metric, "prototype-metric", "euclidean",
		"distances that rpcl and crpcl learn for each prototype: euclidean, diagonal or full")
	fs.StringVar(&l.Init, "init", "plusplus",
		"where prototypes start: plusplus, gaussian (as a fifth of the rows is spread) or sample "+
			"(distinct rows)")
	fs.Float64Var(&l.HalfLife, "half-life", 0,
		"rows after which a win counts half, for data that drift (default: it counts for good)")
}

// Flags adds all flags.
func (l *Learning) Flags(fs *pflag.FlagSet) {
	l.RateFlags(fs)
	fs.IntVar(&l.Epochs, "epochs", 0, "passes over the rows in competitive learning (default 100)")
	fs.BoolVar(&l.Prune, "prune", false,
		"leave out prototypes that represent next to no rows: as many clusters as rpcl or crpcl "+
			"estimates")
}

// Settings checks the flags. Errors are a [fault.Setting].
func (l *Learning) Settings() (s method.Learning, err error) {
	switch {
	case l.Epochs < 0 || l.Epochs == 0 && l.given("epochs"):
		return s, fault.Settingf("--epochs is %d: give 1 or more", l.Epochs)
	case !(l.Rate > 0 && l.Rate <= 1) && l.given("learning-rate"):
		return s, fault.Settingf(
			"--learning-rate is %g: give a number above 0 and at most 1, such as 0.05", l.Rate)
	case !(l.Unlearning >= 0 && l.Unlearning < 1):
		return s, fault.Settingf(
			"--unlearning-rate is %g: give a number from 0 to below 1, such as 0.002", l.Unlearning)
	case !(l.HalfLife >= 1 && !math.IsInf(l.HalfLife, 0)) && l.given("half-life"):
		return s, fault.Settingf(
			"--half-life is %g: give a number of rows, 1 or more, such as 10000", l.HalfLife)
	}
	s = method.Learning{Epochs: l.Epochs, HalfLife: l.HalfLife, Prune: l.Prune}
	s.Rate.Start, s.Rate.Unlearn = l.Rate, l.Unlearning
	if l.Unlearning == 0 && l.given("unlearning-rate") {
		s.Rate.Unlearn = -1 // none, where 0 is the default
	}
	for _, c := range []struct {
		flag  string
		parse func() error
	}{
		{"rate", func() (err error) {
			s.Rate.Schedule, err = competitive.ParseSchedule(l.Schedule)
			return err
		}},
		{"penalty", func() (err error) {
			s.Rate.Penalty, err = competitive.ParsePenalty(l.Penalty)
			return err
		}},
		{"prototype-metric",
			func() (err error) { s.Metric, err = competitive.ParseMetric(l.Metric); return err }},
		{"init", func() (err error) { s.Init, err = competitive.ParseInit(l.Init); return err }},
	} {
		if err := c.parse(); err != nil {
			return s, fault.Settingf("--%s: %v", c.flag, err)
		}
	}
	return s, nil
}
