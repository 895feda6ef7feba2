package rule_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link/rule"
)

func TestRead(t *testing.T) {
	r, err := rule.Read(strings.NewReader("\ufeff# words of news\r\n\r\nscience/space: Orbit, "+
		"MOON ,nasa # remark\r\nleast 3\r\ncomputer: mac,disk,pc"), "r.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := &rule.Rules{File: "r.txt", Least: 3, Groups: []rule.Group{
		{Name: "science/space", Topic: "science", Words: []string{"orbit", "moon", "nasa"},
			Line: 3},
		{Name: "computer", Topic: "computer", Words: []string{"mac", "disk", "pc"}, Line: 5},
	}}
	if d := cmp.Diff(want, r); d != "" {
		t.Error(d)
	}
}

// TestBadRules: each fault has its line and a fix.
func TestBadRules(t *testing.T) {
	many := ""
	for i := range rule.MaxGroups + 1 {
		if i == rule.MaxGroups {
			if _, err := rule.Read(strings.NewReader(many), "r.txt"); err != nil {
				t.Errorf("%d groups: %v", i, err)
			}
		}
		many += strings.Repeat("x", i+1) + ": a, b\n"
	}
	for _, c := range []struct {
		text    string
		line    int
		problem string
	}{
		{"", 0, "no group of words"},
		{"# only remarks\n", 0, "no group of words"},
		{"a: b, c\nmac disk pc\n", 2, `"mac disk pc" is no group of words`},
		{"a: b, c\nleast\n", 2, `"least" is no group of words`},
		{"least none\na: b, c\n", 1, `"none" is no number of words`},
		{"least 0\na: b, c\n", 1, `"0" is no number of words`},
		{"least 2\nleast 2\na: b, c\n", 2, "least is given twice"},
		{": b, c\n", 1, "no proper name"},
		{"/a: b, c\n", 1, "no proper name"},
		{"a/ : b, c\n", 1, "no proper name"},
		{"a/b/c: b, c\n", 1, "no proper name"},
		{"a: b, c\n\na: d, e\n", 3, `the group "a" is in line 1 already`},
		{"a: b, c,\n", 1, `a word of the group "a" is empty`},
		{"a:\n", 1, `a word of the group "a" is empty`},
		{"a: b, c | b\n", 1, `the word "b" is twice in the group "a"`},
		{"a: b, c |\n", 1, `a word of the group "a" is empty`},
		{"a: b, c, B\n", 1, `the word "b" is twice in the group "a"`},
		{"x: b, c, d\na: b, c\nleast 3\n", 2,
			`the group "a" has fewer words (2) than an object must hold (3)`},
		{"a: b\n", 1, `the group "a" has fewer words (1) than an object must hold (2)`},
		{many, rule.MaxGroups + 1, "more than 64 groups"},
		{"a: b, \xff\n", 1, "not UTF-8"},
		{"a: b, \x00\n", 1, "not UTF-8"},
		{"a: b, c\n" + strings.Repeat("x", 1<<20) + "\n", 2, "longer than 1048576 bytes"},
	} {
		_, err := rule.Read(strings.NewReader(c.text), "r.txt")
		var in *fault.Input
		if !errors.As(err, &in) || in.File != "r.txt" || in.Line != c.line || in.Fix == "" ||
			!strings.Contains(in.Problem, c.problem) {
			t.Errorf("%.40q: %v", c.text, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.txt")
	if _, err := rule.ReadFile(t.Context(), path); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), path+": there is no such file") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, []byte("a: b, c\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := rule.ReadFile(t.Context(), path); err != nil || r.Least != rule.DefaultLeast ||
		len(r.Groups) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

// FuzzRead: what is refused is the input's fault, and what is taken can be used.
func FuzzRead(f *testing.F) {
	f.Add([]byte("# news\nleast 2\ncomputer: mac, disk\nscience/space: orbit, moon\n"))
	f.Add([]byte("\ufeffa:b,c\r\n"))
	f.Add([]byte("a: hard disk, disk*, 100..199, 7..\n"))
	f.Add([]byte("a: hdd | hard disk, 0.5..1.5, café, ﬁ ﷺ\nequal a, b"))
	f.Add([]byte("least 18446744073709551616\na: ς, Σ"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := rule.Read(bytes.NewReader(text), "r")
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%v is no input fault", err)
			}
			return
		}
		texts := []string{string(text), "mac disk", ""}
		m, err := r.MatchText(t.Context(), len(texts), func(i int) string { return texts[i] }, 1)
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%v is no input fault", err)
			}
			return
		}
		// The file itself holds every word of every group.
		if m.Of[0] != 1<<len(r.Groups)-1 {
			t.Fatalf("the file matches %b of its %d groups", m.Of[0], len(r.Groups))
		}
		if _, err := m.Links(t.Context(), 10, 1); err != nil {
			t.Fatal(err)
		}
	})
}
