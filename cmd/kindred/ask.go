package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/active"
	engine "github.com/kindred-go/kindred/cobra"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/session"
)

// askFlags are the flags of kindred ask.
type askFlags struct {
	source     source
	fit        fitFlags
	project    string
	links      string
	oracle     string
	budget     int
	changed    string
	who        string
	out, model string
	answers    string
	plot       string
	passing    bool // the project is thrown away at the end
}

func newAsk(a *app) *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask DATA",
		Short: "Answer a few questions and get the groups you mean",
		Long: `ask shows two rows side by side: are they the same, different, or don't you know? Every answer
is kept in NAME.kindred before the next question is shown, so that the same command goes on where
it was left, whatever happened. After the last answer the groups are shown.`,
		Example: `  kindred ask customers.csv
  kindred ask iris --oracle labels --label class --out groups.csv`,
		Args: arguments(1, 1, "one DATA: a file, or a sample"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	f.flags(cmd)
	fs := cmd.Flags()
	fs.Bool("terminal", true, "ask here, in the terminal")
	fs.StringVar(&f.project, "project", "", "project file that keeps the answers (default NAME.kindred in this folder)")
	fs.StringVar(&f.changed, "changed-data", "refuse", "when the data changed since the project was begun: refuse, or carry the answers over by row id")
	fs.StringVar(&f.links, "links", "", "file of links known before: a,b,link with same, different or unknown")
	fs.StringVar(&f.who, "who", "", "name of the person who answers, kept with each answer")
	return cmd
}

// flags are those that ask and demo share.
func (f *askFlags) flags(cmd *cobra.Command) {
	f.source.flags(cmd)
	f.fit.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.oracle, "oracle", "", "who answers instead of you: labels")
	fs.IntVar(&f.budget, "budget", 0, "answers after which to stop (default: no limit)")
	fs.StringVar(&f.out, "out", "", "write the partition here (.csv, .parquet or .jsonl)")
	fs.StringVar(&f.model, "model", "", "write here what kindred predict needs")
	fs.StringVar(&f.answers, "answers", "", "write the answers here (.csv or .jsonl)")
	fs.StringVar(&f.plot, "plot", "", "draw the groups here (.svg or .png)")
}

// kept are the flags that decide what is asked; a project remembers them.
var kept = append([]string{"super-instances", "starts", "max-iterations", "seed", "contradictions", "links"}, sourceFlags...)

// asking is a session under way.
type asking struct {
	data    *prepared
	problem method.Problem
	run     *engine.Run
	project *session.Project
	notes   []string
}

func (f *askFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx := cmd.Context()
	if err := f.check(name); err != nil {
		return err
	}
	path := f.project
	if path == "" {
		path = projectName(name)
	}
	s, err := f.open(ctx, cmd, a, name, path)
	if s != nil && s.project != nil {
		defer s.project.Close()
	}
	if err != nil {
		return err
	}
	err = f.ask(ctx, a, s)
	if errors.Is(err, active.ErrInterrupted) || errors.Is(err, context.Canceled) {
		f.sayKept(a, path)
		return err
	}
	if err != nil {
		return err
	}
	if err := f.finish(ctx, a, s); err != nil {
		return err
	}
	if _, more := s.run.Next(); more {
		f.sayKept(a, path)
	}
	return nil
}

func (f *askFlags) sayKept(a *app, path string) {
	if !f.passing {
		a.say("the answers are kept in %s; the same command goes on from here", path)
	}
}

func (f *askFlags) check(name string) error {
	switch {
	case name == "-":
		return usage{"ask needs its data again at every start, so it cannot take stdin: give a file"}
	case f.oracle != "" && f.oracle != "labels":
		return usage{fmt.Sprintf("--oracle is %q: give labels", f.oracle)}
	case f.budget < 0:
		return usage{"--budget cannot be negative"}
	case f.changed != "" && f.changed != "refuse" && f.changed != "carry":
		return usage{fmt.Sprintf("--changed-data is %q: give refuse or carry", f.changed)}
	}
	return checkOut(f.out)
}

// projectName is NAME.kindred in this folder, NAME being that of the data without its endings.
func projectName(data string) string {
	base := filepath.Base(data)
	for _, end := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, end)
	}
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".kindred"
}

// open reads the data and the project, and brings the run to where the answers stand. The project is
// made only when the data could be read.
func (f *askFlags) open(ctx context.Context, cmd *cobra.Command, a *app, name, path string) (*asking, error) {
	s := &asking{}
	var header session.Header
	var began bool
	var err error
	if session.Exists(path) {
		if s.project, err = session.Open(ctx, path); err != nil {
			return nil, err
		}
		if header, began, err = s.project.Header(ctx); err != nil {
			return s, err
		}
		if err := recall(cmd, header.Settings); err != nil {
			return s, err
		}
	}
	if err := f.load(ctx, a, s, name); err != nil {
		return s, err
	}
	table := s.data.table
	if began && header.Fingerprint != table.Fingerprint && f.changed != "carry" {
		return s, &fault.Input{
			File:    path,
			Problem: fmt.Sprintf("the project was begun with other data (%d rows of %s) than %s holds now (%d rows)", header.Rows, header.Data, name, table.Rows),
			Mend:    "restore the data, keep another project with --project, or take the answers along by row id with --changed-data carry",
		}
	}
	if s.project == nil {
		if s.project, err = session.Open(ctx, path); err != nil {
			return s, err
		}
	}
	if !began {
		header.Created = time.Now().UTC()
	}
	header.Data, header.Fingerprint, header.Rows, header.Method = name, table.Fingerprint, table.Rows, "cobra"
	header.Settings = remember(cmd)
	if err := s.restore(ctx, a); err != nil {
		return s, err
	}
	return s, s.project.SetHeader(ctx, header)
}

// load reads and prepares the data, and starts the run.
func (f *askFlags) load(ctx context.Context, a *app, s *asking, name string) error {
	settings, err := f.fit.settings(f.source.threads)
	if err != nil {
		return err
	}
	table, err := f.source.read(ctx, a, name, true)
	if err != nil {
		return err
	}
	if s.data, err = f.source.prepare(ctx, table, false); err != nil {
		return err
	}
	s.problem = method.Problem{Data: s.data.ready.X, Classes: s.data.classes}
	if f.links != "" {
		var dropped int
		if s.problem.Links, dropped, err = s.data.links(ctx, f.links); err != nil {
			return err
		}
		if dropped > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%d links name rows that preparation left out, and are not used", dropped))
		}
	}
	b := a.bar("making super-instances")
	defer b.done()
	settings.Progress = b.update
	cfg, notes := method.CobraConfig(s.problem, settings)
	s.notes = append(s.notes, notes...)
	s.run, err = engine.New(ctx, s.problem.Data, cfg)
	return named(err, s.data)
}

// restore gives the run the answers of the project.
func (s *asking) restore(ctx context.Context, a *app) error {
	events, err := s.project.Events(ctx)
	if err != nil {
		return err
	}
	answers, taken := session.Fold(events)
	gone := 0
	replay := func(given []session.Answer) (links []link.Link) {
		for _, x := range given {
			rowA, okA, _ := s.data.row(x.A)
			rowB, okB, _ := s.data.row(x.B)
			if !okA || !okB {
				gone++
				continue
			}
			links = append(links, link.Link{A: rowA, B: rowB, Kind: x.Kind, Source: x.Who, Time: x.At})
		}
		return links
	}
	links := replay(answers)
	undone := replay(taken)
	if err := s.run.Restore(links, undone); err != nil {
		return named(err, s.data)
	}
	if len(links) > 0 {
		a.say("going on from %s in %s", count(len(links), "answer"), s.project.Path())
	}
	if gone > 0 {
		a.say("%s about rows that are no longer there are left out", count(gone, "answer"))
	}
	return nil
}

// ask drives the questions until there are none, or the person stops.
func (f *askFlags) ask(ctx context.Context, a *app, s *asking) error {
	a.say("%s: %s, %s", s.data.table.Name, count(s.data.ready.X.Rows, "row"), count(s.data.ready.X.Cols, "feature"))
	for _, n := range append(s.data.notes(), s.notes...) {
		a.say("  %s", n)
	}
	var oracle active.Oracle
	if f.oracle == "labels" {
		if s.data.classes == nil {
			return &fault.Input{Problem: "there is no column of classes to ask", Mend: "name it with --label"}
		}
		oracle = active.Labels(s.data.classes)
	} else {
		fd, ok := terminal(a.in)
		t := active.NewTerminal(a.in, a.err, active.TerminalConfig{
			Show: newViewer(s.data, a.width()).show, Remaining: s.run.Remaining, FD: fd, IsTerminal: ok, Styled: a.styled(),
		})
		defer t.Close()
		oracle = t
	}
	record := func(e active.Event) error {
		return s.project.Append(ctx, session.Event{
			Step: step(e.Reply), A: s.data.id(e.Question.A), B: s.data.id(e.Question.B),
			Question: e.Question.Number, Why: e.Question.Why, Who: f.who,
		})
	}
	err := active.Drive(ctx, s.run, oracle, f.budget, record)
	if errors.Is(err, active.ErrQuit) {
		return nil
	}
	return err
}

func step(r active.Reply) session.Step {
	switch r {
	case active.Same:
		return session.Same
	case active.Different:
		return session.Different
	case active.Undo:
		return session.Undo
	case active.Redo:
		return session.Redo
	}
	return session.Unknown
}

// finish shows the groups and writes what was asked for.
func (f *askFlags) finish(ctx context.Context, a *app, s *asking) error {
	out := method.CobraOutcome(s.run)
	out.Model.Method, out.Model.Encoding = "cobra", s.data.ready.Encoding
	if err := printGroups(ctx, a, s.data, out); err != nil {
		return err
	}
	w := clusterFlags{out: f.out, model: f.model, answers: f.answers, plot: f.plot, json: true}
	return w.write(ctx, a, s.data, s.problem, out)
}
