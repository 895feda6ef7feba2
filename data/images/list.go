package images

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
)

// named is the number of files left out that notes name.
const named = 5

// Listing is what a folder holds.
type Listing struct {
	Names  []string // pictures, as paths within the folder with slashes, in ascending order
	Others int      // files that are no picture
	// what a person should know, in sentences: how many files are left out, and why the first of
	// them are
	Notes []string
}

// List finds the pictures of the folder and of the folders in it, by content. What is hidden (its
// name begins with a full stop) is passed over, and so are links to folders. Whether pictures are
// whole is not looked at. A folder without a picture, and one with more than the limit, is a
// [*fault.Input]. If ctx is cancelled, its error is returned.
func (a *Album) List(ctx context.Context) (*Listing, error) {
	files, err := a.files(ctx)
	if err != nil {
		return nil, err
	}
	why := make([]string, len(files))
	err = parallel.Blocks(ctx, len(files), 64, 0, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			why[i] = a.unfit(files[i])
		}
	})
	if err != nil {
		return nil, err
	}
	var l Listing
	var left []string
	for i, name := range files {
		if why[i] == "" {
			l.Names = append(l.Names, name)
			continue
		}
		if l.Others++; l.Others <= named {
			left = append(left, safe.Line(name)+" "+why[i])
		}
	}
	if l.Others > 0 {
		l.Notes = append(l.Notes, leftOut(l.Others, "file", "no picture", left))
	}
	if len(l.Names) == 0 {
		problem := "holds no pictures"
		if l.Others > 0 {
			problem += "; " + l.Notes[0]
		}
		fix := "name a folder of PNG, JPEG, GIF, WebP, BMP or TIFF files, or, of texts, of .txt files"
		at := slices.IndexFunc(files, func(name string) bool { return dataset.FormatOf(name) != "" })
		if at >= 0 {
			fix = "a table is named as a file, as in " +
				words.Shell(filepath.Join(a.root.Name(), files[at])) + "; or " + fix
		}
		return nil, &fault.Input{File: a.root.Name(), Problem: problem, Fix: fix}
	}
	if len(l.Names) > a.limits.Pictures {
		return nil, a.tooMany(len(l.Names))
	}
	return &l, nil
}

func (a *Album) tooMany(n int) error {
	return &fault.Input{
		File: a.root.Name(),
		Problem: fmt.Sprintf("holds %d files or more, and %d pictures are the most", n,
			a.limits.Pictures),
		Fix: "name a folder in it",
	}
}

// leftOut reports how many were left out, and why the first of them were.
func leftOut(count int, what, reason string, first []string) string {
	are := "are"
	if count == 1 {
		are = "is"
	}
	note := fmt.Sprintf("%s %s left out as %s: ", words.Count(count, what), are, reason)
	note += strings.Join(first, ", ")
	if count > len(first) {
		note += ", …"
	}
	return note
}

// files returns all files that are not hidden, sorted.
func (a *Album) files(ctx context.Context) ([]string, error) {
	var files []string
	err := fs.WalkDir(a.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if name == "." {
				return opening(a.root.Name(), err)
			}
			files = append(files, name) // reading it returns the reason
			return nil
		}
		if name != "." && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.IsDir() {
			files = append(files, name)
		}
		// Others than pictures count here, too, so that a whole disk is not walked.
		if len(files) > 4*a.limits.Pictures {
			return a.tooMany(len(files))
		}
		return nil
	})
	slices.Sort(files)
	return slices.Compact(files), err
}

// unfit explains why a file is not listed, or nothing.
func (a *Album) unfit(name string) string {
	if strings.Contains(name, `\`) {
		return `has a \ in its name`
	}
	f, _, err := a.open(name)
	if err != nil {
		return problem(err)
	}
	defer f.Close()
	head := make([]byte, sniffed)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "cannot be read"
	}
	if k, what := sniff(head[:n]); k == "" {
		return "is " + what
	}
	return ""
}

// problem returns what is wrong, without the name of the file.
func problem(err error) string {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		return in.Problem
	}
	return "cannot be read (" + err.Error() + ")"
}
