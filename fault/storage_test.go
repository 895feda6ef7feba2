package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func ExampleStorage() {
	err := &fault.Storage{Kind: fault.InUse, File: "wine.kindred"}
	fmt.Println(err)
	// Output:
	// wine.kindred: the project is open in another kindred; close that one first by Ctrl-C, or keep another project with --project
}

func TestEveryKindHasAClassOfItsOwn(t *testing.T) {
	var names []string
	for _, c := range fault.Classes() {
		names = append(names, string(c.Kind), c.Title, c.Problem, c.Fix, c.Meaning)
		if c.Kind.Class() != c || c.Status < 400 || c.Exit < 1 {
			t.Errorf("%s is of class %+v", string(c.Kind), c)
		}
		err := fmt.Errorf("while keeping: %w", &fault.Storage{Kind: c.Kind, File: "x.kindred",
			Err: fs.ErrClosed})
		if got, ok := fault.Of(err); !ok || got != c || !errors.Is(err, c.Kind) ||
			!errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v is of class %+v", err, got)
		}
		if fault.IsInput(err) != (c.Kind == fault.Damaged) {
			t.Errorf("whether %v is wrong input: %v", err, fault.IsInput(err))
		}
	}
	slices.Sort(names)
	if len(names) < 30 || slices.Contains(names, "") ||
		len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("texts are missing or the same: %q", names)
	}
	if _, ok := fault.Of(errors.New("other")); ok {
		t.Error("any error is trouble with files")
	}
}

func TestErrorsOfTheSystemAreKnown(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "none"))
	if got := fault.Writing("x.csv", err); got != err {
		t.Errorf("a file that is not there is %v", got)
	}
	if fault.Writing("x.csv", nil) != nil {
		t.Error("no error is trouble")
	}
	denied := &fs.PathError{Op: "open", Path: ".x.csv.tmp", Err: fs.ErrPermission}
	got := fault.Writing("x.csv", denied)
	if !errors.Is(got, fault.Unwritable) || !strings.HasPrefix(got.Error(), "x.csv: it cannot be") {
		t.Errorf("%v", got)
	}
	if again := fault.Writing("y.csv", got); again != got {
		t.Errorf("what is known is made %v", again)
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	for problem, cause := range map[string]error{
		"there is no such file; check the name and the folder": fs.ErrNotExist,
		"may not be read; give yourself leave to read it and its folder, or name another " +
			"file": fs.ErrPermission,
	} {
		err := &fs.PathError{Op: "open", Path: "/data/x.csv", Err: cause}
		got := fault.Reading("x.csv", err)
		if !fault.IsInput(got) || !errors.Is(got, cause) || got.Error() != "x.csv: "+problem {
			t.Errorf("%v is reported as %v", err, got)
		}
		if again := fault.Reading("y.csv", got); again != got {
			t.Errorf("what is known is made %v", again)
		}
	}
	for _, err := range []error{nil, fs.ErrClosed} {
		if got := fault.Reading("x.csv", err); got != err {
			t.Errorf("%v is made %v", err, got)
		}
	}
}

func TestAPanicKeepsItsStack(t *testing.T) {
	var err error
	func() {
		defer func() { err = fmt.Errorf("fitting: %w", fault.Recovered(recover())) }()
		panic(fs.ErrInvalid)
	}()
	var p *fault.Panic
	if !errors.As(err, &p) || !strings.Contains(p.Stack, "storage_test.go") ||
		!errors.Is(err, fs.ErrInvalid) || strings.Contains(err.Error(), "storage_test.go") {
		t.Errorf("%v", err)
	}
}
