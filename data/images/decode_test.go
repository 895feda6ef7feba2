package images

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// TestFormatsByContent reads the same four quarters from every format, under names that suggest
// something else.
func TestFormatsByContent(t *testing.T) {
	img := corners(40, 24)
	var asJPEG, asGIF, asBMP, asTIFF, asDeflated bytes.Buffer
	for _, err := range []error{
		jpeg.Encode(&asJPEG, img, &jpeg.Options{Quality: 95}),
		gif.Encode(&asGIF, img, nil),
		bmp.Encode(&asBMP, img),
		tiff.Encode(&asTIFF, img, nil),
		tiff.Encode(&asDeflated, img, &tiff.Options{Compression: tiff.Deflate, Predictor: true}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a, folder := album(t, Limits{})
	for name, data := range map[string][]byte{
		"png.jpg": asPNG(t, img), "jpeg.png": asJPEG.Bytes(), "gif.svg": asGIF.Bytes(),
		"bmp":      asBMP.Bytes(),
		"tiff.txt": asTIFF.Bytes(), "deflated.tiff": asDeflated.Bytes(),
	} {
		write(t, folder, name, data)
		checkCorners(t, name, thumbnail(t, a, name, 40), 40, 24,
			[4]color.Color{red, green, blue, color.Black})
	}
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
)

// checkCorners expects the size, and colours in the order of reading.
func checkCorners(t *testing.T, name string, img image.Image, width, height int,
	want [4]color.Color) {
	t.Helper()
	b := img.Bounds()
	if b.Dx() != width || b.Dy() != height {
		t.Fatalf("%s: %d × %d pixels", name, b.Dx(), b.Dy())
	}
	for i, c := range want {
		x, y := width/4+i%2*width/2, height/4+i/2*height/2
		if got := img.At(x, y); !near(got, c) {
			t.Errorf("%s: corner %d is %v, not %v", name, i, got, c)
		}
	}
}

// TestWebP reads WebP with loss, without, and with transparency.
func TestWebP(t *testing.T) {
	a, folder := album(t, Limits{})
	for name, c := range map[string]struct {
		text          string
		width, height int
		want          color.Color
	}{
		"loss":     {lossyWebP, 2, 3, red},
		"lossless": {losslessWebP, 2, 3, red},
		"alpha":    {alphaWebP, 3, 2, color.RGBA{255, 127, 127, 255}},
	} {
		write(t, folder, name, unbase(t, c.text))
		img := thumbnail(t, a, name, 10)
		if b := img.Bounds(); b.Dx() != c.width || b.Dy() != c.height ||
			!near(img.At(1, 1), c.want) {
			t.Errorf("%s: %v of %v", name, b, img.At(1, 1))
		}
	}
}

func unbase(t testing.TB, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDepthsAndColours reads what is not plain 8-bit colour: 16 bits, palettes, grey, ink colours,
// and transparency on white.
func TestDepthsAndColours(t *testing.T) {
	a, folder := album(t, Limits{})
	rect := image.Rect(0, 0, 4, 4)
	half := color.NRGBA{0, 0, 0, 128}
	fill := func(img draw.Image, c color.Color) image.Image {
		draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		return img
	}
	for name, c := range map[string]struct {
		img  image.Image
		want color.Color
	}{
		"16 bits": {fill(image.NewNRGBA64(rect), color.NRGBA64{0xffff, 0x8000, 0, 0xffff}),
			color.RGBA{255, 128, 0, 255}},
		"16-bit grey": {fill(image.NewGray16(rect), color.Gray16{0x4000}), color.Gray{64}},
		"palette":     {fill(image.NewPaletted(rect, color.Palette{color.White, red}), red), red},
		"grey":        {fill(image.NewGray(rect), color.Gray{200}), color.Gray{200}},
		"half":        {fill(image.NewNRGBA(rect), half), color.Gray{127}},
		"nothing":     {image.NewNRGBA(rect), color.White},
		"no palette": {fill(image.NewPaletted(rect, color.Palette{color.Transparent, red}),
			color.Transparent), color.White},
	} {
		write(t, folder, name, asPNG(t, c.img))
		if got := thumbnail(t, a, name, 4).At(1, 1); !near(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
	write(t, folder, "ink.jpg", unbase(t, cmykJPEG))
	if got := thumbnail(t, a, "ink.jpg", 4).At(1, 1); !near(got, color.RGBA{255, 0, 0, 255}) {
		t.Errorf("four inks: %v", got)
	}
}

// TestOrientation turns a JPEG in each of the eight ways that EXIF knows, in both byte orders.
func TestOrientation(t *testing.T) {
	a, folder := album(t, Limits{})
	var file bytes.Buffer
	if err := jpeg.Encode(&file, corners(64, 32), &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	k := color.Black
	for i, want := range [8][4]color.Color{
		{red, green, blue, k}, {green, red, k, blue}, {k, blue, green, red}, {blue, k, red, green},
		{red, blue, green, k}, {blue, red, k, green}, {k, green, blue, red}, {green, k, red, blue},
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			write(t, folder, "turned.jpg", withEXIF(file.Bytes(), order, i+1))
			width, height := 64, 32
			if i >= 4 {
				width, height = 32, 64
			}
			a.thumbs = newCache(0)
			checkCorners(t, "as 1", thumbnail(t, a, "turned.jpg", 64), width, height, want)
		}
	}
}

// withEXIF puts an orientation into a JPEG.
func withEXIF(data []byte, order binary.AppendByteOrder, orientation int) []byte {
	head := "II*\x00"
	if order.AppendUint16(nil, 1)[0] == 0 {
		head = "MM\x00*"
	}
	exif := append([]byte("Exif\x00\x00"), head...)
	exif = order.AppendUint32(exif, 8)
	exif = order.AppendUint16(exif, 1)
	exif = order.AppendUint16(exif, tagOrientation)
	exif = order.AppendUint16(exif, 3)
	exif = order.AppendUint32(exif, 1)
	exif = order.AppendUint16(exif, uint16(orientation))
	exif = append(exif, 0, 0, 0, 0, 0, 0)
	out := append([]byte{}, data[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(exif)+2))
	return append(append(out, exif...), data[2:]...)
}

// TestResamplingKeepsWhatIsThere: a plain picture stays plain, and the mean stays, whatever the
// sizes.
func TestResamplingKeepsWhatIsThere(t *testing.T) {
	for _, size := range [][4]int{{1, 1, 64, 64}, {8, 8, 64, 64}, {100, 37, 64, 64},
		{1000, 3, 10, 10}, {64, 64, 64, 64}} {
		plain := image.NewUniform(color.RGBA{10, 100, 200, 255})
		img := image.NewRGBA(image.Rect(5, 7, 5+size[0], 7+size[1]))
		draw.Draw(img, img.Rect, plain, image.Point{}, draw.Src)
		c, err := new(workspace).resample(t.Context(), img, size[2], size[3])
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range c.rgb {
			if want := []float32{10, 100, 200}[i%3]; v < want-.01 || v > want+.01 {
				t.Fatalf("%v: %v at %d, not %v", size, v, i, want)
			}
		}
	}
	board := image.NewGray(image.Rect(0, 0, 128, 128))
	for i := range board.Pix {
		board.Pix[i] = uint8((i%128 + i/128) % 2 * 255)
	}
	c, err := new(workspace).resample(t.Context(), board, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range c.rgb {
		if v < 126 || v > 129 {
			t.Fatalf("a fine chessboard became %v", v)
		}
	}
}
