package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// clusterFlags are the flags of kindred cluster.
type clusterFlags struct {
	*input.Recipe
	learning    input.Learning
	outputs     outputs
	oracle      string
	budget      int
	randomLinks int
	perClass    int
	share       float64
	deduce      string
	json        bool
}

func newCluster(a *app) *cobra.Command {
	f := clusterFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "cluster DATA",
		Short: "Cluster once and write which row is in which group",
		Long: `cluster fits one method to DATA and writes the partition, id,cluster, to stdout or --out.
Clusters are numbered from 1, the largest first; 0 is noise. What was found is said on stderr.

The evidential methods (evclus, kevclus, cevclus) work on dissimilarities: of rows by --metric, of texts
or series, or a matrix. They say for each row how much belongs to each cluster, to several, or
to none; doubtful rows and outliers are listed, and --out has the columns to tell them.

lcvqe and the methods of competitive learning (wta, fscl, rpcl, crpcl, olcvqe) take links as --links, --random-links or
--labelled-per-class give them: lcvqe, crpcl and olcvqe learn from them, the others only count those that they violate. rpcl
and crpcl drive needless prototypes away where -k gives more than there are clusters, and so estimate
their number; --unlearning-rate 0.01 does so where the default leaves most of them.

All methods, what they take, learn from and give, are in kindred methods. Those that learn from classes are told them by
--labelled-per-class or --labelled-share, or find out from links what they tell of them.

DATA may also be a folder of pictures. Texts (--text), pictures (--images, or a folder) and --embedding give vectors,
which all methods take; kindred ask --help says when texts do.`,
		Example: `  kindred cluster iris --method kmeans -k 3
  kindred cluster wine --method cobra --label class --oracle labels --out groups.csv --json
  kindred cluster data.parquet --method cobra --links links.csv --plot groups.svg
  kindred cluster wine --method evclus -k 2..6 --label class --out groups.csv
  kindred cluster distances.csv --dissimilarity --labels classes.csv -k 4 --d0 auto
  kindred cluster notes.csv --text note -k 8 --model notes.model
  kindred cluster wine --method lcvqe -k 3 --label class --labelled-per-class 10
  kindred cluster iris --method crpcl -k 3 --label class --labelled-per-class 10 --deduce cannot --starts 5
  kindred cluster places.csv --method dbscan --eps 0.02 --min-points 5 --plot places.svg
  kindred cluster wine --method ssnb --label class --labelled-share 0.1
  kindred cluster wine --method mpckmeans -k 3 --label class --oracle labels --strategy npu --budget 40`,
		Args: cli.Arguments(1, 1,
			"one DATA: a file, - for stdin, a folder of pictures, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	f.Flags(cmd.Flags())
	f.learning.Flags(cmd.Flags())
	f.outputs.flags(cmd)
	fs := cmd.Flags()
	fs.Lookup("method").Usage = methodNames() +
		" (default: cobra with --oracle or links, kmeans with -k alone, evclus for a matrix, " +
		"series and short texts, and with --metric)"
	fs.StringVar(&f.oracle, "oracle", "", "who answers an asking method: labels")
	fs.IntVar(&f.budget, "budget", 0, "answers allowed (default: no limit)")
	fs.IntVar(&f.randomLinks, "random-links", 0, "links drawn at random from the labels")
	fs.IntVar(&f.perClass, "labelled-per-class", 0,
		"rows drawn from each class: their classes are told to methods that learn from classes, "+
			"others get all links among them")
	fs.Float64Var(&f.share, "labelled-share", 0,
		"share of each class that is told likewise; 1: all classes that --label gives")
	fs.StringVar(&f.deduce, "deduce", "both",
		"links among the rows of --labelled-per-class and --labelled-share: cannot or both")
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
	if _, _, err := f.check(a, name); err != nil {
		return err
	}
	data, err := f.take(ctx, a, name)
	if err != nil {
		return err
	}
	settings, chosen, err := f.check(a, name) // now that the data may have decided the method
	if err != nil {
		return err
	}
	if err := f.outputs.suit(data); err != nil {
		return err
	}
	problem, notes, err := f.problem(ctx, data, chosen)
	if err != nil {
		return err
	}
	if err := f.Among(data.N(), chosen, settings); err != nil {
		return err
	}
	notes = append(notes, input.Useless(cmd.Flags(), chosen)...)
	notes = append(notes, f.Vain(data)...)
	// Pictures look at the dissimilarities once more, and links that neighbours share and questions
	// do so too.
	settings.Evidential.Consume = f.outputs.plot == "" && len(problem.Links) == 0 &&
		!settings.AskLabels
	f.outputs.transform = settings.Evidential.Transform
	b := a.bar("clustering")
	settings.Progress = b.update
	fitting := time.Now()
	out, err := chosen.Fit(ctx, problem, settings)
	b.done()
	stopped := err != nil && out != nil // the best partition so far
	if err != nil && !stopped {
		return input.Named(input.Placed(err, data.Name()), data, f.Links)
	}
	if stopped {
		ctx = context.WithoutCancel(ctx)
	}
	data.Sign(out.Model, chosen)
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

// take reads DATA as the method takes them.
func (f *clusterFlags) take(ctx context.Context, a *app, name string) (*input.Data, error) {
	w := a.watch()
	defer w.done()
	how := input.Manner{Consume: f.outputs.plot == "", Choose: func() (method.Method, error) {
		_, m, err := f.check(a, name)
		return m, err
	}}
	return f.Take(ctx, a.place(), name, how, w.update)
}

// print writes the partition to stdout.
func (f *clusterFlags) print(a *app, data *input.Data, out *method.Outcome) error {
	id := data.ID
	if _, ok := terminal(a.out); ok {
		id = func(row int) string { return safe.Line(data.ID(row)) }
	}
	if out.Credal != nil {
		return credal.Write(a.out, dataset.FormatCSV, out.Credal, id)
	}
	return partition.Write(a.out, dataset.FormatCSV, out.Labels, id)
}

// check looks at the flags, before anything is read and, as the data may decide the method, after.
// A method that they are yet to decide has no name.
func (f *clusterFlags) check(a *app, name string) (method.Settings, method.Method, error) {
	s, err := f.All()
	if err == nil {
		s.Learning, err = f.learning.Settings()
	}
	if err != nil {
		return s, method.Method{}, err
	}
	if f.Undecided() {
		return s, method.Method{}, f.outputs.check(a, append(f.Files(), name)...)
	}
	if f.MethodName == "" {
		switch {
		case f.ByDissimilarity():
			f.Choose("evclus")
		case f.oracle != "" || f.Links != "" || f.Clusters == "":
			f.Choose("cobra")
		default:
			f.Choose("kmeans")
		}
	}
	m, err := method.Find(f.MethodName)
	if err != nil {
		return s, m, fault.Setting("--method: " + err.Error())
	}
	s.Budget, s.AskLabels = f.budget, f.oracle == "labels"
	drawn := f.randomLinks > 0 || f.perClass > 0 || f.share > 0
	given := f.Links != "" || drawn
	switch {
	case f.oracle != "" && f.oracle != "labels":
		err = fault.Settingf("--oracle is %q: give labels", f.oracle)
	case f.deduce != "cannot" && f.deduce != "both":
		err = fault.Settingf("--deduce is %q: give cannot or both", f.deduce)
	case f.budget < 0 || f.randomLinks < 0 || f.perClass < 0:
		err = fault.Setting("--budget, --random-links and --labelled-per-class cannot be negative")
	case !(f.share >= 0 && f.share <= 1):
		err = fault.Settingf(
			"--labelled-share is %g: give a share above 0 and at most 1, such as 0.1", f.share)
	case f.perClass > 0 && f.share > 0:
		err = fault.Setting("--labelled-per-class and --labelled-share both say which rows are " +
			"labelled: give one of them")
	case f.Label == "" && f.Labels == "" && (f.oracle != "" || drawn):
		err = fault.Setting("the column of true classes is needed: name it with --label")
	case m.NeedsAnswers && m.Labels && f.oracle == "" && !given:
		err = fault.Setting(m.Name +
			" needs to know something of the classes: give --labelled-per-class N or " +
			"--labelled-share S with --label, or --links")
	case m.NeedsAnswers && f.oracle == "" && !given:
		err = fault.Setting(m.Name +
			" needs someone to answer its questions: give --oracle labels with --label, or " +
			"--links, or answer yourself with kindred ask")
	case f.outputs.model != "" && m.Sammon(s):
		err = fault.Setting(
			"--model: a fit of the Sammon stress cannot place new rows; --stress conflict can")
	case s.AskLabels:
		err = f.Askable(m, s)
	}
	if err == nil {
		err = f.Suits(m, s)
	}
	if err == nil {
		err = cmp.Or(f.outputs.treed(f.Recipe),
			pictured(f.Recipe, f.outputs.picture, f.outputs.plot, s))
	}
	if err == nil {
		err = f.outputs.check(a, append(f.Files(), name)...)
	}
	return s, m, err
}

// problem gathers the data, classes and links, and which classes are known to the method.
func (f *clusterFlags) problem(ctx context.Context, data *input.Data,
	m method.Method) (p method.Problem, notes []string, err error) {
	p = data.Problem()
	if f.Links != "" {
		var note string
		if p.Links, note, err = data.Links(ctx, f.Links); err != nil {
			return p, nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if f.randomLinks > 0 {
		drawn, err := ask.RandomLinks(data.Classes, f.randomLinks, f.Fit.Seed)
		if err != nil {
			return p, nil, err
		}
		p.Links = append(p.Links, drawn...)
	}
	var rows []int
	switch {
	case f.perClass > 0:
		rows = ask.ClassRows(data.Classes, f.perClass, f.Fit.Seed)
	case f.share > 0:
		rows = ask.ClassShare(data.Classes, f.share, f.Fit.Seed)
	default:
		return p, notes, nil
	}
	if m.Labels {
		p.Known = slices.Repeat([]int32{-1}, data.N())
		for _, row := range rows {
			p.Known[row] = data.Classes[row]
		}
		return p, append(notes,
			fmt.Sprintf("the classes of %s are known", words.Count(len(rows), "row"))), nil
	}
	drawn, err := ask.ClassLinks(data.Classes, rows, f.deduce == "both")
	if err != nil {
		return p, nil, err
	}
	p.Links = append(p.Links, drawn...)
	return p, notes, nil
}
