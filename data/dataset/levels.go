package dataset

import (
	"cmp"
	"math"
	"slices"
)

// boundLevels leaves a category that is a feature so many levels as its columns may be: the most
// frequent ones, and one for the others. Of more than MaxLevels, those of the first rows alone may
// stay, so that the same ones do whether or not all values are kept to be shown.
func (t *Table) boundLevels(c *Column, o ReadOptions) {
	most := cmp.Or(o.Levels, DefaultLevels)
	s := &c.store
	levels := s.levels
	many := s.others || len(levels) > MaxLevels
	if !many && (most < 0 || len(levels) <= most) || truthOf(levels) != nil && !s.words {
		return
	}
	if most < 0 && !s.others {
		return
	}
	if most < 0 || most > MaxLevels {
		most = MaxLevels
	}
	counts := make([]int, len(levels))
	for row := range t.Rows {
		if v := t.values.At(row, s.slot); !math.IsNaN(v) {
			counts[int(v)]++
		}
	}
	known := len(levels)
	if s.others {
		known--
	}
	var order []int
	for k := range known {
		if _, seed := slices.BinarySearch(s.seeds, levels[k]); seed || !many {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	order = order[:min(len(order), most-1)]
	slices.Sort(order)
	place := make([]int, len(levels))
	for k := range place {
		place[k] = len(order)
	}
	kept := make([]string, 0, len(order)+1)
	shared := t.Rows - c.Missing
	for at, k := range order {
		place[k] = at
		kept = append(kept, levels[k])
		shared -= counts[k]
	}
	if shared == 0 { // of a table whose first rows have all levels that there are
		return
	}
	kept = append(kept, othersName(kept))
	if o.Keep && !s.others { // to be shown as they are
		s.text = &textColumn{}
		for row := range t.Rows {
			var text string
			if v := t.values.At(row, s.slot); !math.IsNaN(v) {
				text = levels[int(v)]
			}
			s.text.add([]byte(text))
		}
	}
	for row := range t.Rows {
		if v := t.values.At(row, s.slot); !math.IsNaN(v) {
			t.values.set(row, s.slot, float64(place[int(v)]))
		}
	}
	values := itoa(len(levels)-len(order)) + " others"
	if many {
		values = "others"
	}
	if !many {
		c.Distinct = len(levels)
	}
	s.levels, s.others = kept, true
	t.Notes = append(t.Notes, "column "+c.Name+": its "+plural(len(order), "most frequent value has",
		"most frequent values have")+" a column each, and the "+values+" share one ("+
		plural(shared, "row", "rows")+"; --levels sets how many)")
}
