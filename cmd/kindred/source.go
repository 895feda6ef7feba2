package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dataset/sample"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
)

// source holds the flags that say how DATA are read and prepared.
type source struct {
	id, label, scale, duplicates, missing, format string
	features, drop                                []string
	inflate                                       int64
	threads                                       int
	lists                                         bool // lists are read as texts, whether or not a column of them is compared
	comparison
}

// reading are the flags for reading columns that are known.
func (s *source) reading(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.id, "id", "", "column that names the rows; else they are numbered from 1")
	f.StringVar(&s.format, "format", "", "format of the data: csv, tsv, npy, parquet, arff or jsonl; else by name or content")
	f.Int64Var(&s.inflate, "inflate-limit", dataset.DefaultInflateLimit, "bytes that a compressed or piped input may inflate to")
	f.IntVar(&s.threads, "threads", 0, "threads, 0 for one a processor; never changes a result")
}

// flags are those for reading and preparing.
func (s *source) flags(cmd *cobra.Command) {
	s.reading(cmd)
	f := cmd.Flags()
	f.StringVar(&s.label, "label", "", "column of true classes: never a feature")
	f.StringSliceVar(&s.features, "features", nil, "columns to use, separated by commas; else all that suit")
	f.StringSliceVar(&s.drop, "drop", nil, "columns to leave out, separated by commas")
	f.StringVar(&s.scale, "scale", "minmax", "scaling of features: none, minmax or zscore")
	f.StringVar(&s.duplicates, "duplicates", "keep", "rows with equal features: keep, or drop all but the first")
	f.StringVar(&s.missing, "missing", "refuse", "missing values: refuse, drop the row, or fill with the mean or median")
}

// read reads DATA: a file, - for stdin, or the name of a sample.
func (s *source) read(ctx context.Context, a *app, name string, keep bool) (*dataset.Table, error) {
	t, err := s.table(ctx, a, name, keep)
	var in *fault.Input
	if errors.As(err, &in) && in.Problem == "the value is a list" {
		in.Mend = "compare lists of numbers with kindred cluster --series " + in.Column + ", or give each of their items a key of its own in the row"
	}
	return t, err
}

func (s *source) table(ctx context.Context, a *app, name string, keep bool) (*dataset.Table, error) {
	format, err := dataset.ParseFormat(s.format)
	if err != nil {
		return nil, usage{fmt.Sprintf("--format: %v", err)}
	}
	b := a.bar("reading " + filepath.Base(name))
	defer b.done()
	o := dataset.ReadOptions{
		Format: format, ID: s.id, Label: s.label, Features: s.features, Drop: s.drop,
		Keep: keep, InflateLimit: s.inflate, Threads: s.threads,
		Progress: b.read,
	}
	switch path, where, err := a.locate(name); {
	case err != nil:
		return nil, err
	case where == inStream && s.hasLists(""):
		return readLists(ctx, a.in, "stdin", o)
	case where == inFile && s.hasLists(path):
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readLists(ctx, f, path, o)
	case where == inStream:
		return dataset.ReadStream(ctx, a.in, "stdin", o)
	case where == inBinary:
		found, _ := sample.Find(path)
		r, err := found.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		o.Format = dataset.FormatCSV
		return dataset.ReadStream(ctx, r, found.Name, o)
	default:
		return dataset.Read(ctx, path, o)
	}
}

type place int

const (
	inFile place = iota
	inStream
	inBinary
)

// locate finds DATA: a file here wins over a sample, and a sample over the folder of named sets.
func (a *app) locate(name string) (string, place, error) {
	if name == "-" {
		return name, inStream, nil
	}
	_, err := os.Stat(name)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return "", inFile, &fault.Input{File: short(name), Problem: "the name is too long for a file", Mend: "look for a slip in it", Err: err}
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return name, inFile, nil
	}
	if _, ok := sample.Find(name); ok {
		return name, inBinary, nil
	}
	if folder := a.env("KINDRED_DATASETS"); folder != "" && filepath.IsLocal(name) {
		for _, end := range []string{"", ".csv", ".csv.gz", ".parquet", ".npy"} {
			path := filepath.Join(folder, name+end)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, inFile, nil
			}
		}
	}
	mend := "look for a slip in its name"
	if !strings.ContainsAny(name, "./\\") {
		mend = "give a file, - for stdin, or a sample (see kindred data list)"
	}
	return "", inFile, &fault.Input{File: name, Problem: "there is no such file", Mend: mend}
}

// prepared are data as a method takes them.
type prepared struct {
	table   *dataset.Table    // nil for a matrix of dissimilarities
	ready   *dataset.Prepared // nil where no features are used
	classes []int32           // true classes of the prepared rows; nil when there are none
	kept    []int32           // table rows that are used, in order; nil: all
	rowOf   map[int]int       // prepared row of a table row; nil when they are the same

	objects method.Objects // what the rows are compared by, where a method is to take dissimilarities
	src     dissim.Source  // those; nil where none are taken
	square  square         // a matrix as read
}

// preparation checks the flags that say how to prepare.
func (s *source) preparation(consume bool) (dataset.Preparation, error) {
	o := dataset.Preparation{Consume: consume, Threads: s.threads}
	var err error
	if o.Scale, err = dataset.ParseScale(s.scale); err != nil {
		return o, usage{fmt.Sprintf("--scale: %v", err)}
	}
	if o.Duplicates, err = dataset.ParseDuplicates(s.duplicates); err != nil {
		return o, usage{fmt.Sprintf("--duplicates: %v", err)}
	}
	if o.Missing, err = dataset.ParseMissing(s.missing); err != nil {
		return o, usage{fmt.Sprintf("--missing: %v", err)}
	}
	return o, nil
}

// prepare scales and completes the table. A label column must tell at least two classes apart.
func (s *source) prepare(ctx context.Context, t *dataset.Table, consume bool) (*prepared, error) {
	o, err := s.preparation(consume)
	if err != nil {
		return nil, err
	}
	p := &prepared{table: t}
	square := looksSquare(ctx, t)
	if p.ready, err = t.Prepare(ctx, o); err != nil {
		return nil, err
	}
	if square {
		p.ready.Notes = append(p.ready.Notes, "the table looks like a matrix of dissimilarities: --dissimilarity takes it as one")
	}
	p.kept = p.ready.Rows
	p.index()
	return p, s.classify(p)
}

// index finds the rows that are used by their places in the table.
func (p *prepared) index() {
	if p.kept == nil {
		return
	}
	p.rowOf = make(map[int]int, len(p.kept))
	for i, row := range p.kept {
		p.rowOf[int(row)] = i
	}
}

// classify takes the true classes of the rows, if there are any.
func (s *source) classify(p *prepared) error {
	codes, _, ok := p.table.Labels()
	if !ok {
		return nil
	}
	p.classes = codes
	if p.kept != nil {
		p.classes = make([]int32, len(p.kept))
		for i, row := range p.kept {
			p.classes[i] = codes[row]
		}
	}
	return tells(p.classes, p.table.Name, s.label)
}

// tells refuses a label column that tells no classes apart.
func tells[T int | int32](classes []T, file, column string) error {
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
	return &fault.Input{File: file, Column: column, Problem: problem, Mend: "name another column with --label"}
}

// source gives the table row of a prepared row.
func (p *prepared) source(row int) int {
	if p.kept == nil {
		return row
	}
	return int(p.kept[row])
}

// id names a prepared row.
func (p *prepared) id(row int) string {
	if p.isMatrix() {
		return strconv.Itoa(row + 1)
	}
	return p.table.ID(p.source(row))
}

// row finds a prepared row by id.
func (p *prepared) row(id string) (row int, ok bool) {
	row, ok = p.resolve(id)
	if !ok || p.rowOf == nil {
		return row, ok
	}
	row, ok = p.rowOf[row]
	return row, ok
}

// links reads a file of links between rows of the data. Links to rows that preparation left out are
// not used, and the note says how many.
func (p *prepared) links(ctx context.Context, path string) (links []link.Link, note string, err error) {
	all, err := link.ReadFile(ctx, path, p.resolve)
	if err != nil || p.rowOf == nil {
		return all, "", err
	}
	links = among(all, p.rowOf)
	if dropped := len(all) - len(links); dropped > 0 {
		note = fmt.Sprintf("%s to rows that preparation left out: not used", count(dropped, "link"))
	}
	return links, note, nil
}

// among gives the links between rows that are in at, in their places there.
func among(links []link.Link, at map[int]int) []link.Link {
	var kept []link.Link
	for _, l := range links {
		a, okA := at[l.A]
		b, okB := at[l.B]
		if okA && okB {
			l.A, l.B = a, b
			kept = append(kept, l)
		}
	}
	return kept
}

// place gives each prepared row the label of a matched partition of the table; 0 where it has none.
func (p *prepared) place(m *partition.Matched) []int {
	labels := make([]int, p.ready.X.Rows)
	for i, row := range m.Rows {
		at, kept := row, true
		if p.rowOf != nil {
			at, kept = p.rowOf[row]
		}
		if kept {
			labels[at] = max(0, m.Pred[i])
		}
	}
	return labels
}

// notes are sentences on what was chosen for the person.
func (p *prepared) notes() []string {
	if p.isMatrix() {
		return slices.Clone(p.square.Notes)
	}
	if p.ready != nil {
		return slices.Concat(p.table.Notes, p.ready.Notes)
	}
	notes := slices.Clone(p.table.Notes)
	if g := p.objects.Gower; g != nil {
		var names []string
		for _, c := range g.Columns {
			names = append(names, short(c.Name))
		}
		notes = append(notes, "compared by "+upTo(names, 8))
	} else { // no features are used, so what is none does not matter
		notes = slices.DeleteFunc(notes, func(n string) bool { return strings.HasPrefix(n, "not a feature") })
	}
	if left := p.read() - p.n(); left > 0 {
		notes = append(notes, fmt.Sprintf("%s with missing values left out", count(left, "row")))
	}
	return notes
}

// upTo lists names, the first of many.
func upTo(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
