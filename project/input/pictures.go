package input

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

// folderColumn names the folder of each picture of a folder, where there are several; --label may
// name it.
const folderColumn = "folder"

// readFolder makes vectors of the pictures in a folder.
func (d *Data) readFolder(ctx context.Context, name string, progress Progress) error {
	if err := d.listFolder(ctx, name); err != nil {
		return err
	}
	return d.describe(ctx, progress, true)
}

// listFolder finds the pictures in a folder.
func (d *Data) listFolder(ctx context.Context, name string) error {
	root, err := d.place.folder(name)
	if err != nil {
		return err
	}
	d.album = images.New(root, images.Limits{})
	listing, err := d.album.List(ctx)
	if err != nil {
		return Placed(err, name)
	}
	if d.Table, err = d.source.listed(ctx, name, listing.Names); err != nil {
		return err
	}
	d.Table.Fingerprint, err = sizes(ctx, root, listing.Names)
	if err != nil {
		return err
	}
	d.notes = append(d.notes, listing.Notes...)
	d.images = listing.Names
	return nil
}

// listed makes a table of the names of pictures.
func (s *Source) listed(ctx context.Context, folder string, names []string) (*dataset.Table,
	error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	several := false
	for _, name := range names {
		several = several || path.Dir(name) != "."
	}
	record := []string{"id", folderColumn}
	for i := -1; i < len(names); i++ {
		if i >= 0 {
			record[0] = strings.ToValidUTF8(names[i], "�")
			record[1] = path.Dir(record[0])
		}
		if several {
			w.Write(record) // a buffer takes everything
		} else {
			w.Write(record[:1])
		}
	}
	w.Flush()
	t, err := dataset.ReadStream(ctx, &text, folder,
		dataset.ReadOptions{Format: dataset.FormatCSV, ID: "id", Label: s.Label, Keep: true})
	if err != nil {
		var in *fault.Input
		if s.Label != "" && errors.As(err, &in) {
			in.Fix = "the folder that a picture is in has the name " + folderColumn +
				", where there are several"
		}
		return nil, err
	}
	t.Notes = nil
	return t, nil
}

// sizes returns a hash of the names and sizes of pictures.
func sizes(ctx context.Context, root *os.Root, names []string) (string, error) {
	h := sha256.New()
	for i, name := range names {
		if err := ended(ctx, 256, i); err != nil {
			return "", err
		}
		size := int64(-1)
		if info, err := root.Stat(filepath.FromSlash(name)); err == nil {
			size = info.Size()
		}
		fmt.Fprintf(h, "%q %d\n", name, size)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readImages makes vectors of the pictures that a column names, by their paths from the folder of
// the data or of pictures.
func (d *Data) readImages(ctx context.Context, name string, where Where, progress Progress) error {
	if err := d.listImages(ctx, name, where); err != nil {
		return err
	}
	return d.describe(ctx, progress, d.source.Missing == dataset.MissingDrop.String())
}

// listImages finds the pictures that a column names.
func (d *Data) listImages(ctx context.Context, name string, where Where) error {
	bad := func(row int, problem, fix string) error {
		return &fault.Input{File: d.Name(), Row: row, Column: d.source.Images, Problem: problem,
			Fix: fix}
	}
	if where != InFile {
		return bad(0, "pictures are looked for in the folder of the data, and there is none",
			"give the data as a file")
	}
	missing, err := d.source.missing()
	if err != nil {
		return err
	}
	col := d.Table.Column(d.source.Images)
	if col < 0 {
		return bad(0, "there is no such column", d.Table.Suggest(d.source.Images))
	}
	root, err := d.place.folder(cmp.Or(d.place.Pictures, filepath.Dir(name)))
	if err != nil {
		return err
	}
	d.album = images.New(root, images.Limits{})
	rows := []int32{}
	for i := range d.Table.Rows {
		if err := ended(ctx, 1024, i); err != nil {
			return err
		}
		cell := d.Table.Cell(i, col)
		if dataset.IsMissing(cell) {
			if missing != dataset.MissingDrop {
				return bad(i+1, "the value is missing",
					"fill it in, or leave out such rows with --missing drop")
			}
			continue
		}
		image, err := images.CleanName(cell)
		if err != nil {
			return d.atRow(err, i)
		}
		rows, d.images = append(rows, int32(i)), append(d.images, image)
	}
	if len(rows) == 0 {
		return bad(0, "every value is missing", "name another column")
	}
	if len(rows) < d.Table.Rows {
		d.kept = rows
		d.noteLeft()
	}
	print, err := sizes(ctx, root, d.images)
	if err != nil {
		return err
	}
	d.mark(print)
	return nil
}

// atRow names the row of the table that a picture at fault is of.
func (d *Data) atRow(err error, tableRow int) error {
	var in *fault.Input
	if !errors.As(err, &in) {
		return err
	}
	at := *in
	if at.File != "" {
		at.Problem = words.Short(at.File) + " " + at.Problem
	}
	at.File, at.Row, at.Column = d.Name(), tableRow+1, d.source.Images
	return &at
}

// describe makes vectors of d.images, which are those of the rows kept: of the file of --embedding,
// or of what can be seen. skip leaves out pictures that cannot be read.
func (d *Data) describe(ctx context.Context, progress Progress, skip bool) error {
	if d.source.Embedding != "" {
		var names []string
		if d.source.Images == "" {
			names = d.images
		}
		return d.adoptEmbedding(ctx, names, progress)
	}
	d.album.Keep(d.place.Thumbnails)
	f, err := d.album.Features(ctx, d.images,
		images.Config{Features: d.source.ImageFeatures, Dimensions: d.source.Dimensions,
			Exact: d.source.exact, SkipBroken: skip, Threads: d.source.Threads,
			Progress: progress})
	if err != nil {
		var in *fault.Input
		if d.source.Images != "" && errors.As(err, &in) {
			for i, name := range d.images {
				if name == in.File {
					return d.atRow(err, d.At(i))
				}
			}
		}
		return err
	}
	d.notes = append(d.notes, f.Notes...)
	d.made = fmt.Sprintf("pictures, as %s of what can be seen",
		words.Count(f.Matrix.Cols, "dimension"))
	if len(f.Rows) < len(d.images) {
		rows := make([]int32, len(f.Rows))
		for i, row := range f.Rows {
			rows[i] = int32(row)
		}
		d.narrow(rows)
	}
	if d.source.mixed() {
		return d.mix(ctx, f.Matrix)
	}
	return d.adopt(ctx, f.Matrix)
}

// readPictures finds the pictures of the objects of a matrix: those of a folder in the order of
// their names, or those that a file names, one per line.
func (d *Data) readPictures(ctx context.Context) error {
	name := d.source.Pictures
	info, err := d.place.stat(name)
	if err != nil {
		return &fault.Input{File: name, Problem: "there is no such folder or file",
			Fix: "check --pictures", Err: err}
	}
	folder := name
	if !info.IsDir() {
		folder = filepath.Dir(name)
	}
	root, err := d.place.folder(folder)
	if err != nil {
		return err
	}
	d.album = images.New(root, images.Limits{})
	if info.IsDir() {
		listing, err := d.album.List(ctx)
		if err != nil {
			return Placed(err, name)
		}
		d.images = listing.Names
		d.notes = append(d.notes, "the pictures are taken in the order of their names")
	} else if d.images, err = d.named(ctx, name); err != nil {
		return err
	}
	if len(d.images) != d.matrix.Rows {
		return &fault.Input{File: name,
			Problem: fmt.Sprintf("has %s for %s", words.Count(len(d.images), "picture"),
				words.Count(d.matrix.Rows, "object")),
			Fix: "give one picture an object, in the order of the matrix"}
	}
	return nil
}

// maxNames bounds the bytes of a file of names.
const maxNames = 256 << 20

// named reads names of pictures, one per line.
func (d *Data) named(ctx context.Context, name string) ([]string, error) {
	f, err := d.place.open(ctx, name, "a file of names")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	most := io.LimitReader(infile.Interruptible(ctx, f), maxNames)
	decoded, err := dataset.OpenSmallText(most, name)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(decoded)
	for line := 1; lines.Scan(); line++ {
		if err := ended(ctx, 1024, line); err != nil {
			return nil, err
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		image, err := images.CleanName(text)
		var in *fault.Input
		if errors.As(err, &in) {
			at := *in
			at.File, at.Line = name, line
			return nil, &at
		}
		if err != nil {
			return nil, err
		}
		names = append(names, image)
	}
	if err := lines.Err(); err != nil {
		return nil, &fault.Input{File: name, Problem: "it cannot be read",
			Fix: "give the name of one picture a line", Err: err}
	}
	return names, nil
}

// Close closes what pictures are taken from. Others of the data stay as they are.
func (d *Data) Close() error {
	if d.album == nil {
		return nil
	}
	return d.album.Close()
}

// Picture returns the picture of a row, its longer side at most size pixels, as bytes and their
// type. A row without one is a [*fault.Input], as a picture is that cannot be shown.
func (d *Data) Picture(ctx context.Context, row, size int) (data []byte, contentType string,
	err error) {
	if d.album != nil {
		return d.album.Thumbnail(ctx, d.images[row], size)
	}
	ink, width, height, ok := d.Pixels(row)
	if !ok {
		return nil, "", &fault.Input{File: d.Name(),
			Problem: "row " + words.Short(d.ID(row)) + " has no picture", Fix: "ask for its card"}
	}
	data, err = images.FromPixels(ink, width, height, 1)
	return data, "image/png", err
}
