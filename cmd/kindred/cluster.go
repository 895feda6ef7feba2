package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
)

// clusterFlags are the flags of kindred cluster.
type clusterFlags struct {
	fitting
	outputs     outputs
	method      string
	clusters    int
	oracle      string
	budget      int
	randomLinks int
	perClass    int
	deduce      string
	json        bool
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
			return f.run(cmd, a, args[0])
		},
	}
	f.source.flags(cmd)
	f.fit.flags(cmd)
	f.outputs.flags(cmd)
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
	fs.BoolVar(&f.json, "json", false, "write one JSON object about the fit to stdout")
	return cmd
}

func (f *clusterFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx, began := cmd.Context(), time.Now()
	settings, chosen, err := f.check(cmd, a, name)
	if err != nil {
		return err
	}
	table, err := f.source.read(ctx, a, name, false)
	if err != nil {
		return err
	}
	data, err := f.source.prepare(ctx, table, f.outputs.plot == "")
	if err != nil {
		return err
	}
	problem, notes, err := f.problem(ctx, data)
	if err != nil {
		return err
	}
	notes = append(notes, f.useless(cmd, chosen)...)
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
	r := newReport(data, problem, out, chosen, f)
	r.FitSeconds = time.Since(fitting).Seconds()
	if err := f.outputs.write(ctx, a, data, problem.Links, out); err != nil {
		return err
	}
	if f.outputs.out == "" && !f.json {
		id := data.id
		if _, ok := terminal(a.out); ok {
			id = func(row int) string { return safe.Line(data.id(row)) }
		}
		if err := partition.Write(a.out, dataset.FormatCSV, out.Labels, id); err != nil {
			return err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	a.tell(r)
	if f.json {
		return json.NewEncoder(a.out).Encode(r)
	}
	return nil
}

// useless names the flags that were given and mean nothing to the method.
func (f *clusterFlags) useless(cmd *cobra.Command, m method.Method) []string {
	var notes []string
	for _, other := range method.List() {
		for _, name := range other.Takes {
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed && !slices.Contains(m.Takes, name) {
				notes = append(notes, fmt.Sprintf("--%s means nothing to %s", name, m.Name))
			}
		}
	}
	return notes
}

// check looks at the flags before anything is read.
func (f *clusterFlags) check(cmd *cobra.Command, a *app, name string) (method.Settings, method.Method, error) {
	s, err := f.settings()
	if err != nil {
		return s, method.Method{}, err
	}
	if k := cmd.Flags().Lookup("clusters"); k.Changed && f.clusters < 1 {
		return s, method.Method{}, usage{fmt.Sprintf("--clusters is %d: give 1 or more", f.clusters)}
	}
	if f.method == "" {
		f.method = "kmeans"
		if f.oracle != "" || f.links != "" || f.clusters == 0 {
			f.method = "cobra"
		}
	}
	m, err := method.Find(f.method)
	if err != nil {
		return s, m, usage{"--method: " + err.Error()}
	}
	s.Clusters, s.Budget, s.AskLabels = f.clusters, f.budget, f.oracle == "labels"
	given := f.links != "" || f.randomLinks > 0 || f.perClass > 0
	switch {
	case f.oracle != "" && f.oracle != "labels":
		err = usage{fmt.Sprintf("--oracle is %q: give labels", f.oracle)}
	case f.deduce != "cannot" && f.deduce != "both":
		err = usage{fmt.Sprintf("--deduce is %q: give cannot or both", f.deduce)}
	case f.budget < 0 || f.randomLinks < 0 || f.perClass < 0:
		err = usage{"--budget, --random-links and --labelled-per-class cannot be negative"}
	case f.source.label == "" && (f.oracle != "" || f.randomLinks > 0 || f.perClass > 0):
		err = usage{"the column of true classes is needed: name it with --label"}
	case m.NeedsClusters && f.clusters == 0:
		err = usage{m.Name + " needs the number of clusters: give it with -k"}
	case m.Asks && f.oracle == "" && !given:
		err = usage{m.Name + " needs someone to answer its questions: give --oracle labels with --label, or --links, or answer yourself with kindred ask"}
	default:
		err = f.outputs.check(a, name, f.links)
	}
	return s, m, err
}

// problem gathers the data, classes and links.
func (f *clusterFlags) problem(ctx context.Context, data *prepared) (p method.Problem, notes []string, err error) {
	p = method.Problem{Data: data.ready.X, Classes: data.classes}
	if f.links != "" {
		var note string
		if p.Links, note, err = data.links(ctx, f.links); err != nil {
			return p, nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if f.randomLinks > 0 {
		drawn, err := active.RandomLinks(data.classes, f.randomLinks, f.fit.seed)
		if err != nil {
			return p, nil, err
		}
		p.Links = append(p.Links, drawn...)
	}
	if f.perClass > 0 {
		drawn, err := active.ClassLinks(data.classes, f.perClass, f.deduce == "both", f.fit.seed)
		if err != nil {
			return p, nil, err
		}
		p.Links = append(p.Links, drawn...)
	}
	return p, notes, nil
}

// named lets a contradiction speak in row ids.
func named(err error, data *prepared) error {
	var clash *link.Contradiction
	if errors.As(err, &clash) {
		clash.Names = data.id
		return fmt.Errorf("%w; correct one of them, or keep both with --contradictions keep", err)
	}
	return err
}
