package main

import (
	"io"
	"net"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/studio"
)

// TestWhereQuestionsAreAsked: nobody is surprised by a page, or by its absence.
func TestWhereQuestionsAreAsked(t *testing.T) {
	for args, want := range map[string]bool{
		"":                           false, // no terminal is on stdin
		"--studio":                   true,
		"--terminal":                 false,
		"--terminal=false":           true,
		"--studio --no-browser":      true,
		"--terminal --port 6000":     false,
		"--studio=false --port 6000": false,
	} {
		var p pageFlags
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		p.flags(fs)
		if err := fs.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		a := newApp(strings.NewReader(""), io.Discard, io.Discard,
			func(string) string { return "" })
		if got := p.wanted(a, ""); got != want {
			t.Errorf("%q asks on the page: %v", args, got)
		}
		if p.wanted(a, "labels") {
			t.Errorf("%q opens a page though labels answer", args)
		}
	}
}

// TestTheNextFreePort is taken where no port is given.
func TestTheNextFreePort(t *testing.T) {
	taken, _, err := studio.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	l, err := listenFrom(taken.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Addr().String() == taken.Addr().String() || !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		t.Errorf("it listens at %s, and %s is taken", l.Addr(), taken.Addr())
	}
}

// TestNoBrowserIsOpened where nobody would see it.
func TestNoBrowserIsOpened(t *testing.T) {
	for env, want := range map[string]bool{
		"DISPLAY=:0 CI=1":                   false,
		"DISPLAY=:0 SSH_CONNECTION=x":       false,
		"SSH_TTY=x BROWSER=lynx":            true,
		"BROWSER=firefox":                   true,
		"CI=true BROWSER=firefox DISPLAY=x": false,
	} {
		set := map[string]string{}
		for _, v := range strings.Fields(env) {
			name, value, _ := strings.Cut(v, "=")
			set[name] = value
		}
		a := newApp(nil, io.Discard, io.Discard, func(name string) string { return set[name] })
		if got := a.browses(); got != want {
			t.Errorf("%s opens a browser: %v", env, got)
		}
	}
}

// TestAServerStaysSmall, unless the environment lets it grow.
func TestAServerStaysSmall(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for gogc, want := range map[string]int{"": garbage, "150": 77} {
		debug.SetGCPercent(77)
		a := newApp(strings.NewReader(""), io.Discard, io.Discard,
			func(string) string { return gogc })
		a.frugal()
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("with GOGC=%q garbage may be %d percent, want %d", gogc, got, want)
		}
	}
}
