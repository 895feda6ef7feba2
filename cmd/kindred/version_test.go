package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestVersion is the same by the command and by the flag.
func TestVersion(t *testing.T) {
	said := func(arg string) string {
		var out, wrong bytes.Buffer
		a := newApp(strings.NewReader(""), &out, &wrong, func(string) string { return "" })
		if code := run(t.Context(), a, []string{arg}); code != 0 {
			t.Fatalf("kindred %s ends with %d: %s", arg, code, wrong.String())
		}
		return out.String()
	}
	line := said("version")
	if !strings.HasPrefix(line, "kindred ") || said("--version") != line {
		t.Errorf("kindred --version is %q, and kindred version %q", said("--version"), line)
	}
}
