package frame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dataset/sample"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Need is a data set that an experiment uses: CSV with a header, the features first and the true class last, in a
// column named class.
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
	From    string   // where to get it, and how to prepare it
	Parts   []string // parts that use it
	Sample  string   // sample shipped with kindred that stands in where the file is missing; "": none
	Differs string   // how that sample differs; "": not at all
}

// Set is a data set as it was read, features as they are.
type Set struct {
	Need
	X           dataset.Matrix // Rows×Cols; of a matrix nothing
	D           dissim.Source  // of a matrix: Rows×Rows
	Truth       []int32        // class of each row, from 0
	Fingerprint string         // SHA-256 of what was read
}

// Load reads the data sets that the parts to be run need.
func (e Experiment) Load(ctx context.Context, cfg Config) (sets []*Set, missing []Need, notes []string, err error) {
	wanted := 0
	for _, n := range e.Needs {
		used := slices.ContainsFunc(n.Parts, func(part string) bool { return Plan{Config: cfg}.Has(part) })
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
	switch bare := slices.ContainsFunc(e.Parts, func(p Part) bool { return p.Bare && (Plan{Config: cfg}).Has(p.Name) }); {
	case bare:
	case wanted == 0:
		return nil, nil, nil, &fault.Input{Problem: "no part that was asked for uses a data set that was asked for", Mend: "ask for other parts or sets"}
	case len(sets) == 0:
		return nil, nil, nil, &fault.Input{File: cfg.Datasets, Problem: "none of the data sets is here: " + missing[0].say(), Mend: "put it in a folder and name that with --datasets or KINDRED_DATASETS"}
	}
	return sets, missing, notes, nil
}

// say tells where to get a data set.
func (n Need) say() string { return fmt.Sprintf("%s (%s): %s", n.Title, n.File, n.From) }

// read reads a data set from the folder, or else from the samples.
func (n Need) read(ctx context.Context, cfg Config) (s *Set, shipped bool, err error) {
	o := dataset.ReadOptions{Label: "class", Threads: cfg.Threads}
	var t *dataset.Table
	path := filepath.Join(cfg.Datasets, n.File)
	_, found := os.Stat(path)
	switch {
	case cfg.Datasets != "" && found == nil:
		t, err = dataset.Read(ctx, path, o)
	case n.Sample != "":
		t, err = n.readSample(ctx, o)
		shipped = true
	default:
		return nil, false, fs.ErrNotExist
	}
	if err != nil {
		return nil, false, err
	}
	s, err = n.take(ctx, t, cfg.Threads)
	return s, shipped, err
}

func (n Need) readSample(ctx context.Context, o dataset.ReadOptions) (*dataset.Table, error) {
	have, ok := sample.Find(n.Sample)
	if !ok {
		return nil, fmt.Errorf("there is no sample %q", n.Sample)
	}
	r, err := have.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	o.Label = have.Label
	return dataset.ReadStream(ctx, r, have.Name+".csv", o)
}

// take makes a set of a table, when it has the size that the paper tells.
func (n Need) take(ctx context.Context, t *dataset.Table, threads int) (*Set, error) {
	ready, err := t.Prepare(ctx, dataset.Preparation{Scale: dataset.ScaleNone, Consume: true, Threads: threads})
	if err != nil {
		return nil, err
	}
	truth, names, ok := t.Labels()
	if !ok {
		return nil, &fault.Input{File: t.Name, Problem: "no column is named class", Mend: n.From}
	}
	if row := slices.Index(truth, -1); row >= 0 {
		return nil, &fault.Input{File: t.Name, Row: row + 1, Column: "class", Problem: "no class", Mend: n.From}
	}
	if x := ready.X; x.Rows != n.Rows || x.Cols != n.Cols || len(names) != n.Classes {
		return nil, &fault.Input{
			File:    t.Name,
			Problem: fmt.Sprintf("%d rows, %d features and %d classes, where the paper has %d, %d and %d", x.Rows, x.Cols, len(names), n.Rows, n.Cols, n.Classes),
			Mend:    n.From,
		}
	}
	return &Set{Need: n, X: ready.X, Truth: truth, Fingerprint: t.Fingerprint}, nil
}
