package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
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
	// the clusters alone are written where a table of masses would be too wide to be read, but not
	// of data that are read as the first edition did
	narrow bool
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
		if f.path != "" && f.check != nil {
			if err := f.check(f.path); err != nil {
				return fault.Setting(f.flag + ": " + err.Error())
			}
		}
		if err := placeable(f.flag, f.path); err != nil {
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
		return nil
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
	return nil
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

// credalColumns counts the columns of a credal partition that is written: id, cluster, lower, upper,
// outlier, three for each cluster, one for each focal set.
func credalColumns(p *credal.Partition) int { return 5 + 3*p.Clusters + len(p.Focal) }

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

// write writes the files that flags name; scene returns what a picture shows.
func (o *outputs) write(ctx context.Context, a *app, data *input.Data, out *method.Outcome,
	scene func(context.Context) (*method.Scene, error)) error {
	if o.model != "" {
		if out.Model == nil {
			return fault.Inputf("leave out --model, or try another method",
				"these groups make no model that could place new rows")
		}
		if err := model.Save(out.Model, o.model); err != nil {
			return err
		}
		a.notef("the model is in %s", o.model)
	}
	if o.answers != "" {
		if err := link.WriteFile(o.answers, out.Asked, data.ID); err != nil {
			return err
		}
		a.notef("%s in %s", words.Count(len(out.Asked), "answer"), o.answers)
	}
	if o.out != "" {
		groups := *out
		if c := out.Credal; o.narrow && !data.Plain() && c != nil &&
			credalColumns(c) > mostMassColumns {
			a.notef("%s of masses would stand in %s beside the group of each row: --masses "+
				"writes them, too", words.Count(credalColumns(c)-2, "column"), o.out)
			groups.Credal = nil
		}
		if err := a.writeGroups(o.out, &groups, data.ID); err != nil {
			return err
		}
		a.notef("the group of each row is in %s", o.out)
	}
	if o.tree != "" {
		tree := out.Tree.WriteFile
		if out.Condensed != nil {
			tree = out.Condensed.WriteFile
		}
		if err := tree(o.tree, data.ID); err != nil {
			return err
		}
		a.notef("the tree is in %s", o.tree)
	}
	if o.plot != "" {
		s, err := scene(ctx)
		if err != nil {
			return err
		}
		return o.drawing.save(ctx, a, s, o.plot)
	}
	return nil
}
