// Command kindred finds the groups a person means: clustering guided by a few answers.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// app holds the streams and the environment of a command.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	began    bool     // a command's own work began: errors are not of usage
	shared   bool     // others may read what is written, as the umask says
	made     []string // files to write that were not there before
	lost     error    // of stdout, beside which named files are written all the same

	look time.Duration // for how long a completion may look at a file

	where input.Place // which knows the passwords of databases
}

func newApp(in io.Reader, out, err io.Writer, env func(string) string) *app {
	return &app{in: in, out: out, err: err, env: env, look: lookTime}
}

// run runs one command line and returns the exit code.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	args = a.hide(args)
	a.complete(root, args)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, a.lost, a.share())
	if err == nil {
		return cli.Done
	}
	if about, ok := errors.AsType[*fs.PathError](err); ok && about.Path == os.Stdout.Name() {
		err = fault.Writing("stdout", err)
	}
	code := a.code(ctx, err)
	switch code {
	case cli.Unread:
		return code
	case cli.Interrupted:
		fmt.Fprintln(a.err, "kindred: interrupted")
		return code
	}
	fmt.Fprintf(a.err, "kindred: %s\n", safe.Line(err.Error()))
	if line := again(cmd, args, err); line != "" {
		a.notef("  %s", line)
	}
	return code
}

// code returns the exit code for an error.
func (a *app) code(ctx context.Context, err error) int {
	if errors.Is(err, ask.ErrInterrupted) || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return cli.Interrupted
	}
	return cli.Code(a.began, err)
}

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindred",
		Short: "Find the groups you mean: clustering guided by a few answers",
		Long: `kindred finds the groups a person means. It asks whether a few pairs of rows belong
together, and returns the groups, what tells them apart, pictures and a file of labels.`,
		Example: `  kindred demo
  kindred ask customers.csv
  kindred cluster iris --method cobra --label class --oracle labels --out groups.csv
  kindred plot customers.kindred --out groups.svg`,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		Args:                  cli.Commands(a.dataNotCommand, otherCommands),
		RunE:                  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.FromEnvironment(cmd, a.setting, nil); err != nil {
				return err
			}
			a.began = true
			return nil
		},
	}
	root.SetFlagErrorFunc(cli.FlagError)
	cli.Placeholders(root)
	root.Version = cli.Version(version)
	root.SetVersionTemplate(versionLine())
	root.Flags().Bool("version", false, "say which kindred this is")
	root.AddCommand(
		newDemo(a), newAsk(a), newServe(a), newCluster(a), newStream(a), newPredict(a), newNeighbours(a),
		newScore(a),
		newPlot(a), newLinks(a), newData(a), newVersion(a),
		newMethods(a), newReproduce(a), newToken(a), newCheck(a), newWork(a), newSessions(a),
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			switch {
			case err != nil, !found.HasSubCommands():
				return err
			case found == root:
				return root.Args(root, rest)
			}
			return cli.Commands(nil, nil)(found, rest)
		}
	}
	return root
}

// otherCommands are names of commands elsewhere, and of what does the same here.
var otherCommands = map[string]string{
	"group": "cluster", "fit": "cluster", "label": "ask", "annotate": "ask", "studio": "serve",
	"server": "serve", "evaluate": "score", "draw": "plot", "info": "data info",
	"convert": "data convert", "explain": "data explain", "samples": "data list",
	"list": "methods", "knn": "neighbours", "repair": "check --repair",
}

// dataNotCommand returns what to do with DATA in the place of a command; "" for another word.
func (a *app) dataNotCommand(word string) string {
	if _, _, err := a.place().Locate(word); err != nil || word == "-" {
		return ""
	}
	return fmt.Sprintf("to group %s, give kindred ask %[1]s or kindred cluster %[1]s",
		words.Shell(word))
}

// place is where DATA are looked for.
func (a *app) place() input.Place {
	p := a.where
	p.Stdin, p.Folder = a.in, a.env("KINDRED_DATASETS")
	p.Notify = func(note string) {
		if _, ok := terminal(a.err); ok { // where a bar may be
			fmt.Fprint(a.err, "\r\x1b[K")
		}
		a.notef("%s", note)
	}
	return p
}

// hide takes the passwords out of the URLs of databases in a command line, before anything else
// sees it.
func (a *app) hide(args []string) []string {
	args = slices.Clone(args)
	for i, word := range args {
		flag, value, set := strings.Cut(word, "=")
		if !set || !strings.HasPrefix(word, "-") {
			flag, value = "", word
		} else {
			flag += "="
		}
		value, a.where = a.where.Hide(value)
		args[i] = flag + value
	}
	return args
}

// setting returns a variable of the environment that sets a flag, without passwords of databases.
func (a *app) setting(name string) string {
	var value string
	value, a.where = a.where.Hide(a.env(name))
	return value
}

// terminal returns the descriptor of a stream that is a terminal.
func terminal(stream any) (fd int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile {
		return 0, false
	}
	return int(f.Fd()), term.IsTerminal(int(f.Fd()))
}

// width is the number of columns of the terminal of stderr, or 80.
func (a *app) width() int {
	if fd, ok := terminal(a.err); ok {
		if w, _, err := term.GetSize(fd); err == nil && w > 20 {
			return w
		}
	}
	return 80
}

// styled reports whether stderr may have bold text.
func (a *app) styled() bool {
	_, ok := terminal(a.err)
	return ok && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// notef writes a line to stderr.
func (a *app) notef(format string, args ...any) {
	fmt.Fprintln(a.err, safe.Line(fmt.Sprintf(format, args...)))
}

// list writes lines to stderr, indented.
func (a *app) list(indent string, lines []string) {
	for _, line := range lines {
		a.notef("%s%s", indent, line)
	}
}

func main() {
	ctx, stop := cli.Interruptible()
	code := run(ctx, newApp(os.Stdin, os.Stdout, os.Stderr, os.Getenv), os.Args[1:])
	stop()
	os.Exit(code)
}

// version is set at a release by the linker; otherwise the build information has it.
var version string

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which kindred this is",
		Args:  cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.out, versionLine())
			return err
		},
	}
}

// versionLine says which kindred this is, for kindred version and kindred --version.
func versionLine() string {
	return fmt.Sprintf("kindred %s %s/%s %s kernels %s\n", cli.Version(version), runtime.GOOS,
		runtime.GOARCH, runtime.Version(), simd.Level())
}

// isProject reports whether a name is that of a project file.
func isProject(name string) bool { return strings.EqualFold(filepath.Ext(name), ".kindred") }

// projectIn returns the project in a folder that data are asked about where none is named:
// NAME.kindred, NAME being that of the data without its endings; or, where that is about another
// file beside the data, NAME with the ending, as x.npy.kindred where x.kindred is about x.csv.
func projectIn(ctx context.Context, folder, data string) string {
	if dburl.Is(data) {
		return filepath.Join(folder, dburl.Name(data)+".kindred")
	}
	base := filepath.Base(data)
	if base == "." || base == ".." {
		if abs, err := filepath.Abs(data); err == nil {
			base = filepath.Base(abs)
		}
	}
	base = unpacked(base)
	path := filepath.Join(folder, strings.TrimSuffix(base, filepath.Ext(base))+".kindred")
	whole := filepath.Join(folder, base+".kindred")
	if store.Exists(whole) || aboutSibling(ctx, path, data) {
		return whole
	}
	return path
}

// unpacked returns a name without the endings of compressed files.
func unpacked(name string) string {
	for _, end := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// aboutSibling reports whether a project was begun with another file, which is in the folder of the
// data. A project that cannot be read is reported where it is opened.
func aboutSibling(ctx context.Context, project, data string) bool {
	if !store.Exists(project) {
		return false
	}
	p, err := store.View(ctx, project)
	if err != nil {
		return false
	}
	defer p.Close()
	h, ok, err := p.Header(ctx)
	if err != nil || !ok || h.Path == "" {
		return false
	}
	other, err := input.DataOf(h, project, input.Place{})
	if err != nil || unpacked(filepath.Base(other)) == unpacked(filepath.Base(data)) {
		return false
	}
	mine, err := os.Stat(filepath.Dir(data))
	theirs, failed := os.Stat(filepath.Dir(other))
	return err == nil && failed == nil && os.SameFile(mine, theirs) && store.Exists(data)
}

// mustExist refuses a project file that is not there.
func mustExist(path string) error {
	return store.Missing(path, "check the spelling, or give the data to begin one")
}

// noStdin returns why a command that keeps a project cannot read its data from stdin.
func noStdin(command string) error {
	return fault.Settingf("%s needs its data again at every start, so it cannot take stdin: give "+
		"a file", command)
}

// carried is the value of --changed-data that takes the answers along.
const carried = "carry"

// changedData adds --changed-data.
func changedData(fs *pflag.FlagSet, value *string) {
	var set param.Set
	set.Choice(value, param.Param{Name: "changed-data", Choices: []string{"refuse", carried},
		Default: "refuse", Help: "where the data changed since the answers: refuse them, or " +
			"carry the answers over, by row id, or by content where rows have no ids"})
	cli.Declare(fs, sessionGroup, &set)
}

// grouped lets the help of a command list its flags by groups, or the parameters of the method that
// --method names.
func grouped(cmd *cobra.Command, r *input.Recipe) {
	cli.Grouped(cmd, []cli.Topic{
		{Group: input.DataGroup, Rare: []string{"format", "delimiter", "decimal", "encoding",
			"na", "date-order", "types", "dates", "levels", "plain", "column-weights", "sheet",
			"table", "query", "vectors", "inflate-limit", "threads", "duplicates",
			"series", "images", "image-features", "embedding", "encoder", "dimensions",
			"band", "edit-cost",
			"dissimilarity", "labels", "pictures", "encoder-model", "encoder-prompt",
			"encoder-cache", "allow-remote", "allow-remote-encoder"}},
		{Group: input.MethodGroup,
			Note: "Methods have parameters of their own: --method NAME --help " +
				"lists those of one."},
		{Group: input.KnowledgeGroup, Rare: []string{"oracle-errors", "oracle-unknowns",
			"random-links", "labelled-per-class", "labelled-share", "deduce"}},
		{Group: sessionGroup, Rare: []string{"studio", "port", "browser", "no-browser",
			"changed-data", "who", "link-life", "overlap", "repeat", "discount",
			"log-level", "log-format"}},
		{Group: outputGroup, Rare: []string{"answers", "picture", "layout", "tree", "masses",
			"shared"}},
	}, func(out io.Writer) (bool, error) {
		if r.MethodName == "" {
			return false, nil
		}
		m, err := input.Find(r.MethodName)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(out, "%s\n\nParameters of %s, besides the flags that %s --help lists:\n",
			m.Title, m.Name, cmd.CommandPath())
		cli.ListParams(out, m.Params())
		return true, nil
	})
}

// sessionGroup is the group of flags about how questions are asked and answers kept.
const sessionGroup = "Session"

// read reads a table; keep holds all cells.
func read(ctx context.Context, a *app, s *input.Source, name string, keep bool) (*dataset.Table,
	error) {
	return watched(a, func(p input.Progress) (*dataset.Table, error) {
		return s.Read(ctx, a.place(), name, keep, p)
	})
}

// objects reads rows and the dissimilarities among them.
func objects(ctx context.Context, a *app, s *input.Source, name string, consume bool) (*input.Data,
	error) {
	return watched(a, func(p input.Progress) (*input.Data, error) {
		return s.Objects(ctx, a.place(), name, false, consume, p)
	})
}

// opened opens a project by one of the ways to do so.
func (a *app) opened(ctx context.Context, cfg project.Config,
	open func(context.Context, project.Config) (*project.Project, error)) (*project.Project,
	error) {
	return whole(ctx, a, cfg.Recipe, func() (*project.Project, error) {
		return watched(a, func(p input.Progress) (*project.Project, error) {
			cfg.Place, cfg.Progress, cfg.Shared = a.place(), p, a.shared
			return open(ctx, cfg)
		})
	})
}

// hasIDs reports whether a column names the rows of a table, rather than their numbers.
func hasIDs(t *dataset.Table) bool {
	return slices.ContainsFunc(t.Columns,
		func(c dataset.Column) bool { return c.Role == dataset.ID })
}

// place returns for each row its label in a matched partition; 0 where it has none.
func place(d *input.Data, m *partition.Matched) []int {
	labels := make([]int, d.N())
	for i, row := range m.Rows {
		if at, ok := d.Of(row); ok {
			labels[at] = max(0, m.Pred[i])
		}
	}
	return labels
}
