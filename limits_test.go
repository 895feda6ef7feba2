package kindred_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// limit is a row of docs/limits.md: what a limit is, its constant and its test.
var limit = regexp.MustCompile("(?m)^\\|[^|]*\\| ([0-9]+(?: [A-Za-z]+)?) \\| `([^`]+)` \\| `([^`]+)` \\|$")

// The page of limits has the values of the constants that it names, and each has its test.
func TestThePageOfLimits(t *testing.T) {
	text, err := os.ReadFile("docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := limit.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "Test") - 3; len(rows) < 40 || len(rows) < n-3 {
		t.Errorf("%d rows are understood", len(rows))
	}
	packages := map[string]*constants{}
	read := func(name string) *constants {
		if packages[name] == nil {
			packages[name] = readConstants(t, name)
		}
		return packages[name]
	}
	for _, row := range rows {
		in, name := splitName(row[2])
		if got, err := read(in).value(name); err != nil || got != inUnits(t, row[1]) {
			t.Errorf("%s is %v (%v), and the page says %s", row[2], got, err, row[1])
		}
		if in, name := splitName(row[3]); !read(in).tests[name] {
			t.Errorf("there is no test %s", row[3])
		}
	}
}

// splitName returns the package and the name of something in it.
func splitName(full string) (in, name string) {
	end := strings.LastIndexByte(full, '.')
	return full[:end], full[end+1:]
}

// inUnits returns a value as constants have it: bytes, or nanoseconds.
func inUnits(t *testing.T, text string) int64 {
	t.Helper()
	var n int64
	number, unit, _ := strings.Cut(text, " ")
	if _, err := fmt.Sscan(number, &n); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	factor, ok := map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "s": 1e9,
		"h": 3600e9}[unit]
	if !ok {
		t.Fatalf("%q has another unit", text)
	}
	return n * factor
}

// constants are those of a package, as they are written, and the names of its tests.
type constants struct {
	exprs map[string]ast.Expr
	tests map[string]bool
}

func readConstants(t *testing.T, folder string) *constants {
	t.Helper()
	files, err := filepath.Glob(path.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the package %s: %d files, %v", folder, len(files), err)
	}
	c := &constants{map[string]ast.Expr{}, map[string]bool{}}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				c.tests[d.Name.Name] = d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.CONST {
						for i, value := range v.Values {
							c.exprs[v.Names[i].Name] = value
						}
					}
				}
			}
		}
	}
	return c
}

// value returns the value of a constant, made of numbers, other constants and units of time.
func (c *constants) value(name string) (int64, error) {
	x, ok := c.exprs[name]
	if !ok {
		return 0, fmt.Errorf("there is no constant %s", name)
	}
	v := constant.ToInt(c.of(x))
	n, exact := constant.Int64Val(v)
	if !exact {
		return 0, fmt.Errorf("%s is not understood", name)
	}
	return n, nil
}

func (c *constants) of(x ast.Expr) constant.Value {
	switch x := x.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(x.Value, x.Kind, 0)
	case *ast.ParenExpr:
		return c.of(x.X)
	case *ast.Ident:
		if v, ok := c.exprs[x.Name]; ok {
			return c.of(v)
		}
	case *ast.SelectorExpr:
		switch x.Sel.Name {
		case "Second":
			return constant.MakeInt64(1e9)
		case "Hour":
			return constant.MakeInt64(3600e9)
		case "MaxLevels":
			return constant.MakeInt64(1000) // of package dataset, which has a row of its own
		}
	case *ast.BinaryExpr:
		a, b := c.of(x.X), c.of(x.Y)
		if a.Kind() == constant.Unknown || b.Kind() == constant.Unknown {
			return constant.MakeUnknown()
		}
		if x.Op == token.SHL {
			by, _ := constant.Uint64Val(constant.ToInt(b))
			return constant.Shift(a, x.Op, uint(by))
		}
		return constant.BinaryOp(a, x.Op, b)
	}
	return constant.MakeUnknown()
}
