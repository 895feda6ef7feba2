package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
)

// clusterFlags are the flags of kindred cluster.
type clusterFlags struct {
	*input.Recipe
	outputs     outputs
	oracle      string
	budget      int
	randomLinks int
	deduce      string
	json        bool
}

func newCluster(a *app) *cobra.Command {
	f := clusterFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "cluster DATA",
		Short: "Cluster once and write which row is in which group",
		Long: `cluster fits one method to DATA and writes the partition, id,cluster, to stdout or
--out. Clusters are numbered from 1, the largest first; 0 is noise. What was found is reported on
stderr. DATA are a file, - for stdin, a folder of pictures or texts, or a sample; texts, pictures
and --embedding make vectors.`,
		Example: `  kindred cluster iris --method kmeans -k 3
  kindred cluster wine --method evclus -k 2..6 --label class --out groups.csv
  kindred cluster data.parquet --method cobra --links links.csv --plot groups.svg`,
		Args: cli.Arguments(1, 1,
			"one DATA: a file, - for stdin, a folder of pictures, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.Flags(fs)
	fs.Lookup("method").Usage = "see kindred methods (default: kin with links or known classes, " +
		"pckmeans where -k is a range, cobra with --oracle, kmeans with -k alone, evclus for a " +
		"matrix, series, short texts and with a --metric other than cosine)"
	f.knowledge(fs)
	f.outputs.flags(a, cmd)
	fs.BoolVar(&f.json, "json", false,
		"write one JSON object about the fit to stdout, with the labels if there is no --out")
	cli.Group(fs, outputGroup, "json")
	grouped(cmd, f.Recipe)
	return cmd
}

// knowledge adds the flags about true classes.
func (f *clusterFlags) knowledge(fs *pflag.FlagSet) {
	var set param.Set
	set.Choice(&f.oracle, param.Param{Name: "oracle", Choices: []string{"labels"},
		Help: "who answers a method that asks"})
	set.Int(&f.budget, param.Param{Name: "budget", Default: "0",
		Help: fmt.Sprintf("answers allowed, 0: no limit, or %d where questions have no end",
			method.DefaultBudget)})
	set.Int(&f.randomLinks, param.Param{Name: "random-links", Default: "0",
		Help: "links drawn at random from the labels"})
	set.Choice(&f.deduce, param.Param{Name: "deduce", Choices: []string{"cannot", "both"},
		Default: "both", Help: "kinds of such links"})
	f.deduce = "both"
	cli.Declare(fs, input.KnowledgeGroup, &set)
}

func (f *clusterFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx, began := cmd.Context(), time.Now()
	if _, err := f.check(a, name); err != nil {
		return err
	}
	data, err := f.take(ctx, a, name)
	if err != nil {
		return err
	}
	m, err := f.check(a, name) // now that the data may have decided the method
	if err != nil {
		return err
	}
	if err := f.outputs.suit(data); err != nil {
		return err
	}
	if f.asked(m) {
		if _, err := data.AskClassed(); err != nil {
			return err
		}
	}
	problem, notes, err := f.problem(ctx, data, m.Method)
	if err != nil {
		return err
	}
	notes = slices.Concat(data.Notes(), notes, f.useless(m), f.Vain(data))
	a.notef("%s: %s, %s", data.Name(), words.Count(data.N(), "row"), data.What())
	a.listNotes(notes)
	// Pictures look at the dissimilarities once more, and links that neighbours share and questions
	// do so too.
	problem.Consume = f.outputs.plot == "" && len(problem.Links) == 0 && f.oracle == ""
	if !f.asked(m) {
		a.noteEstimate(ctx, m, problem)
	}
	b := a.bar("clustering")
	problem.Progress = input.Progress(func(_ string, share float64) { b.update(share) }).Fit("")
	fitting := time.Now()
	out, err := f.fit(ctx, m, problem)
	b.done()
	stopped := err != nil && out != nil // the best partition so far
	if err != nil && !stopped {
		classed := f.LabelledRows(data)
		if f.randomLinks > 0 {
			classed = linalg.Where(data.Classes, func(c int32) bool { return c >= 0 })
		}
		return f.Named(input.Placed(err, data.Name()), data, classed)
	}
	if stopped {
		ctx = context.WithoutCancel(ctx)
	}
	data.Sign(out.Model, m.Method)
	r := newReport(data, problem, f.Classed(data), out, m, f)
	r.Notes = append(notes, out.Notes...)
	r.FitSeconds = time.Since(fitting).Seconds()
	if r.ClassOf != nil && !data.Plain() {
		out.Columns = append(out.Columns, partition.Classes(out.Labels, r.ClassOf))
	}
	if f.outputs.out == "" && !f.json {
		id := data.ID
		if _, ok := terminal(a.out); ok {
			id = func(row int) string { return safe.Line(data.ID(row)) }
		}
		a.lost = a.writeGroups("", out, id)
		if a.lost != nil && !f.outputs.wanted() {
			return a.lost
		}
	}
	a.summarize(r)
	if f.asked(m) {
		a.noteUnclassed(data, out)
	}
	if err := a.tellApart(ctx, data, out); err != nil {
		if ctx.Err() == nil {
			return err
		}
		ctx = context.WithoutCancel(ctx) // an interrupt ends that alone
	}
	scene := func(context.Context) (*method.Scene, error) {
		return data.Scene(out, problem.Links, out.Asked), nil
	}
	// where masses are too many, it stands for them
	valued := slices.ContainsFunc(out.Columns, // hdbscan writes its strengths itself
		func(c partition.Column) bool { return c.Values != nil })
	if out.Strength != nil && out.Credal == nil && !valued {
		f.outputs.certain = func(ctx context.Context) ([]float32, error) {
			c, err := method.Doubts(ctx, problem, out, problem.Threads)
			if err != nil {
				return nil, err
			}
			return c.Sure(), nil
		}
	}
	if err := f.outputs.write(ctx, a, data, out, scene); err != nil {
		return err
	}
	if f.json {
		r.Seconds = time.Since(began).Seconds()
		if f.outputs.out == "" {
			if r.Labels, err = rowsOf(out, data.ID); err != nil {
				return err
			}
		}
		if err := json.NewEncoder(a.out).Encode(r); err != nil {
			return err
		}
	}
	if stopped {
		a.notef("the fit was interrupted: this is the best partition it had found so far")
	}
	return err
}

// drawn reports whether links or known classes are drawn from the labels.
func (f *clusterFlags) drawn() bool { return f.randomLinks > 0 || f.Labelled.Given() }

// numbered reports whether a number of groups is given.
func (f *clusterFlags) numbered() bool {
	clusters, _ := f.Get("clusters")
	return clusters != ""
}

// asked reports whether the labels answer questions of the method.
func (f *clusterFlags) asked(m *method.Configured) bool { return f.oracle != "" && m.Asks() }

// fit fits the method, or lets the labels answer its questions.
func (f *clusterFlags) fit(ctx context.Context, m *method.Configured,
	p method.Problem) (*method.Outcome, error) {
	if !f.asked(m) {
		return m.Fit(ctx, p)
	}
	if p.Classes == nil {
		return nil, fault.Inputf("name it with --label", "there is no column of classes to ask")
	}
	oracle, err := f.Answers.Oracle(p.Classes, f.Seed())
	if err != nil {
		return nil, err
	}
	return m.Answered(ctx, p, oracle, f.budget)
}

// useless names what was given and means nothing to the method.
func (f *clusterFlags) useless(m *method.Configured) []string {
	notes := f.Useless(m)
	if f.drawn() || f.oracle != "" { // by the seed
		notes = slices.DeleteFunc(notes, func(n string) bool {
			return strings.HasPrefix(n, "--seed ")
		})
	}
	if f.drawn() && f.Links == "" && !m.Learns() {
		notes = append(notes, f.OnlyChecked(m))
	}
	switch {
	case f.asked(m):
	case f.oracle != "" || !m.Asks() && f.budget > 0:
		notes = append(notes, m.Name+" asks no questions: --oracle and --budget mean nothing to it")
	case f.Given("oracle-errors") || f.Given("oracle-unknowns"):
		notes = append(notes, "nobody was asked, so --oracle-errors and --oracle-unknowns have no "+
			"effect: let the labels answer by --oracle labels")
	}
	return notes
}

// take reads DATA as the method takes them.
func (f *clusterFlags) take(ctx context.Context, a *app, name string) (*input.Data, error) {
	how := input.Manner{Consume: f.outputs.plot == "", Choose: func() (*method.Configured, error) {
		return f.check(a, name)
	}}
	return whole(ctx, a, f.Recipe, func() (*input.Data, error) {
		return watched(a, func(p input.Progress) (*input.Data, error) {
			return f.Take(ctx, a.place(), name, how, p)
		})
	})
}

// check looks at the flags, before anything is read and, as the data may decide the method, after.
// A method that they are yet to decide is nil.
func (f *clusterFlags) check(a *app, name string) (*method.Configured, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.Undecided() {
		return nil, f.outputs.check(a, append(f.Files(), name)...)
	}
	given := f.Links != "" || f.drawn()
	if f.MethodName == "" {
		if f.numbered() && f.oracle == "" && !given && !f.ByDissimilarity() {
			f.Choose("kmeans")
		} else {
			f.ChooseLearning(f.oracle != "")
		}
	}
	m, err := input.Find(f.MethodName)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Recipe.Given("choose") && !m.Takes("choose"):
		err = fault.Setting("--choose chooses among numbers of groups, and " + m.Name +
			" takes no range of them: leave it out, or take another method, as in --method kmeans")
	case f.Label == "" && f.Labels == "" && (f.oracle != "" || f.drawn()):
		err = fault.Setting("the column of true classes is needed: name it with --label")
	case m.NeedsAnswers && m.Labels && f.oracle == "" && !given:
		err = fault.Setting(m.Name +
			" needs to know something of the classes: give --labelled-per-class N or " +
			"--labelled-share S with --label, or --links")
	case m.Labels && m.Takes("clusters") && f.oracle == "" && !given && !f.numbered():
		err = fault.Setting(m.Name + " needs some known classes, or the number of groups: give " +
			"--labelled-share 1 with --label for all classes that its column has, " +
			"--labelled-per-class N for so many of each, --links, or -k")
	case m.NeedsAnswers && f.oracle == "" && !given && f.Chosen():
		if name, methods := f.Foreign(m); name != "" {
			err = fault.Settingf("no method is named, and --%s is of %s: name one with --method",
				name, words.List(methods, "and"))
			break
		}
		err = fault.Setting("no number of groups and nothing about them is given: give the number " +
			"with -k, as in -k 3, for k-means; or what is known about them, with --links, or " +
			"--labelled-share and --label; or answer questions with kindred ask")
	case m.NeedsAnswers && f.oracle == "" && !given:
		err = fault.Setting(m.Name +
			" needs someone to answer its questions: give --oracle labels with --label, or " +
			"--links, or answer yourself with kindred ask")
	}
	if err != nil {
		return nil, err
	}
	c, err := f.Configure(m)
	if err == nil && f.asked(c) {
		err = c.Askable()
	}
	switch {
	case err != nil:
	case f.outputs.model != "" && c.Value("stress") == "sammon":
		err = fault.Setting(
			"--model: a fit of the Sammon stress cannot place new rows; --stress conflict can")
	default:
		err = f.outputs.drawable(c)
	}
	if err == nil {
		err = f.outputs.check(a, append(f.Files(), name)...)
	}
	return c, err
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
		if len(p.Links) == 0 && m.NeedsAnswers && f.oracle == "" && !f.drawn() {
			return p, nil, fault.Inputf("give links, or answer questions with kindred ask",
				"%s, and %s needs some", note, m.Name)
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if f.randomLinks > 0 {
		drawn, err := ask.RandomLinks(data.Classes, f.randomLinks, f.Seed())
		if err != nil {
			return p, nil, err
		}
		p.Links = append(p.Links, drawn...)
	}
	rows := f.LabelledRows(data)
	if rows == nil {
		return p, notes, nil
	}
	if m.Labels {
		p.Known = f.Classed(data)
		return p, append(notes,
			fmt.Sprintf("the classes of %s are known", words.Count(len(rows), "row"))), nil
	}
	drawn, err := ask.ClassLinks(data.Classes, rows, f.deduce == "both")
	if err != nil {
		return p, nil, err
	}
	p.Links = append(p.Links, drawn...)
	return p, append(notes, fmt.Sprintf("the classes of %s are known, which makes %s between them",
		words.Count(len(rows), "row"), words.Count(len(drawn), "link"))), nil
}
