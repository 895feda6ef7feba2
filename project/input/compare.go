package input

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Compared returns the metric, and checks the settings of what is compared before anything is read.
func (s *Source) Compared() (dissim.Metric, error) {
	m, err := dissim.ParseMetric(s.Metric)
	if err != nil {
		return m, fault.Setting("--metric: " + err.Error())
	}
	shown := 0
	for _, column := range []string{s.Text, s.Series, s.Images} {
		if column != "" {
			shown++
		}
	}
	switch {
	case shown > 1:
		return m, fault.Setting(
			"--text, --series and --images name different things to compare: give one")
	case s.Square && (shown > 0 || s.Metric != "" || s.Embedding != ""):
		return m, fault.Setting(
			"--dissimilarity takes the dissimilarities as they are: leave out --metric, --text, " +
				"--series, --images and --embedding")
	case s.Square && s.Label != "":
		return m, fault.Setting(
			"a matrix has no columns by name: give its true classes with --labels FILE instead " +
				"of --label")
	case !s.Square && s.Labels != "":
		return m, fault.Setting(
			"--labels goes with --dissimilarity; a column of true classes is named with --label")
	case !s.Square && s.Pictures != "":
		return m, fault.Setting(
			"--pictures goes with --dissimilarity; a column of pictures is named with --images, " +
				"and a folder of them is DATA itself")
	case s.Vectors != "" && (s.Square || shown > 0 || s.Embedding != ""):
		return m, fault.Setting("--vectors gives the vectors to compare: leave out --text, " +
			"--series, --images, --embedding and --dissimilarity")
	case s.Series != "" && s.Embedding != "":
		return m, fault.Setting("--embedding gives the vectors to compare: leave out --series")
	}
	mean := s.Missing == dataset.MissingMean.String() ||
		s.Missing == dataset.MissingMedian.String()
	switch keep := s.Missing == dataset.MissingKeep.String(); {
	case (mean || keep) && (s.Square || shown > 0):
		return m, fault.Settingf(
			"--missing %s fills in numbers of features only: give refuse or drop", s.Missing)
	case mean && m == dissim.Gower:
		return m, fault.Settingf(
			"--missing %s: gower fills nothing in, it compares two rows by the columns that "+
				"both have; leave the flag out, or give keep or drop", s.Missing)
	}
	if err := s.metricSuits(m); err != nil {
		return m, err
	}
	switch {
	case s.Metric == "" && s.Embedding != "":
	case s.Metric == "" && s.Text != "":
		m = dissim.Levenshtein
	case s.Metric == "" && s.Series != "":
		m = dissim.DTW
	}
	return m, nil
}

// Compared does what [Source.Compared] does, and refuses settings that were given and mean nothing
// to what is compared. Those that a project has are passed over.
func (r *Recipe) Compared() (dissim.Metric, error) {
	by := ""
	switch {
	case r.mixed():
	case r.Square:
		by = "dissimilarity"
	case r.Series != "":
		by = "series"
	case r.Text != "" && !r.found:
		by = "text"
	case r.Images != "":
		by = "images"
	case r.Embedding != "":
		by = "embedding"
	}
	if by != "" {
		useless := []string{"features", "levels", "column-weights"}
		if r.strict() { // vectors can be scaled
			useless = append(useless, "scale")
		}
		if r.Square { // else a column that cannot be read is left out so
			useless = append(useless, "drop")
		}
		var given []string
		for _, name := range useless {
			if value, _ := r.Get(name); value != "" && r.Given(name) {
				given = append(given, "--"+name)
			}
		}
		if given != nil {
			return "", fault.Settingf("with --%s no features are compared, so that %s would mean "+
				"nothing: leave out the one or the other", by, words.List(given, "and"))
		}
	}
	return r.Source.Compared()
}

// maxDimensions bounds the vectors that texts and pictures become.
const maxDimensions = 1000

// metricSuits reports whether a metric that was given compares what there is.
func (s *Source) metricSuits(m dissim.Metric) error {
	if s.Metric == "" {
		return nil
	}
	dense := m == dissim.Euclidean || m == dissim.SqEuclidean || m == dissim.Manhattan ||
		m == dissim.Cosine || m == dissim.Correlation
	switch {
	case (s.Embedding != "" || s.Images != "") && !dense:
		return fault.Settingf("--metric %s does not compare such vectors: give euclidean, "+
			"sqeuclidean, manhattan, cosine or correlation", m)
	case s.Embedding != "":
	case s.Text != "" && m != dissim.Levenshtein && !dense:
		return fault.Settingf("--metric %s does not compare texts: give levenshtein, or cosine "+
			"to compare their words", m)
	case s.Series != "" && m != dissim.DTW && m != dissim.CyclicEdit:
		return fault.Settingf("--metric %s does not compare series: give dtw or cyclic-edit", m)
	case s.Text == "" && m == dissim.Levenshtein:
		return fault.Setting("--metric levenshtein compares texts: name their column with --text")
	case s.Series == "" && (m == dissim.DTW || m == dissim.CyclicEdit):
		return fault.Settingf(
			"--metric %s compares lists of numbers: name their column with --series", m)
	}
	return nil
}

// strict reports whether DATA are compared by something that no vectors are made of.
func (s *Source) strict() bool { return s.Square || s.Series != "" }

// shows reports whether one column is compared, or shown, in place of features.
func (s *Source) shows() bool { return s.Text != "" || s.Series != "" || s.Images != "" }

// Objects reads DATA and returns the dissimilarities among its rows. keep holds all cells, to be
// shown; consume prepares features in the place that they were read into.
func (s *Source) Objects(ctx context.Context, place Place, name string, keep, consume bool,
	progress Progress) (*Data, error) {
	m, err := s.Compared()
	if err != nil {
		return nil, err
	}
	return s.take(ctx, place, name, nil, manner{keep, consume, true, m.OfVectors()}, progress)
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
func (s *Source) matrix(ctx context.Context, place Place, name string, progress Progress) (*Data,
	error) {
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if where == InSample {
		return nil, &fault.Input{File: name,
			Problem: "the sample is a table, not a matrix of dissimilarities",
			Fix:     "leave out --dissimilarity"}
	}
	if where == InDatabase {
		_, err := place.open(ctx, path, "a file of a matrix")
		return nil, err
	}
	o := dissim.ReadOptions{Threads: s.Threads, Decimal: s.Decimal,
		Progress: progress.bytes("reading " + filepath.Base(name))}
	d := &Data{source: *s, place: place}
	var dense *dissim.Dense
	switch {
	case where == InMemory:
		d.matrix.name = name
		dense, d.matrix.Report, err = place.Memory.matrix(ctx, name, s.Threads)
	case where == InStream:
		d.matrix.name = "stdin"
		dense, d.matrix.Report, err = dissim.ReadStream(ctx, place.Stdin, "stdin", o)
	case place.Root != nil:
		d.matrix.name = path
		f, ferr := place.open(ctx, path, "a matrix")
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
	if names := d.matrix.Names; names != nil {
		d.matrix.rowOf = make(map[string]int, len(names))
		for i, name := range names {
			d.matrix.rowOf[name] = i
		}
	}
	if s.Pictures != "" {
		if err := d.readPictures(ctx); err != nil {
			return nil, err
		}
	}
	if s.Labels == "" {
		return d, nil
	}
	f, err := place.open(ctx, s.Labels, "a file of labels")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d.Classes, d.ClassNames, err = dissim.ReadLabelsFrom(ctx, f, s.Labels, dense.N)
	if err != nil {
		return nil, err
	}
	return d, CheckClasses(d.Classes, s.Labels, "")
}

// matrix is a matrix of dissimilarities as read.
type matrix struct {
	name string
	dissim.Report
	rowOf map[string]int // of names
}
