package input

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// textColumn holds the texts of a folder.
const textColumn = "text"

// errFound ends a walk.
var errFound = errors.New("found")

// isTextFile reports whether a file of a folder is a text by its name.
func isTextFile(name string) bool {
	return !strings.HasPrefix(name, ".") && strings.EqualFold(path.Ext(name), ".txt")
}

// hasTexts reports whether a folder holds texts, and no pictures beside them.
func (p Place) hasTexts(name string) bool {
	root, err := p.folder(name)
	if err != nil {
		return false
	}
	defer root.Close()
	texts := false
	err = fs.WalkDir(root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // reading it reports what is wrong
		}
		switch strings.ToLower(path.Ext(at)) {
		case ".txt":
			texts = true
		case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff":
			return errFound
		}
		return nil
	})
	return err == nil && texts
}

// readTextFolder reads the texts in a folder, and below it, as a table with a row for each: its
// path as the id, its folder where there are several, and the text.
func (p Place) readTextFolder(ctx context.Context, name string, o dataset.ReadOptions) (
	*dataset.Table, error) {
	root, err := p.folder(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var names []string
	several := false
	err = fs.WalkDir(root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		// to open a pipe, or a link to one, would wait for somebody else
		if err == nil && !d.IsDir() && isTextFile(path.Base(at)) &&
			(d.Type().IsRegular() || !p.Once(filepath.Join(name, at))) {
			names = append(names, at)
			several = several || path.Dir(at) != "."
		}
		return errors.Join(err, ctx.Err())
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	write := func(id, folder, text string) {
		record := []string{id, folder, text}
		if !several {
			record = []string{id, text}
		}
		w.Write(record) // a buffer takes everything
	}
	write("id", folderColumn, textColumn)
	for _, at := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := readTextFile(root, filepath.FromSlash(at), filepath.Join(name, at))
		if err != nil {
			return nil, err
		}
		write(strings.ToValidUTF8(at, "�"), path.Dir(at), text)
	}
	w.Flush()
	o.Format, o.Encoding, o.Delimiter = dataset.FormatCSV, "utf-8", ","
	if o.ID == "" {
		o.ID = "id"
	}
	o.Types = maps.Clone(o.Types)
	if o.Types == nil {
		o.Types = make(map[string]dataset.Type)
	}
	o.Types[textColumn] = dataset.Text
	if _, asked := o.Types[folderColumn]; several && !asked { // a class, and no feature
		o.Types[folderColumn] = dataset.Text
	}
	return dataset.ReadStream(ctx, &table, name, o)
}

// readTextFile reads a text in any of the usual encodings.
func readTextFile(root *os.Root, within, file string) (string, error) {
	f, err := root.Open(within)
	if err != nil {
		return "", &fault.Input{File: file, Problem: "cannot be opened",
			Fix: "see that it may be read, and leads out of no folder", Err: err}
	}
	defer f.Close()
	decoded, err := dataset.OpenSmallText(f, file)
	if err != nil {
		return "", err
	}
	const most = 32 << 20
	text, err := io.ReadAll(io.LimitReader(decoded, most+1))
	switch {
	case err != nil:
		return "", infile.Failure(file, err)
	case len(text) > most:
		return "", &fault.Input{File: file, Problem: "is larger than 32 MiB",
			Fix: "give texts that are shorter"}
	case bytes.IndexByte(text, 0) >= 0:
		return "", &fault.Input{File: file, Problem: "has a NUL byte, so it is no plain text",
			Fix: "take it out of the folder"}
	}
	return strings.TrimSpace(string(text)), nil
}
