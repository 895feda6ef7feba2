package images

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Names of what can be seen of pictures.
const (
	Shapes = "shapes" // outlines, with lightness and colours of the patches of a grid
	Pixels = "pixels" // lightness and colours of a fine grid
)

// Kinds are the names of what can be seen of pictures, the default first.
func Kinds() []string { return []string{Shapes, Pixels} }

// seen is a way to look at a picture.
type seen struct {
	name     string
	size     int // numbers of a picture
	parts    []share
	describe func(c *canvas) []float64
}

// share is how much some of the numbers vary together, as a standard deviation, beside the first
// part, which stays as it is.
type share struct {
	size   int
	varies float64
}

// fineSide is the number of places of a side that the pixels of a picture become.
const fineSide = 16

var views = []seen{
	{Shapes, rawSize,
		[]share{{outlineSize, 1}, {lightSize, lightVaries}, {chromaSize, chromaVaries}}, describe},
	{Pixels, 3 * fineSide * fineSide, []share{{3 * fineSide * fineSide, 1}}, small},
}

// view returns the way to look at pictures that a name stands for.
func view(name string) (seen, error) {
	if name == "" {
		return views[0], nil
	}
	for _, v := range views {
		if v.name == name {
			return v, nil
		}
	}
	return seen{}, &fault.Input{Problem: fmt.Sprintf("there are no features %q of pictures", name),
		Fix: "choose among " + strings.Join(Kinds(), ", ")}
}

// small returns the mean CIELAB coordinates of fineSide × fineSide places.
func small(c *canvas) []float64 {
	out := make([]float64, 3*fineSide*fineSide)
	const wide = side / fineSide
	for i := range side * side {
		l, a, b := lab(float64(c.rgb[3*i]), float64(c.rgb[3*i+1]), float64(c.rgb[3*i+2]))
		at := 3 * (i/side/wide*fineSide + i%side/wide)
		out[at] += l / (wide * wide)
		out[at+1] += a / (wide * wide)
		out[at+2] += b / (wide * wide)
	}
	return out
}
