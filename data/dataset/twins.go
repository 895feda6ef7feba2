package dataset

import (
	"slices"

	"github.com/kindred-go/kindred/internal/words"
)

// distinctNames returns the names with those that an earlier one equals renamed: the second score
// is score_2, or has the next number that no column has. The note names them; it is "" where there
// are none.
func distinctNames(names []string) (renamed []string, note string) {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		taken[name] = true
	}
	if len(taken) == len(names) {
		return names, ""
	}
	renamed = slices.Clone(names)
	var changes []string
	seen := make(map[string]int, len(taken))
	for i, name := range names {
		if seen[name]++; seen[name] == 1 {
			continue
		}
		for taken[name+"_"+itoa(seen[name])] {
			seen[name]++
		}
		renamed[i] = name + "_" + itoa(seen[name])
		taken[renamed[i]] = true
		changes = append(changes, "the "+ordinal(i)+" column, "+name+", is "+renamed[i])
	}
	return renamed, "columns with the name of an earlier one were renamed: " + words.UpTo(changes, 8)
}

// nameApart renames columns that have the name of an earlier one, and returns the note of it. The
// names of the first edition stay, and are refused.
func nameApart(cols []sampled, o ReadOptions) (notes []string) {
	if o.Plain {
		return nil
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name
	}
	names, note := distinctNames(names)
	if note == "" {
		return nil
	}
	for i := range cols {
		cols[i].name = names[i]
	}
	return []string{note}
}
