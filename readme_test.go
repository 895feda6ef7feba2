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

// TestTheReadmeChecksErrors: each error of its Go code is looked at in the next statement.
func TestTheReadmeChecksErrors(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(text), "```go\n")
	code, _, closed := strings.Cut(code, "```")
	if !found || !closed {
		t.Fatal("there is no Go code")
	}
	const front = "package p\n\nfunc f() error {\n"
	file, err := parser.ParseFile(token.NewFileSet(), "README.md", front+code+"\nreturn nil\n}\n",
		0)
	if err != nil {
		t.Fatal(err)
	}
	body := file.Decls[0].(*ast.FuncDecl).Body.List
	checked := 0
	for i, s := range body {
		assign, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		last, _ := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
		if _, checks := body[i+1].(*ast.IfStmt); last != nil && last.Name == "err" && !checks {
			t.Errorf("the error of statement %d is not checked", i+1)
		}
		checked++
	}
	if checked == 0 {
		t.Error("nothing returns an error")
	}
}

// TestPackagesHaveExamples: those that a reader would open first.
func TestPackagesHaveExamples(t *testing.T) {
	var folders []string
	for _, pattern := range []string{".", "cluster/*", "ask", "ask/*", "evidence/*", "data/*",
		"data/encode/*", "link", "link/rule", "eval", "eval/describe", "plot", "plot/*", "stream",
		"stream/lines", "fit", "method", "method/all", "project"} {
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
