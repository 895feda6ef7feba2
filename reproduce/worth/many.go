package worth

import (
	"fmt"
	"math"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// manyTable is the table of sets of many groups.
func (r *record) manyTable(c condition) frame.Table {
	t := frame.Table{
		Name:   "many-" + c.name,
		Title:  fmt.Sprintf("Many groups where %s: index and number of groups", c.title),
		Keys:   []string{"set", "rows", "classes", "method", "groups after 0, 100, 300"},
		Groups: []string{"after 0", "20", "50", "100", "200", "300", "area 1–100"},
		Digits: 2, Plain: true, Long: c.errors+c.unknowns > 0,
		Notes: []string{fmt.Sprintf("Sets of at least %d classes, 300 answers. Methods know "+
			"nothing but the rows and the answers.", manyGroups), tunedNote},
	}
	for _, s := range r.where(task.many) {
		for _, a := range r.askers {
			if a.Many == (size{}) || !r.has(c.name, s.name, a.Name) {
				continue
			}
			var cells []frame.Cell
			for _, at := range []int{0, 20, 50, 100, 200, 300} {
				cells = append(cells, frame.Cell{Mean: r.of(c.name, s.name, a.Name, ari(at))})
			}
			cells = append(cells, frame.Cell{Mean: r.of(c.name, s.name, a.Name, area1)})
			t.AddCells([]string{c.titled(s), fmt.Sprint(s.x.Rows), fmt.Sprint(s.clusters), a.Name,
				r.found(c.name, s.name, a.Name, 0, 100, 300)}, cells...)
		}
	}
	return t
}

// found returns the mean numbers of groups at some checkpoints, in words; "" where there is none.
func (r *record) found(part, set, name string, at ...int) string {
	var all []string
	for _, n := range at {
		v := r.of(part, set, name, groups(n))
		if !v.There() {
			return ""
		}
		all = append(all, fmt.Sprintf("%.0f", v.Value))
	}
	return strings.Join(all, ", ")
}

// own is the table of what kin states on each set beside the truth.
func (r *record) own(c condition) frame.Table {
	measures := []string{ece(0), settledAfter, settledIndex, settledLater}
	t := frame.Table{
		Name: "groups-" + c.name, Title: fmt.Sprintf("Number of groups of %s, and what it states, "+
			"where %s", preferred, c.title),
		Keys: []string{"set", "classes", "groups after 0, 50, 100, 200"},
		Groups: []string{"calibration error of rows", "settled after", "index then",
			"index later"},
		Digits: 2, Plain: true, Long: true,
		Notes: []string{"Means over repetitions; groups are those that it estimates, or else " +
			"shows.", tunedNote},
	}
	for _, s := range r.tasks {
		found := r.found(c.name, s.name, preferred, 0, 50, 100, 200)
		if found == "" {
			continue
		}
		var cells []frame.Cell
		for _, measure := range measures {
			cells = append(cells, printed(r.of(c.name, s.name, preferred, measure).Value))
		}
		t.AddCells([]string{c.titled(s), fmt.Sprint(s.clusters), found}, cells...)
	}
	return t
}

// groupClaim counts on how many sets kin's number of groups is about the true one.
func (r *record) groupClaim() {
	c := conditions[0]
	var all []string
	for _, at := range []int{0, 50, 100, 200} {
		var near frame.Share
		for _, s := range r.tasks {
			if v := r.of(c.name, s.name, preferred, groups(at)); v.There() {
				near.Count(math.Abs(v.Value-float64(s.clusters)) <= .2*float64(s.clusters))
			}
		}
		if near.Of > 0 {
			all = append(all, fmt.Sprintf("%s after %s", near, words.Count(at, "answer")))
		}
	}
	if len(all) > 0 {
		r.Claim(fmt.Sprintf("sets on which %s has a number of groups within a fifth of the "+
			"true one where %s", preferred, c.title), "", "%s", strings.Join(all, ", "))
	}
}
