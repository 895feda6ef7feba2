package method

import (
	"fmt"
	"io"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Problem is what there is to cluster, what is known of it, and how the work is to be done.
type Problem struct {
	Data dataset.Matrix // n×d, prepared; empty where there are only dissimilarities
	Unit bool           // rows of Data are of length 1, as they are compared by cosine
	// Blocks are columns of Data that stand for one thing, as the dimensions of a text beside other
	// columns do: a method that learns what columns weigh may give those of a block one weight.
	Blocks [][]int
	// Objects are what rows are compared by, for methods that take dissimilarities. Zero: Data by
	// Euclidean distance.
	Objects Objects
	Dissim  dissim.Source // dissimilarities among the rows; nil: of Objects
	Classes []int32       // true class of each row, negative where missing; nil: not known
	// Askable marks the rows that may be asked about, one entry a row; nil: all. The others are
	// clustered like all rows.
	Askable []bool
	// Consume allows a *dissim.Dense in Dissim to be overwritten.
	Consume bool

	// Whole is how many rows the problem has of which this is a sample, by which an estimate is made;
	// 0: it is no sample. See [Problem.Size].
	Whole int

	fit.Knowledge

	Threads  int                // 0: one per processor; it never changes the result
	Progress func(fit.Progress) // nil: silent

	// Open opens a file that a parameter names; nil: [os.Open].
	Open func(path string) (io.ReadCloser, error)
}

// Options returns the options of a fit with a seed.
func (p Problem) Options(seed uint64) fit.Options {
	return fit.Options{Seed: seed, Threads: p.Threads, Progress: p.Progress}
}

// Size returns the number of rows by which a method chooses what it does more of where rows are
// few, such as starts: a sample is fitted as all rows would be.
func (p Problem) Size() int { return max(p.Whole, p.n()) }

// n returns the number of rows.
func (p Problem) n() int {
	if p.Dissim != nil {
		return p.Dissim.Len()
	}
	return max(p.Data.Rows, p.Objects.Len())
}

// Vectors reports whether the rows are vectors that are compared by Euclidean distance, as Data has
// them.
func (p Problem) Vectors() bool {
	return p.Data.Rows > 0 &&
		(p.Objects.Metric == dissim.Euclidean || p.Objects.None() && p.Dissim == nil)
}

// Compared returns the dissimilarities among the rows, and what they are computed from.
func (p Problem) Compared() (dissim.Source, Objects, error) {
	src, objects := p.Dissim, p.Objects
	if src != nil {
		return src, objects, nil
	}
	if objects.None() {
		objects = Objects{Comparison: Comparison{Metric: dissim.Euclidean}, Rows: p.Data}
	}
	src, err := objects.Source()
	return src, objects, err
}

// KnownClasses returns the class of each row that is known before, from 0, negative where it is
// not; nil where none is. Where the problem names no classes they are what its links amount to:
// rows that must-links join are of one class, taken greedily, the most rows first, as long as they
// are cannot-linked to all classes taken before. A lone row of cannot-links is a class of its own.
func (p Problem) KnownClasses() (classes []int32, notes []string, err error) {
	switch {
	case len(p.Links) == 0:
		return p.Known, nil, nil
	case p.Known != nil:
		return p.Known, []string{"links are only counted, as classes are known"}, nil
	}
	set, clashing, err := link.Build(p.n(), p.Links, p.Contradictions)
	if err != nil {
		return nil, nil, err
	}
	if len(clashing) > 0 {
		notes = append(notes, Are(len(clashing), "link")+" left out, as each contradicts others")
	}
	taken, rest := set.Apart(set.N())
	classes = slices.Repeat([]int32{-1}, set.N())
	for class, rows := range taken {
		for _, row := range rows {
			classes[row] = int32(class)
		}
	}
	left := len(slices.Concat(rest...))
	notes = append(notes,
		fmt.Sprintf("links tell %s apart", Number(len(taken), "class", "classes")))
	if left > 0 {
		notes = append(notes,
			Are(left, "linked row")+
				" of no known class, as no link tells them from all of the classes")
	}
	return classes, notes, nil
}
