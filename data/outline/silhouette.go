// Package outline turns binary pictures into cyclic strings of angles that describe their outlines,
// as for the ChickenPieces data of cevclus-2013 §4.1.1;
// [github.com/kindred-go/kindred/dissim.Cycles] compares such strings.
package outline

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // formats that image.Decode knows
	_ "image/jpeg" //
	_ "image/png"  //
	"io"
	"io/fs"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

// Pixels is the largest number of pixels that a picture may have.
const Pixels = 40_000_000

// DefaultSegment is the length of a segment in pixels, as in chickenpieces-20-90.
const DefaultSegment = 20

// Foreground selects the pixels that are the shape.
type Foreground int

// The shape is what is not the background: the side of the threshold on which most pixels of the
// picture's border lie, light on a draw. Dark and Light settle it.
const (
	Opposite Foreground = iota
	Dark
	Light
)

// Options are the settings for following an outline. The zero value works.
type Options struct {
	Segment    float64    // length of a segment in pixels, at least 2; 0: DefaultSegment
	Threshold  float64    // luminance in (0, 1) from which on a pixel is light; 0: 0.5
	Foreground Foreground // which pixels are the shape
}

func (o Options) check() (Options, error) {
	o.Segment, o.Threshold = cmp.Or(o.Segment, DefaultSegment), cmp.Or(o.Threshold, 0.5)
	if !(o.Segment >= 2 && o.Segment <= 1e6) {
		return o, fault.Inputf("give at least 2, such as 20", "segments cannot be %v pixels long",
			o.Segment)
	}
	if !(o.Threshold > 0 && o.Threshold < 1) {
		return o, fault.Inputf("give one between 0 and 1", "the threshold of luminance is %v",
			o.Threshold)
	}
	return o, nil
}

// FromFile reads a picture (PNG, GIF, of which the first frame counts, JPEG, PBM or PGM) and
// returns the string of its outline: see [From]. It fails with a [*fault.Input] that names the file
// when that is no such picture, has more than [Pixels] pixels, which is found before any is
// decoded, or shows no shape of at least three segments.
func FromFile(path string, o Options) ([]float64, error) {
	f, err := infile.Open(path, "a picture")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := decode(f)
	var angles []float64
	if err == nil {
		angles, err = From(img, o)
	}
	if in, ok := errors.AsType[*fault.Input](err); ok {
		in.File = path
	} else if err != nil {
		err = fmt.Errorf("reading %s: %w", path, err)
	}
	return angles, err
}

// decode reads a picture after a look at its size.
func decode(f io.ReadSeeker) (image.Image, error) {
	var magic [2]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil && err != io.EOF &&
		err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if bytes.Contains([]byte("P1 P2 P4 P5"), magic[:]) && magic[0] == 'P' {
		return decodePNM(bufio.NewReader(f))
	}
	config, format, err := image.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return nil, notPicture(err)
	}
	if err := checkPixels(config.Width, config.Height); err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return nil, &fault.Input{Problem: "the " + format + " picture is damaged",
			Fix: "fetch or save it again", Err: err}
	}
	return img, nil
}

func notPicture(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &fault.Input{Problem: "is not a picture in a format known here",
		Fix: "give PNG, GIF, JPEG, PBM or PGM", Err: err}
}

func checkPixels(width, height int) error {
	if width <= 0 || height <= 0 {
		return fault.Inputf("save it again", "the picture has no pixels")
	}
	if width > Pixels/height {
		return fault.Inputf("shrink it",
			"the picture has %d×%d pixels, more than 40 million", width,
			height)
	}
	return nil
}

// From returns the outline of the largest shape in a picture as a cyclic string: the angle in
// degrees, in (−180, 180], by which each segment turns from the one before, clockwise as seen
// positive.
//
// Pixels are light from the threshold on (transparent ones as on white paper). The largest
// 8-connected component of the foreground counts, its outer contour is traced clockwise by Moore's
// neighbourhood, and vectors of the constant length Segment are laid along it, each from where the
// one before ends to the next position on the contour at that distance; what remains at the end is
// a shorter vector, or nothing if it is below half a segment. The paper leaves the position of the
// first vector open: ours starts at the contour pixel farthest from the contour's centre of
// gravity, so that a rotated picture has the same string up to the raster. A mirrored one does not.
func From(img image.Image, o Options) ([]float64, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	b := img.Bounds()
	if err := checkPixels(b.Dx(), b.Dy()); err != nil {
		return nil, err
	}
	m := binarise(img, o)
	shape, ok := m.largest()
	if !ok {
		return nil, fault.Inputf("give a dark shape on a light ground, or the other way round",
			"the picture shows no shape: all its pixels are alike")
	}
	contour := shape.contour()
	vectors := segments(contour, farthest(contour), o.Segment)
	if len(vectors) < 3 {
		return nil, fault.Inputf("take shorter segments, or a larger picture",
			"the shape is too small for segments of %v pixels: its outline has %s", o.Segment,
			words.Count(len(contour), "pixel"))
	}
	return turns(vectors), nil
}
