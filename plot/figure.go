package plot

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// Figure is a finished picture that can be written any number of times, but not at the same time.
type Figure struct {
	width, height float64 // inches
	title         string
	draw          func(c vg.Canvas, width, height vg.Length)
}

// DefaultDPI is the resolution of a PNG when none is given: what journals ask for.
const DefaultDPI = 300

// maxPixels keeps a mistyped resolution from taking all memory.
const maxPixels = 100e6

// WriteSVG writes the figure as SVG. Text stays text, in Liberation Sans or a sans-serif font of
// the viewer, with the width of each line stated, so that the layout holds.
func (f *Figure) WriteSVG(w io.Writer) error {
	width, height := vg.Length(f.width)*vg.Inch, vg.Length(f.height)*vg.Inch
	c := &measured{Canvas: vgsvg.New(width, height)}
	f.draw(c, width, height)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	var title bytes.Buffer
	title.WriteString(`1999/xlink" role="img"><title>`)
	if err := xml.EscapeText(&title, []byte(f.title)); err != nil {
		return err
	}
	title.WriteString("</title>")

	// What is replaced holds < or ", which are escaped in text, so names cannot be taken for it.
	svg := bytes.Replace(b.Bytes(), []byte(`1999/xlink">`), title.Bytes(), 1)
	svg = bytes.ReplaceAll(svg, []byte(`style="font-family:Liberation Sans;`),
		[]byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`))
	svg = bytes.ReplaceAll(svg, []byte(`xlink:href="data:image/jpg;`),
		[]byte(`style="image-rendering:pixelated" xlink:href="data:image/png;`))
	parts := bytes.Split(svg, []byte("<text "))
	out := bufio.NewWriter(w)
	for i, part := range parts {
		if i > 0 {
			out.WriteString("<text ")
			if wide := c.widths[i-1]; wide > 0 {
				fmt.Fprintf(out, `textLength="%.2f" lengthAdjust="spacingAndGlyphs" `,
					wide.Points())
			}
		}
		out.Write(part)
	}
	return out.Flush()
}

// measured is an SVG canvas that remembers the width of each text, or 0 where the font of the
// figure lacks a glyph.
type measured struct {
	*vgsvg.Canvas
	widths []vg.Length
}

func (c *measured) FillString(f font.Face, at vg.Point, text string) {
	c.Canvas.FillString(f, at, text)
	wide := f.Width(text)
	if boxedText(f, text) != text {
		wide = 0
	}
	c.widths = append(c.widths, wide)
}

// boxedText puts a box for each character that the font lacks.
func boxedText(f font.Face, text string) string {
	var buf sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if i, err := f.Face.GlyphIndex(&buf, r); err != nil || i == 0 {
			return '□'
		}
		return r
	}, text)
}

// WritePNG writes the figure as PNG with dpi dots an inch; 0 = [DefaultDPI]. The font has Latin,
// Greek and Cyrillic letters; others become boxes. It fails with a [*fault.Input] when the picture
// would have no or more than a hundred million pixels.
func (f *Figure) WritePNG(w io.Writer, dpi int) error {
	dpi = cmp.Or(dpi, DefaultDPI)
	if dpi < 0 || f.width*f.height*float64(dpi)*float64(dpi) > maxPixels {
		return fault.Inputf("choose from 72 to 600",
			"a picture of %g by %g inches cannot have %d dots an inch", f.width, f.height, dpi)
	}
	width, height := vg.Length(f.width)*vg.Inch, vg.Length(f.height)*vg.Inch
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	f.draw(boxed{c}, width, height)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// boxed is a PNG canvas that shows a box for each character that the font of the figure lacks.
type boxed struct{ *vgimg.Canvas }

func (c boxed) FillString(f font.Face, at vg.Point, text string) {
	c.Canvas.FillString(f, at, boxedText(f, text))
}

// Save writes the figure to path, as SVG or PNG by its extension. The file is there whole or not at
// all.
func (f *Figure) Save(path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".svg") {
			return f.WriteSVG(w)
		}
		return f.WritePNG(w, 0)
	})
}

// CheckPath reports whether [Figure.Save] knows what to write to a file of that name.
func CheckPath(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg", ".png":
		return nil
	}
	return fault.Inputf("end the name in .svg or .png",
		"is no picture that can be written").In(path)
}
