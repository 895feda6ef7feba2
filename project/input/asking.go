package input

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// Asking are the parameters of sessions, as their flags set them.
type Asking struct {
	Strategy               string
	OracleErrors, Unknowns float64
}

func (f *Asking) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.Strategy, "strategy", "",
		"which pairs a method asks about that has no questions of its own: "+
			strings.Join(strategy.Names(), ", ")+" (default minmax with -k, else farthest-first)")
	fs.Float64Var(&f.OracleErrors, "oracle-errors", 0,
		"share of the answers of --oracle labels that are wrong, from 0 to 1")
	fs.Float64Var(&f.Unknowns, "oracle-unknowns", 0,
		"share of the answers of --oracle labels that are unknown, from 0 to 1")
}

// settings checks the flags.
func (f *Asking) settings(seed uint64) (method.Asking, error) {
	a := method.Asking{Strategy: f.Strategy, OracleErrors: f.OracleErrors,
		OracleUnknowns: f.Unknowns, OracleSeed: seed}
	if f.Strategy != "" && !slices.Contains(strategy.Names(), f.Strategy) {
		names := strategy.Names()
		last := len(names) - 1
		return a, fault.Settingf("--strategy is %q: give %s or %s", f.Strategy,
			strings.Join(names[:last], ", "), names[last])
	}
	for _, c := range []struct {
		flag  string
		share float64
	}{{"oracle-errors", f.OracleErrors}, {"oracle-unknowns", f.Unknowns}} {
		if !(c.share >= 0 && c.share <= 1) {
			return a, fault.Settingf("--%s is %g: give a share from 0 to 1, such as 0.1", c.flag,
				c.share)
		}
	}
	if f.OracleErrors+f.Unknowns > 1 {
		return a, fault.Settingf(
			"--oracle-errors and --oracle-unknowns add up to %g: give at most 1 together",
			f.OracleErrors+f.Unknowns)
	}
	return a, nil
}
