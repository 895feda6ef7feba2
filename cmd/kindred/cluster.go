package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
)

// clusterFlags are the flags of kindred cluster.
type clusterFlags struct {
	source        source
	fit           fitFlags
	method        string
	clusters      int
	links         string
	oracle        string
	budget        int
	randomLinks   int
	perClass      int
	deduce        string
	out, model    string
	answers, plot string
	json          bool
}

// fitFlags are the parameters that an asking session shares with a single fit.
type fitFlags struct {
	superInstances, starts, iterations int
	tolerance                          float64
	seed                               uint64
	contradictions                     string
}

func (f *fitFlags) flags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.IntVar(&f.superInstances, "super-instances", 0, "small groups that COBRA asks about (default 50)")
	fs.IntVar(&f.starts, "starts", 1, "k-means starts, of which the best is kept")
	fs.IntVar(&f.iterations, "max-iterations", 0, "k-means iterations a start (default 300; for super-instances of over 100 000 rows 10)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all that is drawn at random")
	fs.StringVar(&f.contradictions, "contradictions", "refuse", "links that contradict each other: refuse or keep")
}

// settings checks the flags and turns them into a method's settings.
func (f *fitFlags) settings(threads int) (method.Settings, error) {
	s := method.Settings{
		SuperInstances: f.superInstances, Starts: f.starts, MaxIterations: f.iterations,
		Tolerance: f.tolerance, Seed: f.seed, Threads: threads,
	}
	for _, c := range []struct {
		flag         string
		value, least int
	}{{"super-instances", f.superInstances, 0}, {"starts", f.starts, 1}, {"max-iterations", f.iterations, 0}, {"threads", threads, 0}} {
		if c.value < c.least {
			return s, usage{fmt.Sprintf("--%s is %d: give %d or more", c.flag, c.value, c.least)}
		}
	}
	switch f.contradictions {
	case "refuse":
		s.Contradictions = link.Refuse
	case "keep":
		s.Contradictions = link.Keep
	default:
		return s, usage{fmt.Sprintf("--contradictions is %q: give refuse or keep", f.contradictions)}
	}
	return s, nil
}

func newCluster(a *app) *cobra.Command {
	var f clusterFlags
	cmd := &cobra.Command{
		Use:   "cluster DATA",
		Short: "Cluster once and write which row is in which group",
		Long: `cluster fits one method to DATA and writes the partition, id,cluster, to stdout or --out.
Clusters are numbered from 1, the largest first. What was found is said on stderr.`,
		Example: `  kindred cluster iris --method kmeans -k 3
  kindred cluster wine --method cobra --label class --oracle labels --out groups.csv --json
  kindred cluster data.parquet --method cobra --links links.csv --plot groups.svg`,
		Args: arguments(1, 1, "one DATA: a file, - for stdin, or a sample"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0])
		},
	}
	f.source.flags(cmd)
	f.fit.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.method, "method", "", "cobra, or kmeans (default: cobra with --oracle or links, kmeans with -k alone)")
	fs.IntVarP(&f.clusters, "clusters", "k", 0, "number of clusters, where the method needs it")
	fs.Float64Var(&f.fit.tolerance, "tolerance", 0, "k-means stops when the centres move less (default 1e-4 of the mean variance)")
	fs.StringVar(&f.links, "links", "", "file of links known before: a,b,link with same, different or unknown")
	fs.StringVar(&f.oracle, "oracle", "", "who answers an asking method: labels")
	fs.IntVar(&f.budget, "budget", 0, "answers allowed (default: no limit)")
	fs.IntVar(&f.randomLinks, "random-links", 0, "links drawn at random from the labels")
	fs.IntVar(&f.perClass, "labelled-per-class", 0, "rows drawn from each class, all linked among each other")
	fs.StringVar(&f.deduce, "deduce", "both", "links among the rows of --labelled-per-class: cannot or both")
	fs.StringVar(&f.out, "out", "", "write the partition here (.csv, .parquet or .jsonl) instead of to stdout")
	fs.StringVar(&f.model, "model", "", "write here what kindred predict needs")
	fs.StringVar(&f.answers, "answers", "", "write the links that were asked here (.csv or .jsonl)")
	fs.StringVar(&f.plot, "plot", "", "draw the groups here (.svg or .png)")
	fs.BoolVar(&f.json, "json", false, "write one JSON object about the fit to stdout")
	return cmd
}

func (f *clusterFlags) run(ctx context.Context, a *app, name string) error {
	began := time.Now()
	settings, chosen, err := f.check()
	if err != nil {
		return err
	}
	table, err := f.source.read(ctx, a, name, false)
	if err != nil {
		return err
	}
	data, err := f.source.prepare(ctx, table, f.plot == "")
	if err != nil {
		return err
	}
	problem, notes, err := f.problem(ctx, data, chosen)
	if err != nil {
		return err
	}
	b := a.bar("clustering")
	settings.Progress = b.update
	fitting := time.Now()
	out, err := chosen.Fit(ctx, problem, settings)
	b.done()
	if err != nil {
		return named(err, data)
	}
	out.Model.Method, out.Model.Encoding = chosen.Name, data.ready.Encoding
	out.Notes = append(notes, out.Notes...)
	r := newReport(data, problem, out, chosen.Name, f.fit.seed)
	r.FitSeconds = time.Since(fitting).Seconds()
	if err := f.write(ctx, a, data, problem, out); err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	a.tell(r)
	if f.json {
		return json.NewEncoder(a.out).Encode(r)
	}
	return nil
}

// check looks at the flags before anything is read.
func (f *clusterFlags) check() (method.Settings, method.Method, error) {
	s, err := f.fit.settings(f.source.threads)
	if err != nil {
		return s, method.Method{}, err
	}
	if f.method == "" {
		f.method = "kmeans"
		if f.oracle != "" || f.links != "" || f.clusters == 0 {
			f.method = "cobra"
		}
	}
	m, err := method.Find(f.method)
	if err != nil {
		return s, m, asUsage("--method", err)
	}
	s.Clusters, s.Budget, s.AskLabels = f.clusters, f.budget, f.oracle == "labels"
	given := f.links != "" || f.randomLinks > 0 || f.perClass > 0
	switch {
	case f.oracle != "" && f.oracle != "labels":
		err = usage{fmt.Sprintf("--oracle is %q: give labels", f.oracle)}
	case f.deduce != "cannot" && f.deduce != "both":
		err = usage{fmt.Sprintf("--deduce is %q: give cannot or both", f.deduce)}
	case f.clusters < 0 || f.budget < 0 || f.randomLinks < 0 || f.perClass < 0:
		err = usage{"--clusters, --budget, --random-links and --labelled-per-class cannot be negative"}
	case f.source.label == "" && (f.oracle != "" || f.randomLinks > 0 || f.perClass > 0):
		err = usage{"the column of true classes is needed: name it with --label"}
	case m.NeedsClusters && f.clusters == 0:
		err = usage{m.Name + " needs the number of clusters: give it with -k"}
	case m.Asks && f.oracle == "" && !given:
		err = usage{m.Name + " needs someone to answer its questions: give --oracle labels with --label, or --links, or answer yourself with kindred ask"}
	default:
		err = checkOut(f.out)
	}
	return s, m, err
}

// problem gathers the data, classes and links.
func (f *clusterFlags) problem(ctx context.Context, data *prepared, m method.Method) (method.Problem, []string, error) {
	p := method.Problem{Data: data.ready.X, Classes: data.classes}
	var notes []string
	if f.links != "" {
		links, dropped, err := data.links(ctx, f.links)
		if err != nil {
			return p, nil, err
		}
		if dropped > 0 {
			notes = append(notes, fmt.Sprintf("%d links name rows that preparation left out, and are not used", dropped))
		}
		p.Links = links
	}
	if f.randomLinks > 0 {
		drawn, err := active.RandomLinks(data.classes, f.randomLinks, f.fit.seed)
		if err != nil {
			return p, nil, err
		}
		p.Links = append(p.Links, drawn...)
	}
	if f.perClass > 0 {
		p.Links = append(p.Links, active.ClassLinks(data.classes, f.perClass, f.deduce == "both", f.fit.seed)...)
	}
	if len(p.Links) > 0 && !m.Links {
		notes = append(notes, fmt.Sprintf("%s takes no links: the %d given are only judged", m.Name, len(p.Links)))
	}
	if data.names != nil && len(data.names) < 2 {
		return p, nil, &fault.Input{
			File: data.table.Name, Column: f.source.label, Problem: "the label column is constant, so it tells no groups apart",
			Mend: "name another column with --label",
		}
	}
	return p, notes, nil
}

// named lets a contradiction speak in row ids.
func named(err error, data *prepared) error {
	var clash *link.Contradiction
	if errors.As(err, &clash) {
		clash.Names = data.id
	}
	return err
}

// write writes what was asked for; the partition goes to stdout when nothing else does.
func (f *clusterFlags) write(ctx context.Context, a *app, data *prepared, p method.Problem, out *method.Outcome) error {
	if f.model != "" {
		if err := out.Model.Save(f.model); err != nil {
			return err
		}
	}
	if f.answers != "" {
		if err := link.WriteFile(f.answers, out.Asked, data.id); err != nil {
			return err
		}
	}
	if f.plot != "" {
		if err := savePicture(ctx, a, f.plot, data, out, append(p.Links, out.Asked...), ""); err != nil {
			return err
		}
	}
	switch {
	case f.out != "":
		return partition.WriteFile(f.out, out.Labels, data.id)
	case !f.json:
		return partition.Write(a.out, "csv", out.Labels, data.id)
	}
	return nil
}
