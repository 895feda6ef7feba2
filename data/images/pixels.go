package images

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"

	"github.com/kindred-go/kindred/fault"
)

// maxPixels is the longest side of a picture made of a row.
const maxPixels = 4096

// FromPixels draws a row of a table as a grey picture, in PNG: width × height values, row by row
// from the top left. 0 is white and ink is black; for values of light, where 0 is black, ink is
// minus the value of white. Values beyond are as the nearest of both, and what is no number is
// white. A size that does not fit the values, sides beyond 4096, and an ink that is 0 or no number
// are a [*fault.Input].
func FromPixels(values []float64, width, height int, ink float64) ([]byte, error) {
	switch {
	case width < 1 || height < 1 || width > maxPixels || height > maxPixels ||
		width*height != len(values):
		return nil, &fault.Input{
			Problem: fmt.Sprintf("%d values are no picture of %d × %d pixels", len(values), width,
				height),
			Fix: "give width and height whose product is the number of values",
		}
	case ink == 0 || math.IsNaN(ink) || math.IsInf(ink, 0):
		return nil, &fault.Input{Problem: fmt.Sprintf("%v cannot be the value of ink", ink),
			Fix: "give the value of a black pixel"}
	}
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i, v := range values {
		dark := v / ink
		if ink < 0 {
			dark++
		}
		if math.IsNaN(dark) {
			dark = 0
		}
		img.Pix[i] = byte(math.Round(255 * (1 - min(max(dark, 0), 1))))
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
