package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// Evidential are the parameters of the evidential methods, as their flags set them.
type Evidential struct {
	Partners, Pairs, Landmarks, ModelRows                int
	D0, Transform, Stress, Optimizer, Focal, Constraints string
	Tail, Xi                                             float64

	given func(flag string) bool
	place Place // where a file of focal sets is looked for
}

func (f *Evidential) flags(fs *pflag.FlagSet) {
	f.given = fs.Changed
	fs.IntVar(&f.Partners, "partners", 0,
		fmt.Sprintf("random partners that each row is compared with (default: all rows; kevclus %d)", method.DefaultPartners))
	fs.IntVar(&f.Landmarks, "landmarks", 0,
		"fit so many rows, drawn at random, and place the others by their dissimilarities to "+
			"them (default: fit all)")
	fs.IntVar(&f.ModelRows, "model-rows", 0,
		fmt.Sprintf("rows that --model keeps to place new ones by, where it keeps rows (default "+
			"%d, of evclus and kevclus %d)", method.DefaultExemplars, method.DefaultModelRows))
	fs.StringVar(&f.D0, "d0", "",
		"dissimilarity from which two rows plausibly belong to different clusters: a number, "+
			"quantile:Q, or auto (default quantile:0.9)")
	fs.Float64Var(&f.Tail, "tail", 0, "α: at d0 the conflict called for is 1 − α (default 0.05)")
	fs.StringVar(&f.Transform, "transform", "exp",
		"dissimilarities become conflicts by: exp, linear or rank")
	fs.StringVar(&f.Stress, "stress", "",
		"what is minimised: conflict, or sammon (default conflict; cevclus sammon)")
	fs.StringVar(&f.Optimizer, "optimizer", "",
		"how: irqp, or gradient (default irqp; cevclus gradient)")
	fs.StringVar(&f.Focal, "focal", "",
		"focal sets: simple, pairs, full, or a file with one set a line, as in 1+2 (default "+
			"simple; cevclus full)")
	fs.IntVar(&f.Pairs, "pairs", 0,
		"then fit again with the pairs of clusters that are among each other's K most similar "+
			"ones (default 0: no)")
	fs.Float64Var(&f.Xi, "xi", 0, "ξ, the weight of links (default 1)")
	fs.StringVar(&f.Constraints, "constraints", "",
		"how links enter: choose, anchor, propagate or penalty (default choose; cevclus penalty)")
}

// one finds a word among those that a flag takes.
func one[T any](flag, value string, choices []string, values ...T) (T, error) {
	for i, c := range choices {
		if c == value {
			return values[i], nil
		}
	}
	last := len(choices) - 1
	var none T
	return none, fault.Settingf("--%s is %q: give %s or %s", flag, value,
		strings.Join(choices[:last], ", "), choices[last])
}

// settings checks the flags.
func (f *Evidential) settings() (e method.Evidential, err error) {
	switch {
	case f.Partners < 0 || f.Pairs < 0 || f.Landmarks < 0 || f.ModelRows < 0:
		return e, fault.Setting(
			"--partners, --pairs, --landmarks and --model-rows cannot be negative")
	case !(f.Tail >= 0 && f.Tail < 1), f.Tail == 0 && f.given("tail"):
		return e, fault.Settingf("--tail is %g: give a number between 0 and 1, such as 0.05",
			f.Tail)
	case !(f.Xi >= 0 && f.Xi < 1e9), f.Xi == 0 && f.given("xi"):
		return e, fault.Settingf("--xi is %g: give a number above 0, such as 1", f.Xi)
	}
	e.Partners, e.Pairs, e.Tail, e.Xi = f.Partners, f.Pairs, f.Tail, f.Xi
	e.Landmarks, e.ModelRows = f.Landmarks, f.ModelRows
	if e.D0, err = parseD0(f.D0); err != nil {
		return e, err
	}
	if e.Transform, err = one("transform", f.Transform, []string{"exp", "linear", "rank"},
		evclus.Exponential, evclus.Linear, evclus.Rank); err != nil {
		return e, err
	}
	if f.Stress != "" {
		v, err := one("stress", f.Stress, []string{"conflict", "sammon"}, evclus.Conflict,
			evclus.Sammon)
		if err != nil {
			return e, err
		}
		e.Stress = &v
	}
	if f.Optimizer != "" {
		v, err := one("optimizer", f.Optimizer, []string{"irqp", "gradient"}, evclus.IRQP,
			evclus.Gradient)
		if err != nil {
			return e, err
		}
		e.Optimizer = &v
	}
	if f.Constraints != "" {
		v, err := one("constraints", f.Constraints,
			[]string{"choose", "anchor", "propagate", "penalty"}, evclus.Choose, evclus.Anchor,
			evclus.Propagate, evclus.Penalty)
		if err != nil {
			return e, err
		}
		e.Constraints = &v
	}
	switch f.Focal {
	case "":
	case "simple":
		e.Focal = belief.Simple
	case "pairs":
		e.Focal = belief.Pairs
	case "full":
		e.Focal = belief.Full
	default:
		e.Focal = func(c int) ([]belief.Set, error) { return readSets(f.place, f.Focal, c) }
	}
	return e, nil
}

// parseD0 reads a number, quantile:Q, or auto.
func parseD0(text string) (d evclus.D0, err error) {
	bad := fault.Settingf(
		"--d0 is %q: give a number above 0, quantile:Q with Q above 0 and at most 1, or auto", text)
	number := func(s string, most float64) (float64, error) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v > 0 && v <= most) {
			return 0, bad
		}
		return v, nil
	}
	switch q, isQuantile := strings.CutPrefix(text, "quantile:"); {
	case text == "":
	case text == "auto":
		d.Auto = true
	case isQuantile:
		d.Quantile, err = number(q, 1)
	default:
		d.Value, err = number(text, 1e300)
	}
	return d, err
}

// parseClusters reads a number of clusters, or a range of them as in 2..8.
func parseClusters(text string) (from, to int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	first, last, isRange := strings.Cut(text, "..")
	from, err = strconv.Atoi(first)
	to = from
	if err == nil && isRange {
		to, err = strconv.Atoi(last)
	}
	switch {
	case err != nil:
		return 0, 0, fault.Settingf(
			"--clusters is %q: give a number, or for an evidential method a range to choose "+
				"from, as in 2..8", text)
	case from < 1:
		return 0, 0, fault.Settingf("--clusters is %s: give 1 or more", text)
	case to < from:
		return 0, 0, fault.Settingf("--clusters is %s: give the smaller number first", text)
	}
	return from, to, nil
}

// readSets reads a file of focal sets.
func readSets(place Place, path string, clusters int) ([]belief.Set, error) {
	f, err := place.open(path, "a file of focal sets")
	if err != nil {
		in := &fault.Input{File: path, Problem: "the focal sets cannot be read",
			Fix: "give simple, pairs, full, or a file", Err: err}
		if errors.Is(err, fs.ErrNotExist) {
			in.Problem = "there is no such file of focal sets"
		}
		return nil, in
	}
	defer f.Close()
	sets, err := belief.ParseSets(f, path, clusters)
	if err != nil && !fault.IsInput(err) {
		return nil, &fault.Input{File: path, Problem: "the focal sets cannot be read",
			Fix: "give simple, pairs, full, or a file with one set a line", Err: err}
	}
	return sets, err
}

// setsFile is the file of focal sets that --focal names; "" when it names none.
func setsFile(focal string) string {
	switch focal {
	case "simple", "pairs", "full":
		return ""
	}
	return focal
}
