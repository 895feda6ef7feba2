package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// maxHulls is the number of rows up to which super-instances have hulls, which hide the links of
// more.
const maxHulls = 5000

// plotFlags are the flags of kindred plot.
type plotFlags struct {
	*input.Recipe // of a project: its settings, unless flags say otherwise; nothing is written back
	data          string
	draw          string
	out           string
	title         string
	picture       string
}

func newPlot(a *app) *cobra.Command {
	f := plotFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "plot RESULT",
		Short: "Draw the groups: SVG or PNG",
		Long: `plot draws the groups by the first two principal components, or by the two columns of a plane.
RESULT is a project of kindred ask (NAME.kindred), which also has answers and perhaps super-instances to
draw and is not changed (it knows the flags of the fit), or a partition (id,cluster), which needs --data. Of the credal partition that
an evidential method wrote, --picture chooses what is shown; by default which rows surely belong to a
group (solid hull), which may (dashed), and which to none. Data that are no vectors are placed by their
dissimilarities (--dissimilarity, --text, --series).`,
		Example: `  kindred plot iris.kindred --out iris.svg
  kindred plot groups.csv --data wine --out wine.png --draw-links links.csv
  kindred plot credal.csv --data distances.csv --dissimilarity --picture heatmap`,
		Args: cli.Arguments(1, 1, "one RESULT: a project or a partition", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" {
				base := filepath.Base(args[0])
				f.out = strings.TrimSuffix(base, filepath.Ext(base)) + ".svg"
			}
			o := outputs{plot: f.out, plotFlag: "--out"}
			if err := o.check(a, args[0], f.data, f.draw, f.Links); err != nil {
				return err
			}
			if _, err := f.Each(); err != nil {
				return err
			}
			if err := checkPicture(f.picture, 0, nil); err != nil {
				return err
			}
			if strings.EqualFold(filepath.Ext(args[0]), ".kindred") {
				return f.project(cmd, a, args[0])
			}
			return f.partition(cmd.Context(), a, args[0])
		},
	}
	f.Flags(cmd.Flags())
	cli.Hide(cmd, "landmarks", "stress", "optimizer", "model-rows", "partners", "d0", "tail",
		"transform", "focal", "pairs", "xi", "constraints", "tolerance", "clusters", "method")
	fs := cmd.Flags()
	fs.StringVar(&f.picture, "picture", "rough",
		"what is drawn of an evidential partition: "+pictures)
	fs.StringVar(&f.data, "data", "", "the data (default for a project: those it was begun with)")
	fs.Lookup("links").Usage =
		"of a project: file of links known before, instead of the one it was begun with"
	fs.StringVar(&f.draw, "draw-links", "", "file of links to draw as well")
	fs.StringVar(&f.out, "out", "",
		"picture to write (.svg or .png; default: RESULT.svg in this folder)")
	fs.StringVar(&f.title, "title", "", "title of the picture")
	return cmd
}

// project draws a session as it stands.
func (f *plotFlags) project(cmd *cobra.Command, a *app, path string) error {
	ctx := cmd.Context()
	if !store.Exists(path) {
		return &fault.Input{File: path, Problem: "there is no such project",
			Fix: "check the spelling"}
	}
	p, err := store.View(ctx, path)
	if err != nil {
		return err
	}
	defer p.Close()
	h, ok, err := p.Header(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return &fault.Input{File: path, Problem: "the project holds no session yet",
			Fix: "begin one with kindred ask"}
	}
	if err := recall(a, f.Recipe, h, path); err != nil {
		return err
	}
	name := f.data
	if name == "" {
		if name, err = input.DataOf(h, path, a.place()); err != nil {
			return err
		}
	}
	s := &asking{project: p}
	if err := load(ctx, a, f.Recipe, s, name); err != nil {
		return err
	}
	if s.data.Fingerprint() != h.Fingerprint {
		return changedData(path, h, name, s.data.Read(),
			"name the data the project was begun with by --data, or go on with kindred ask "+
				"--changed-data carry first")
	}
	if err := restore(ctx, a, f.Recipe, s); err != nil {
		return err
	}
	out, err := s.outcome(ctx)
	if err != nil {
		return err
	}
	links, err := f.drawn(ctx, a, s.data, append(s.problem.Links, out.Asked...))
	if err != nil {
		return err
	}
	if out.Credal == nil {
		return savePicture(ctx, a, f.out, s.data, out, links, f.title)
	}
	c := credalPicture{
		kind: f.picture, title: f.title, data: s.data, p: out.Credal, links: links,
		fit: out.Evidential, transform: s.settings.Evidential.Transform, threads: f.Threads,
	}
	return c.save(ctx, a, f.out)
}

// partition draws a partition on its data.
func (f *plotFlags) partition(ctx context.Context, a *app, path string) error {
	if _, err := f.Compared(); err != nil {
		return err
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
	t, err := read(ctx, a, &f.Source, f.data, false)
	if err != nil {
		return err
	}
	p, err := f.Prepare(ctx, t, false)
	if err != nil {
		return err
	}
	m, err := partition.Match(ctx, pred,
		&partition.Partition{Labels: make([]int, t.Rows), Table: t})
	if err != nil {
		return err
	}
	if left := t.Rows - len(m.Rows); left > 0 {
		a.say("%s of %s not in the partition: drawn as noise", words.Count(left, "row"), t.Name)
	}
	links, err := f.drawn(ctx, a, p, nil)
	if err != nil {
		return err
	}
	return savePicture(ctx, a, f.out, p, &method.Outcome{Labels: place(p, m)}, links, f.title)
}

// credal draws a credal partition on its data.
func (f *plotFlags) credal(ctx context.Context, a *app, path string) error {
	read, ids, err := credal.Read(ctx, path)
	if err != nil {
		return err
	}
	data, err := objects(ctx, a, &f.Source, f.data, false)
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
		return &fault.Input{File: path,
			Problem: fmt.Sprintf("row %s of %s is not in it", data.ID(row), data.Name()),
			Fix:     "give the data that the partition was made from"}
	}
	c := credalPicture{kind: f.picture, title: f.title, data: data, p: p, threads: f.Threads}
	if c.links, err = f.drawn(ctx, a, data, nil); err != nil {
		return err
	}
	return c.save(ctx, a, f.out)
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
		a.say("%s", note)
	}
	return append(links, more...), nil
}

// savePicture draws an outcome. A table of two features is drawn in its own units.
func savePicture(ctx context.Context, a *app, path string, data *input.Data, out *method.Outcome,
	links []link.Link, title string) error {
	x := data.Ready.X
	if x.Cols <= 2 {
		x = unscaled(data)
	}
	view, err := plot.Plane(ctx, x, data.Ready.Names, 0)
	if err != nil {
		return err
	}
	clusters, names := compact(out.Labels)
	cfg := plot.ScatterConfig{
		Points: view.Points, XLabel: view.XLabel, YLabel: view.YLabel,
		Clusters: clusters, ClusterNames: names, Links: links, Title: title,
	}
	if title == "" {
		cfg.Title = filepath.Base(data.Table.Name) + ": " + words.Count(len(names), "group")
		if out.Unfinished {
			cfg.Title += fmt.Sprintf(" so far, %s", words.Count(out.Queries, "answer"))
		}
	}
	if n := len(out.Medoids); n > 0 && n < x.Rows {
		cfg.SuperInstances = make([]plot.SuperInstance, n)
		for i, m := range out.Medoids {
			cfg.SuperInstances[i].Medoid = m
		}
		if x.Rows <= maxHulls {
			for row, s := range out.Of {
				cfg.SuperInstances[s].Members = append(cfg.SuperInstances[s].Members, row)
			}
		}
	}
	fig, err := plot.Scatter(cfg)
	if err != nil {
		return err
	}
	if err := fig.Save(path); err != nil {
		return err
	}
	a.say("the picture is in %s", path)
	return nil
}

// compact numbers the groups of a partition from 1, in the order of their numbers, and names each
// by the number it has; 0 stays 0. A file may number few groups by any numbers.
func compact(labels []int) (numbered []int, names []string) {
	found := slices.Compact(slices.Sorted(slices.Values(labels)))
	found = slices.DeleteFunc(found, func(c int) bool { return c == 0 })
	number := make(map[int]int, len(found))
	for i, c := range found {
		number[c] = i + 1
		names = append(names, fmt.Sprintf("group %d", c))
	}
	numbered = make([]int, len(labels))
	for row, c := range labels {
		numbered[row] = number[c]
	}
	return numbered, names
}

// unscaled returns the prepared rows in the units of the file.
func unscaled(p *input.Data) dataset.Matrix {
	x := p.Ready.X
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F64: make([]float64, 0, x.Rows*x.Cols)}
	for i := range x.Rows {
		for j := range x.Cols {
			out.F64 = append(out.F64, p.Ready.Encoding.Original(j, x.At(i, j)))
		}
	}
	return out
}
