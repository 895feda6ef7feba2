package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// plotFlags are the flags of kindred plot.
type plotFlags struct {
	*input.Recipe // of a project: its settings, but for those given as flags
	data          string
	draw          string
	out           string
	title         string
	drawing
}

func newPlot(a *app) *cobra.Command {
	f := plotFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "plot RESULT",
		Short: "Draw the groups: SVG or PNG",
		Long: `plot draws the groups of RESULT: a project of kindred ask (NAME.kindred), which also has
answers and perhaps super-instances to draw and is not changed (it knows the flags of the fit), or a
partition (id,cluster), which needs --data.

Rows are placed by the first two principal components, by the two columns of a plane, or with
--layout neighbours so that nearest neighbours lie together, which shows groups that need many
dimensions. How well neighbours are kept is reported. Data that are no vectors are placed by their
dissimilarities (--dissimilarity, --text, --series).

--picture chooses what is shown; by default the groups, and of the credal partition that a method
with masses wrote which rows surely belong to a group (solid hull), which may (dashed), and which to
none.`,
		Example: `  kindred plot iris.kindred --out iris.svg
  kindred plot groups.csv --data wine --out wine.png --draw-links links.csv
  kindred plot groups.csv --data vectors.npy --layout neighbours
  kindred plot credal.csv --data distances.csv --dissimilarity --picture heatmap`,
		Args: cli.Arguments(1, 1, "one RESULT: a project or a partition", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" {
				base := filepath.Base(args[0])
				f.out = strings.TrimSuffix(base, filepath.Ext(base)) + ".svg"
			}
			if err := a.checkFiles([]string{args[0], f.data, f.draw, f.Links},
				outFile{"--out", f.out, plot.CheckPath}); err != nil {
				return err
			}
			if err := f.drawing.check(); err != nil {
				return err
			}
			if isProject(args[0]) {
				return f.project(cmd.Context(), a, args[0])
			}
			return f.partition(cmd.Context(), a, args[0])
		},
	}
	f.Flags(cmd.Flags())
	cli.Hide(cmd, "clusters", "method")
	fs := cmd.Flags()
	f.drawing.flags(fs, "")
	fs.StringVar(&f.data, "data", "", "the data (default for a project: those it was begun with)")
	fs.Lookup("links").Usage =
		"of a project: file of links known before, instead of the one it was begun with"
	fs.StringVar(&f.draw, "draw-links", "", "file of links to draw as well")
	fs.StringVar(&f.out, "out", "",
		"picture to write (.svg or .png; default: RESULT.svg in this folder)")
	fs.StringVar(&f.title, "title", "", "title of the picture")
	a.sharing(fs)
	return cmd
}

// project draws the current state of a project.
func (f *plotFlags) project(ctx context.Context, a *app, path string) error {
	p, err := a.opened(ctx, project.Config{Path: path, Data: f.data, Recipe: f.Recipe},
		project.View)
	if err != nil {
		return err
	}
	defer p.Close()
	if said := p.Recalled(); len(said) > 0 {
		a.notef("settings of %s: %s", path, strings.Join(said, ", "))
	}
	a.list("", p.FileNotes())
	s, err := p.Scene(ctx)
	if err != nil {
		return err
	}
	if s.Links, err = f.drawn(ctx, a, p.Data(), s.Links); err != nil {
		return err
	}
	return f.save(ctx, a, s)
}

// save draws a scene to the file of --out.
func (f *plotFlags) save(ctx context.Context, a *app, s *method.Scene) error {
	s.Title, s.Problem.Threads = f.title, f.Threads
	return f.drawing.save(ctx, a, s, f.out)
}

// partition draws a partition on its data.
func (f *plotFlags) partition(ctx context.Context, a *app, path string) error {
	if _, err := f.Compared(); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fault.Inputf("name a file in it", "is a folder, not a partition").In(path)
	}
	if f.data == "" {
		return fault.Setting(
			"a partition has no coordinates: name the data it was made from with --data")
	}
	pred, err := readPartition(ctx, a,
		input.Source{InflateLimit: f.InflateLimit, Threads: f.Threads}, path, "")
	if err != nil {
		return err
	}
	if hasMasses(pred.Table) {
		return f.credal(ctx, a, path)
	}
	p, err := f.take(ctx, a, "")
	if err != nil {
		return err
	}
	given, err := labelled(ctx, a, pred, p)
	if err != nil {
		return err
	}
	links, err := f.drawn(ctx, a, p, nil)
	if err != nil {
		return err
	}
	labels, numbers := partition.Compact(given)
	s := p.Scene(&method.Outcome{Labels: labels, Clusters: len(numbers)}, links)
	for _, c := range numbers {
		s.ClusterNames = append(s.ClusterNames, fmt.Sprintf("group %d", c))
	}
	return f.save(ctx, a, s)
}

// take reads the data as kindred cluster compares them under the same flags by a method, "" for the
// one that suits.
func (f *plotFlags) take(ctx context.Context, a *app, by string) (*input.Data, error) {
	how := input.Manner{Choose: func() (*method.Configured, error) {
		if f.Undecided() && by == "" {
			return nil, nil
		}
		switch {
		case by != "":
			f.Choose(by)
		case f.ByDissimilarity():
			f.Choose("evclus")
		default:
			f.Choose("kmeans")
		}
		m, err := input.Find(f.MethodName)
		if err != nil {
			return nil, err
		}
		return m.With(nil) // nothing is fitted, so that no number of groups is needed
	}}
	return whole(ctx, a, f.Recipe, func() (*input.Data, error) {
		return watched(a, func(p input.Progress) (*input.Data, error) {
			return f.Take(ctx, a.place(), f.data, how, p)
		})
	})
}

// labelled returns for each row of the data its label in a partition, 0 where it has none, and
// reports how many rows have none.
func labelled(ctx context.Context, a *app, pred *partition.Partition, p *input.Data) ([]int, error) {
	if p.IsMatrix() {
		return labelledObjects(pred, p)
	}
	t := p.Table
	m, err := partition.Match(ctx, pred,
		&partition.Partition{Labels: make([]int, t.Rows), Table: t})
	if err != nil {
		return nil, err
	}
	placed := make([]bool, t.Rows)
	for _, row := range m.Rows {
		placed[row] = true
	}
	noise, left := 0, 0 // rows that are drawn, and that preparation left out
	for row, ok := range placed {
		if _, drawn := p.Of(row); !ok && drawn {
			noise++
		} else if !ok {
			left++
		}
	}
	for _, of := range []struct {
		rows int
		how  string
	}{{noise, "drawn as noise"}, {left, "left out"}} {
		if of.rows > 0 {
			a.notef("%s of %s not in the partition: %s", words.Count(of.rows, "row"), t.Name, of.how)
		}
	}
	return place(p, m), nil
}

// labelledObjects returns for each object of a matrix its label in a partition, 0 where it has none.
func labelledObjects(pred *partition.Partition, p *input.Data) ([]int, error) {
	labels := make([]int, p.N())
	for i, label := range pred.Labels {
		id := pred.Table.ID(i)
		row, ok := p.Row(id)
		if !ok {
			return nil, &fault.Input{File: pred.Table.Name, Row: i + 1,
				Problem: fmt.Sprintf("the id %q is not in %s", id, p.Name()),
				Fix:     "give the data that the partition was made from"}
		}
		labels[row] = max(0, label)
	}
	return labels, nil
}

// credal draws a credal partition on its data.
func (f *plotFlags) credal(ctx context.Context, a *app, path string) error {
	read, ids, err := credal.Read(ctx, path)
	if err != nil {
		return err
	}
	if note := credal.Note(read, path); note != "" {
		a.notef("%s", note)
	}
	data, err := f.take(ctx, a, "evclus")
	if err != nil {
		return err
	}
	p := &credal.Partition{Clusters: read.Clusters, Focal: read.Focal,
		Mass: make([]float64, data.N()*len(read.Focal))}
	found := make([]bool, data.N())
	for i, id := range ids {
		row, ok := data.Row(id)
		if !ok {
			return &fault.Input{File: path, Row: i + 1, Column: partition.IDColumn,
				Problem: fmt.Sprintf("the id %q is not in %s", id, data.Name()),
				Fix:     "give the data that the partition was made from"}
		}
		copy(p.Row(row), read.Row(i))
		found[row] = true
	}
	if row := slices.Index(found, false); row >= 0 {
		return fault.Inputf("give the data that the partition was made from",
			"row %s of %s is not in it", data.ID(row), data.Name()).In(path)
	}
	links, err := f.drawn(ctx, a, data, nil)
	if err != nil {
		return err
	}
	out := &method.Outcome{Labels: p.Hard(belief.MaxPlausibility), Clusters: p.Clusters, Credal: p}
	return f.save(ctx, a, data.Scene(out, links))
}

// drawn adds the links of --draw-links to others.
func (f *plotFlags) drawn(ctx context.Context, a *app, p *input.Data,
	links []link.Link) ([]link.Link, error) {
	if f.draw == "" {
		return links, nil
	}
	more, note, err := p.Links(ctx, f.draw)
	if err != nil {
		return nil, err
	}
	if note != "" {
		a.notef("%s", note)
	}
	return append(links, more...), nil
}

// drawing holds the flags on how a picture is drawn.
type drawing struct {
	picture string // "": the default
	layout  string // "": the default
}

// flags adds the flags, of which the help begins with what draws.
func (d *drawing) flags(fs *pflag.FlagSet, what string) {
	fs.StringVar(&d.picture, "picture", "",
		what+gallery.Names()+" (default: groups, or rough)")
	fs.StringVar(&d.layout, "layout", "", "how rows are brought into the plane: "+
		gallery.Layouts()+" (default: pca, and mds for rows that are no vectors)")
}

// check refuses names of no picture and no layout, before any work is done.
func (d *drawing) check() error {
	if d.picture != "" {
		if _, _, err := gallery.Find(d.picture); err != nil {
			return err
		}
	}
	return gallery.CheckLayout(method.Layout(d.layout))
}

// poor is the trustworthiness below which another layout is likely to show more.
const poor = 0.9

// save draws the picture of a scene to a file.
func (d *drawing) save(ctx context.Context, a *app, s *method.Scene, path string) error {
	b := a.bar("placing rows in the plane")
	s.Problem.Progress = func(p fit.Progress) { b.update(p.Share) }
	s.Layout = method.Layout(d.layout)
	var note string
	s.Placed = func(v plot.View) {
		if q := v.Quality; q.Neighbours > 0 {
			note = fmt.Sprintf("neighbours are kept by the layout %s: %s", v.Layout, q)
			if q.Trustworthiness < poor && s.Layout != method.Neighbours {
				note += "; --layout neighbours may keep more"
			}
		}
	}
	fig, err := gallery.Draw(ctx, s, d.picture)
	b.done()
	if err != nil {
		return input.Placed(err, s.Name)
	}
	if err := fig.Save(path); err != nil {
		return err
	}
	if note != "" {
		a.notef("%s", note)
	}
	a.notef("the picture is in %s", path)
	return nil
}
