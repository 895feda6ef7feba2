// Package catalogue lists the published data sets that experiments use: what each is called, its
// file and size, where to get it, and how the file is made of what is published there.
//
// A file of attributes is CSV with a header: the features as they are published, unscaled, then the
// class in a column named class; it may be gzip'ed where its name ends in .gz. A file of
// dissimilarities is a square matrix without a header, and one of vectors an array of NumPy; their
// classes are in a file of their own. Rows are in the order of the origin. The sets of which rows
// have missing values are listed in their complete form alone.
package catalogue

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// Need returns the data set of a name for the parts of an experiment that use it. It panics on an
// unknown name, which is a fault of the program.
func Need(name string, parts ...string) frame.Need {
	n, ok := all[name]
	if !ok {
		panic(fmt.Sprintf("catalogue: %q is no data set; there is %s", name,
			strings.Join(names(), ", ")))
	}
	n.Name, n.Parts = name, parts
	return n
}

// Needs returns the data sets of some names, for the same parts.
func Needs(names []string, parts ...string) (all []frame.Need) {
	for _, name := range names {
		all = append(all, Need(name, parts...))
	}
	return all
}

// names returns the names of all data sets, sorted.
func names() []string { return slices.Sorted(maps.Keys(all)) }

//go:embed sets.tsv
var table string

// all are the data sets by name, without names and parts.
var all = read(table)

// read reads a table of data sets: abbreviations of two fields, then a line for each set. Several
// names of one set are separated by commas. It panics on a faulty line.
func read(table string) map[string]frame.Need {
	sets := map[string]frame.Need{}
	var short []string
	for line := range strings.Lines(table) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case len(f) == 2:
			short = append(short, f...)
			continue
		}
		var size [3]int // rows, columns, classes
		for i := range size {
			var err error
			if size[i], err = strconv.Atoi(f[3+i]); err != nil {
				panic(fmt.Sprintf("catalogue: %s: %v", f[0], err))
			}
		}
		for name := range strings.SplitSeq(f[0], ", ") {
			sets[name] = frame.Need{Title: f[1], File: f[2], Rows: size[0], Cols: size[1],
				Classes: size[2], Matrix: strings.HasSuffix(f[2], "_D.csv"), Labels: f[6],
				Class: f[7], Sample: f[8], Differs: f[9], Vectors: strings.Contains(f[2], ".npy"),
				From: strings.NewReplacer(short...).Replace(f[10])}
		}
	}
	return sets
}
