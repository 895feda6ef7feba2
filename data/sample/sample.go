// Package sample holds three small data sets inside the binary, so that everything can be tried
// without a file: iris, wine and handwritten digits. files/ORIGIN.md states their origin.
package sample

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"strings"
)

//go:embed files/iris.csv.gz files/wine.csv.gz files/digits.csv.gz files/ORIGIN.md
var files embed.FS

// Sample describes one data set.
type Sample struct {
	Name    string // the argument of Open: "iris"
	Title   string // one line that describes its contents
	Origin  string // who made it, and where it was published
	Licence string

	Rows     int
	Features int    // columns that describe the object
	Classes  int    // distinct values of the label column
	Label    string // name of the last column, the true class

	// Width and Height are the size in pixels when the features are a grey picture, row by row
	// from the top left, or 0. Ink is the value of the darkest pixel; 0 is white.
	Width, Height, Ink int

	file string
}

const licence = "CC BY 4.0; as shipped in scikit-learn 1.9.1 (BSD-3-Clause)"

var samples = []Sample{
	{
		Name: "iris", Title: "Three species of iris, four lengths and widths in cm",
		Origin:  "R. A. Fisher (1936), UCI Machine Learning Repository, data set 53",
		Licence: licence, Rows: 150, Features: 4, Classes: 3, Label: "class",
		file: "files/iris.csv.gz",
	},
	{
		Name: "wine", Title: "Wines of three cultivars, thirteen chemical measurements",
		Origin:  "S. Aeberhard and M. Forina (1992), UCI Machine Learning Repository, data set 109",
		Licence: licence, Rows: 178, Features: 13, Classes: 3, Label: "class",
		file: "files/wine.csv.gz",
	},
	{
		Name: "digits", Title: "Handwritten digits, 8 × 8 grey pixels",
		Origin: "E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository, data set 80 " +
			"(test images)",
		Licence: licence, Rows: 1797, Features: 64, Classes: 10, Label: "class",
		Width: 8, Height: 8, Ink: 16,
		file: "files/digits.csv.gz",
	},
}

// List returns the samples, the smallest first. The slice is the caller's own.
func List() []Sample { return append([]Sample(nil), samples...) }

// Find returns the sample of that name; upper and lower case are the same.
func Find(name string) (Sample, bool) {
	for _, s := range samples {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return Sample{}, false
}

// Open returns the sample as plain CSV with a header line, the features first and the label last.
func (s Sample) Open() (io.ReadCloser, error) {
	b, err := files.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	// There is nothing to close, and a reading that was given up may still be at its last call.
	return io.NopCloser(z), nil
}
