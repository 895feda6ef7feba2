package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/session"
)

func newPlot(a *app) *cobra.Command {
	var f askFlags
	var data, title string
	cmd := &cobra.Command{
		Use:   "plot RESULT",
		Short: "Draw the groups: SVG or PNG",
		Long: `plot draws the groups by the first two principal components, or by the two columns of a plane.
RESULT is a project of kindred ask (NAME.kindred), which also has super-instances and answers to
draw, or a partition (id,cluster), which needs --data.`,
		Example: `  kindred plot iris.kindred --out iris.svg
  kindred plot groups.csv --data wine --out wine.png --links links.csv`,
		Args: arguments(1, 1, "one RESULT: a project or a partition"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if strings.EqualFold(filepath.Ext(args[0]), ".kindred") {
				return f.plotProject(ctx, cmd, a, args[0], data, title)
			}
			return f.plotPartition(ctx, a, args[0], data, title)
		},
	}
	f.source.flags(cmd)
	f.fit.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&data, "data", "", "the data (default for a project: those it was begun with)")
	fs.StringVar(&f.links, "links", "", "file of links to draw")
	fs.StringVar(&f.plot, "out", "", "picture to write (.svg or .png; default: RESULT.svg in this folder)")
	fs.StringVar(&title, "title", "", "title of the picture")
	return cmd
}

func (f *askFlags) target(result string) string {
	if f.plot != "" {
		return f.plot
	}
	base := filepath.Base(result)
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".svg"
}

func (f *askFlags) plotProject(ctx context.Context, cmd *cobra.Command, a *app, path, data, title string) error {
	if !session.Exists(path) {
		return &fault.Input{File: path, Problem: "there is no such project", Mend: "look for a slip in its name"}
	}
	if data == "" {
		p, err := session.Open(ctx, path)
		if err != nil {
			return err
		}
		h, ok, err := p.Header(ctx)
		p.Close()
		if err != nil {
			return err
		}
		if !ok {
			return &fault.Input{File: path, Problem: "the project holds no session yet", Mend: "begin one with kindred ask"}
		}
		data = h.Data
	}
	s, err := f.open(ctx, cmd, a, data, path)
	if s != nil && s.project != nil {
		defer s.project.Close()
	}
	if err != nil {
		return err
	}
	out := method.CobraOutcome(s.run)
	return savePicture(ctx, a, f.target(path), s.data, out, append(s.problem.Links, out.Asked...), title)
}

func (f *askFlags) plotPartition(ctx context.Context, a *app, path, data, title string) error {
	if data == "" {
		return usage{"a partition has no coordinates: name the data it was made from with --data"}
	}
	pred, err := readPartition(ctx, a, source{inflate: f.source.inflate, threads: f.source.threads}, path)
	if err != nil {
		return err
	}
	t, err := f.source.read(ctx, a, data, false)
	if err != nil {
		return err
	}
	p, err := f.source.prepare(ctx, t, false)
	if err != nil {
		return err
	}
	all := &partition.Partition{Labels: make([]int, t.Rows), Table: t}
	m, err := partition.Match(ctx, pred, all)
	if err != nil {
		return err
	}
	out := &method.Outcome{Labels: make([]int, p.ready.X.Rows)}
	for i, row := range m.Rows {
		if p.rowOf == nil {
			out.Labels[row] = m.Pred[i]
		} else if at, kept := p.rowOf[row]; kept {
			out.Labels[at] = m.Pred[i]
		}
	}
	var links []link.Link
	if f.links != "" {
		if links, _, err = p.links(ctx, f.links); err != nil {
			return err
		}
	}
	return savePicture(ctx, a, f.target(path), p, out, links, title)
}

// savePicture draws an outcome. A table of two features is drawn in its own units.
func savePicture(ctx context.Context, a *app, path string, data *prepared, out *method.Outcome, links []link.Link, title string) error {
	x := data.ready.X
	if x.Cols <= 2 {
		x = unscaled(data)
	}
	view, err := plot.Plane(ctx, x, data.ready.Names, 0)
	if err != nil {
		return err
	}
	cfg := plot.ScatterConfig{
		Points: view.Points, XLabel: view.XLabel, YLabel: view.YLabel, Clusters: out.Labels, Links: links, Title: title,
	}
	if title == "" {
		cfg.Title = fmt.Sprintf("%s: %s", filepath.Base(data.table.Name), count(distinct(out.Labels), "group"))
	}
	if n := len(out.Medoids); n > 0 && n < x.Rows {
		cfg.SuperInstances = make([]plot.SuperInstance, n)
		for i, m := range out.Medoids {
			cfg.SuperInstances[i].Medoid = m
		}
		for row, s := range out.Of {
			cfg.SuperInstances[s].Members = append(cfg.SuperInstances[s].Members, row)
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

// unscaled gives the prepared rows in the units of the file.
func unscaled(p *prepared) dataset.Matrix {
	x := p.ready.X
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F64: make([]float64, 0, x.Rows*x.Cols)}
	for i := range x.Rows {
		for j := range x.Cols {
			out.F64 = append(out.F64, p.ready.Encoding.Original(j, x.At(i, j)))
		}
	}
	return out
}
