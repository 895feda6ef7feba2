package competitive

import (
	"fmt"
	"math"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// tables writes what came out as Markdown.
func tables(runs []*run, cfg CompareConfig) string {
	var b strings.Builder
	period := func(p int) string {
		if p == 0 {
			return "once a pass"
		}
		return fmt.Sprintf("every %d rows", p)
	}
	nmi, squaredError := func(f figures) float64 { return f.nmi },
		func(f figures) float64 { return f.squared }
	labelled := fmt.Sprintf("all cannot-links among %d labelled rows a class", cfg.Labelled)
	if cfg.Labelled < 0 {
		labelled = "no links"
	}
	for _, of := range []struct {
		title string
		value func(figures) float64
		form  string
	}{
		{"**Averaging. NMI, mean ± standard deviation over %d seeds, %s.**", nmi, "%.2f ± %.2f"},
		{"**Averaging. Squared error as a ratio to that of one learner, mean ± standard " +
			"deviation over %d seeds, %s.**", squaredError, "%.2f ± %.2f"},
	} {
		fmt.Fprintf(&b, of.title+"\n\n| data set | learners |", cfg.Seeds, labelled)
		for _, rule := range rules {
			for _, p := range periods {
				fmt.Fprintf(&b, " %s, %s |", named(rule), period(p))
			}
		}
		b.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(rules)*len(periods)) + "\n")
		for _, r := range runs {
			fmt.Fprintf(&b, "| %s | 1 |", r.name)
			for _, rule := range rules {
				cell := spread(of.form, r.got[rule][alone], of.value)
				b.WriteString(" " + cell + strings.Repeat(" |", len(periods)))
			}
			b.WriteString("\n")
			for _, w := range learners {
				fmt.Fprintf(&b, "| | %d |", w)
				for _, rule := range rules {
					for _, p := range periods {
						fmt.Fprintf(&b, " %s |",
							spread(of.form, r.got[rule][mode{learners: w, period: p}], of.value))
					}
				}
				b.WriteString("\n")
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "**%d learners that need not wait, of speeds from 1 to %g, of whose periods "+
		"%g %% take five times as long. Time is that until the end, as a ratio to where all wait; "+
		"the last columns are the squared error, as a ratio to that of one learner, and the "+
		"time, when each quarter of the rows has been learnt.**\n\n", apart, 1+unevenness,
		100*straggling)
	b.WriteString("| data set | rule | period | staleness | NMI | squared error | time | waited |")
	for i := range looks {
		fmt.Fprintf(&b, " after %d %% |", 100*(i+1)/looks)
	}
	b.WriteString("\n|---|---|--:|--:|--:|--:|--:|--:|" + strings.Repeat("--:|", looks) + "\n")
	for _, r := range runs {
		for _, rule := range rules {
			r.apart(&b, rule)
		}
	}
	return b.String()
}

// apart writes a row for each staleness.
func (r *run) apart(b *strings.Builder, rule competitive.Rule) {
	at := func(s int) []figures {
		return r.got[rule][mode{learners: apart, period: r.period, staleness: s, apart: true}]
	}
	whole, _ := moments(at(0), func(f figures) float64 { return f.time })
	for i, s := range staleness {
		what, said := "| | |", fmt.Sprint(s)
		if i == 0 {
			what = fmt.Sprintf("%s | %s | %d |", r.name, named(rule), r.period)
		}
		if s < 0 {
			said = "any"
		}
		time, _ := moments(at(s), func(f figures) float64 { return f.time })
		waited, _ := moments(at(s), func(f figures) float64 { return f.waited })
		fmt.Fprintf(b, "| %s %s | %s | %s | %.2f | %.0f %% |", what, said,
			spread("%.2f ± %.2f", at(s), func(f figures) float64 { return f.nmi }),
			spread("%.2f ± %.2f", at(s), func(f figures) float64 { return f.squared }), time/whole,
			100*waited)
		for look := range looks {
			on, _ := moments(at(s), func(f figures) float64 { return f.on[look] })
			when, _ := moments(at(s), func(f figures) float64 { return f.times[look] })
			fmt.Fprintf(b, " %.2f at %.2f |", on, when/whole)
		}
		b.WriteString("\n")
	}
}

// named returns the paper's name of a rule.
func named(rule competitive.Rule) string {
	if rule == competitive.OLCVQE {
		return "O-LCVQE"
	}
	return "C-RPCL"
}

// spread returns mean and standard deviation in a form; a dash where there is nothing.
func spread(form string, of []figures, value func(figures) float64) string {
	if len(of) == 0 {
		return "–"
	}
	mean, deviation := moments(of, value)
	return fmt.Sprintf(form, mean, deviation)
}

// moments returns the mean, and the standard deviation of a sample (0 of one).
func moments(of []figures, value func(figures) float64) (mean, deviation float64) {
	for _, f := range of {
		mean += value(f) / float64(len(of))
	}
	for _, f := range of {
		e := value(f) - mean
		deviation = math.FMA(e, e, deviation)
	}
	if len(of) > 1 {
		deviation = math.Sqrt(deviation / float64(len(of)-1))
	}
	return mean, deviation
}
