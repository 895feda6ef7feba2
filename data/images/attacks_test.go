package images

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/gif"
	"image/jpeg"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/tiff"

	"github.com/kindred-go/kindred/internal/dying"
)

// TestNamesLeadNowhereElse: no name, however it is written, gets at a file beside the folder.
func TestNamesLeadNowhereElse(t *testing.T) {
	a, folder := album(t, Limits{})
	outside := filepath.Join(filepath.Dir(folder), "outside.png")
	if err := os.WriteFile(outside, asPNG(t, corners(4, 4)), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, why := range map[string]string{
		"":                              "empty",
		"  ":                            "empty",
		".":                             "folder itself",
		"../outside.png":                "out of the folder",
		`..\outside.png`:                "out of the folder",
		"a/../../outside.png":           "out of the folder",
		outside:                         "",
		"/etc/passwd":                   "absolute",
		`\outside.png`:                  "absolute",
		`C:\pictures\a.png`:             "drive",
		"c:a.png":                       "drive",
		`\\server\share\a.png`:          "another machine",
		"//server/share/a.png":          "another machine",
		`\\?\C:\a.png`:                  "another machine",
		"http://example.org/a.png":      "web address",
		"HTTPS://example.org/a.png":     "web address",
		"file:///etc/passwd":            "web address",
		"data:image/png;base64,iVBORw0": "web address",
		"javascript:alert(1)":           "web address",
		"a\x00.png":                     "NUL",
		"a\xff.png":                     "UTF-8",
		"%2e%2e/outside.png":            "does not exist",
		"..%2foutside.png":              "does not exist",
		"..%5coutside.png":              "does not exist",
		"．．/outside.png":                "does not exist",
	} {
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, why)
		_, err = a.Features(t.Context(), []string{name}, Config{})
		refused(t, err, name, why)
	}
}

// TestLinksOutOfTheFolder are not followed, to a file or through a folder; links within it are.
func TestLinksOutOfTheFolder(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.png", asPNG(t, corners(4, 4)))
	a, folder := album(t, Limits{})
	write(t, folder, "own.png", asPNG(t, corners(4, 4)))
	for link, to := range map[string]string{
		"file.png": filepath.Join(outside, "secret.png"), "folder": outside,
		"within.png": "own.png", "loop.png": "loop.png",
	} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for _, name := range []string{"file.png", "folder/secret.png", "loop.png"} {
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, "cannot be opened within the folder")
	}
	l, err := a.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.Names, " "); got != "own.png within.png" {
		t.Errorf("listed %s", got)
	}
	thumbnail(t, a, "within.png", 4)
}

// TestWhatIsNoPicture: other files are recognised by content, and named as people name them.
func TestWhatIsNoPicture(t *testing.T) {
	var zipped, gzipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	if _, err := z.Create("a.png"); err != nil {
		t.Fatal(err)
	}
	z.Close()
	g := gzip.NewWriter(&gzipped)
	g.Write(make([]byte, 1<<20))
	g.Close()
	a, folder := album(t, Limits{})
	for name, c := range map[string]struct{ data, what string }{
		"drawing.png": {`<?xml version="1.0"?><svg ` +
			`xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "an SVG"},
		"page.gif":     {"<!DOCTYPE html><script>alert(1)</script>", "a web page"},
		"zip.png":      {zipped.String(), "a zip file"},
		"gzip.png":     {gzipped.String(), "a gzip file"},
		"pdf.png":      {"%PDF-1.7\n", "a PDF"},
		"phone.jpg":    {"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "an HEIC picture"},
		"text.png":     {"BMW 320, 1987\n", "a text"},
		"empty.png":    {"", "empty"},
		"noise.png":    {"\x01\x02\x03\x04", "of an unknown format"},
		"moving.webp":  {string(unbase(t, movingWebP)), "it moves"},
		"nothing.jpeg": {"\xff\xd8\xff", "cannot be read"},
	} {
		write(t, folder, name, []byte(c.data))
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, c.what)
	}
}

// TestTruncatedPictures: each format cut anywhere is refused, never a panic, or read as far as it
// goes.
func TestTruncatedPictures(t *testing.T) {
	a, folder := album(t, Limits{})
	for name, data := range everyFormat(t) {
		for cut := range 40 {
			write(t, folder, name, data[:len(data)*cut/40])
			if _, _, err := a.Thumbnail(t.Context(), name, 64); err != nil {
				refused(t, err, name)
			}
		}
		write(t, folder, name, data[:len(data)/2])
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name)
	}
}

func everyFormat(t testing.TB) map[string][]byte {
	t.Helper()
	img := corners(40, 24)
	var j, g, tf, packed bytes.Buffer
	for _, err := range []error{
		jpeg.Encode(&j, img, nil), gif.Encode(&g, img, nil), tiff.Encode(&tf, img, nil),
		tiff.Encode(&packed, img, &tiff.Options{Compression: tiff.Deflate}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string][]byte{
		"png": asPNG(t, img), "jpeg": j.Bytes(), "gif": g.Bytes(), "tiff": tf.Bytes(),
		"packed": packed.Bytes(),
		"lossy":  unbase(t, lossyWebP), "lossless": unbase(t, losslessWebP),
		"alpha": unbase(t, alphaWebP),
	}
}

// pixelBomb is a PNG of few bytes and very many black pixels.
func pixelBomb(t testing.TB, width, height int) []byte {
	t.Helper()
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		body := append([]byte(name), data...)
		out = append(out, body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	chunk("IHDR", append(head, 1, 0, 0, 0, 0)) // one bit a pixel, grey
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]byte, 1+(width+7)/8)
	for range height {
		z.Write(row)
	}
	z.Close()
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out
}

// TestPixelBombs are refused by their headers, before memory is taken for their pixels.
func TestPixelBombs(t *testing.T) {
	a, folder := album(t, Limits{})
	height := 20000
	if testing.Short() {
		height = 2600 // is enough, and sooner made
	}
	bomb := pixelBomb(t, 20000, height)
	if len(bomb) > 60_000 {
		t.Fatalf("%d bytes are no bomb", len(bomb))
	}
	write(t, folder, "bomb.png", bomb)
	write(t, folder, "long.png", pixelBomb(t, 100_000, 1))
	// A GIF and a TIFF that only claim to be large.
	write(t, folder, "bomb.gif",
		[]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02"+
			"\x44\x01\x00;"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, words := range map[string]string{"bomb.png": fmt.Sprintf("20000 × %d", height),
		"long.png": "100000 × 1", "bomb.gif": "65535 × 65535"} {
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, words)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 10<<20 {
		t.Errorf("%d bytes were taken to refuse them", taken)
	}
	strict, folder := album(t, Limits{Bytes: 1000, Pixels: 100})
	write(t, folder, "small.png", asPNG(t, corners(11, 10)))
	_, _, err := strict.Thumbnail(t.Context(), "small.png", 64)
	refused(t, err, "small.png", "11 × 10")
	write(t, folder, "large.png", make([]byte, 1001))
	_, _, err = strict.Thumbnail(t.Context(), "large.png", 64)
	refused(t, err, "large.png", "1001 bytes")
}

// TestHeadersThatLie: what the decoders take on trust is looked at first.
func TestHeadersThatLie(t *testing.T) {
	a, folder := album(t, Limits{})
	lying := func(name string, data []byte, words string) {
		t.Helper()
		write(t, folder, name, data)
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, words)
	}
	// A WebP whose canvas is small and whose picture is large, and with transparency for another
	// size.
	wide := unbase(t, alphaWebP)
	at := bytes.Index(wide, []byte("VP8 ")) + 8 + 6
	binary.LittleEndian.PutUint16(wide[at:], 16383)
	lying("wide.webp", wide, "but its frame 16383 × 2")

	// A JPEG of many scans, each of which costs as much as a picture.
	var one bytes.Buffer
	if err := jpeg.Encode(&one, corners(8, 8), nil); err != nil {
		t.Fatal(err)
	}
	scan := one.Bytes()[bytes.Index(one.Bytes(), []byte{0xff, 0xda}) : one.Len()-2]
	many := append(bytes.Clone(one.Bytes()[:one.Len()-2]), bytes.Repeat(scan, 200)...)
	lying("scans.jpg", many, "too many scans")

	var plain bytes.Buffer
	if err := tiff.Encode(&plain, corners(16, 16), nil); err != nil {
		t.Fatal(err)
	}
	// A TIFF with strips of 2³² rows is as usual; with strips that are read over and over it is
	// not.
	set := func(tag, value int) []byte {
		data := bytes.Clone(plain.Bytes())
		d, err := newDirectory(data)
		if err != nil {
			t.Fatal(err)
		}
		field := d.fields[uint16(tag)]
		d.order.PutUint16(data[field+2:], 4)
		d.order.PutUint32(data[field+8:], uint32(value))
		return data
	}
	write(t, folder, "rows.tiff", set(tagRowsPerStrip, 1<<32-1))
	checkCorners(t, "rows.tiff", thumbnail(t, a, "rows.tiff", 16), 16, 16,
		[4]color.Color{red, green, blue, color.Black})
	lying("overlap.tiff", set(tagStripBytes, 1<<31), "cut short")
	lying("pixels.tiff", set(tagWidth, 1<<30), "1073741824 × 16")
}

// TestPolyglot: a picture that is something else, too, goes out as nothing but a picture.
func TestPolyglot(t *testing.T) {
	a, folder := album(t, Limits{})
	script := "*/=1;alert('x')/*<script>alert(1)</script>"
	var g bytes.Buffer
	if err := gif.Encode(&g, corners(8, 8), nil); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "script.gif", append(g.Bytes(), script...))
	write(t, folder, "script.png", append(asPNG(t, corners(8, 8)), script...))
	var j bytes.Buffer
	if err := jpeg.Encode(&j, photograph(64, 64), nil); err != nil {
		t.Fatal(err)
	}
	comment := append([]byte{0xff, 0xfe, 0, byte(2 + len(script))}, script...)
	write(t, folder, "script.jpg", append(append([]byte{0xff, 0xd8}, comment...), j.Bytes()[2:]...))
	for _, name := range []string{"script.gif", "script.png", "script.jpg"} {
		data, contentType, err := a.Thumbnail(t.Context(), name, 64)
		if err != nil {
			t.Fatal(name, err)
		}
		if bytes.Contains(data, []byte("alert")) || contentType != "image/png" &&
			contentType != "image/jpeg" {
			t.Errorf("%s goes out as %s with the script in it", name, contentType)
		}
	}
}

// TestFilesThatChange between listing and reading are read as they are then, or said to be gone.
func TestFilesThatChange(t *testing.T) {
	a, folder := album(t, Limits{})
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		write(t, folder, name, asPNG(t, corners(8, 8)))
	}
	// clocks of files are coarse, and the other picture has as many bytes
	earlier := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(folder, "a.png"), earlier, earlier); err != nil {
		t.Fatal(err)
	}
	l, err := a.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := a.Thumbnail(t.Context(), "a.png", 8)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "a.png", asPNG(t, corners(6, 6)))
	write(t, folder, "b.png", []byte("<svg/>"))
	if err := os.Remove(filepath.Join(folder, "c.png")); err != nil {
		t.Fatal(err)
	}
	if second, _, err := a.Thumbnail(t.Context(), "a.png", 8); err != nil ||
		bytes.Equal(first, second) {
		t.Errorf("the old thumbnail stays (%v)", err)
	}
	f, err := a.Features(t.Context(), l.Names, Config{SkipBroken: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "2 pictures are left out as broken or missing: b.png is an SVG drawing, not a " +
		"picture that can be read, c.png does not exist"
	if len(f.Rows) != 1 || len(f.Notes) != 1 || f.Notes[0] != want {
		t.Errorf("rows %v, notes %q", f.Rows, f.Notes)
	}
	_, err = a.Features(t.Context(), l.Names, Config{})
	refused(t, err, "b.png", "SVG")
}

// TestCancelling ends the decoding of a large picture at each moment at which somebody looks, and
// its wait for others.
func TestCancelling(t *testing.T) {
	a, folder := album(t, Limits{})
	write(t, folder, "large.png", pixelBomb(t, 1500, 1500))
	for looks := 0; ; looks++ {
		_, _, err := a.Thumbnail(dying.New(t.Context(), looks), "large.png", 64)
		if err == nil {
			if looks < 10 { // nine strips, and before them
				t.Errorf("it is given up in %d places alone", looks)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("given up at moment %d, it ended with %v", looks, err)
		}
	}
	if !a.pixels.TryAcquire(a.limits.Pixels) { // nothing is held any more
		t.Fatal("pixels are held")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := a.Features(ctx, []string{"large.png"}, Config{}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("it waited until %v", err)
	}
}
