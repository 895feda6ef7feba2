package worth

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// manyTable is the table of sets of many groups.
func (r *record) manyTable(c condition) frame.Table {
	t := frame.Table{
		Name:  "many-" + c.name,
		Title: fmt.Sprintf("Many groups where %s: adjusted Rand index and number of groups", c.title),
		Keys:  []string{"set", "rows", "classes", "method"},
		Groups: []string{"after 0", "20", "50", "100", "200", "300", "area 1–100", "groups after 0",
			"100", "300"},
		Digits: 2, Plain: true, Long: c.errors+c.unknowns > 0,
		Notes: []string{fmt.Sprintf("Sets of at least %d classes, 300 answers. Methods know nothing "+
			"but the rows and the answers.", manyGroups), tunedNote},
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
			for _, at := range []int{0, 100, 300} {
				cells = append(cells, printed(frame.Round(
					r.of(c.name, s.name, a.Name, groups(at)).Value, 0)))
			}
			t.AddCells([]string{c.titled(s), fmt.Sprint(s.x.Rows), fmt.Sprint(s.clusters), a.Name},
				cells...)
		}
	}
	return t
}

// own is the table of what kin states on each set beside the truth.
func (r *record) own(c condition) frame.Table {
	t := frame.Table{
		Name: "groups-" + c.name, Title: fmt.Sprintf("Number of groups of %s, and what it states, "+
			"where %s", preferred, c.title),
		Keys: []string{"set", "classes"},
		Groups: []string{"groups after 0", "50", "100", "200", "calibration error of rows",
			"settled after", "index then", "index later"},
		Digits: 2, Plain: true, Long: true,
		Notes: []string{"Means over repetitions; groups are those that it estimates, or else " +
			"shows.", tunedNote},
	}
	for _, s := range r.tasks {
		t.AddSome([]string{c.titled(s), fmt.Sprint(s.clusters)}, func(name string) frame.Cell {
			at := slices.Index(t.Groups, name)
			measure := []string{groups(0), groups(50), groups(100), groups(200), ece(0),
				settledAfter, settledIndex, settledLater}[at]
			return printed(r.of(c.name, s.name, preferred, measure).Value)
		})
	}
	return t
}
