package frame

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
)

// Here reports whether a data set is in a folder or drawn by a law, or else is a sample that
// kindred ships.
func (n Need) Here(folder string) (here, shipped bool) {
	if _, _, ok := n.find(folder); ok || n.Law != "" {
		return true, false
	}
	return n.Sample != "", n.Sample != ""
}

// find returns the paths of the files of a data set, when all are there.
func (n Need) find(folder string) (file, labels string, ok bool) {
	if folder == "" {
		return "", "", false
	}
	names := []string{n.File, n.File + ".gz"}
	if n.Matrix {
		names = append(names, strings.TrimSuffix(n.File, filepath.Ext(n.File))+".npy")
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil &&
			info.Mode().IsRegular() {
			file = filepath.Join(folder, name)
			break
		}
	}
	if n.Labels != "" {
		labels = filepath.Join(folder, n.Labels)
		if _, err := os.Stat(labels); err != nil {
			return "", "", false
		}
	}
	return file, labels, file != ""
}

// read reads a data set from the folder, or else from the samples.
func (n Need) read(ctx context.Context, cfg Config) (s *Set, shipped bool, err error) {
	file, labels, found := n.find(cfg.Datasets)
	switch {
	case n.Law != "":
		s, err = n.draw(ctx)
		return s, false, err
	case !found && n.Sample == "":
		return nil, false, fs.ErrNotExist
	case !found:
		s, err = n.readSample(ctx, cfg)
		return s, true, err
	case n.Matrix:
		s, err = n.readMatrix(ctx, file, cfg)
	default:
		s, err = n.readTable(ctx, file, cfg)
	}
	if err == nil && labels != "" {
		err = s.readLabels(labels)
	}
	if err == nil {
		err = s.check(file)
	}
	return s, false, err
}

// drawn is the seed of the sets that are drawn by a law.
const drawn = 1

// draw draws a set by its law.
func (n Need) draw(ctx context.Context) (*Set, error) {
	x, classes, err := generate.Make(ctx, n.Law, generate.Config{Rows: n.Rows, Dimensions: n.Cols,
		Clusters: n.Classes, Seed: drawn})
	if err != nil {
		return nil, err
	}
	s := &Set{Need: n, X: x, Truth: make([]int32, len(classes))}
	for i, c := range classes {
		s.Truth[i] = int32(c - 1)
	}
	sum := sha256.New()
	for _, values := range []any{x.F64, s.Truth} {
		if err := binary.Write(sum, binary.LittleEndian, values); err != nil {
			return nil, err
		}
	}
	s.Fingerprint = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

func (n Need) readMatrix(ctx context.Context, file string, cfg Config) (*Set, error) {
	m, report, err := dissim.Read(ctx, file, dissim.ReadOptions{Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	return &Set{Need: n, D: m, Fingerprint: report.Fingerprint}, nil
}

func (n Need) readTable(ctx context.Context, file string, cfg Config) (*Set, error) {
	o := dataset.ReadOptions{Label: "class", Plain: true, Threads: cfg.Threads}
	if n.Classes == 0 || n.Vectors {
		o.Label = ""
	}
	t, err := dataset.Read(ctx, file, o)
	if err != nil {
		return nil, err
	}
	return n.take(ctx, t, cfg.Threads)
}

func (n Need) readSample(ctx context.Context, cfg Config) (*Set, error) {
	have, ok := sample.Find(n.Sample)
	if !ok {
		return nil, fmt.Errorf("there is no sample %q", n.Sample)
	}
	r, err := have.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, err := dataset.ReadStream(ctx, r, have.Name+".csv",
		dataset.ReadOptions{Label: have.Label, Plain: true, Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	s, err := n.take(ctx, t, cfg.Threads)
	if err != nil {
		return nil, err
	}
	return s, s.check(t.Name)
}

// take makes a set of a table.
func (n Need) take(ctx context.Context, t *dataset.Table, threads int) (*Set, error) {
	ready, err := t.Prepare(ctx,
		dataset.Preparation{Scale: dataset.ScaleNone, Consume: true, Threads: threads})
	if err != nil {
		return nil, err
	}
	s := &Set{Need: n, X: ready.X, Fingerprint: t.Fingerprint}
	if n.Classes == 0 || n.Vectors {
		return s, nil
	}
	truth, _, ok := t.Labels()
	if !ok {
		return nil, &fault.Input{File: t.Name, Problem: "no column is named class", Fix: n.From}
	}
	s.Truth = truth
	return s, nil
}

// readLabels reads the classes from a column of a file of their own, and the texts where they are
// wanted. Classes are numbered in the order of their names.
func (s *Set) readLabels(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	wrong := func(line int, problem string) error {
		return &fault.Input{File: file, Line: line, Problem: problem, Fix: s.From}
	}
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff"))).
		ReadAll()
	if err != nil {
		return wrong(0, "is no CSV: "+err.Error())
	}
	class := s.Class
	if class == "" {
		class = "class"
	}
	column := func(name string) (values []string, err error) {
		at := -1
		if len(records) > 0 {
			at = slices.Index(records[0], name)
		}
		if at < 0 {
			return nil, wrong(1, "no column is named "+name)
		}
		for _, r := range records[1:] {
			values = append(values, r[at])
		}
		return values, nil
	}
	names, err := column(class)
	if err == nil && s.Text != "" {
		s.Texts, err = column(s.Text)
	}
	if err != nil {
		return err
	}
	known := slices.Compact(slices.Sorted(slices.Values(names)))
	s.Truth = make([]int32, len(names))
	for i, name := range names {
		at, _ := slices.BinarySearch(known, name)
		if s.Truth[i] = int32(at); strings.TrimSpace(name) == "" {
			s.Truth[i] = -1
		}
	}
	own := sha256.Sum256(text)
	both := sha256.Sum256([]byte(s.Fingerprint + hex.EncodeToString(own[:]) + class))
	s.Fingerprint = hex.EncodeToString(both[:])
	return nil
}

// check returns an error unless a set has the size that its need declares.
func (s *Set) check(file string) error {
	wrong := func(problem string) error {
		return &fault.Input{File: file, Problem: problem, Fix: s.From}
	}
	rows, cols := s.X.Rows, s.X.Cols
	if s.Matrix {
		rows, cols = s.D.Len(), s.D.Len()
	}
	if row := slices.Index(s.Truth, -1); row >= 0 {
		return &fault.Input{File: file, Row: row + 1, Column: "class", Problem: "no class",
			Fix: s.From}
	}
	classes := 0
	for _, c := range s.Truth {
		classes = max(classes, int(c)+1)
	}
	if rows != s.Rows || cols != s.Cols || classes != s.Classes {
		return wrong(fmt.Sprintf(
			"%d rows, %d features and %d classes, where the paper has %d, %d and %d", rows, cols,
			classes, s.Rows, s.Cols, s.Classes))
	}
	if s.Truth != nil && len(s.Truth) != rows {
		return wrong(fmt.Sprintf("%d rows, but %d classes in %s", rows, len(s.Truth), s.Labels))
	}
	return nil
}
