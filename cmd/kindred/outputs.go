package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project/input"
)

// outputs holds the flags that name files to write.
type outputs struct {
	out, model, answers, plot, tree string
	drawing                         drawing // of plot
	// how certain each row is, in [0, 1], which is written beside its group, but not of data that are
	// read as the first edition did; nil: it is not known
	certain func(context.Context) ([]float32, error)
	masses  bool // masses are written however many columns they take
}

// outputGroup is the group of these flags in help.
const outputGroup = "Output"

func (o *outputs) flags(a *app, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&o.out, "out", "", "write the partition here (.csv, .parquet or .jsonl)")
	fs.StringVar(&o.model, "model", "", "write here what kindred predict needs")
	fs.StringVar(&o.answers, "answers", "", "write the links that were asked here (.csv or .jsonl)")
	fs.StringVar(&o.plot, "plot", "", "draw the groups here (.svg or .png)")
	o.drawing.flags(fs, "what --plot draws: ")
	fs.StringVar(&o.tree, "tree", "", "write the tree of agglomerative or ccl here (.csv or "+
		".json), or that of hdbscan (.parquet, too)")
	a.sharing(fs)
	cli.Group(fs, outputGroup, "out", "model", "answers", "plot", "picture", "layout", "tree")
}

// sharing adds --shared to the flags of a command that writes files.
func (a *app) sharing(fs *pflag.FlagSet) {
	cli.Shared(fs, outputGroup, &a.shared)
}

// share lets others at the files that were made, where that is wanted. One that was there before
// keeps its permissions.
func (a *app) share() error {
	if !a.shared {
		return nil
	}
	var err error
	a.made = slices.DeleteFunc(a.made, func(path string) bool {
		if !there(path) {
			return false
		}
		err = cmp.Or(err, atomicfile.Share(path))
		return true
	})
	return err
}

// wanted reports whether anything is to be written.
func (o *outputs) wanted() bool {
	return o.out != "" || o.model != "" || o.answers != "" || o.plot != "" || o.tree != ""
}

// check refuses names of files as checkFiles does.
func (o *outputs) check(a *app, inUse ...string) error {
	return a.checkFiles(inUse, outFile{"--out", o.out, partition.CheckPath},
		outFile{"--answers", o.answers, link.CheckPath}, outFile{"--plot", o.plot, plot.CheckPath},
		outFile{"--tree", o.tree, dendrogram.CheckCondensedPath}, outFile{"--model", o.model, nil})
}

// outFile is a file to write.
type outFile struct {
	flag, path string                  // path is "" where nothing is written
	check      func(path string) error // refuses a name of no format; nil: any name will do
}

// checkFiles refuses names of no format, and files that would overwrite each other or one
// of those in use, before any work is done.
func (a *app) checkFiles(inUse []string, files ...outFile) error {
	for _, f := range files {
		err := placeable(f.flag, f.path)
		if info, failed := os.Stat(f.path); failed == nil && info.IsDir() {
			return err // whatever its name
		}
		if f.path != "" && f.check != nil {
			if err := f.check(f.path); err != nil {
				return fault.Setting(f.flag + ": " + err.Error())
			}
		}
		if err != nil {
			return err
		}
	}
	var taken []string
	for _, path := range inUse {
		if found, where, err := a.place().Locate(path); err == nil && where == input.InFile {
			path = found // a named data set lies elsewhere
		}
		if path != "" && path != "-" {
			taken = append(taken, path)
		}
	}
	for _, f := range files {
		if f.path == "" {
			continue
		}
		if slices.ContainsFunc(taken, func(other string) bool { return sameFile(f.path, other) }) {
			return fault.Settingf("%s would be overwritten: it is already in use by this command; "+
				"give another name", f.path)
		}
		taken = append(taken, f.path)
		if !there(f.path) && !slices.Contains(a.made, f.path) {
			a.made = append(a.made, f.path)
		}
	}
	return nil
}

// drawable refuses, before any work is done, a picture or a tree of what a method does not find.
// nil: the method follows from the data, and is checked once they are read.
func (o *outputs) drawable(c *method.Configured) error {
	if c == nil {
		return nil
	}
	if o.tree != "" && !c.Tree && !c.Condensed {
		return fault.Settingf("--tree writes a tree, and %s makes none: use --method agglomerative "+
			"or hdbscan", c.Name)
	}
	if err := dendrogram.CheckPath(o.tree); o.tree != "" && c.Tree && err != nil {
		return fault.Setting("--tree: " + err.Error())
	}
	if err := gallery.Check(c, o.drawing.picture); err != nil {
		return err
	}
	for _, flag := range [][2]string{{"picture", o.drawing.picture}, {"layout", o.drawing.layout}} {
		if flag[1] != "" && o.plot == "" {
			return fault.Settingf("--%s says how --plot draws: give --plot FILE, too", flag[0])
		}
	}
	return gallery.CheckLayout(method.Layout(o.drawing.layout))
}

// suit refuses a model of data that it could place nothing among, once they are read.
func (o *outputs) suit(data *input.Data) error {
	if o.model == "" || data.Placeable() {
		return nil
	}
	return fault.Setting("--model: pictures are described by what sets them apart from each " +
		"other, so a model could not place others; one of vectors of your own can (--embedding)")
}

// longestName is the longest name of a file, in bytes.
const longestName = 255

// placeable refuses a name that no file can be written by, before any work is done. "" is none.
func placeable(flag, path string) error {
	if path == "" {
		return nil
	}
	if len(filepath.Base(path)) > longestName {
		return fault.Settingf(
			"%s: the name of the file is longer than %d bytes: give a shorter one", flag,
			longestName)
	}
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return fault.Settingf("%s: %s is a folder: give the name of a file", flag, path)
		case !info.Mode().IsRegular():
			return fault.Settingf("%s: %s is no ordinary file: give another name", flag, path)
		}
		return atomicfile.Try(path)
	}
	folder := filepath.Dir(path)
	switch info, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Settingf("%s: there is no folder %s: make it first, or check the spelling",
			flag, folder)
	case err != nil:
		return fault.Settingf("%s: the folder %s cannot be looked at: see that it may be read",
			flag, folder)
	case !info.IsDir():
		return fault.Settingf("%s: %s is a file, not a folder: give another name", flag, folder)
	}
	return atomicfile.Try(path)
}

// sameFile reports whether two paths lead to one file, or would.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// mostMassColumns is how many columns a table of groups has that a person can still read.
const mostMassColumns = 30

// fixedColumns is how many columns of a credal partition are none of masses: id, cluster, lower,
// upper, outlier.
const fixedColumns = 5

// massColumns counts the columns of masses of a credal partition that is written, and of what
// follows from them: three for each cluster, one for each focal set.
func massColumns(p *credal.Partition) int { return 3*p.Clusters + len(p.Focal) }

// writeGroups writes a partition, with its masses if it has some, to a file, or to stdout where
// path is "".
func (a *app) writeGroups(path string, out *method.Outcome, id func(row int) string) error {
	switch {
	case path != "" && out.Credal != nil:
		return credal.WriteFile(path, out.Credal, id, out.Columns...)
	case path != "":
		return partition.WriteFile(path, out.Labels, id, out.Columns...)
	}
	return writeRows(a.out, dataset.FormatCSV, out, id)
}

// writeRows writes a partition, with its masses if it has some.
func writeRows(w io.Writer, format dataset.Format, out *method.Outcome,
	id func(row int) string) error {
	if out.Credal != nil {
		return credal.Write(w, format, out.Credal, id, out.Columns...)
	}
	return partition.Write(w, format, out.Labels, id, out.Columns...)
}

// rowsOf returns a partition as one array, of what a file .jsonl has as lines.
func rowsOf(out *method.Outcome, id func(row int) string) (json.RawMessage, error) {
	return inArray(func(w io.Writer) error {
		return writeRows(w, dataset.FormatJSONL, out, id)
	})
}

// inArray returns lines of JSON as one array.
func inArray(lines func(io.Writer) error) (json.RawMessage, error) {
	var text bytes.Buffer
	text.WriteByte('[')
	if err := lines(&text); err != nil {
		return nil, err
	}
	list := bytes.ReplaceAll(bytes.TrimSuffix(text.Bytes(), []byte("\n")), []byte("\n"),
		[]byte(","))
	return append(list, ']'), nil
}

// write writes the files that flags name, each though others fail, and returns what failed first;
// scene returns what a picture shows.
func (o *outputs) write(ctx context.Context, a *app, data *input.Data, out *method.Outcome,
	scene func(context.Context) (*method.Scene, error)) error {
	var failed error
	each := func(path string, write func() error, said string) {
		if path == "" || interrupted(failed) {
			return
		}
		switch err := write(); {
		case err == nil && said != "":
			a.notef("%s in %s", said, path)
		case err != nil && failed == nil:
			failed = err
		case err != nil && !interrupted(err):
			a.notef("%v", err)
		}
	}
	each(o.model, func() error {
		if out.Model == nil {
			return fault.Inputf("leave out --model, or try another method",
				"these groups make no model that could place new rows")
		}
		return model.Save(out.Model, o.model)
	}, "the model is")
	each(o.answers, func() error { return link.WriteFile(o.answers, out.Asked, data.ID) },
		words.Count(len(out.Asked), "answer"))
	each(o.out, func() error { return o.writeGroups(ctx, a, data, out) },
		"the group of each row is")
	each(o.tree, func() error {
		if out.Condensed != nil {
			return out.Condensed.WriteFile(o.tree, data.ID)
		}
		return out.Tree.WriteFile(o.tree, data.ID)
	}, "the tree is")
	each(o.plot, func() error {
		s, err := scene(ctx)
		if err != nil {
			return err
		}
		return o.drawing.save(ctx, a, s, o.plot)
	}, "")
	return failed
}

// writeGroups writes the groups to --out, with the certainty of each row where it is known, and
// without masses where these would take too many columns.
func (o *outputs) writeGroups(ctx context.Context, a *app, data *input.Data,
	out *method.Outcome) error {
	c := out.Credal
	if o.certain == nil || data.Plain() {
		return a.writeGroups(o.out, out, data.ID)
	}
	sure, err := o.certain(ctx)
	if err != nil {
		return err
	}
	certainty := partition.Column{Name: "certainty", Values: make([]float64, len(sure))}
	for i, v := range sure {
		certainty.Values[i] = math.Round(1000*float64(v)) / 1000
	}
	with := *out
	with.Columns = append([]partition.Column{certainty}, out.Columns...)
	if c == nil || o.masses || fixedColumns+massColumns(c) <= mostMassColumns {
		return a.writeGroups(o.out, &with, data.ID)
	}
	a.notef("%s of masses are left out of %s, and the certainty of each row stands for them: "+
		"--masses writes them", words.Count(massColumns(c), "column"), o.out)
	return credal.WriteRoughFile(o.out, c, data.ID, with.Columns...)
}
