package frame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Need is a data set that an experiment uses. File is CSV with a header, the features first and the
// true class last, in a column named class, unless Matrix or Labels is set. It may be
// gzip'ed, its name then ending in .gz; a matrix may be a NumPy array (.npy) instead.
type Need struct {
	Name    string   // what it is asked for by
	Title   string   // what the paper calls it
	File    string   // in the folder of data sets
	Rows    int      // N of the paper
	Cols    int      // M of the paper
	Classes int      // k of the paper
	Matrix  bool     // File is a square matrix of dissimilarities
	Labels  string   // file with the classes, where File has none; "": the last column of File
	Class   string   // column with the classes; "": class
	Text    string   // column of Labels with the text of each row; "": there are none
	Vectors bool     // rows are vectors that belong together, whose columns are not to be scaled
	Law     string   // of package generate, by which it is drawn; File is "" then
	From    string   // where to get it, and how to prepare it
	Parts   []string // parts that use it
	// sample shipped with kindred that replaces a missing file; "": none
	Sample  string
	Differs string // how that sample differs; "": not at all
}

// Set is a data set as it was read, features as they are.
type Set struct {
	Need
	X           dataset.Matrix // Rows×Cols; of a matrix nothing
	D           dissim.Source  // of a matrix: Rows×Rows, symmetric
	Truth       []int32        // class of each row, from 0; nil where the classes are not known
	Texts       []string       // text of each row; nil where Need names no column of them
	Fingerprint string         // SHA-256 of what was read
}

// Load reads the data sets that the parts to be run need.
func (e Experiment) Load(ctx context.Context, cfg Config) (sets []*Set, missing []Need,
	notes []string, err error) {
	wanted := 0
	for _, n := range e.Needs {
		used := slices.ContainsFunc(n.Parts,
			func(part string) bool { return Plan{Config: cfg}.Has(part) })
		if !used || len(cfg.Sets) > 0 && !slices.Contains(cfg.Sets, n.Name) {
			continue
		}
		wanted++
		s, shipped, err := n.read(ctx, cfg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, n)
			continue
		case err != nil:
			return nil, nil, nil, err
		}
		if shipped {
			note := n.Title + " is the sample that kindred ships"
			if n.Differs != "" {
				note += ", which " + n.Differs
			}
			notes = append(notes, note)
		}
		sets = append(sets, s)
	}
	switch bare := slices.ContainsFunc(e.Parts,
		func(p Part) bool { return p.Bare && (Plan{Config: cfg}).Has(p.Name) }); {
	case bare:
	case wanted == 0:
		return nil, nil, nil,
			fault.Inputf("ask for other parts or sets",
				"no part that was asked for uses a data set that was asked for")
	case len(sets) == 0:
		return nil, nil, nil, &fault.Input{
			File:    cfg.Datasets,
			Problem: "none of the data sets is here: " + missing[0].Description(),
			Fix:     "put it in a folder and name that with --datasets or KINDRED_DATASETS",
			Err:     &Absent{missing},
		}
	}
	return sets, missing, notes, nil
}

// Absent is the error that none of the data sets of an experiment is there.
type Absent struct{ Needs []Need }

func (e *Absent) Error() string { return "none of the data sets is here" }

// Description returns where to get a data set, in words.
func (n Need) Description() string { return fmt.Sprintf("%s (%s): %s", n.Title, n.Files(), n.From) }

// Files names the files of a data set.
func (n Need) Files() string {
	switch {
	case n.Law != "":
		return "drawn by the law " + n.Law
	case n.Labels != "":
		return n.File + " with " + n.Labels
	}
	return n.File
}
