package shard

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/fault"
)

// lookers is how many files are looked at together, most of the time in waiting for storage.
const lookers = 8

// Plan finds the files of a table, checks that all of them have its columns, and cuts them into
// splits. It returns the source with what was left to be found filled in: Columns, Delimiter,
// Decimal, Single, Booleans and Left; Paths stay as they were.
//
// In folders and patterns, files of other formats, empty ones, and those whose name or folder
// begins with a point or an underscore (_SUCCESS, temporary files) are left out; a file met twice
// is read once. What columns a file without rows has does not matter. Left out of the columns,
// unless named, are those that [dataset.Read] would not take for features by their names either:
// id, index and uuid, class, label, target and species.
//
// It fails with a [*fault.Input] when there are no files or no rows, when a column is lacking or no
// number, and when files disagree.
func Plan(ctx context.Context, s Source) (Source, []Split, error) {
	if err := s.roles(); err != nil {
		return s, nil, err
	}
	found, err := s.list(ctx)
	if err != nil {
		return s, nil, err
	}
	var first *looked
	for len(found) > 0 {
		if first, err = s.look(ctx, found[0]); err != nil {
			return s, nil, err
		}
		if len(first.splits) > 0 {
			break
		}
		found = found[1:]
	}
	if len(found) == 0 {
		return s, nil, &fault.Input{File: strings.Join(s.Paths, ", "), Problem: "has no rows",
			Fix: "give a table with rows"}
	}
	s.Delimiter, s.Decimal = first.source.Delimiter, first.source.Decimal
	chosen := len(s.Columns) > 0
	if !chosen {
		if err := s.choose(found[0], first.columns); err != nil {
			return s, nil, err
		}
	}
	for _, name := range s.Ignore {
		if !hasColumn(first.columns, name) {
			return s, nil, &fault.Input{File: found[0], Column: name,
				Problem: "there is no such column to leave out",
				Fix:     "kindred-scale survey lists the columns"}
		}
	}
	all := make([]*looked, len(found))
	all[0] = first
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(lookers)
	for i := 1; i < len(found); i++ {
		group.Go(func() (err error) {
			all[i], err = s.look(within, found[i])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return s, nil, err
	}
	all = slices.DeleteFunc(all, func(l *looked) bool { return len(l.splits) == 0 })
	s.Single = true
	var splits []Split
	first0 := int64(0)
	for _, l := range all {
		single, err := s.check(found[0], l.file, first.columns, l.columns, chosen)
		if err != nil {
			return s, nil, err
		}
		s.Single = s.Single && single
		for _, split := range l.splits {
			split.Index, split.File, split.First = len(splits), l.file, first0
			if split.Rows < 0 {
				first0 = -1
			}
			if first0 >= 0 {
				first0 += split.Rows
			}
			splits = append(splits, split)
		}
	}
	s.Booleans = booleans(s.Columns, all)
	return s, splits, s.Prepare.check(len(s.Columns))
}

// booleans returns the columns that hold true and false in all files.
func booleans(columns []string, files []*looked) []string {
	in := map[string]int{}
	for _, l := range files {
		for _, c := range l.columns {
			if c.boolean {
				in[c.name]++
			}
		}
	}
	var out []string
	for _, name := range columns {
		if in[name] == len(files) {
			out = append(out, name)
		}
	}
	return out
}

// list returns the files of the table, sorted.
func (s Source) list(ctx context.Context) ([]string, error) {
	if len(s.Paths) == 0 {
		return nil, fault.Inputf("name files, folders or patterns", "no files are named")
	}
	var found []string
	for _, p := range s.Paths {
		system, at, err := filesOf(p)
		if err != nil {
			return nil, err
		}
		entries, err := system.list(ctx, at)
		if err != nil {
			return nil, err
		}
		base := at
		if at == "." { // and the paths below do not begin with it
			base = ""
		}
		if i := strings.IndexAny(at, "*?["); i >= 0 {
			base = at[:strings.LastIndexByte(at[:i], '/')+1]
		}
		for _, e := range entries {
			if e.path != at {
				if Hidden(strings.TrimPrefix(e.path, base)) || formatOf(e.path) == nil {
					continue
				}
			} else if formatOf(e.path) == nil {
				return nil, &fault.Input{File: p,
					Problem: "is of no format that can be read in pieces",
					Fix:     "give .parquet, .csv or .tsv files (kindred data convert makes them)"}
			}
			if e.size > 0 {
				found = append(found, e.path)
			}
		}
	}
	slices.SortFunc(found, cmp.Compare)
	if found = slices.Compact(found); len(found) == 0 {
		return nil, &fault.Input{File: strings.Join(s.Paths, ", "),
			Problem: "there are no files with rows",
			Fix:     "give .parquet, .csv or .tsv files that are not empty, or folders with some"}
	}
	return found, nil
}

// Hidden reports whether a file, or a folder on the way to it, is no data by its name: one that
// begins with a point or an underscore.
func Hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return true
		}
	}
	return false
}

// roles refuses columns that are named twice.
func (s Source) roles() error {
	taken := make(map[string]bool)
	for _, name := range append(slices.Clone(s.Columns), s.ID, s.Label) {
		if taken[name] {
			return &fault.Input{Column: name,
				Problem: "is named twice, as a feature, the id or the label",
				Fix:     "give it one role"}
		}
		taken[name] = name != ""
	}
	return nil
}

// look asks a file for its columns and splits.
func (s Source) look(ctx context.Context, file string) (*looked, error) {
	in, err := openFile(ctx, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	l, err := formatOf(file).look(ctx, s, in)
	if err != nil {
		return nil, err
	}
	l.file = file
	return l, nil
}

// choose takes all columns of numbers that have no other role.
func (s *Source) choose(file string, columns []column) error {
	for _, c := range columns {
		switch {
		case c.name == s.ID && s.ID != "", c.name == s.Label && s.Label != "",
			slices.Contains(s.Ignore, c.name):
		case idLike(c.name):
			s.Left = append(s.Left, c.name+": is named like an id")
		case labelLike(c.name):
			s.Left = append(s.Left, c.name+": looks like the true classes")
		case c.numeric:
			s.Columns = append(s.Columns, c.name)
		default:
			s.Left = append(s.Left, c.name+": "+c.reason())
		}
	}
	if len(s.Columns) == 0 {
		return &fault.Input{File: file, Problem: "no column can be a feature",
			Fix: "give a table with columns of numbers"}
	}
	return nil
}

func (c column) reason() string {
	if c.why != "" {
		return c.why
	}
	return "holds " + c.typ
}

// idLike and labelLike go by the names that dataset goes by.
func idLike(name string) bool {
	return slices.Contains([]string{"id", "index", "uuid"}, strings.ToLower(name))
}

func labelLike(name string) bool {
	return slices.Contains([]string{"class", "label", "target", "species"}, strings.ToLower(name))
}

// check holds the columns of a file against what is wanted of them, and against those of the first
// file. single reports whether all are 32-bit floats.
func (s Source) check(firstFile, file string, first, columns []column, chosen bool) (single bool,
	err error) {
	beside := ""
	if file != firstFile {
		beside = ", but " + path.Base(firstFile) + " has"
	}
	byName := make(map[string]column, len(columns))
	for _, c := range columns {
		if _, twice := byName[c.name]; twice {
			return false, &fault.Input{File: file, Column: c.name,
				Problem: "two columns have the same name", Fix: "rename one of them"}
		}
		byName[c.name] = c
	}
	single = true
	// has returns a column, or the error that there is none.
	has := func(name, fix string) (column, error) {
		c, ok := byName[name]
		switch {
		case !ok && beside != "" && hasColumn(first, name):
			return c, &fault.Input{File: file, Column: name,
				Problem: "there is no such column" + beside + " one",
				Fix:     "give files with the same columns" + fix}
		case !ok:
			return c, &fault.Input{File: file, Column: name, Problem: "there is no such column",
				Fix: "name one of " + names(columns)}
		}
		return c, nil
	}
	for _, name := range s.Columns {
		c, err := has(name, ", or name those that all have")
		switch {
		case err != nil:
			return false, err
		case !c.numeric && beside != "":
			return false, &fault.Input{File: file, Column: name,
				Problem: c.reason() + beside + " numbers",
				Fix:     "write the column as numbers in all files, or leave it out"}
		case !c.numeric:
			return false, &fault.Input{File: file, Column: name,
				Problem: "cannot be a feature: it " + c.reason(),
				Fix:     "write it as numbers, or leave it out"}
		}
		single = single && c.single
	}
	for _, name := range []string{s.ID, s.Label} {
		if name == "" {
			continue
		}
		c, err := has(name, "")
		if err != nil {
			return false, err
		}
		if !c.text {
			return false, &fault.Input{File: file, Column: name,
				Problem: "cannot be the id or the label: it " + c.reason(),
				Fix:     "write it as numbers or texts, or name another column"}
		}
	}
	if chosen || beside == "" {
		return single, nil
	}
	other := s
	other.Columns, other.Left = nil, nil
	if err := other.choose(file, columns); err != nil {
		return false, err
	}
	for _, name := range other.Columns {
		if !slices.Contains(s.Columns, name) {
			return false, &fault.Input{File: file, Column: name,
				Problem: "holds numbers, but " + path.Base(firstFile) +
					" has no such column of numbers", Fix: "name the columns that all files have"}
		}
	}
	return single, nil
}

func hasColumn(columns []column, name string) bool {
	return slices.ContainsFunc(columns, func(c column) bool { return c.name == name })
}

// names lists columns, the first few of many.
func names(columns []column) string {
	list := make([]string, 0, 8)
	for _, c := range columns[:min(8, len(columns))] {
		list = append(list, c.name)
	}
	if len(columns) > 8 {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}
