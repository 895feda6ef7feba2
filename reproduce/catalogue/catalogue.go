// Package catalogue lists the published data sets that experiments use: what each is called, its
// file and size, where to get it, and how the file is made of what is published there.
//
// A file of attributes is CSV with a header: the features as they are published, unscaled, then the
// class in a column named class; it may be gzip'ed where its name ends in .gz. A file of
// dissimilarities is a square matrix without a header; its classes are in a file of their own.
// Rows are in the order of the origin. The sets of which rows have missing values are listed in
// their complete form alone.
package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// Need returns the data set of a name for the parts of an experiment that use it. It panics on an
// unknown name, which is a fault of the program.
func Need(name string, parts ...string) frame.Need {
	n, ok := all[name]
	if !ok {
		panic(fmt.Sprintf("catalogue: %q is no data set; there is %s", name,
			strings.Join(Names(), ", ")))
	}
	n.Name, n.Parts = name, parts
	return n
}

// Names returns the names of all data sets, sorted.
func Names() []string { return slices.Sorted(maps.Keys(all)) }

// all are the data sets by name, without names and parts.
var all = join(attributes(), derived(), benchmarks(), images(), matrices(), made())

func join(lists ...map[string]frame.Need) map[string]frame.Need {
	sets := map[string]frame.Need{}
	for _, list := range lists {
		maps.Copy(sets, list)
	}
	return sets
}

// set is a data set with k classes in a file of n rows and m features.
func set(title, file string, n, m, k int, from string) frame.Need {
	return frame.Need{Title: title, File: file, Rows: n, Cols: m, Classes: k, From: from}
}

// uci returns where a set of the UCI Machine Learning Repository is, and how its file is made.
func uci(number int, name, how string) string {
	return fmt.Sprintf("UCI Machine Learning Repository, https://archive.ics.uci.edu/dataset/%d "+
		"(%s); %s", number, name, how)
}
