package shard

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// PartFormats are the formats in which parts can be written.
func PartFormats() []string { return []string{"csv", "parquet", "jsonl"} }

// File is a file being written. Nothing of it is seen before Close returns nil: a split that is
// tried again, even twice at the same time, leaves one whole file, and the same bytes when the
// writer writes the same.
type File interface {
	io.WriteCloser
	Abort() // forgets what was written; after Close it does nothing, so it may always be deferred
}

// CreateFile begins the part of a split in the folder out: part-00012.csv for split 12 and the
// format "csv". The folder is made when it is lacking. It fails with a [*fault.Input] when the
// format cannot be written.
func CreateFile(ctx context.Context, out string, split int, format string) (File, error) {
	if !slices.Contains(PartFormats(), format) {
		return nil, fault.Inputf("give one of "+strings.Join(PartFormats(), ", "),
			"parts cannot be written as %q", format)
	}
	system, folder, err := filesOf(out)
	if err != nil {
		return nil, err
	}
	return system.create(ctx, Join(folder, partName(split, format)))
}

// partName names the part of a split.
func partName(split int, format string) string { return fmt.Sprintf("part-%05d.%s", split, format) }

// Names of files in a folder of parts that are no parts.
const (
	successName = "_SUCCESS"
	runName     = "_RUN"
)

// workName is the mark of a folder of states.
const workName = "run"

// Claim takes the folder out for the parts of a run, before the first of them is written. run is a
// name for all that the parts depend on, such as a digest of the configuration. A folder with parts
// of another run, or of none that is known, is refused with a [*fault.Input]; one of the same run
// is taken up again, and one whose run failed before its first part is taken over. New files of the
// folder are for this user alone, unless they are shared, as the umask says.
func Claim(ctx context.Context, out, run string, shared bool) error {
	entries, err := inFolder(ctx, out)
	if err != nil {
		return err
	}
	parts := 0
	for _, e := range entries {
		switch name := path.Base(e); {
		case name == runName:
			text, err := ReadFile(ctx, e)
			if err != nil || strings.TrimSpace(string(text)) == run {
				return err
			}
		case isPart(name), name == successName:
			parts++
		}
	}
	if parts > 0 {
		return &fault.Input{File: out, Problem: "already holds parts of another run",
			Fix: "name another folder, or remove this one"}
	}
	return writeFile(ctx, Join(out, runName), []byte(run+"\n"), &shared)
}

// Finish completes a folder of parts, when all are there: it removes parts and temporary files left
// over by tries that failed, and writes _SUCCESS with the number of parts. It fails when one of the
// parts of splits 0 … splits−1 is lacking. With "" for out there is nothing to complete.
func Finish(ctx context.Context, out string, splits int) error {
	if out == "" {
		return nil
	}
	entries, err := inFolder(ctx, out)
	if err != nil {
		return err
	}
	have := make(map[int]bool)
	for _, e := range entries {
		name := path.Base(e)
		number, ok := partNumber(name)
		switch {
		case ok && number < splits:
			if have[number] {
				return &fault.Input{File: out,
					Problem: "holds the part of split " + strconv.Itoa(number) + " in two formats",
					Fix:     "name another folder, or remove this one"}
			}
			have[number] = true
		case ok, strings.HasPrefix(name, ".part-") && strings.HasSuffix(name, ".tmp"):
			if err := Remove(ctx, e); err != nil {
				return err
			}
		}
	}
	for i := range splits {
		if !have[i] {
			return fmt.Errorf("shard: %s lacks the part of split %d", out, i)
		}
	}
	return WriteFile(ctx, Join(out, successName), []byte(strconv.Itoa(splits)+"\n"))
}

// inFolder returns the files of a folder itself; those of folders below belong to others.
func inFolder(ctx context.Context, folder string) ([]string, error) {
	_, at, err := filesOf(folder)
	if err != nil {
		return nil, err
	}
	entries, err := List(ctx, folder)
	return slices.DeleteFunc(entries, func(e string) bool { return path.Dir(e) != path.Clean(at) }),
		err
}

func isPart(name string) bool {
	_, ok := partNumber(name)
	return ok
}

// partNumber returns the split of a part by its name.
func partNumber(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "part-")
	number, format, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil && slices.Contains(PartFormats(), format) &&
		name == partName(n, format)
}
