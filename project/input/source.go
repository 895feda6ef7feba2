package input

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Source reports how DATA are read, prepared and compared; its fields are what the flags of the
// same names set. The zero value can read; preparing needs the defaults that [Source.Flags] and
// [Source.CompareFlags] set.
type Source struct {
	ID, Label, Scale, Duplicates, Missing, Format string
	Features, Drop                                []string
	InflateLimit                                  int64 // bytes; 0: [dataset.DefaultInflateLimit]
	Threads                                       int   // 0: one a processor
	// lists are read as texts, whether or not a column of them is compared
	AsTexts bool

	Metric               string
	Text, Series, Images string // column of texts, of lists of numbers, or of paths of pictures
	Embedding            string // file of vectors of the rows
	Dimensions           int    // of the vectors that texts or pictures become; 0: as many as suit
	Square               bool   // the data are a matrix of dissimilarities
	Labels               string // of a matrix: file of true classes
	Pictures             string // of a matrix: folder of pictures, or file of their names
	Band                 int
	EditCost             float64
}

// ReadingFlags adds the flags for reading columns that are known.
func (s *Source) ReadingFlags(fs *pflag.FlagSet) {
	fs.StringVar(&s.ID, "id", "", "column that names the rows; else they are numbered from 1")
	fs.StringVar(&s.Format, "format", "",
		"format of the data: csv, tsv, npy, parquet, arff or jsonl; else by name or content")
	fs.Int64Var(&s.InflateLimit, "inflate-limit", dataset.DefaultInflateLimit,
		"bytes that a compressed or piped input may inflate to")
	fs.IntVar(&s.Threads, "threads", 0, "threads, 0 for one a processor; never changes a result")
}

// Flags adds the flags for reading and preparing.
func (s *Source) Flags(fs *pflag.FlagSet) {
	s.ReadingFlags(fs)
	fs.StringVar(&s.Label, "label", "", "column of true classes: never a feature")
	fs.StringSliceVar(&s.Features, "features", nil,
		"columns to use, separated by commas; else all that suit")
	fs.StringSliceVar(&s.Drop, "drop", nil, "columns to leave out, separated by commas")
	fs.StringVar(&s.Scale, "scale", "",
		"scaling of features: none, minmax or zscore (default minmax; none for vectors of texts, "+
			"of pictures and of --embedding)")
	fs.StringVar(&s.Duplicates, "duplicates", "keep",
		"rows with equal features: keep, or drop all but the first")
	fs.StringVar(&s.Missing, "missing", "refuse",
		"missing values: refuse, drop the row, or fill with the mean or median")
}

// Read reads a table: a file, - for stdin, or the name of a sample. keep holds all cells, to be
// shown.
func (s *Source) Read(ctx context.Context, place Place, name string, keep bool,
	progress Progress) (*dataset.Table, error) {
	t, err := s.table(ctx, place, name, keep, progress)
	var in *fault.Input
	if errors.As(err, &in) && in.Problem == "the value is a list" {
		in.Fix = "compare lists of numbers with kindred cluster --series " + in.Column +
			", or give each of their items a key of its own in the row"
	}
	return t, err
}

func (s *Source) table(ctx context.Context, place Place, name string, keep bool,
	progress Progress) (*dataset.Table, error) {
	format, err := dataset.ParseFormat(s.Format)
	if err != nil {
		return nil, fault.Settingf("--format: %v", err)
	}
	o := dataset.ReadOptions{
		Format: format, ID: s.ID, Label: s.Label, Features: s.Features, Drop: s.Drop,
		Keep: keep, InflateLimit: s.InflateLimit, Threads: s.Threads,
		Progress: progress.bytes("reading " + filepath.Base(name)),
	}
	path, where, err := place.Locate(name)
	switch {
	case err != nil:
		return nil, err
	case where == InStream && s.hasLists(""):
		return readLists(ctx, place.Stdin, "stdin", o)
	case where == InStream:
		return dataset.ReadStream(ctx, place.Stdin, "stdin", o)
	case where == InSample:
		found, _ := sample.Find(path)
		r, err := found.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		o.Format = dataset.FormatCSV
		return dataset.ReadStream(ctx, r, found.Name, o)
	case where == InParts:
		return place.readParts(ctx, path, o)
	}
	f, err := place.open(path, "a table")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if s.hasLists(path) {
		return readLists(ctx, f, path, o)
	}
	return dataset.ReadFile(ctx, f, path, o)
}

// Preparation checks what is said of how to prepare.
func (s *Source) Preparation(consume bool) (dataset.Preparation, error) {
	o := dataset.Preparation{Consume: consume, Threads: s.Threads}
	var err error
	if s.Scale != "" {
		if o.Scale, err = dataset.ParseScale(s.Scale); err != nil {
			return o, fault.Settingf("--scale: %v", err)
		}
	}
	if o.Duplicates, err = dataset.ParseDuplicates(s.Duplicates); err != nil {
		return o, fault.Settingf("--duplicates: %v", err)
	}
	if o.Missing, err = dataset.ParseMissing(s.Missing); err != nil {
		return o, fault.Settingf("--missing: %v", err)
	}
	return o, nil
}

// Prepare scales and completes a table. A label column must tell at least two classes apart.
// consume prepares features in the place that they were read into.
func (s *Source) Prepare(ctx context.Context, t *dataset.Table, consume bool) (*Data, error) {
	o, err := s.Preparation(consume)
	if err != nil {
		return nil, err
	}
	d := &Data{Table: t, source: *s, values: !consume}
	square := looksSquare(ctx, t)
	if d.Ready, err = t.Prepare(ctx, o); err != nil {
		return nil, aboutTexts(err, t)
	}
	if square {
		d.Ready.Notes = append(d.Ready.Notes,
			"the table looks like a matrix of dissimilarities: --dissimilarity takes it as one")
	}
	d.kept = d.Ready.Rows
	d.index()
	d.view()
	return d, d.classify()
}

// aboutTexts says of a table without features that its texts can be compared.
func aboutTexts(err error, t *dataset.Table) error {
	var in *fault.Input
	if len(t.Features()) > 0 || !errors.As(err, &in) {
		return err
	}
	for _, c := range t.Columns {
		if c.Type == dataset.Text && c.Role == dataset.Unused {
			in.Fix = "compare the texts of " + words.Short(c.Name) +
				" by --text, or name features with --features"
			break
		}
	}
	return err
}

// classify takes the true classes of the rows, if there are any.
func (d *Data) classify() error {
	codes, _, ok := d.Table.Labels()
	if !ok {
		return nil
	}
	d.Classes = codes
	if d.kept != nil {
		d.Classes = make([]int32, len(d.kept))
		for i, row := range d.kept {
			d.Classes[i] = codes[row]
		}
	}
	return Tells(d.Classes, d.Table.Name, d.source.Label)
}

// Tells refuses labels that tell no classes apart; negative ones are missing.
func Tells[T int | int32](classes []T, file, column string) error {
	first := T(-1)
	for _, c := range classes {
		if c >= 0 && first >= 0 && c != first {
			return nil
		}
		first = max(first, c)
	}
	problem := "the label column is constant, so it tells no groups apart"
	if first < 0 {
		problem = "no row has a label"
	}
	return &fault.Input{File: file, Column: column, Problem: problem,
		Fix: "name another column with --label"}
}
