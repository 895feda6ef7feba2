package main

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/studio"
)

// serveFlags are the flags of kindred serve.
type serveFlags struct {
	*input.Recipe
	openFlags
	listen  string
	remote  bool
	people  []string
	hosts   []string
	changed string
	sharing project.Sharing
}

func newServe(a *app) *cobra.Command {
	f := serveFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "serve [FOLDER] [DATA | FILE.kindred]...",
		Short: "Serve the page and the HTTP API, for several people and projects",
		Long: `serve opens the studio on the projects and data of a folder, by default this one, and
on each DATA or project that is named. It prints a link to the page, one for each of the --people.
A link works once, within --link-life; the browser that opened it goes on under that name, also
after a restart. The page has new links, under People, or Settings where one person answers alone.
The first of the people may also begin projects and change settings. Everything is kept in the
project files; Ctrl-C ends, and the same command goes on. What happens is logged to stderr, without
tokens and cells.

Only this machine reaches the server, unless --listen and --allow-remote say otherwise. The API is
under /api/v1 of the same address, its documentation under /api/v1/docs; kindred token prints what
programs need.`,
		Example: `  kindred serve
  kindred serve projects --people ann,bob
  kindred serve photos.kindred customers.csv --people ann,bob --overlap 0.1
  kindred serve --listen 192.168.1.20:5463 --allow-remote --host lab-pc`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, args)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.remote, "allow-remote", false,
		"let other machines reach the server, where --listen says so")
	f.Flags(fs)
	grouped(cmd, f.Recipe)
	fs.StringVar(&f.listen, "listen", "",
		"address to listen on, as host:port (default 127.0.0.1:5463, or the next port)")
	fs.StringSliceVar(&f.people, "people", nil,
		"names of those who answer; each gets a link of their own")
	fs.StringArrayVar(&f.hosts, "host", nil,
		"further name that the server is reached by, as behind a proxy")
	changedData(fs, &f.changed)
	fs.Float64Var(&f.sharing.Overlap, "overlap", 0,
		"of projects named: share of questions that others answered, 0 to 1")
	fs.Float64Var(&f.sharing.Repeat, "repeat", 0,
		"of projects named: share of questions asked again, 0 to 1")
	fs.BoolVar(&f.sharing.Discount, "discount", false,
		"of projects named: answers count by the reliability of who gave them")
	cli.Group(fs, sessionGroup, "listen", "allow-remote", "people", "host",
		"overlap", "repeat", "discount")
	a.sharing(fs)
	f.openFlags.flags(fs, false, "info")
	return cmd
}

// check looks at the flags before anything is read.
func (f *serveFlags) check(cmd *cobra.Command, names []string) error {
	s := f.sharing
	switch {
	case !(s.Overlap >= 0 && s.Repeat >= 0 && s.Overlap+s.Repeat <= 1):
		return fault.Setting("--overlap and --repeat are shares of a person's questions: give 0 " +
			"to 1, and at most 1 together")
	case len(names) == 0 && f.shares(cmd):
		return fault.Setting("--overlap, --repeat and --discount are of projects named on the " +
			"command line: name some, or set them on the page")
	case f.listen != "" && f.given("port"):
		return fault.Setting("--listen and --port both say where to listen: give --listen " +
			"HOST:PORT alone")
	}
	return cmp.Or(f.openFlags.check(), f.Check())
}

// shares reports whether a flag about sharing is given.
func (f *serveFlags) shares(cmd *cobra.Command) bool {
	fs := cmd.Flags()
	return fs.Changed("overlap") || fs.Changed("repeat") || fs.Changed("discount")
}

// folder takes the folder to serve out of the arguments: the one that is among them, this one where
// there are none, else "".
func folder(args []string) (root string, names []string, err error) {
	for _, name := range args {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			names = append(names, name)
			continue
		}
		if root != "" {
			return "", nil, fault.Settingf("one folder is served, and %s and %s are two: give one",
				root, name)
		}
		root = name
	}
	if len(args) == 0 {
		root = "."
	}
	return root, names, nil
}

func (f *serveFlags) run(cmd *cobra.Command, a *app, args []string) error {
	ctx := cmd.Context()
	root, names, err := folder(args)
	if err != nil {
		return err
	}
	if err := f.check(cmd, names); err != nil {
		return err
	}
	a.frugal()
	l, warning, err := f.listening()
	if err != nil {
		return err
	}
	defer l.Close()
	cfg := studio.Config{
		Root: root, People: f.people, Hosts: f.hosts, Address: l.Addr().String(),
		Version: cli.Version(version), Logger: f.log.logger(a),
		MostOpen: max(leastOpen, len(names)+1), LinkLife: f.life, Shared: a.shared,
	}
	if root == "" {
		if cfg.Scope, err = os.Getwd(); err != nil {
			return err
		}
	}
	server, err := studio.New(cfg)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := f.begin(ctx, cmd, a, server, root, name); err != nil {
			return err
		}
	}
	if root != "" {
		a.notef("the projects and data in %s are served", root)
	}
	if warning != "" {
		a.notef("warning: %s", warning)
	}
	f.printLinks(a, server)
	a.notef("Ctrl-C ends; every answer is kept before the page says so")
	f.openFlags.open(a, func() string { return server.Once(append(f.people, "")[0]) })
	if err := server.Serve(ctx, l); err != nil {
		return err
	}
	a.notef("the answers are kept in the project files; the same command goes on")
	return nil
}

// leastOpen is how many projects may be open at once where few are named.
const leastOpen = 16

// listening listens at --listen, or else as the other commands that serve the page do.
func (f *serveFlags) listening() (l net.Listener, warning string, err error) {
	if f.listen == "" {
		l, err = f.openFlags.listen()
		return l, "", err
	}
	l, warning, err = studio.Listen(f.listen, f.remote)
	if in, ok := errors.AsType[*fault.Input](err); ok && !f.remote && in.Err == nil &&
		strings.Contains(in.Problem, "other machines") {
		return nil, "", fault.Setting(in.Problem +
			": add --allow-remote where that is meant, or listen on 127.0.0.1")
	}
	return l, warning, err
}

// begin opens a project, or begins one on DATA.
func (f *serveFlags) begin(ctx context.Context, cmd *cobra.Command, a *app, server *studio.Server,
	root, name string) error {
	cfg := project.Config{Path: name, Carry: f.changed == carried, Recipe: f.Copy()}
	if !isProject(name) {
		if name == "-" {
			return noStdin("serve")
		}
		cfg.Data, cfg.Path = name, projectIn(ctx, root, name)
	} else if err := mustExist(name); err != nil {
		return err
	}
	d, err := a.opened(ctx, cfg, server.Open)
	if err != nil {
		return err
	}
	if f.shares(cmd) {
		if err := d.SetSharing(ctx, f.sharing); err != nil {
			return err
		}
	}
	state := d.State("")
	a.notef("%s: %s of %s, %s so far", cfg.Path, words.Count(state.Rows, "row"), state.Data,
		state.Count())
	a.list("  ", d.Carried())
	return nil
}

// printLinks prints the links to the page.
func (f *serveFlags) printLinks(a *app, server *studio.Server) {
	if len(f.people) == 0 {
		a.notef("the page: %s", server.Link(""))
	}
	for _, name := range f.people {
		a.notef("%s: %s", name, server.Link(name))
	}
	under := "People"
	if len(f.people) == 0 {
		under = "Settings"
	}
	a.notef("each link works once, within %s; the page has new ones, under %s",
		short(cmp.Or(f.life, studio.DefaultLinkLife)), under)
}

// short returns a time as people write it, 30m for 30m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
