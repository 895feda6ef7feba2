package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project"
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
		Long: `ask shows two objects side by side, on a page in the browser: are they the same,
different, or don't you know? Every answer is kept in NAME.kindred at once, and the same command
goes on there. Ctrl-C, or q with --terminal, ends and writes the files named.

DATA is a table, a FOLDER of pictures or texts, or a matrix. Long texts become vectors by their
meaning, short ones are compared by letters, unless --method, --metric or --encoder says otherwise.`,
		Example: `  kindred ask customers.csv
  kindred ask notes.csv --text note --terminal
  kindred ask iris --oracle labels --label class --out groups.csv
  kindred ask wine --method evclus -k 3 --scale zscore`,
		Args: cli.Arguments(1, 1, "one DATA: a file, a folder of pictures, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args[0])
		},
	}
	f.flags(a, cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.project, "project", "",
		"project file that keeps the answers (default NAME.kindred in this folder)")
	changedData(fs, &f.changed)
	cli.Group(fs, sessionGroup, "project")
	return cmd
}

// flags are those that ask and demo share.
func (f *askFlags) flags(a *app, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	f.Flags(fs)
	f.page.flags(fs)
	fs.StringVar(&f.who, "who", "", "name of the person who answers, kept with each answer")
	cli.Group(fs, sessionGroup, "who")
	f.outputs.flags(a, cmd)
	fs.BoolVar(&f.outputs.masses, "masses", false,
		"write masses to --out however many columns they take, not only up to "+
			strconv.Itoa(mostMassColumns))
	cli.Group(fs, outputGroup, "masses")
	var set param.Set
	set.Choice(&f.oracle, param.Param{Name: "oracle", Choices: []string{"labels"},
		Help: "who answers instead of you"})
	set.Int(&f.budget, param.Param{Name: "budget", Default: "0",
		Help: "answers to stop after; with 0, labels stop once settled"})
	cli.Declare(fs, input.KnowledgeGroup, &set)
	grouped(cmd, f.Recipe)
}

func (f *askFlags) run(cmd *cobra.Command, a *app, name string) error {
	ctx, path := cmd.Context(), f.project
	if isProject(name) {
		if err := mustExist(name); err != nil {
			return err
		}
		if path != "" {
			return fault.Setting("DATA is a project itself: leave out --project, or give the data")
		}
		path, name = name, ""
	}
	if path == "" {
		path = projectIn(ctx, "", name)
	}
	if err := f.check(a, name, path); err != nil {
		return err
	}
	if !store.Exists(path) {
		m, err := f.Asking()
		if err == nil {
			err = f.suits(m)
		}
		if err != nil {
			return err
		}
	}
	f.Answers.Labels = f.oracle == "labels"
	cfg := project.Config{
		Path: path, Data: name, Carry: f.changed == carried, Recipe: f.Recipe,
		Check: func(data *input.Data, m *method.Configured) error {
			return cmp.Or(f.checkOutputs(a, data.Name(), path), f.suits(m), f.outputs.suit(data))
		},
	}
	if f.page.wanted(a, f.oracle) {
		return f.onPage(ctx, a, cfg)
	}
	return f.here(ctx, a, cfg)
}

// check looks at the flags before anything is read.
func (f *askFlags) check(a *app, name, path string) error {
	if name == "-" {
		return noStdin("ask")
	}
	if err := f.page.check(f.oracle); err != nil {
		return err
	}
	if !store.Exists(path) {
		if err := placeable("--project", path); err != nil {
			return err
		}
	}
	return f.checkOutputs(a, name, path)
}

// suits checks that what is to be written, and who answers, suit the method. nil: the method
// follows from the data, and is checked once they are read.
func (f *askFlags) suits(m *method.Configured) error {
	if err := f.outputs.drawable(m); err != nil {
		return err
	}
	if f.oracle == "labels" && f.Label == "" && f.Labels == "" {
		return fault.Setting("the column of true classes is needed: name it with --label")
	}
	return nil
}

// checkOutputs keeps outputs from overwriting what is in use, the database's own files included.
func (f *askFlags) checkOutputs(a *app, name, path string) error {
	return f.outputs.check(a, append(f.Files(), name, path, path+"-wal", path+"-shm")...)
}

// open opens a project by one of the ways to do so, and reports on it.
func (f *askFlags) open(ctx context.Context, a *app, cfg project.Config,
	open func(context.Context, project.Config) (*project.Project, error)) (*project.Project,
	error) {
	p, err := a.opened(ctx, cfg, open)
	if err != nil {
		return nil, err
	}
	if said := p.Recalled(); len(said) > 0 {
		a.notef("settings of %s: %s", cfg.Path, strings.Join(said, ", "))
	}
	state := p.State(f.who)
	title := ""
	if !cfg.Alone {
		title = "; " + state.Title
	}
	data := p.Data()
	a.notef("%s: %s, %s%s", data.Name(), words.Count(data.N(), "row"), data.What(), title)
	a.list("  ", state.Notes)
	for _, c := range p.Changes() {
		kept := "" // by the page, at once
		if cfg.Alone && p.Carried() == nil {
			kept = "; that is kept with the next answer"
		}
		a.notef("--%s: %s before, %s now%s", c.Name, cmp.Or(c.Was, "not given"),
			cmp.Or(c.Is, "not given"), kept)
	}
	if state.Answers > 0 {
		a.notef("going on from %s in %s", state.Count(), cfg.Path)
	}
	return p, nil
}

// here asks in the terminal, or lets true classes answer.
func (f *askFlags) here(ctx context.Context, a *app, cfg project.Config) error {
	cfg.Alone = true
	cfg.Called = func(id string) string { return "row " + words.Short(id) }
	p, err := f.open(ctx, a, cfg, project.Open)
	if err != nil {
		return err
	}
	defer p.Close()
	s := &asking{askFlags: f, app: a, project: p, state: p.State(f.who)}
	if err = s.ask(ctx); err == nil {
		err = s.finish(ctx)
	} else if interrupted(err) && f.outputs.wanted() {
		err = s.finishAnyway(ctx, err)
	}
	if interrupted(err) {
		f.noteKept(a, cfg.Path)
	}
	if err != nil || f.passing {
		return input.Named(err, p.Data(), "")
	}
	switch answers := s.state.Answers; {
	case !s.more:
	case f.oracle != "" && f.budget == 0, f.budget > 0 && answers >= f.budget:
		a.notef("the answers are kept in %s; to go on, give a --budget of more than %d", cfg.Path,
			answers)
	default:
		f.noteKept(a, cfg.Path)
	}
	return nil
}

// interrupted reports whether a person ended what was under way.
func interrupted(err error) bool {
	return errors.Is(err, ask.ErrInterrupted) || errors.Is(err, context.Canceled)
}

func (f *askFlags) noteKept(a *app, path string) {
	if !f.passing {
		a.notef("the answers are kept in %s; the same command goes on from here", path)
	}
}

func newDemo(a *app) *cobra.Command {
	f := askFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "demo [SAMPLE]",
		Short: "Try it on a sample: handwritten digits, on a page in the browser",
		Long: `demo asks about pairs of handwritten digits, or of another sample, until the groups
are found: on a page in the browser, or here with --terminal. Nothing is kept. Where there is nobody
to answer, the true labels do.`,
		Example: `  kindred demo
  kindred demo iris
  kindred demo --terminal
  kindred demo --oracle labels`,
		Args: cli.Arguments(0, 1, "at most one sample (see kindred data list)", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.demo(cmd, a, args)
		},
	}
	f.flags(a, cmd)
	return cmd
}

func (f *askFlags) demo(cmd *cobra.Command, a *app, args []string) error {
	name := "digits"
	if len(args) > 0 {
		name = args[0]
	}
	s, ok := sample.Find(name)
	if !ok {
		return fault.Setting("demo takes the name of a sample: see kindred data list")
	}
	f.Label = s.Label
	if f.oracle == "" && !f.page.wanted(a, "") && nobody(a.in) {
		f.oracle = "labels"
		a.notef("nobody is at a keyboard, so the true labels answer")
	}
	folder, err := os.MkdirTemp("", "kindred-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	f.project, f.passing = filepath.Join(folder, "demo.kindred"), true
	return f.run(cmd, a, s.Name)
}

// nobody reports whether an input can bring no keys: it is a device such as
// /dev/null, but no terminal.
func nobody(in io.Reader) bool {
	f, isFile := in.(*os.File)
	if !isFile {
		return false
	}
	info, err := f.Stat()
	_, isTerminal := terminal(in)
	return err == nil && !isTerminal && info.Mode()&os.ModeCharDevice != 0
}

// asking brings the questions of a project to a person at a terminal, or to true classes.
type asking struct {
	*askFlags
	app     *app
	project *project.Project
	state   project.State // before the question
	more    bool          // questions were left at the end
	shown   bool          // questions were shown
}

// oracle returns who answers, and after how many answers to stop at most (0: no limit); close ends
// the reading of keys.
func (s *asking) oracle() (o ask.Oracle, budget int, close func(), err error) {
	data, m, a := s.project.Data(), s.project.Method(), s.app
	budget, close = s.budget, func() {}
	if s.askFlags.oracle == "labels" {
		if budget == 0 && m.Strategic() {
			budget = method.DefaultBudget
		}
		o, err = s.Answers.Oracle(data.Classes, s.Seed())
		return o, budget, close, err
	}
	fd, ok := terminal(a.in)
	t := ask.NewTerminal(a.in, a.err, ask.TerminalConfig{
		Show: func(q link.Question) string {
			s.shown = true
			return (&viewer{data, a.width()}).show(q)
		},
		Name:      func(row int) string { return "row " + words.Short(data.ID(row)) },
		Remaining: func() (likely, most int) { return s.state.Likely, s.state.Most },
		Steps:     true, Estimated: s.state.Estimated, FD: fd, IsTerminal: ok, Styled: a.styled(),
	})
	return t, budget, t.Close, nil
}

// ask asks until nothing is left to ask, the budget is used up, the groups are settled and nobody
// is there to answer, or the person stops.
func (s *asking) ask(ctx context.Context) error {
	if m := s.project.Method(); m.Dissimilarity || m.NeedsClusters {
		s.app.notef("  %s, unless flags say otherwise: %s", m.Name,
			input.Defaults(m.Params(), m.Given))
	}
	oracle, budget, end, err := s.oracle()
	if err != nil {
		return err
	}
	defer end()
	heeder, heeds := oracle.(ask.Heeder)
	settled := false
	for {
		turn, err := s.project.Turn(ctx, s.who)
		if err != nil {
			return err
		}
		s.state = s.project.State(s.who)
		if s.more = turn.Question != nil; !s.more {
			if _, _, err := s.project.Outcome(ctx); err != nil { // that is why
				return err
			}
		}
		done := !s.more || budget > 0 && s.state.Answers >= budget
		if !done {
			if !heeds {
				done = s.state.Settled && budget == 0
			} else if s.state.Settled && !settled {
				heeder.Heed()
			}
			settled = s.state.Settled
		}
		var q link.Question
		reply := ask.Quit
		if !done {
			q = link.Question{A: turn.Question.A.Row, B: turn.Question.B.Row,
				Number: s.state.Answers + 1, Why: turn.Question.Why}
			reply, err = oracle.Ask(ctx, q)
		} else if f, wants := oracle.(ask.Finisher); wants && !s.more && !s.state.CanUndo {
			s.app.notef("there is nothing to ask about") // nor to take back
		} else if wants {
			reply, err = f.Finish(ctx, s.more)
		}
		if err != nil {
			return err
		}
		if reply == ask.Quit || done && reply != ask.Undo {
			return nil
		}
		if err := s.take(ctx, oracle, q, reply); err != nil {
			return err
		}
	}
}

// take passes a reply to the project.
func (s *asking) take(ctx context.Context, by ask.Oracle, q link.Question,
	reply ask.Reply) (err error) {
	var refused *project.Contradiction
	switch kind, _ := reply.Kind(); reply {
	case ask.Undo:
		_, err = s.project.Undo(ctx, s.who, "")
	case ask.Redo:
		if _, err = s.project.Redo(ctx, s.who, ""); errors.As(err, &refused) {
			s.app.notef("what was taken back stays so: %s", refused)
			err = nil
		}
	case ask.Later:
		_, err = s.project.Skip(ctx, s.who, "", q.A, q.B)
	case ask.LeaveFirst, ask.LeaveSecond:
		row := q.A
		if reply == ask.LeaveSecond {
			row = q.B
		}
		if _, err = s.project.LeaveOut(ctx, s.who, "", row); fault.IsInput(err) {
			s.app.notef("nothing was left out: %s", err)
			err = nil // the question is asked again
		}
	default:
		step := project.Step{A: q.A, B: q.B, Answer: kind.String(), Question: q.Number}
		_, err = s.project.Answer(ctx, s.who, step)
		if errors.As(err, &refused) {
			if arbiter, wants := by.(ask.Arbiter); wants {
				err = s.settle(ctx, arbiter, step, refused)
			} else if step.Keep = refused.Clash.Weighed; step.Keep {
				_, err = s.project.Answer(ctx, s.who, step)
			}
		}
	}
	if errors.Is(err, project.ErrNothing) {
		if idler, wants := by.(ask.Idler); wants {
			idler.Nothing(reply)
		}
		return nil // the question is asked again
	}
	return err
}

// settle lets a person decide between an answer and those that contradict it.
func (s *asking) settle(ctx context.Context, by ask.Arbiter, step project.Step,
	refused *project.Contradiction) error {
	for {
		remedy, at, err := by.Settle(ctx, s.clash(step, refused.Clash))
		if err != nil || remedy == ask.TakeBack {
			return err
		}
		if remedy == ask.KeepDoubt {
			step.Keep = true
		} else if wrong := refused.Clash.Chain[at]; remedy == ask.Drop {
			_, err = s.project.Drop(ctx, s.who, "", wrong.Seq, nil)
		} else {
			_, err = s.project.Edit(ctx, s.who, "", wrong.Seq, opposite(wrong.Step), false, nil)
		}
		var further *project.Contradiction
		if errors.As(err, &further) {
			s.app.notef("that stays as it is: %s", further)
			continue
		}
		if err == nil {
			_, err = s.project.Answer(ctx, s.who, step)
		}
		if !errors.As(err, &refused) {
			return err
		}
	}
}

// clash puts a contradiction in words.
func (s *asking) clash(step project.Step, c project.Clash) ask.Clash {
	data := s.project.Data()
	pair := func(a, b, answer string) string {
		sign := map[string]string{"same": "=", "different": "≠"}[answer]
		return fmt.Sprintf("row %s %s row %s", words.Short(a), sign, words.Short(b))
	}
	out := ask.Clash{Answer: pair(data.ID(step.A), data.ID(step.B), step.Answer)}
	for _, e := range c.Chain {
		stated := ask.Stated{Words: pair(e.A.ID, e.B.ID, e.Step), Opposite: "they differ"}
		if e.Step == "different" {
			stated.Opposite = "they are the same"
		}
		switch {
		case e.Seq == 0:
			stated.Words += ", given with the data"
		case e.Who != "" && e.Who != s.who:
			stated.Words += ", by " + words.Short(e.Who)
		}
		stated.Fixed = e.Seq == 0 || s.who != "" && e.Who != s.who
		out.Chain = append(out.Chain, stated)
	}
	return out
}

// opposite returns the opposite of an answer.
func opposite(answer string) string {
	if answer == "same" {
		return "different"
	}
	return "same"
}

// finishAnyway finishes after an interrupt, unless another one comes meanwhile. It returns the
// first one, or what failed since.
func (s *asking) finishAnyway(ctx context.Context, first error) error {
	s.app.notef("the files named are being written; Ctrl-C once more ends without them")
	ctx, stop := uninterrupted(ctx)
	defer stop()
	switch err := s.finish(ctx); {
	case err == nil:
	case interrupted(err):
		s.app.notef("not all of the files named are written")
	default:
		return err
	}
	return first
}

// finish shows the groups and writes the files of outputs.
func (s *asking) finish(ctx context.Context) error {
	out, err := s.project.Signed(ctx)
	if err != nil {
		return err
	}
	shown := *out
	if moved := renumbered(out.Was); s.shown && out.Queries > 0 && moved != "" {
		shown.Notes = append(shown.Notes[:len(shown.Notes):len(shown.Notes)],
			"Groups are numbered by size now, other than in the questions: "+moved+".")
	}
	if err := printGroups(ctx, s.app, s.project.Data(), &shown, s.project.GroupNames,
		s.project.Given()); err != nil {
		return err
	}
	scene, err := s.project.Scene(ctx)
	if err != nil {
		return err
	}
	s.app.noteLinks(uncounted(out, scene.Links), out.Queries)
	if n := s.project.State(s.who).Contradictions; n > 0 {
		s.app.notef("%s contradicted by other answers; the studio lists them",
			words.Count(n, "answer"))
	}
	data := s.project.Data()
	if s.askFlags.oracle != "" {
		s.app.noteUnclassed(data, out)
	}
	if known := s.Classed(data); known != nil {
		of := knownClasses(data, known, out)
		s.app.noteClasses(of, classesNowhere(data, known, of))
		if !data.Plain() {
			classed := *out // the project keeps its own
			classed.Columns = append(slices.Clip(out.Columns), partition.Classes(out.Labels, of))
			out = &classed
		}
	}
	return s.write(ctx, s.app, s.project, out)
}

// write writes the files of outputs.
func (f *askFlags) write(ctx context.Context, a *app, p *project.Project,
	out *method.Outcome) error {
	f.outputs.certain = p.Certainty
	return f.outputs.write(ctx, a, p.Data(), out, p.Scene)
}
