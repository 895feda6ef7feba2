package intake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// CompareFlags adds the flags for comparing rows.
func (s *Source) CompareFlags(fs *pflag.FlagSet) {
	fs.StringVar(&s.Metric, "metric", "", "dissimilarity of rows: "+metricNames()+" (default euclidean; of texts levenshtein, of series dtw)")
	fs.StringVar(&s.Text, "text", "", "column of texts to compare, instead of features")
	fs.StringVar(&s.Series, "series", "", "column of series (lists of numbers) to compare, instead of features")
	fs.IntVar(&s.Band, "band", 0, "dtw: how many places two series may run apart (default 0: any number)")
	fs.Float64Var(&s.EditCost, "edit-cost", 0, fmt.Sprintf("cyclic-edit: cost in degrees of inserting or deleting an angle (default %d)", dissim.DefaultEditCost))
	s.MatrixFlags(fs)
}

// MatrixFlags adds the flags of a matrix of dissimilarities.
func (s *Source) MatrixFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&s.Square, "dissimilarity", false, "DATA is a square matrix of dissimilarities without header (.csv or .npy)")
	fs.StringVar(&s.Labels, "labels", "", "of a matrix: file of true classes, one a line")
}

func metricNames() string {
	var names []string
	for _, m := range dissim.Metrics() {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// Compared checks what is said of what is compared, before anything is read.
func (s *Source) Compared() (dissim.Metric, error) {
	m, err := dissim.ParseMetric(s.Metric)
	if err != nil {
		return m, Usage{"--metric: " + err.Error()}
	}
	switch {
	case s.Text != "" && s.Series != "":
		return m, Usage{"--text and --series name different things to compare: give one"}
	case s.Square && (s.Text != "" || s.Series != "" || s.Metric != ""):
		return m, Usage{"--dissimilarity takes the dissimilarities as they are: leave out --metric, --text and --series"}
	case s.Square && s.Label != "":
		return m, Usage{"a matrix has no columns by name: give its true classes with --labels FILE instead of --label"}
	case !s.Square && s.Labels != "":
		return m, Usage{"--labels goes with --dissimilarity; a column of true classes is named with --label"}
	case s.Band < 0:
		return m, usagef("--band is %d: give 1 or more, or 0 for any number", s.Band)
	case !(s.EditCost >= 0 && s.EditCost < 1e9):
		return m, usagef("--edit-cost is %g: give a number above 0", s.EditCost)
	}
	if s.Missing == dataset.MissingMean.String() || s.Missing == dataset.MissingMedian.String() {
		switch {
		case s.Square, s.Text != "", s.Series != "":
			return m, usagef("--missing %s fills in numbers of features only: give refuse or drop", s.Missing)
		case m == dissim.Gower:
			return m, usagef("--missing %s: gower fills nothing in, it compares two rows by the columns that both have; leave the flag out, or give drop", s.Missing)
		}
	}
	switch {
	case s.Metric == "" && s.Text != "":
		m = dissim.Levenshtein
	case s.Metric == "" && s.Series != "":
		m = dissim.DTW
	case s.Text != "" && m != dissim.Levenshtein:
		return m, usagef("--metric %s does not compare texts: give levenshtein", m)
	case s.Series != "" && m != dissim.DTW && m != dissim.CyclicEdit:
		return m, usagef("--metric %s does not compare series: give dtw or cyclic-edit", m)
	case s.Text == "" && m == dissim.Levenshtein:
		return m, Usage{"--metric levenshtein compares texts: name their column with --text"}
	case s.Series == "" && (m == dissim.DTW || m == dissim.CyclicEdit):
		return m, usagef("--metric %s compares lists of numbers: name their column with --series", m)
	}
	return m, nil
}

// Other tells whether DATA are compared by something else than features.
func (s *Source) Other() bool { return s.Square || s.Text != "" || s.Series != "" }

// Objects reads DATA and gives the dissimilarities among its rows. keep holds all cells, to be shown; consume
// prepares features in the place that they were read into.
func (s *Source) Objects(ctx context.Context, place Place, name string, keep, consume bool, progress Progress) (*Data, error) {
	m, err := s.Compared()
	if err != nil {
		return nil, err
	}
	if s.Square {
		return s.matrix(ctx, place, name, progress)
	}
	t, err := s.Read(ctx, place, name, keep || s.Other(), progress)
	if err != nil {
		return nil, err
	}
	d := &Data{Table: t, source: *s}
	if m.OfVectors() {
		if d, err = s.Prepare(ctx, t, consume); err != nil {
			return nil, err
		}
		d.Objects = method.Objects{Metric: m, Rows: d.Ready.X}
		if note := notBinary(m, d.Ready, s.Scale); note != "" {
			d.Ready.Notes = append(d.Ready.Notes, note)
		}
	} else {
		missing, err := dataset.ParseMissing(s.Missing)
		if err != nil {
			return nil, usagef("--missing: %v", err)
		}
		c := method.Comparison{Metric: m, Column: s.Text + s.Series, Band: s.Band, EditCost: s.EditCost, Missing: missing}
		if d.Objects, d.kept, err = method.ObjectsOf(t, c, nil); err != nil {
			return nil, err
		}
		d.index()
		d.view()
		if err := d.classify(); err != nil {
			return nil, err
		}
	}
	d.Dissim, err = d.Objects.Source()
	return d, Placed(err, t.Name)
}

// Placed names the file in an input fault that does not.
func Placed(err error, file string) error {
	var in *fault.Input
	if errors.As(err, &in) && in.File == "" {
		in.File = file
	}
	return err
}

// matrix reads DATA that are dissimilarities.
func (s *Source) matrix(ctx context.Context, place Place, name string, progress Progress) (*Data, error) {
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if where == InSample {
		return nil, &fault.Input{File: name, Problem: "the sample is a table, not a matrix of dissimilarities", Mend: "leave out --dissimilarity"}
	}
	o := dissim.ReadOptions{Threads: s.Threads, Progress: progress.bytes("reading " + filepath.Base(name))}
	d := &Data{source: *s}
	var dense *dissim.Dense
	switch {
	case where == InStream:
		d.matrix.name = "stdin"
		dense, d.matrix.Report, err = dissim.ReadStream(ctx, place.Stdin, "stdin", o)
	case place.Root != nil:
		d.matrix.name = path
		f, ferr := place.open(path, "a matrix")
		if ferr != nil {
			return nil, ferr
		}
		defer f.Close()
		dense, d.matrix.Report, err = dissim.ReadStream(ctx, f, path, o)
	default:
		d.matrix.name = path
		dense, d.matrix.Report, err = dissim.Read(ctx, path, o)
	}
	if err != nil {
		return nil, err
	}
	d.Dissim = dense
	if s.Labels == "" {
		return d, nil
	}
	if d.Classes, _, err = dissim.ReadLabels(ctx, s.Labels, dense.N); err != nil {
		return nil, err
	}
	return d, Tells(d.Classes, s.Labels, "")
}

// matrix is a matrix of dissimilarities as read.
type matrix struct {
	name string
	dissim.Report
}
