package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/method"
)

// fitting holds the flags that decide what is fitted, and so what is asked.
type fitting struct {
	source     source
	fit        fitFlags
	evidential evidentialFlags
	method     string
	clusters   string // a number, or a range
	links      string
}

// flags are all but --method and --links.
func (f *fitting) flags(cmd *cobra.Command) {
	f.source.flags(cmd)
	f.source.comparing(cmd)
	f.fit.flags(cmd)
	f.evidential.flags(cmd)
	cmd.Flags().StringVarP(&f.clusters, "clusters", "k", "", "number of clusters, where the method needs it; a fit by an evidential method also takes a range to choose from, as in 2..8")
}

// defaults says what a method does unless flags say otherwise, without what they do say of d0.
func (f *fitting) defaults(m method.Method) string {
	if f.evidential.d0 == "" && f.evidential.transform != "rank" {
		return m.Default
	}
	return strings.Replace(m.Default, ", d0 at the 0.9 quantile", "", 1)
}

// hide leaves flags out of the help: they are known, and mean little here.
func hide(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// settings checks the flags, and turns those of the fit into a method's settings.
func (f *fitting) settings() (method.Settings, error) {
	s, err := f.each()
	if err == nil {
		_, err = f.source.compared()
	}
	return s, err
}

// each checks what can be told of a flag without the others.
func (f *fitting) each() (s method.Settings, err error) {
	if _, err := f.source.preparation(false); err != nil {
		return s, err
	}
	if s, err = f.fit.settings(f.source.threads); err != nil {
		return s, err
	}
	if s.Evidential, err = f.evidential.settings(); err != nil {
		return s, err
	}
	s.Clusters, s.Evidential.MostClusters, err = parseClusters(f.clusters)
	return s, err
}

// suits tells whether a method can do with the settings.
func (f *fitting) suits(m method.Method, s method.Settings) error {
	switch {
	case f.source.other() && !m.Dissimilarity:
		return usage{m.Name + " takes rows of features only: give --method evclus or kevclus for a matrix, texts or series"}
	case s.Evidential.MostClusters > s.Clusters && !m.Dissimilarity:
		return usage{fmt.Sprintf("--clusters is %s: %s takes one number", f.clusters, m.Name)}
	case m.NeedsClusters && s.Clusters == 0:
		return usage{m.Name + " needs the number of clusters: give it with -k"}
	}
	return f.limits(m, s)
}

// askable tells whether a method can ask under the settings.
func (f *fitting) askable(m method.Method, s method.Settings) error {
	switch {
	case m.Begin == nil || !m.Dissimilarity:
		return nil
	case s.Evidential.MostClusters > s.Clusters:
		return usage{fmt.Sprintf("--clusters is %s: questions are about one number of clusters; find it first with kindred cluster", f.clusters)}
	case s.Evidential.Landmarks > 0:
		return usage{"--landmarks leaves rows out of the fit, and questions need all of them; kevclus with few --partners is quick"}
	case m.Sammon(s), f.evidential.optimizer == "gradient":
		return usage{"questions need fits by row: leave out --stress sammon and --optimizer gradient"}
	}
	return nil
}

// asker settles the method that asks, cobra unless the data are no vectors or are compared by a metric.
func (f *fitting) asker(s method.Settings) (method.Method, error) {
	if f.method == "" {
		f.method = "cobra"
		if f.source.other() || f.source.metric != "" {
			f.method = "evclus"
		}
	}
	m, err := method.Find(f.method)
	if err != nil {
		return m, usage{"--method: " + err.Error()}
	}
	if m.Begin == nil {
		return m, usage{m.Name + " asks no questions: give --method cobra, evclus or kevclus"}
	}
	if err := f.suits(m, s); err != nil {
		return m, err
	}
	return m, f.askable(m, s)
}

// setsFile is the file of focal sets that --focal names; "" when it names none.
func setsFile(focal string) string {
	switch focal {
	case "simple", "pairs", "full":
		return ""
	}
	return focal
}
