package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// lacking are the flags that not all of ask, demo and serve have, and why.
var lacking = map[string]string{
	"project":      "demo keeps nothing; serve names projects as arguments",
	"changed-data": "the data of demo do not change",
	"terminal":     "serve asks on the page alone",
	"studio":       "as --terminal",
	"who":          "serve has --people, of which each has a link",
	"oracle":       "nobody waits for serve, and true classes need no page",
	"budget":       "as --oracle; the page asks for as long as people answer",
	"out":          "the page of serve exports", "model": "as --out", "answers": "as --out",
	"plot": "as --out", "picture": "as --out", "layout": "as --out", "tree": "as --out",
	"masses":  "as --out",
	"people":  "ask and demo are for one person, --who",
	"overlap": "of several people", "repeat": "of several people", "discount": "of several people",
	"listen":       "ask and demo are for this machine",
	"host":         "as --listen",
	"allow-remote": "of serve it lets others reach the server",
}

// TestAskDemoAndServeAreAlike: a flag has one meaning, and what one of them lacks has a reason.
func TestAskDemoAndServeAreAlike(t *testing.T) {
	root := newRoot(newApp(strings.NewReader(""), io.Discard, io.Discard,
		func(string) string { return "" }))
	commands := []string{"ask", "demo", "serve"}
	flags := map[string]map[string]*pflag.Flag{} // by name and command
	for _, name := range commands {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if flags[f.Name] == nil {
				flags[f.Name] = map[string]*pflag.Flag{}
			}
			flags[f.Name][name] = f
		})
	}
	for name, by := range flags {
		if lacking[name] != "" {
			if len(by) == len(commands) && name != "allow-remote" {
				t.Errorf("all of %v have --%s, which is listed as lacking", commands, name)
			}
			continue
		}
		for _, cmd := range commands {
			f, first := by[cmd], by["ask"]
			if f == nil || first == nil {
				t.Errorf("kindred %s lacks --%s: add it, or the reason", cmd, name)
				break
			}
			if f.Usage != first.Usage && name != "log-level" || f.Value.Type() !=
				first.Value.Type() || f.Hidden != first.Hidden && name != "allow-remote-encoder" {
				t.Errorf("--%s of ask is %q, of %s %q", name, first.Usage, cmd, f.Usage)
			}
		}
	}
}

// TestFlagsOfThePageThatContradict each other are refused before anything is read.
func TestFlagsOfThePageThatContradict(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"serve --browser --no-browser":                   "--browser opens the page",
		"demo --studio --browser --no-browser":           "--browser opens the page",
		"serve --listen 127.0.0.1:0 --port 0":            "--listen and --port",
		"serve --port 70000":                             "--port is 70000",
		"ask iris --link-life 1000h":                     "--link-life is 1000h",
		"ask iris --allow-remote-encoder=maybe":          "true or false",
		"demo --who ann --budget 1 --oracle labels --id": "flag needs an argument: --id",
	} {
		if code, said := command(t, strings.Fields(line)...); code != 2 ||
			!strings.Contains(said, want) {
			t.Errorf("kindred %s ends with %d: %s", line, code, said)
		}
	}
}
