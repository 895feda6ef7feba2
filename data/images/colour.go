package images

import "math"

// The colours of a picture are the means of CIELAB over a grid, in hundredths.
const (
	patches    = 4 // of the grid, a side
	lightSize  = patches * patches
	chromaSize = 2 * patches * patches
)

// lab returns the CIELAB coordinates (D65), over 100, of an sRGB colour in [0, 255].
func lab(r, g, b float64) (l, a, bb float64) {
	r, g, b = linear(r), linear(g), linear(b)
	x := (float64(0.4124564*r) + float64(0.3575761*g) + float64(0.1804375*b)) / 0.95047
	y := float64(0.2126729*r) + float64(0.7151522*g) + float64(0.0721750*b)
	z := (float64(0.0193339*r) + float64(0.1191920*g) + float64(0.9503041*b)) / 1.08883
	fx, fy, fz := labRoot(x), labRoot(y), labRoot(z)
	return float64(1.16*fy) - 0.16, 5 * (fx - fy), 2 * (fy - fz)
}

// linear undoes the curve of sRGB.
func linear(v float64) float64 {
	v /= 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return power((v + 0.055) / 1.055)
}

// power returns math.Pow(x, 2.4), to the bit, for x from 0.01 to 10: without what that does for
// other numbers.
func power(x float64) float64 {
	exponent := 2.4 // as a float64, of which 2 is subtracted, as math.Pow does
	return math.Exp((exponent-2)*math.Log(x)) * float64(x*x)
}

func labRoot(t float64) float64 {
	const limit = 216.0 / 24389
	if t > limit {
		return math.Cbrt(t)
	}
	return (float64(t*24389/27) + 16) / 116
}

// describe returns what is seen of a picture of side × side pixels: outlines, lightness and colour
// of the patches.
func describe(c *canvas) []float64 {
	out := make([]float64, rawSize)
	chroma, light := out[outlineSize+lightSize:], out[outlineSize:outlineSize+lightSize]
	var grey [side * side]float64
	const share = 1.0 / (side / patches * side / patches)
	for i := range side * side {
		l, a, b := lab(float64(c.rgb[3*i]), float64(c.rgb[3*i+1]), float64(c.rgb[3*i+2]))
		grey[i] = l
		patch := i/side*patches/side*patches + i%side*patches/side
		light[patch] += float64(l * share)
		chroma[2*patch] += float64(a * share)
		chroma[2*patch+1] += float64(b * share)
	}
	outlines(out[:outlineSize], grey[:])
	return out
}

const rawSize = outlineSize + lightSize + chromaSize
