package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// askFlags are the flags of kindred ask and kindred demo.
type askFlags struct {
	*input.Recipe
	page    pageFlags
	outputs outputs
	project string
	oracle  string
	budget  int
	changed string
	who     string
	passing bool // the project is thrown away at the end
}

func newAsk(a *app) *cobra.Command {
	f := askFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "ask DATA | FOLDER | FILE.kindred",
		Short: "Answer a few questions and get the groups you mean",
		Long: `ask opens a page in the browser and shows two objects side by side: are they the same, different, or don't you
know? Every answer is kept in NAME.kindred before the page says so, and the same command goes on where it was left, whatever
happened. Ctrl-C ends; what --out, --model, --answers and --plot name is written then.

With --terminal it asks here instead. So it does where no terminal is on stdin, unless --studio is given, and --oracle labels
answers by itself.

DATA is a table, a FOLDER of pictures, or with --dissimilarity a matrix. Columns of a table are compared as features; or one of
them as texts (--text), as series (--series) or as paths of pictures (--images); or vectors of your own are, for rows,
texts or pictures (--embedding). Long texts (more than half have five words) become vectors by their words (latent semantic
analysis), short ones are compared by their letters (levenshtein), unless --method or --metric says otherwise. Where no
column can be a feature and one holds long texts, it is taken.

kin, which asks where no --method is given, asks what is expected to put most rows right and spreads each answer to the rows
around: there are groups after any number of answers, and you stop when they are right. Where answers may be wrong, tell it
how many, as in --error-rate 0.1. cobra, which --super-instances chooses, asks whether a fixed number of small groups belong
together, until all are compared. Both find how many groups there are, and take features, pictures, vectors and long texts.

evclus and kevclus are told how many groups there are (-k); they ask about the object that they are least certain of, show which
cluster it may belong to, and say when more answers are unlikely to change anything. They also take short texts, series and
a matrix of dissimilarities.`,
		Example: `  kindred ask customers.csv
  kindred ask photos
  kindred ask notes.csv --text note
  kindred ask customers.csv --terminal
  kindred ask iris --oracle labels --label class --out groups.csv
  kindred ask iris --super-instances 20
  kindred ask wine --method evclus -k 3 --scale zscore
  kindred ask distances.csv --dissimilarity -k 4 --pictures photos`,
		Args: cli.Arguments(1, 1, "one DATA: a file, a folder of pictures, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	f.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.project, "project", "",
		"project file that keeps the answers (default NAME.kindred in this folder)")
	fs.StringVar(&f.changed, "changed-data", "refuse",
		"when the data changed since the project was begun: refuse, or carry the answers over by "+
			"row id")
	fs.StringVar(&f.who, "who", "", "name of the person who answers, kept with each answer")
	return cmd
}

// flags are those that ask and demo share.
func (f *askFlags) flags(cmd *cobra.Command) {
	f.Flags(cmd.Flags())
	f.page.flags(cmd.Flags())
	f.outputs.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.oracle, "oracle", "", "who answers instead of you: labels")
	fs.IntVar(&f.budget, "budget", 0,
		"answers after which to stop (default: no limit; labels also stop when more would change "+
			"nothing)")
}

func (f *askFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx := cmd.Context()
	path := f.project
	if strings.EqualFold(filepath.Ext(name), ".kindred") {
		if !store.Exists(name) {
			return &fault.Input{File: name, Problem: "there is no such project",
				Fix: "check the spelling, or give the data to begin one"}
		}
		if path != "" {
			return fault.Setting("DATA is a project itself: leave out --project, or give the data")
		}
		var err error
		path = name
		if name, err = dataOf(ctx, a, path); err != nil {
			return err
		}
	}
	if path == "" {
		path = projectName(name)
	}
	if err := f.check(a, name, path); err != nil {
		return err
	}
	onPage := f.page.wanted(a, f.oracle)
	if !store.Exists(path) {
		if err := f.decided(); err != nil {
			return err
		}
	}
	if onPage {
		return f.onPage(ctx, a, name, path)
	}
	s, err := f.open(ctx, cmd, a, name, path)
	if s != nil && s.project != nil {
		defer s.project.Close()
	}
	if err != nil {
		return inUse(err, path)
	}
	if err = f.ask(ctx, a, s); err == nil {
		err = f.finish(ctx, a, s)
	}
	if errors.Is(err, ask.ErrInterrupted) || errors.Is(err, context.Canceled) {
		f.sayKept(a, path)
	}
	if err != nil {
		return err
	}
	q, more := s.run.Next()
	switch {
	case more && f.oracle != "" && f.budget == 0 && !f.passing:
		a.say("the answers are kept in %s; to ask on, give a --budget of more than %d", path,
			q.Number-1)
	case more && f.budget > 0 && q.Number > f.budget && !f.passing:
		a.say("the answers are kept in %s; to go on, give a --budget of more than %d", path,
			f.budget)
	case more:
		f.sayKept(a, path)
	}
	return nil
}

func (f *askFlags) sayKept(a *app, path string) {
	if !f.passing {
		a.say("the answers are kept in %s; the same command goes on from here", path)
	}
}

// check looks at the flags before anything is read.
func (f *askFlags) check(a *app, name, project string) error {
	switch {
	case name == "-":
		return fault.Setting(
			"ask needs its data again at every start, so it cannot take stdin: give a file")
	case f.oracle != "" && f.oracle != "labels":
		return fault.Settingf("--oracle is %q: give labels", f.oracle)
	case f.budget < 0:
		return fault.Setting("--budget cannot be negative")
	case f.changed != "" && f.changed != "refuse" && f.changed != "carry":
		return fault.Settingf("--changed-data is %q: give refuse or carry", f.changed)
	}
	if err := f.page.check(f.oracle); err != nil {
		return err
	}
	if !store.Exists(project) {
		if err := placeable("--project", project); err != nil {
			return err
		}
	}
	return f.checkOutputs(a, name, project)
}

// decided checks that the flags, with what a project keeps, say what is to be asked.
func (f *askFlags) decided() error {
	m, err := f.Asking()
	if err == nil {
		err = f.outputs.drawable(m)
	}
	if err != nil {
		return err
	}
	if f.oracle == "labels" && f.Label == "" && f.Labels == "" {
		return fault.Setting("the column of true classes is needed: name it with --label")
	}
	return nil
}

// checkOutputs keeps outputs from overwriting what is in use, the database's own files included.
func (f *askFlags) checkOutputs(a *app, name, project string) error {
	return f.outputs.check(a, append(f.Files(), name, project, project+"-wal", project+"-shm")...)
}

// ask drives the questions until there are none, or the person stops.
func (f *askFlags) ask(ctx context.Context, a *app, s *asking) error {
	a.say("%s: %s, %s", s.data.Name(), words.Count(s.data.N(), "row"), s.data.What())
	for _, n := range append(s.data.Notes(), s.notes...) {
		a.say("  %s", n)
	}
	if s.method.Dissimilarity || s.method.NeedsClusters {
		a.say("  %s, unless flags say otherwise: %s", s.method.Name,
			input.Defaults(s.method.Params(), s.method.Given))
	}
	var oracle ask.Oracle
	budget := f.budget
	if f.oracle == "labels" {
		var err error
		if oracle, err = f.Answers.Oracle(s.data.Classes, f.Seed()); err != nil {
			return err
		}
		if budget == 0 && s.method.Strategic() {
			budget = method.DefaultBudget
		}
	} else {
		fd, ok := terminal(a.in)
		t := ask.NewTerminal(a.in, a.err, ask.TerminalConfig{
			Show: newViewer(s.data, a.width()).show, Name: s.called, Remaining: s.run.Remaining,
			Estimated: s.run.Settles(),
			FD:        fd, IsTerminal: ok, Styled: a.styled(),
		})
		defer t.Close()
		oracle = t
	}
	record := func(e ask.Event) error {
		if s.header != nil {
			if err := s.project.SetHeader(ctx, *s.header); err != nil {
				return err
			}
			s.header = nil
		}
		return s.project.Append(ctx, store.Event{
			Step: step(e.Reply), A: s.data.ID(e.Question.A), B: s.data.ID(e.Question.B),
			Question: e.Question.Number, Why: e.Question.Why, Who: f.who,
		})
	}
	err := ask.Drive(ctx, s.run.Session, oracle, budget, record)
	if errors.Is(err, ask.ErrQuit) {
		return nil
	}
	return input.Named(err, s.data, "")
}

func step(r ask.Reply) store.Step {
	switch r {
	case ask.Same:
		return store.Same
	case ask.Different:
		return store.Different
	case ask.Undo:
		return store.Undo
	case ask.Redo:
		return store.Redo
	}
	return store.Unknown
}

// finish shows the groups and writes what was asked for.
func (f *askFlags) finish(ctx context.Context, a *app, s *asking) error {
	out, err := s.outcome(ctx)
	if err != nil {
		return err
	}
	if err := printGroups(ctx, a, s.data, out, len(s.problem.Links)); err != nil {
		return err
	}
	if f.outputs.answers != "" {
		if err := s.signed(ctx, out.Asked); err != nil {
			return err
		}
	}
	return f.outputs.write(ctx, a, s.data, s.problem.Links, out)
}
