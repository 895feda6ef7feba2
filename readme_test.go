package kindred_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesCheckErrors: each error of their Go code is looked at in the next statement.
func TestPagesCheckErrors(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range strings.Split(string(text), "```go\n")[1:] {
			code, _, closed := strings.Cut(rest, "```")
			if !closed {
				t.Fatalf("%s: Go code without an end", page)
			}
			checked[page] += errorsChecked(t, page, code)
		}
	}
	for _, page := range []string{"README.md", "docs/evidential.md", "docs/streams.md"} {
		if checked[page] == 0 {
			t.Errorf("%s: nothing returns an error", page)
		}
	}
}

// errorsChecked returns how many statements of a piece of code return an error, each of which is to be
// looked at.
func errorsChecked(t *testing.T, page, code string) (checked int) {
	t.Helper()
	const front = "package p\n\nfunc f() error {\n"
	file, err := parser.ParseFile(token.NewFileSet(), page, front+code+"\nreturn nil\n}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	body := file.Decls[0].(*ast.FuncDecl).Body.List
	for i, s := range body {
		assign, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		last, _ := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
		if last == nil || last.Name != "err" {
			continue
		}
		if _, checks := body[i+1].(*ast.IfStmt); !checks {
			t.Errorf("%s: the error of statement %d is not checked", page, i+1)
		}
		checked++
	}
	return checked
}

// TestPackagesHaveExamples: those that a reader would open first.
func TestPackagesHaveExamples(t *testing.T) {
	var folders []string
	for _, pattern := range []string{".", "cluster/*", "ask", "ask/*", "evidence/*", "data/*",
		"data/encode/*", "link", "link/rule", "eval", "eval/describe", "plot", "plot/*", "stream",
		"stream/*", "fit", "fault", "method", "method/*", "project", "project/*", "studio"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, found...)
	}
	for _, folder := range folders {
		sources, _ := filepath.Glob(filepath.Join(folder, "*.go"))
		if len(sources) == 0 {
			continue // a file, or a folder of others
		}
		has := false
		tests, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
		for _, name := range tests {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			has = has || strings.Contains(string(text), "\nfunc Example")
		}
		if !has {
			t.Errorf("%s has no example", folder)
		}
	}
}
