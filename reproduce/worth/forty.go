package worth

import (
	_ "embed" // the list
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// listed are the sets by whose mean area kin is judged, a line each, with the area under its curve
// from 1 to 100 right answers, over five repetitions of seed 0, before it was made for many groups:
// of sets that share rows or come from one law and look alike, one.
//
//go:embed listed.tsv
var listed string

// before is the list, in its order.
func before() (names []string, areas map[string]float64) {
	areas = map[string]float64{}
	for line := range strings.Lines(listed) {
		name, area, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		v, err := strconv.ParseFloat(area, 64)
		if err != nil {
			panic(fmt.Sprintf("worth: %s: %v", name, err)) // the list is part of the program
		}
		names, areas[name] = append(names, name), v
	}
	return names, areas
}

// rivals are those that kin is held against on the list.
var rivals = []string{"COBRA 25", "COBRA 50", "COBRA 100", "COBRAS"}

// list is the table of the listed sets, with what they come to.
func (r *record) list() frame.Table {
	names, areas := before()
	t := frame.Table{
		Name: "listed", Title: fmt.Sprintf("The %d listed sets: area over 1 to 100 right answers",
			len(names)),
		Keys: []string{"set", "rows", "columns", "classes"}, Digits: 3, Plain: true,
		Groups: append([]string{preferred, "before", "change"}, rivals...),
		Notes: []string{"Before: the area of kin over five repetitions before it was made for " +
			"many groups (commit dacb632d).", tunedNote},
	}
	part := conditions[0].name
	var sets []task
	var ours, then []float64
	rival := make([][]float64, len(rivals))
	for _, name := range names {
		for _, s := range r.tasks {
			own := r.of(part, name, preferred, area1)
			if s.name != name || !own.There() {
				continue
			}
			sets = append(sets, s)
			ours, then = append(ours, own.Value), append(then, areas[name])
			cells := []frame.Cell{{Mean: own}, printed(areas[name]),
				printed(own.Value - areas[name])}
			for i, a := range rivals {
				v := r.of(part, name, a, area1)
				rival[i] = append(rival[i], v.Value)
				cells = append(cells, frame.Cell{Mean: v})
			}
			t.AddCells([]string{conditions[0].titled(s), fmt.Sprint(s.x.Rows),
				fmt.Sprint(s.x.Cols), fmt.Sprint(s.clusters)}, cells...)
		}
	}
	if len(sets) == 0 {
		return t
	}
	a, b := frame.Mean(ours).Value, frame.Mean(then).Value
	cells := []frame.Cell{printed(a), printed(b), printed(a - b)}
	for i := range rivals {
		cells = append(cells, printed(frame.Mean(rival[i]).Value))
	}
	t.Rows = append(t.Rows, frame.Row{Keys: []string{"mean", "", "", ""}, Cells: cells, Sum: true})
	r.listClaims(ours, then, rival)
	return t
}

// listClaims set kin on the list beside its past and beside others.
func (r *record) listClaims(ours, then []float64, rival [][]float64) {
	of, _ := before()
	which := fmt.Sprintf("%s of the list of %d", words.Count(len(ours), "set"), len(of))
	r.Claim("area of kin over 1 to 100 right answers, and before it was made for many groups", "",
		"%.3f beside %.3f on %s; larger by more than .01 on %d, smaller on %d",
		frame.Mean(ours).Value, frame.Mean(then).Value, which, frame.Against(ours, then, .01).Won,
		frame.Against(ours, then, .01).Lost)
	ahead := frame.Share{}
	for i, v := range ours {
		best, ran := true, true
		for _, all := range rival {
			best = best && v > all[i]
			ran = ran && !math.IsNaN(all[i])
		}
		if ran {
			ahead.Count(best)
		}
	}
	text := "ahead of all of them at once on " + ahead.String()
	for i, name := range rivals {
		text += fmt.Sprintf("; of %s on %d", name, frame.Against(ours, rival[i], tie).Won)
	}
	r.Claim("sets of the list on which kin is ahead of COBRA and COBRAS", "", "%s", text)
}
