package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/credal"
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
	fs.IntVar(&f.starts, "starts", 1, "starts, of which the best is kept")
	fs.IntVar(&f.iterations, "max-iterations", 0, "k-means iterations a start (default 300; for super-instances of over 100 000 rows 10); sweeps of an evidential method (default 1000)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all that is drawn at random")
	fs.Float64Var(&f.tolerance, "tolerance", 0, "k-means stops when the centres move less (default 1e-4 of the mean variance), an evidential method when the stress changes less (default 1e-5 of it)")
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
Clusters are numbered from 1, the largest first. What was found is said on stderr.

The evidential methods (evclus, kevclus, cevclus) work on dissimilarities: of rows by --metric, of texts
or series, or a matrix. They say for each row how much belongs to each cluster, to several, or
to none; doubtful rows and outliers are listed, and --out has the columns to tell them.`,
		Example: `  kindred cluster iris --method kmeans -k 3
  kindred cluster wine --method cobra --label class --oracle labels --out groups.csv --json
  kindred cluster data.parquet --method cobra --links links.csv --plot groups.svg
  kindred cluster wine --method evclus -k 2..6 --label class --out groups.csv
  kindred cluster distances.csv --dissimilarity --labels classes.csv -k 4 --d0 auto`,
		Args: arguments(1, 1, "one DATA: a file, - for stdin, or a sample"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	f.flags(cmd)
	f.outputs.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.method, "method", "", methodNames()+" (default: cobra with --oracle or links, kmeans with -k alone, evclus for a matrix, texts and series, and with --metric)")
	fs.StringVar(&f.links, "links", "", "file of links known before: a,b,link with same, different or unknown")
	fs.StringVar(&f.oracle, "oracle", "", "who answers an asking method: labels")
	fs.IntVar(&f.budget, "budget", 0, "answers allowed (default: no limit)")
	fs.IntVar(&f.randomLinks, "random-links", 0, "links drawn at random from the labels")
	fs.IntVar(&f.perClass, "labelled-per-class", 0, "rows drawn from each class, all linked among each other")
	fs.StringVar(&f.deduce, "deduce", "both", "links among the rows of --labelled-per-class: cannot or both")
	fs.BoolVar(&f.json, "json", false, "write one JSON object about the fit to stdout")
	return cmd
}

func methodNames() string {
	var names []string
	for _, m := range method.List() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

func (f *clusterFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx, began := cmd.Context(), time.Now()
	settings, chosen, err := f.check(cmd, a, name)
	if err != nil {
		return err
	}
	data, err := f.read(ctx, a, name, chosen)
	if err != nil {
		return err
	}
	problem, notes, err := f.problem(ctx, data)
	if err != nil {
		return err
	}
	if err := f.among(data.n(), chosen, settings); err != nil {
		return err
	}
	notes = append(notes, useless(cmd, chosen)...)
	notes = append(notes, f.vain(cmd, data)...)
	// Pictures look at the dissimilarities once more, and links that neighbours share and questions do so too.
	settings.Evidential.Consume = f.outputs.plot == "" && len(problem.Links) == 0 && !settings.AskLabels
	f.outputs.transform = settings.Evidential.Transform
	b := a.bar("clustering")
	settings.Progress = b.update
	fitting := time.Now()
	out, err := chosen.Fit(ctx, problem, settings)
	b.done()
	stopped := err != nil && out != nil // the best partition so far
	if err != nil && !stopped {
		return named(placed(err, data.name()), data, f.links)
	}
	if stopped {
		ctx = context.WithoutCancel(ctx)
	}
	data.sign(out.Model, chosen)
	out.Notes = append(notes, out.Notes...)
	r := newReport(data, problem, out, chosen, f)
	r.FitSeconds = time.Since(fitting).Seconds()
	if err := f.outputs.write(ctx, a, data, problem.Links, out); err != nil {
		return err
	}
	if f.outputs.out == "" && !f.json {
		if err := f.print(a, data, out); err != nil {
			return err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	a.tell(r)
	if f.json {
		if err := json.NewEncoder(a.out).Encode(r); err != nil {
			return err
		}
	}
	if stopped {
		a.say("the fit was interrupted: this is the best partition it had found so far")
	}
	return err
}

// read reads DATA as the method takes them.
func (f *clusterFlags) read(ctx context.Context, a *app, name string, m method.Method) (*prepared, error) {
	if m.Dissimilarity {
		return f.source.objects(ctx, a, name, false, f.outputs.plot == "")
	}
	t, err := f.source.read(ctx, a, name, false)
	if err != nil {
		return nil, err
	}
	return f.source.prepare(ctx, t, f.outputs.plot == "")
}

// print writes the partition to stdout.
func (f *clusterFlags) print(a *app, data *prepared, out *method.Outcome) error {
	id := data.id
	if _, ok := terminal(a.out); ok {
		id = func(row int) string { return safe.Line(data.id(row)) }
	}
	if out.Evidential != nil {
		return credal.Write(a.out, dataset.FormatCSV, out.Evidential.Credal, id)
	}
	return partition.Write(a.out, dataset.FormatCSV, out.Labels, id)
}

// useless names the flags that were given and mean nothing to the method.
func useless(cmd *cobra.Command, m method.Method) []string {
	var notes []string
	for _, other := range method.List() {
		for _, name := range other.Takes {
			note := fmt.Sprintf("--%s means nothing to %s", name, m.Name)
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed && !slices.Contains(m.Takes, name) && !slices.Contains(notes, note) {
				notes = append(notes, note)
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
	if f.method == "" {
		switch {
		case f.source.other(), f.source.metric != "":
			f.method = "evclus"
		case f.oracle != "" || f.links != "" || f.clusters == "":
			f.method = "cobra"
		default:
			f.method = "kmeans"
		}
	}
	m, err := method.Find(f.method)
	if err != nil {
		return s, m, usage{"--method: " + err.Error()}
	}
	s.Budget, s.AskLabels = f.budget, f.oracle == "labels"
	given := f.links != "" || f.randomLinks > 0 || f.perClass > 0
	switch {
	case f.oracle != "" && f.oracle != "labels":
		err = usage{fmt.Sprintf("--oracle is %q: give labels", f.oracle)}
	case f.deduce != "cannot" && f.deduce != "both":
		err = usage{fmt.Sprintf("--deduce is %q: give cannot or both", f.deduce)}
	case f.budget < 0 || f.randomLinks < 0 || f.perClass < 0:
		err = usage{"--budget, --random-links and --labelled-per-class cannot be negative"}
	case f.source.label == "" && f.source.labels == "" && (f.oracle != "" || f.randomLinks > 0 || f.perClass > 0):
		err = usage{"the column of true classes is needed: name it with --label"}
	case m.NeedsAnswers && f.oracle == "" && !given:
		err = usage{m.Name + " needs someone to answer its questions: give --oracle labels with --label, or --links, or answer yourself with kindred ask"}
	case f.outputs.model != "" && m.Sammon(s):
		err = usage{"--model: a fit of the Sammon stress cannot place new rows; --stress conflict can"}
	case s.AskLabels && m.Begin == nil && m.Dissimilarity:
		err = usage{m.Name + " asks no questions: leave out --oracle, or give --method evclus"}
	case s.AskLabels:
		err = f.askable(m, s)
	}
	if err == nil {
		err = f.suits(m, s)
	}
	if err == nil {
		err = f.pictured(f.outputs.picture, f.outputs.plot, s)
	}
	if err == nil {
		err = f.outputs.check(a, name, f.links, f.source.labels, setsFile(f.evidential.focal))
	}
	return s, m, err
}

// problem gathers the data, classes and links.
func (f *clusterFlags) problem(ctx context.Context, data *prepared) (p method.Problem, notes []string, err error) {
	p = data.problem()
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

// named lets a contradiction speak in row ids, and name the file of links ("": none).
func named(err error, data *prepared, file string) error {
	var clash *link.Contradiction
	if errors.As(err, &clash) {
		clash.Names = data.id
		if file != "" {
			return fmt.Errorf("%s: %w; correct one of them, or keep both with --contradictions keep", file, clash)
		}
		return fmt.Errorf("%w; correct one of them, or keep both with --contradictions keep", clash)
	}
	return err
}
