package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kindred-go/kindred/method/all"
)

// outputOf returns what a command line writes to stdout.
func outputOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	a := newApp(strings.NewReader(""), &out, io.Discard, func(string) string { return "" })
	a.look = 2 * time.Minute // the machine may be busy
	if code := run(context.Background(), a, args); code != 0 {
		t.Fatalf("kindred %s ends with %d", strings.Join(args, " "), code)
	}
	return out.String()
}

// The help of commands with many flags fits two screens, in groups. It leaves the parameters of
// methods to the help of each method, and rare flags to --all.
func TestHelpFitsTwoScreens(t *testing.T) {
	for _, name := range []string{"cluster", "ask", "demo", "serve"} {
		text := outputOf(t, name, "--help")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) > 48 {
			t.Errorf("%s --help has %d lines", name, len(lines))
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s --help has a line of %d columns: %s", name,
					utf8.RuneCountInString(line), line)
			}
		}
		for _, group := range []string{"(--encoder)", "\nData:\n", "\nMethod:\n", "\nKnowledge:\n", "--clusters N",
			"--method NAME --help"} {
			if !strings.Contains(text, group) {
				t.Errorf("%s --help lacks %q", name, group)
			}
		}
		if strings.Contains(text, "--d0") || strings.Contains(text, "--min-points") {
			t.Errorf("%s --help lists the parameters of methods", name)
		}
		all := outputOf(t, name, "--help", "--all")
		for _, flag := range []string{"--inflate-limit N", "--oracle-errors X", "--label TEXT"} {
			if !strings.Contains(all, flag) {
				t.Errorf("%s --help --all lacks %s", name, flag)
			}
		}
		if strings.Contains(text, "--inflate-limit") || !strings.Contains(text, "--help --all") {
			t.Errorf("%s --help lists rare flags, or leaves them out silently", name)
		}
	}
}

// The help of a command lists the parameters of the method that is named.
func TestHelpOfAMethod(t *testing.T) {
	m, err := all.Find("evclus")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"cluster", "--method", "evclus", "--help"},
		{"ask", "--help", "--method", "evclus"}} {
		text := outputOf(t, line...)
		for _, p := range m.Params() {
			if !strings.Contains(text, "--"+p.Name+" ") ||
				!strings.Contains(text, p.DefaultWords()) {
				t.Errorf("%s lacks --%s:\n%s", line[0], p.Name, text)
			}
		}
		if strings.Contains(text, "--min-points") || strings.Contains(text, "--oracle ") {
			t.Errorf("%s lists more:\n%s", line[0], text)
		}
	}
}
