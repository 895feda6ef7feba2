// Package picture reads pictures that a person names, in a folder or a column of paths, safely: nothing outside the
// folder, nothing that is too large, nothing by its name alone.
package picture

import (
	"context"
	"errors"
	"image"
	"os"

	"github.com/kindred-go/kindred/dataset"
)

// Limits bounds what is read. The zero value means the defaults.
type Limits struct {
	Bytes    int64 // of one file; 0 means 64 MiB
	Pixels   int64 // of one picture, by its header; 0 means 50 million. Pictures decoded at the same time share it
	Pictures int   // of one folder; 0 means a million
	Cache    int64 // bytes of thumbnails kept in memory; 0 means 64 MiB, negative none
}

// Album reads the pictures of one folder. It is safe for many goroutines.
type Album struct{}

// New gives the album of root, which stays the caller's to close.
func New(root *os.Root, limits Limits) *Album { return &Album{} }

// Listing is what a folder holds.
type Listing struct {
	Names  []string // pictures, as slash-separated paths in the folder, sorted
	Others int      // files that are no picture
	Notes  []string // what a person should know: the first files left out, and why
}

// List finds all pictures in the folder and the folders in it. Hidden files and folders are passed over. It fails with
// a [*fault.Input] where there is no picture, or too many.
func (a *Album) List(ctx context.Context) (*Listing, error) { return nil, errors.New("not yet") }

// CleanName gives the name of a picture as a slash-separated path within a folder, or a [*fault.Input] that says why it
// cannot be one: empty, absolute, a drive, a network share, a web address, or a way out of the folder.
func CleanName(name string) (string, error) { return "", errors.New("not yet") }

// Image decodes a picture, upright, on white. A name that is refused, a missing file, what is no picture, and one that is
// broken or too large are a [*fault.Input].
func (a *Album) Image(ctx context.Context, name string) (image.Image, error) {
	return nil, errors.New("not yet")
}

// Thumbnail gives a picture anew as PNG or JPEG, its longer side at most size pixels (1 to 2048), without anything else
// that the file held. Errors are those of Image.
func (a *Album) Thumbnail(ctx context.Context, name string, size int) (data []byte, contentType string, err error) {
	return nil, "", errors.New("not yet")
}

// Config says how pictures become vectors. The zero value works.
type Config struct {
	Dimensions int  // of the vectors; 0 means 64, fewer where the pictures have no more
	SkipBroken bool // leave out pictures that cannot be read, with a note, instead of failing
	Threads    int  // 0 means one a processor; the result does not depend on it

	// Progress, unless nil, hears what is being done and the share of it that is done, in [0, 1]. It is called by one
	// goroutine at a time.
	Progress func(what string, share float64)
}

// Features are pictures as vectors.
type Features struct {
	Matrix dataset.Matrix // one row a picture, float32
	Rows   []int          // which of the names each row is
	Notes  []string       // pictures left out, and why
}

// Features describes pictures by what can be seen, as vectors of equal length: outlines by orientation and place, and
// colours. Pictures that look alike lie close.
func (a *Album) Features(ctx context.Context, names []string, cfg Config) (*Features, error) {
	return nil, errors.New("not yet")
}

// FromPixels draws a row of values as a grey picture in PNG: width×height values, row by row from the top left, 0 is
// white and ink black. Values outside are as the nearest of both, what is no number is white.
func FromPixels(values []float64, width, height int, ink float64) ([]byte, error) {
	return nil, errors.New("not yet")
}

// Match finds the place of each name among ids, by equal path, or by equal file name with or without its ending where
// that is unambiguous. order[i] is the index in ids of names[i], −1 where it is missing.
func Match(names, ids []string) (order []int, missing []string) { return nil, nil }
