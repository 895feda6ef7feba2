package kindred_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/kindred-go/kindred"

// layers are the packages from the bottom to the top: a package imports those of its own layer and
// of the layers below. Of several names that a package lies under the longest holds. Packages under
// internal serve all layers but that of fault, and import nothing above the data.
var layers = [][]string{
	{"fault"},
	{"link", "data", "evidence", "internal"},
	{"fit"},
	{"ask", "ask/strategy", "eval", "plot"},
	{"method"},
	{"cluster", "ask/cobra", "ask/cobras", "ask/kin", "eval/describe"},
	{"method/all", "method/model", "plot/gallery", "stream"},
	{"project", "internal/cli"},
	{".", "studio", "reproduce", "cmd/kindred/worker"},
	{"cmd", "bench"},
	{"tools"},
	{"scale"},
}

// topFolders is the most folders that the top of the repository may have.
const topFolders = 22

func TestImportsPointDown(t *testing.T) {
	for folder, p := range packages(t) {
		from := layer(folder)
		if from < 0 {
			t.Errorf("%s is in no layer: give it one in layers", folder)
			continue
		}
		for _, to := range p.imports {
			if layer(to) > from {
				t.Errorf("%s imports %s, which is above it", folder, to)
			}
		}
	}
}

func TestEveryPackageHasAComment(t *testing.T) {
	for folder, p := range packages(t) {
		begin := "Package " + p.name + " "
		if p.name == "main" {
			begin = "Command "
		}
		if !slices.ContainsFunc(p.comments,
			func(c string) bool { return strings.HasPrefix(c, begin) }) {
			t.Errorf("%s has no comment that begins with %q", folder, begin)
		}
	}
}

func TestTheTopHasFewFolders(t *testing.T) {
	ignored, err := os.ReadFile(".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && !strings.HasPrefix(name, ".") &&
			!slices.Contains(strings.Fields(string(ignored)), "/"+name+"/") {
			names = append(names, name)
		}
	}
	if len(names) > topFolders {
		t.Errorf("%d folders, more than %d: %s", len(names), topFolders, strings.Join(names, " "))
	}
}

// layer returns the number of the layer of a package, or -1.
func layer(folder string) int {
	found, longest := -1, -1
	for i, names := range layers {
		for _, name := range names {
			if under(folder, name) && len(name) > longest {
				found, longest = i, len(name)
			}
		}
	}
	return found
}

// under reports whether a package is the one named or lies under it.
func under(folder, name string) bool {
	return folder == name || strings.HasPrefix(folder, name+"/")
}

// pack is what the files of a package say, those of tests aside.
type pack struct {
	name     string
	imports  []string // folders of this repository
	comments []string // that stand before the package clause
}

// packages returns the packages of all modules of the repository by their folders.
func packages(t *testing.T) map[string]*pack {
	t.Helper()
	found := map[string]*pack{}
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() {
			if name == "testdata" || name == "node_modules" ||
				strings.HasPrefix(name, ".") && file != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		read, err := parser.ParseFile(token.NewFileSet(), file, nil,
			parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(file))
		if found[folder] == nil {
			found[folder] = &pack{name: read.Name.Name}
		}
		return found[folder].add(read)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 50 {
		t.Fatalf("only %d packages are found", len(found))
	}
	return found
}

// add takes in a file of the package.
func (p *pack) add(read *ast.File) error {
	if read.Doc != nil {
		p.comments = append(p.comments, read.Doc.Text())
	}
	for _, spec := range read.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if name == module {
			p.imports = append(p.imports, ".")
		} else if folder, ok := strings.CutPrefix(name, module+"/"); ok {
			p.imports = append(p.imports, folder)
		}
	}
	return nil
}
