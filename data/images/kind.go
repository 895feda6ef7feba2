package images

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"unicode/utf8"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// kind is a format that is read.
type kind string

const (
	kindJPEG kind = "JPEG"
	kindPNG  kind = "PNG"
	kindGIF  kind = "GIF"
	kindWebP kind = "WebP"
	kindBMP  kind = "BMP"
	kindTIFF kind = "TIFF"
)

// sniffed is the number of bytes that identify a file.
const sniffed = 1024

// decoders reads the size and the pixels of each kind.
var decoders = map[kind]struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}{
	kindJPEG: {jpeg.DecodeConfig, jpeg.Decode},
	kindPNG:  {png.DecodeConfig, png.Decode},
	kindGIF:  {gif.DecodeConfig, gif.Decode},
	kindBMP:  {bmp.DecodeConfig, bmp.Decode},
	kindTIFF: {tiff.DecodeConfig, tiff.Decode},
	kindWebP: {nil, webp.Decode}, // see checkWebP
}

// signatures of formats by their first bytes; ? matches any byte.
var signatures = []struct {
	start string
	kind  kind
}{
	{"\xff\xd8\xff", kindJPEG},
	{"\x89PNG\r\n\x1a\n", kindPNG},
	{"GIF87a", kindGIF},
	{"GIF89a", kindGIF},
	{"RIFF????WEBP", kindWebP},
	{"II*\x00", kindTIFF},
	{"MM\x00*", kindTIFF},
}

// others are formats that are not read, as a person knows them.
var others = []struct{ start, what string }{
	{"\x1f\x8b", "a gzip file"},
	{"PK\x03\x04", "a zip file"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"%PDF", "a PDF"},
	{"8BPS", "a Photoshop file"},
	{"\x00\x00\x01\x00", "an icon"},
	{"\xff\x0a", "a JPEG XL picture"},
	{"\x00\x00\x00\x0cJXL ", "a JPEG XL picture"},
	{"\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture"},
	{"????ftypavif", "an AVIF picture"},
	{"????ftypheic", "an HEIC picture"},
	{"????ftypmif1", "an HEIF picture"},
	{"????ftyp", "a film"},
	{"\x93NUMPY", "an NPY file"},
	{"PAR1", "a Parquet file"},
}

// sniff returns what a file is by its first bytes: a kind that is read, or in words what else it
// is.
func sniff(head []byte) (k kind, what string) {
	for _, s := range signatures {
		if begins(head, s.start) {
			return s.kind, ""
		}
	}
	// Two letters alone are no sign of a bitmap: the size of its header and its reserved bytes are
	// looked at, too.
	if begins(head, "BM????\x00\x00\x00\x00") && len(head) >= 18 {
		if size := binary.LittleEndian.Uint32(head[14:]); size >= 12 && size <= 124 {
			return kindBMP, ""
		}
	}
	for _, o := range others {
		if begins(head, o.start) {
			return "", o.what
		}
	}
	low := bytes.ToLower(head)
	switch {
	case len(head) == 0:
		return "", "empty"
	case bytes.Contains(low, []byte("<svg")):
		return "", "an SVG drawing"
	case bytes.Contains(low, []byte("<html")) || bytes.Contains(low, []byte("<!doctype html")):
		return "", "a web page"
	case text(head):
		return "", "a text"
	}
	return "", "of an unknown format"
}

func begins(head []byte, start string) bool {
	if len(head) < len(start) {
		return false
	}
	for i := range len(start) {
		if start[i] != '?' && head[i] != start[i] {
			return false
		}
	}
	return true
}

func text(head []byte) bool {
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && size <= 1 && len(head)-i >= utf8.UTFMax || r < ' ' && r != '\n' &&
			r != '\r' && r != '\t' && r != '\f' {
			return false
		}
		i += size
	}
	return true
}
