package input

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

// Place is where DATA are looked for. The zero value finds files and samples.
type Place struct {
	Stdin  io.Reader // for the name "-"; nil: there is none
	Folder string    // of sets that are known by name; "": none
	Root   *os.Root  // files are opened in it alone, by names relative to it; nil: anywhere

	Memory *Memory // DATA in place of files; nil: there are none

	Pictures string // folder of the pictures that a column names; "": that of the file of the data
	// file that keeps vectors of encoders; "": those of endpoints, in the folder for caches
	Vectors string
	// file that keeps thumbnails of pictures, which are made as the pictures are read; "": none
	Thumbnails string
	Notify     func(note string) // called with a sentence when texts are sent; may be nil

	secrets map[string]string // URLs of databases by what is left of them without passwords
}

// Hide takes the password out of the URL of a database, so that no message, project or model can
// have it, and returns a place that knows it. Other names stay as they are.
func (p Place) Hide(name string) (string, Place) {
	if !dburl.Is(name) {
		return name, p
	}
	bare := dburl.Bare(name)
	if bare != name {
		p.secrets = maps.Clone(p.secrets)
		if p.secrets == nil {
			p.secrets = make(map[string]string)
		}
		p.secrets[bare] = name
	}
	return bare, p
}

// Where is what a name of DATA refers to.
type Where int

// What DATA can be.
const (
	InFile Where = iota
	InFolder
	InStream
	InSample
	InParts // a folder with Parquet files, which are one table
	InTexts // a folder of texts
	InDatabase
	InMemory
)

// Locate finds DATA: a file here wins over a sample, and a sample over the folder of named sets.
// The error is a [*fault.Input] for what is nowhere.
func (p Place) Locate(name string) (path string, where Where, err error) {
	if p.Memory != nil {
		return name, InMemory, nil
	}
	if name == "-" {
		if p.Stdin == nil {
			return "", InStream,
				&fault.Input{File: name, Problem: "stdin cannot be read here", Fix: "give a file"}
		}
		return name, InStream, nil
	}
	if dburl.Is(name) {
		if p.Root != nil {
			return "", InDatabase, &fault.Input{File: dburl.Bare(name),
				Problem: "the page opens no databases by their address, since they are not in the " +
					"folder that is served",
				Fix: "begin the project in a terminal, kindred ask URL, or write the table to a " +
					"file in the folder"}
		}
		return name, InDatabase, nil
	}
	info, err := p.stat(name)
	switch {
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "", InFile, &fault.Input{File: words.Short(name),
			Problem: "the name is too long for a file", Fix: "check it", Err: err}
	case err == nil && info.IsDir():
		if p.hasParts(name) {
			return name, InParts, nil
		}
		if p.hasTexts(name) {
			return name, InTexts, nil
		}
		return name, InFolder, nil
	case err == nil:
		return name, InFile, nil
	case !errors.Is(err, fs.ErrNotExist):
		if p.Root != nil {
			return "", InFile, p.outside(name, err)
		}
		return name, InFile, nil // opening it reports what is wrong
	}
	if _, ok := sample.Find(name); ok {
		return name, InSample, nil
	}
	if p.Folder != "" && p.Root == nil && filepath.IsLocal(name) {
		for _, end := range []string{"", ".csv", ".csv.gz", ".parquet", ".npy"} {
			path := filepath.Join(p.Folder, name+end)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, InFile, nil
			}
		}
	}
	fix := "check the spelling"
	if near := p.near(name); near != "" {
		fix = "did you mean " + near + "?"
	} else if !strings.ContainsAny(name, "./\\") {
		fix = "give a file, - for stdin, or a sample (see kindred data list)"
	}
	return "", InFile, &fault.Input{File: name, Problem: "there is no such file", Fix: fix}
}

// near returns the file beside a name, or the sample, that may be meant by it; "" where there is
// none.
func (p Place) near(name string) string {
	if p.Root != nil {
		return ""
	}
	folder, base := filepath.Split(name)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if folder == "" {
		for _, s := range sample.List() {
			names = append(names, s.Name)
		}
	}
	near, ok := words.Nearest(base, names)
	if !ok {
		return ""
	}
	return words.Shell(folder + near)
}

func (p Place) stat(name string) (fs.FileInfo, error) {
	if p.Root != nil {
		return p.Root.Stat(p.inside(name))
	}
	return os.Stat(name)
}

// Once reports whether a name is of what is neither a file nor a folder, such as a pipe: it returns
// its data once, or waits for them without end.
func (p Place) Once(name string) bool {
	info, err := p.stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// lasting refuses what returns its data once.
func (p Place) lasting(name string) error {
	if p.Once(name) {
		return &fault.Input{File: name,
			Problem: "is no ordinary file, and a project reads its data again at every start",
			Fix:     "write the data to a file, and give that"}
	}
	return nil
}

// inside returns the name of a file as seen from the root.
func (p Place) inside(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(p.Root.Name(), name); err == nil {
			return rel // and not in the root where it begins with ..
		}
	}
	return name
}

// whole returns the absolute path of a file; "" stays "".
func (p Place) whole(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(p.Root.Name(), p.inside(name))
}

// folder opens a folder, out of which no name leads.
func (p Place) folder(name string) (*os.Root, error) {
	open := os.OpenRoot
	if p.Root != nil {
		open = func(name string) (*os.Root, error) { return p.Root.OpenRoot(p.inside(name)) }
	}
	root, err := open(name)
	if err != nil {
		return nil, &fault.Input{File: name, Problem: "the folder cannot be opened",
			Fix: "see that it is there and may be read", Err: err}
	}
	return root, nil
}

// outside reports that a name leads out of the folder, or cannot be looked at.
func (p Place) outside(name string, err error) error {
	return &fault.Input{File: name, Problem: "it is not to be had in the folder that is served",
		Fix: "give a file in it, by its name from there", Err: err}
}

// Open opens a file that a setting names.
func (p Place) Open(name string) (io.ReadCloser, error) {
	f, err := p.open(context.Background(), name, "an ordinary file")
	if err != nil {
		return nil, err
	}
	return f, nil
}

// open opens a file; wanted is what it should be, as in "a table".
func (p Place) open(ctx context.Context, name, wanted string) (*os.File, error) {
	if dburl.Is(name) {
		return nil, &fault.Input{File: dburl.Bare(name), Problem: "is a database, not " + wanted,
			Fix: "write its rows to a file (kindred data convert), and give that"}
	}
	open := os.Open
	if p.Root != nil {
		if err := p.lasting(name); err != nil {
			return nil, err
		}
		open = func(name string) (*os.File, error) { return p.Root.Open(p.inside(name)) }
	}
	f, err := infile.OpenBy(ctx, open, name, wanted)
	if err != nil && p.Root != nil && !fault.IsInput(err) && ctx.Err() == nil {
		return nil, p.outside(name, err)
	}
	return f, err
}

// Progress is called with what is being done, and the share of it that is done, in [0, 1]. Where
// the amount is not known, as on a pipe, share is minus the number of bytes done. A new name begins
// anew.
type Progress func(what string, share float64)

// bytes turns bytes read into shares; nil stays nil.
func (p Progress) bytes(what string) func(done, total int64) {
	if p == nil {
		return nil
	}
	return func(done, total int64) {
		if total > 0 {
			p(what, float64(done)/float64(total))
		} else {
			p(what, -float64(done))
		}
	}
}

// Fit returns a function that reports the progress of one fit; nil stays nil.
func (p Progress) Fit(what string) func(fit.Progress) {
	if p == nil {
		return nil
	}
	return func(q fit.Progress) { p(what, q.Share) }
}

// ended returns the error of a context that is done.
func ended(ctx context.Context, every, i int) error {
	if i%every == 0 {
		return ctx.Err()
	}
	return nil
}
