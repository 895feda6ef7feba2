package input

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Given returns links between rows as they were given, from 0, as links between rows of the data.
// Those to rows that preparation left out are passed over. A row that there is none of is a
// [*fault.Input].
func (d *Data) Given(links []link.Link) ([]link.Link, error) {
	var kept []link.Link
	for i, l := range links {
		for _, row := range []int{l.A, l.B} {
			if row < 0 || row >= d.Read() {
				return nil, &fault.Input{File: "links", Row: i + 1, Problem: fmt.Sprintf(
					"row %d is linked, and there are %s, from 0", row,
					words.Count(d.Read(), "row")),
					Fix: "give numbers of rows"}
			}
		}
		a, okA := d.Of(l.A)
		b, okB := d.Of(l.B)
		if okA && okB {
			l.A, l.B = a, b
			kept = append(kept, l)
		}
	}
	return kept, nil
}

// LabelledRows returns the rows whose class is known before, drawn by the seed; nil where nothing
// says that any is.
func (r *Recipe) LabelledRows(d *Data) []int {
	switch {
	case r.Labelled.PerClass > 0:
		return ask.ClassRows(d.Classes, r.Labelled.PerClass, r.Seed())
	case r.Labelled.Share > 0:
		return ask.ClassShare(d.Classes, r.Labelled.Share, r.Seed())
	}
	return nil
}

// Classed returns the class of each row whose class is known before, −1 of the others;
// nil where nothing says that any is.
func (r *Recipe) Classed(d *Data) []int32 {
	rows := r.LabelledRows(d)
	if rows == nil {
		return nil
	}
	known := slices.Repeat([]int32{-1}, d.N())
	for _, row := range rows {
		known[row] = d.Classes[row]
	}
	return known
}

// AskClassed has only rows whose class is known asked about from now on, as the true classes are what
// answers, and reports whether some are not. Data that are read as the first edition did are asked
// about as it did. Where there is no such row it is a [*fault.Input].
func (d *Data) AskClassed() (some bool, err error) {
	if d.Plain() || d.Unclassed() == 0 {
		return false, nil
	}
	d.askable = make([]bool, d.N())
	for row, class := range d.Classes {
		d.askable[row] = class >= 0
	}
	if !slices.Contains(d.askable, true) {
		return false, &fault.Input{File: d.Name(), Problem: "no row has a class to answer by",
			Fix: "name another column with --label"}
	}
	return true, nil
}

// Unclassed returns how many rows have no class, where there is a column of classes.
func (d *Data) Unclassed() int {
	n := 0
	for _, class := range d.Classes {
		if class < 0 {
			n++
		}
	}
	return n
}

// labelled returns the links between the rows whose class is known before, and a note on them; no
// note where there are none. Answers mean something beside links, and nothing beside classes.
func (r *Recipe) labelled(d *Data) (links []link.Link, note string, err error) {
	if !r.Labelled.Given() {
		return nil, "", nil
	}
	rows := r.LabelledRows(d)
	if links, err = ask.KnownLinks(d.Classes, rows); err != nil {
		return nil, "", Placed(err, d.Name())
	}
	return links, fmt.Sprintf("the classes of %s are known before, which makes %s between them",
		words.Count(len(rows), "row"), words.Count(len(links), "link")), nil
}

// Known returns the known class of each row of the data, given that of each row as they were given,
// negative where it is not known. Classes may be any numbers; those of the data are numbered from
// 0, in their order.
func (d *Data) Known(classes []int32) ([]int32, error) {
	if len(classes) != d.Read() {
		return nil, &fault.Input{File: "classes", Problem: fmt.Sprintf("there are %s for %s",
			method.Number(len(classes), "known class", "known classes"),
			words.Count(d.Read(), "row")),
			Fix: "give one a row, −1 where it is not known"}
	}
	names := slices.Clone(classes)
	slices.Sort(names)
	names = slices.Compact(names)
	first, _ := slices.BinarySearch(names, 0)
	names = names[first:]
	known := make([]int32, d.N())
	for i := range known {
		known[i] = -1
		if at, is := slices.BinarySearch(names, classes[d.At(i)]); is {
			known[i] = int32(at)
		}
	}
	return known, nil
}
