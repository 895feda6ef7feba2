package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/pkg/browser"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
	"github.com/kindred-go/kindred/studio"
)

// openFlags are those of every command that serves the page: where, and who opens it.
type openFlags struct {
	port      int
	browser   bool
	noBrowser bool
	life      time.Duration // of links
	log       logFlags
	given     func(flag string) bool
}

// flags adds the flags; opens is whether a browser is opened where none of them says so.
func (o *openFlags) flags(fs *pflag.FlagSet, opens bool, level string) {
	o.given, o.browser = fs.Changed, opens
	fs.IntVar(&o.port, "port", 0,
		"port of the page, 0 for any that is free (default 5463, or the next one)")
	fs.BoolVar(&o.browser, "browser", opens, "open the page here, as that of the first person")
	fs.BoolVar(&o.noBrowser, "no-browser", false, "print a link to the page, and open none")
	fs.DurationVar(&o.life, "link-life", 0,
		"how long a link waits to be opened, as 30m (default 24h)")
	cli.Group(fs, sessionGroup, "port", "browser", "no-browser", "link-life")
	o.log.flags(fs, level)
}

// check looks at the flags before anything is read.
func (o *openFlags) check() error {
	switch {
	case o.port < 0 || o.port > 65535:
		return fault.Settingf("--port is %d: give 1024 to 65535, or 0 for any that is free", o.port)
	case o.noBrowser && o.given("browser") && o.browser:
		return fault.Setting("--browser opens the page, and --no-browser does not: give one")
	case o.life < 0 || o.life > studio.MostLinkLife:
		return fault.Settingf("--link-life is %s: give a time up to %s, as 30m", short(o.life),
			short(studio.MostLinkLife))
	}
	return nil
}

// open opens the page of an address in a browser of this machine, unless flags say otherwise.
func (o *openFlags) open(a *app, address func() string) {
	if o.browser && !o.noBrowser && a.browses() {
		a.show(address())
	}
}

// listen listens at the port given, else at the first that is free. Only this machine reaches it.
func (o *openFlags) listen() (net.Listener, error) {
	if o.given("port") {
		return listenAt(o.port)
	}
	return listenFrom(studio.DefaultPort)
}

// pageFlags are those of a command that asks in the terminal or on the page.
type pageFlags struct {
	openFlags
	here   bool // ask in the terminal
	studio bool // ask on the page wherever keys come from
}

func (p *pageFlags) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&p.here, "terminal", false, "ask here, in the terminal")
	fs.BoolVar(&p.studio, "studio", false,
		"ask on a page in the browser, also where stdin is no terminal")
	cli.Group(fs, sessionGroup, "terminal", "studio")
	p.openFlags.flags(fs, true, "warn")
}

// check looks at the flags before anything is read.
func (p *pageFlags) check(oracle string) error {
	switch {
	case p.here && p.studio:
		return fault.Setting("--terminal and --studio say where to ask: give one")
	case p.studio && oracle != "":
		return fault.Setting("--oracle answers by itself, and needs no page: leave out --studio")
	}
	return p.openFlags.check()
}

// wanted reports whether questions are asked on the page: if a flag of the page is given, or if
// stdin is a terminal and no other flag decides it.
func (p *pageFlags) wanted(a *app, oracle string) bool {
	switch {
	case p.here, oracle != "":
		return false
	case p.given("studio"):
		return p.studio
	case p.noBrowser, p.given("browser"), p.given("port"),
		p.given("terminal"): // --terminal=false
		return true
	}
	_, ok := terminal(a.in)
	return ok
}

// mostPorts is how many ports are tried, from that of the studio on, before any is taken.
const mostPorts = 10

// listenAt listens at a port that only this machine reaches; 0 is any that is free.
func listenAt(port int) (net.Listener, error) {
	l, _, err := studio.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), false)
	return l, err
}

// listenFrom listens at a port of this machine, or the next one that is free.
func listenFrom(first int) (net.Listener, error) {
	for port := range mostPorts {
		l, err := listenAt(first + port)
		if err == nil || !errors.Is(err, studio.ErrPortInUse) {
			return l, err
		}
	}
	return listenAt(0)
}

// garbage is how much of it may pile up beside what is held, in percent. Data are a few long
// blocks, quick to look through, and stay for as long as the page is served.
const garbage = 10

// frugal keeps the memory of a server small, unless the environment sets GOGC.
func (a *app) frugal() {
	if a.env("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}

// browses reports whether a browser can be opened: not by a machine that builds, nor over ssh or
// without a display, unless BROWSER is set.
func (a *app) browses() bool {
	switch {
	case a.env("CI") != "":
		return false
	case a.env("BROWSER") != "":
		return true
	case a.env("SSH_CONNECTION") != "" || a.env("SSH_TTY") != "":
		return false
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
		return true
	}
	return a.env("DISPLAY") != "" || a.env("WAYLAND_DISPLAY") != ""
}

// show opens an address, without a token in it, in the browser, if there is one.
func (a *app) show(address string) {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	go browser.OpenURL(address) // who sees no page has the address
}

// onPage asks on the page until the command is interrupted, and then writes the files of outputs.
func (f *askFlags) onPage(ctx context.Context, a *app, cfg project.Config) error {
	path := cfg.Path
	a.frugal()
	if f.budget > 0 {
		a.notef("--budget means nothing to the page: it asks for as long as there are questions")
	}
	l, err := f.page.listen()
	if err != nil {
		return err
	}
	defer l.Close()
	serving := studio.Config{
		Scope: "demo", Address: l.Addr().String(), Version: cli.Version(version),
		Logger: f.page.log.logger(a), LinkLife: f.page.life,
	}
	if f.passing { // other samples may be tried; they go with the folder of this one
		serving.Root = filepath.Dir(path)
	} else {
		if serving.Scope, err = filepath.Abs(path); err != nil {
			return err
		}
	}
	if f.who != "" {
		serving.People = []string{f.who}
	}
	server, err := studio.New(serving)
	if err != nil {
		return err
	}
	if _, err := f.open(ctx, a, cfg, server.Open); err != nil {
		return err
	}
	a.notef("answer on the page: %s (this link works once)", server.Link(f.who))
	if f.passing {
		a.notef("Ctrl-C ends; nothing is kept")
	} else {
		a.notef("Ctrl-C ends; every answer is kept in %s before the page says so", path)
	}
	f.page.open(a, func() string { return server.Once(f.who) })
	if err := server.Serve(ctx, l); err != nil {
		return err
	}
	return f.afterPage(context.WithoutCancel(ctx), a, path)
}

// oneInterrupt is within what time of an interrupt others are the same one: programs that start
// kindred send it on to a process that the terminal has sent it to.
const oneInterrupt = 500 * time.Millisecond

// uninterrupted returns a context that goes on after an interrupt, until another one, or until the
// command is told to end.
func uninterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, cli.Ends()...)
	ctx, cancel := untilAnother(ctx, signals)
	context.AfterFunc(ctx, func() { signal.Stop(signals) })
	return ctx, cancel
}

// untilAnother returns a context that goes on after the end of ctx, until a signal comes that is
// not the interrupt that ended ctx, sent on.
func untilAnother(ctx context.Context, signals <-chan os.Signal) (
	context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	began := time.Now()
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-signals:
				if s != os.Interrupt || time.Since(began) >= oneInterrupt {
					cancel()
					return
				}
			}
		}
	}()
	return ctx, cancel
}

// afterPage reports what is kept, and writes the files of outputs by the settings that the page
// left in the project.
func (f *askFlags) afterPage(ctx context.Context, a *app, path string) error {
	p, err := store.View(ctx, path)
	if err != nil {
		return err
	}
	events, err := p.Events(ctx)
	p.Close()
	if err != nil {
		return err
	}
	if !f.passing {
		count, are := store.NewHistory(events).Tally(), "are"
		if count.Answers == 1 {
			are = "is"
		}
		a.notef("%s %s kept in %s; kindred ask %s goes on from there", count, are, path, path)
	}
	if !f.outputs.wanted() {
		return nil
	}
	ctx, stop := uninterrupted(ctx)
	defer stop()
	r := input.New()
	r.Threads, r.InflateLimit = f.Threads, f.InflateLimit
	d, err := a.opened(ctx, project.Config{Path: path, Recipe: r}, project.View)
	if err != nil {
		return err
	}
	defer d.Close()
	out, err := d.Signed(ctx)
	if err != nil {
		return err
	}
	return f.write(ctx, a, d, out)
}
