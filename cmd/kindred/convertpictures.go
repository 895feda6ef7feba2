package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/outline"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/words"
)

// fewAngles is the number of angles below which an outline says little of its shape.
const fewAngles = 8

// outline is a line of cyclic strings.
type outlineOf struct {
	ID     string    `json:"id"`
	Class  string    `json:"class,omitempty"`
	Angles []float64 `json:"angles"`
}

// pictures turns a folder of silhouettes into cyclic strings.
func (f *convertFlags) pictures(ctx context.Context, a *app, in, out string) error {
	if !(f.segment >= 2) {
		return fault.Settingf("--segment is %g: give 2 pixels or more", f.segment)
	}
	if format, err := tableFormat(out); err != nil || format != dataset.FormatJSONL {
		return fault.Settingf("%s: outlines of pictures are written as .jsonl", out)
	}
	names, err := pictureNames(in)
	if err != nil {
		return err
	}
	b := a.bar("tracing outlines")
	defer b.done()
	classes := map[string]bool{}
	coarse := 0
	err = atomicfile.Write(out, func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		lines := json.NewEncoder(buffered)
		for i, name := range names {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.update(float64(i) / float64(len(names)))
			angles, err := outline.FromFile(filepath.Join(in, filepath.FromSlash(name)),
				outline.Options{Segment: f.segment})
			if err != nil {
				return err
			}
			if len(angles) < fewAngles {
				coarse++
			}
			class := classOf(name)
			classes[class] = true
			if err := lines.Encode(outlineOf{strings.TrimSuffix(name, path.Ext(name)), class,
				angles}); err != nil {
				return err
			}
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	of := fmt.Sprintf("%d classes", len(classes))
	if len(classes) == 1 {
		of = "1 class"
	}
	a.say("%s of %s in %s", words.Count(len(names), "outline"), of, out)
	if coarse > 0 {
		a.say("%d of %d have fewer than %d angles, which tell shapes apart poorly: a smaller "+
			"--segment than %g gives more", coarse, len(names), fewAngles, f.segment)
	}
	return nil
}

// pictureNames lists the pictures of a folder and its sub-folders, sorted. Links are not followed.
func pictureNames(folder string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".png", ".gif", ".jpg", ".jpeg", ".pbm", ".pgm":
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		return nil, &fault.Input{File: folder, Problem: "there are no pictures in the folder",
			Fix: "give one with .png, .gif, .jpg, .pbm or .pgm files"}
	}
	return names, err
}

// classOf takes the class of a picture from its sub-folder, or from what its name begins with.
func classOf(name string) string {
	if folder := path.Dir(name); folder != "." {
		return folder
	}
	base := strings.TrimSuffix(name, path.Ext(name))
	if end := strings.IndexAny(base, "0123456789-_"); end >= 0 {
		base = base[:end]
	}
	return strings.TrimSpace(base)
}
