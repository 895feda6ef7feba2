package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// comparison holds the flags that say what is compared, and how.
type comparison struct {
	metric       string
	text, series string // column of texts, or of lists of numbers
	square       bool   // the data are a matrix of dissimilarities
	labels       string // file of true classes of a matrix
	band         int
	editCost     float64
}

// comparing adds the flags for comparing rows.
func (s *source) comparing(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.metric, "metric", "", "dissimilarity of rows: "+metricNames()+" (default euclidean; of texts levenshtein, of series dtw)")
	f.StringVar(&s.text, "text", "", "column of texts to compare, instead of features")
	f.StringVar(&s.series, "series", "", "column of series (lists of numbers) to compare, instead of features")
	f.IntVar(&s.band, "band", 0, "dtw: how many places two series may run apart (default 0: any number)")
	f.Float64Var(&s.editCost, "edit-cost", 0, fmt.Sprintf("cyclic-edit: cost in degrees of inserting or deleting an angle (default %d)", dissim.DefaultEditCost))
	f.BoolVar(&s.square, "dissimilarity", false, "DATA is a square matrix of dissimilarities without header (.csv or .npy)")
	f.StringVar(&s.labels, "labels", "", "of a matrix: file of true classes, one a line")
}

func metricNames() string {
	var names []string
	for _, m := range dissim.Metrics() {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// compared checks the flags that say what is compared, before anything is read.
func (s *source) compared() (dissim.Metric, error) {
	m, err := dissim.ParseMetric(s.metric)
	if err != nil {
		return m, usage{"--metric: " + err.Error()}
	}
	switch {
	case s.text != "" && s.series != "":
		return m, usage{"--text and --series name different things to compare: give one"}
	case s.square && (s.text != "" || s.series != "" || s.metric != ""):
		return m, usage{"--dissimilarity takes the dissimilarities as they are: leave out --metric, --text and --series"}
	case s.square && s.label != "":
		return m, usage{"a matrix has no columns by name: give its true classes with --labels FILE instead of --label"}
	case !s.square && s.labels != "":
		return m, usage{"--labels goes with --dissimilarity; a column of true classes is named with --label"}
	case s.band < 0:
		return m, usage{fmt.Sprintf("--band is %d: give 1 or more, or 0 for any number", s.band)}
	case !(s.editCost >= 0 && s.editCost < 1e9):
		return m, usage{fmt.Sprintf("--edit-cost is %g: give a number above 0", s.editCost)}
	}
	if s.missing == dataset.MissingMean.String() || s.missing == dataset.MissingMedian.String() {
		switch {
		case s.square, s.text != "", s.series != "":
			return m, usage{fmt.Sprintf("--missing %s fills in numbers of features only: give refuse or drop", s.missing)}
		case m == dissim.Gower:
			return m, usage{fmt.Sprintf("--missing %s: gower fills nothing in, it compares two rows by the columns that both have; leave the flag out, or give drop", s.missing)}
		}
	}
	switch {
	case s.metric == "" && s.text != "":
		m = dissim.Levenshtein
	case s.metric == "" && s.series != "":
		m = dissim.DTW
	case s.text != "" && m != dissim.Levenshtein:
		return m, usage{fmt.Sprintf("--metric %s does not compare texts: give levenshtein", m)}
	case s.series != "" && m != dissim.DTW && m != dissim.CyclicEdit:
		return m, usage{fmt.Sprintf("--metric %s does not compare series: give dtw or cyclic-edit", m)}
	case s.text == "" && m == dissim.Levenshtein:
		return m, usage{"--metric levenshtein compares texts: name their column with --text"}
	case s.series == "" && (m == dissim.DTW || m == dissim.CyclicEdit):
		return m, usage{fmt.Sprintf("--metric %s compares lists of numbers: name their column with --series", m)}
	}
	return m, nil
}

// other tells whether DATA are compared by something else than features.
func (s *source) other() bool { return s.square || s.text != "" || s.series != "" }

// objects reads DATA and gives the dissimilarities among its rows. keep holds all cells, to be shown; consume
// prepares features in the place that they were read into.
func (s *source) objects(ctx context.Context, a *app, name string, keep, consume bool) (*prepared, error) {
	m, err := s.compared()
	if err != nil {
		return nil, err
	}
	if s.square {
		return s.matrix(ctx, a, name)
	}
	return s.compare(ctx, a, name, m, keep, consume)
}

// compare reads rows and compares them.
func (s *source) compare(ctx context.Context, a *app, name string, m dissim.Metric, keep, consume bool) (*prepared, error) {
	t, err := s.read(ctx, a, name, keep || s.other())
	if err != nil {
		return nil, err
	}
	p := &prepared{table: t}
	if m.OfVectors() {
		if p, err = s.prepare(ctx, t, consume); err != nil {
			return nil, err
		}
		p.objects = method.Objects{Metric: m, Rows: p.ready.X}
		if note := notBinary(m, p.ready, s.scale); note != "" {
			p.ready.Notes = append(p.ready.Notes, note)
		}
	} else {
		missing, err := dataset.ParseMissing(s.missing)
		if err != nil {
			return nil, usage{fmt.Sprintf("--missing: %v", err)}
		}
		c := method.Comparison{Metric: m, Column: s.text + s.series, Band: s.band, EditCost: s.editCost, Missing: missing}
		if p.objects, p.kept, err = method.ObjectsOf(t, c, nil); err != nil {
			return nil, err
		}
		p.index()
		if err := s.classify(p); err != nil {
			return nil, err
		}
	}
	p.src, err = p.objects.Source()
	return p, placed(err, t.Name)
}

// placed names the file in an input fault that does not.
func placed(err error, file string) error {
	var in *fault.Input
	if errors.As(err, &in) && in.File == "" {
		in.File = file
	}
	return err
}

// matrix reads DATA that are dissimilarities.
func (s *source) matrix(ctx context.Context, a *app, name string) (*prepared, error) {
	path, where, err := a.locate(name)
	if err != nil {
		return nil, err
	}
	if where == inBinary {
		return nil, &fault.Input{File: name, Problem: "the sample is a table, not a matrix of dissimilarities", Mend: "leave out --dissimilarity"}
	}
	b := a.bar("reading " + filepath.Base(name))
	o := dissim.ReadOptions{Threads: s.threads, Progress: b.read}
	p := &prepared{}
	var d *dissim.Dense
	if where == inStream {
		p.square.name = "stdin"
		d, p.square.Report, err = dissim.ReadStream(ctx, a.in, "stdin", o)
	} else {
		p.square.name = path
		d, p.square.Report, err = dissim.Read(ctx, path, o)
	}
	b.done()
	if err != nil {
		return nil, err
	}
	p.src = d
	if s.labels == "" {
		return p, nil
	}
	if p.classes, _, err = dissim.ReadLabels(ctx, s.labels, d.N); err != nil {
		return nil, err
	}
	return p, tells(p.classes, s.labels, "")
}

// square is a matrix of dissimilarities as read.
type square struct {
	name string
	dissim.Report
}

func (p *prepared) isMatrix() bool { return p.table == nil }

// name, fingerprint and n are those of the data.
func (p *prepared) name() string {
	if p.isMatrix() {
		return p.square.name
	}
	return p.table.Name
}

func (p *prepared) fingerprint() string {
	if p.isMatrix() {
		return p.square.Fingerprint
	}
	return p.table.Fingerprint
}

func (p *prepared) n() int {
	switch {
	case p.isMatrix():
		return p.square.Rows
	case p.kept != nil:
		return len(p.kept)
	}
	return p.table.Rows
}

// read counts the rows before preparation.
func (p *prepared) read() int {
	if p.isMatrix() {
		return p.square.Rows
	}
	return p.table.Rows
}

// problem is what there is to cluster, without links.
func (p *prepared) problem() method.Problem {
	out := method.Problem{Objects: p.objects, Dissim: p.src, Classes: p.classes}
	if p.ready != nil {
		out.Data = p.ready.X
	}
	return out
}

// resolve finds the row of the data, before preparation, by id.
func (p *prepared) resolve(id string) (int, bool) {
	if p.isMatrix() {
		return link.Numbered(p.square.Rows)(id)
	}
	return p.table.RowOf(id)
}
