package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
	"github.com/kindred-go/kindred/project/input"
)

// defaultMostLinks bounds the links that are written by default: they are held in
// memory, and methods gain little from more.
const defaultMostLinks = 1_000_000

// linksFlags are the flags of kindred links.
type linksFlags struct {
	source input.Source
	rules  string
	out    string
	most   int
	seed   uint64
	json   bool
}

// linksReport is what --json writes.
type linksReport struct {
	Version string           `json:"version"`
	Data    string           `json:"data"`
	N       int              `json:"n"`
	Least   int              `json:"least"`
	Groups  []groupMatches   `json:"groups"`
	Matched int              `json:"matched"` // objects that match a group
	Torn    int              `json:"torn"`    // of them those left out for matching two topics
	Must    int64            `json:"must_links"`
	Cannot  int64            `json:"cannot_links"`
	Written int              `json:"written"`
	Wrong   *eval.LinkReport `json:"wrong,omitempty"` // the links written against the true classes
	Notes   []string         `json:"notes,omitempty"`
	Links   json.RawMessage  `json:"links,omitempty"` // where there is no --out

	label string
	words bool // there are groups of words
}

type groupMatches struct {
	Name    string `json:"name"`
	Objects int    `json:"objects"`
}

func newLinks(a *app) *cobra.Command {
	var f linksFlags
	cmd := &cobra.Command{
		Use:   "links DATA --rules FILE",
		Short: "Make must-links and cannot-links from groups of words, or equal values",
		Long: `links looks for words in DATA: two rows that each hold at least two words of one
group belong together, two that hold words of groups on different topics do not. A word is a column
whose value is above 0 (tables of 0 and 1, or of counts), or a word of the column of texts that
--text names.

FILE has one group a line, as in
  computer: mac, disk, windows, pc
  science/space: orbit, moon, nasa
  science/health: doctor, disease, patients
  equal family name, born
Groups under one topic (science) are not told apart. With --text a word may be a phrase, "hard
disk", which counts as two, the beginning of a word, disk*, or a range of numbers, 100..199 or
0.5..1.25. Words of one meaning, hdd | hard disk, count once. A line "least 3" asks for three words
instead of two; what follows # is a remark. A row that matches two topics makes no links, as they
would contradict each other. Rows that have equal values in all columns of a line "equal" belong
together; case, accents, blanks and punctuation do not matter there, and a name may stand in double
quotes. Links are written as a,b,link,source to stdout or --out.`,
		Example: `  kindred links news.csv --rules topics.txt --label class --out links.csv
  kindred links mails.jsonl --text body --rules topics.txt --most 5000 > links.csv
  echo "equal email" | kindred links customers.csv --rules /dev/stdin --out links.csv
  kindred cluster news.csv --links links.csv`,
		Args: cli.Arguments(1, 1, "one DATA: a file, - for stdin, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0])
		},
	}
	f.source.ReadingFlags(cmd.Flags())
	fs := cmd.Flags()
	fs.StringVar(&f.rules, "rules", "", "file of groups of words, or of columns to be equal (needed)")
	fs.StringVar(&f.source.Label, "label", "",
		"column of true classes: says how many links are wrong")
	fs.StringVar(&f.source.Text, "text", "",
		"column of texts; else the words are the names of columns")
	fs.StringVar(&f.out, "out", "", "write the links here (.csv or .jsonl) instead of to stdout")
	fs.IntVar(&f.most, "most", 0,
		fmt.Sprintf("write at most so many links, drawn at random where there are more (default "+
			"%d)", defaultMostLinks))
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the draw")
	fs.BoolVar(&f.json, "json", false,
		"write one JSON object about the links to stdout, with the links if there is no --out")
	a.sharing(fs)
	return cmd
}

// check looks at the flags before anything is read.
func (f *linksFlags) check(a *app, name string) error {
	switch {
	case f.rules == "":
		return fault.Setting("the groups of words are needed: name their file with --rules")
	case f.most < 0:
		return fault.Settingf("--most is %d: give 1 or more", f.most)
	case f.source.Text != "" && (f.source.Text == f.source.Label || f.source.Text == f.source.ID):
		return fault.Setting(
			"--text names a column that has another role: give the column of texts")
	}
	return a.checkFiles([]string{name, f.rules}, outFile{"--out", f.out, link.CheckPath})
}

func (f *linksFlags) run(ctx context.Context, a *app, name string) error {
	if err := f.check(a, name); err != nil {
		return err
	}
	rules, err := rule.ReadFile(ctx, f.rules)
	if err != nil {
		return err
	}
	t, err := read(ctx, a, &f.source, name, f.source.Text != "" || len(rules.Equal) > 0)
	if err != nil {
		return err
	}
	m, err := f.match(ctx, rules, t)
	if err != nil {
		return err
	}
	equal, err := m.JoinEqual(ctx, columnNames(t), t.Cell, t.Name)
	if err != nil {
		return err
	}
	most := f.most
	if most == 0 {
		most = defaultMostLinks
	}
	links, err := m.Links(ctx, most, f.seed)
	if err != nil {
		return err
	}
	r := &linksReport{
		Version: cli.Version(version), Data: t.Name, N: t.Rows, Least: rules.Least,
		Must: links.Must, Cannot: links.Cannot, Written: len(links.Drawn),
		Notes: append(f.notes(t), m.Notes...),
	}
	for g, n := range m.Objects() {
		r.Groups = append(r.Groups, groupMatches{rules.Groups[g].Name, n})
	}
	for i, e := range rules.Equal {
		r.Groups = append(r.Groups, groupMatches{e.String(), equal[i]})
	}
	for i, groups := range m.Of {
		if groups != 0 {
			r.Matched++
		}
		if m.Torn(i) {
			r.Torn++
		}
	}
	if r.Wrong, err = judged(t, links.Drawn); err != nil {
		return err
	}
	r.label, r.words = f.source.Label, len(rules.Groups) > 0
	a.summarizeLinks(r)
	if err := f.write(a, links.Drawn, t); err != nil {
		return err
	}
	if f.json {
		if f.out == "" {
			r.Links, err = inArray(func(w io.Writer) error {
				return link.WriteJSONL(w, links.Drawn, t.ID)
			})
			if err != nil {
				return err
			}
		}
		return json.NewEncoder(a.out).Encode(r)
	}
	return nil
}

// notes are those of the table, but for what is no feature where texts are looked at.
func (f *linksFlags) notes(t *dataset.Table) []string {
	if f.source.Text == "" {
		return slices.Clone(t.Notes)
	}
	return input.WithoutFeatures(t.Notes)
}

// match finds which rows hold words of which groups.
func (f *linksFlags) match(ctx context.Context, rules *rule.Rules, t *dataset.Table) (*rule.Matches,
	error) {
	if len(rules.Groups) == 0 {
		return rules.MatchColumns(ctx, dataset.Matrix{Rows: t.Rows}, nil, t.Name)
	}
	if f.source.Text == "" {
		named := false
		for _, c := range t.Columns {
			has := rules.Has(c.Name)
			named = named || has
			if c.Missing > 0 && has {
				return nil, &fault.Input{File: t.Name, Row: c.FirstMissing, Column: c.Name,
					Problem: "the value is missing", Fix: "give 0 for a word that is absent"}
			}
		}
		if !named { // perhaps texts, of which no column can be a feature
			return rules.MatchColumns(ctx, dataset.Matrix{}, nil, t.Name)
		}
		// Other columns are not looked at, so what they lack does not matter.
		o := dataset.Preparation{Scale: dataset.ScaleNone, Missing: dataset.MissingMean,
			Consume: len(rules.Equal) == 0, Threads: f.source.Threads}
		p, err := t.Prepare(ctx, o)
		if err != nil {
			return nil, err
		}
		return rules.MatchColumns(ctx, p.X, p.Names, t.Name)
	}
	col := t.Column(f.source.Text)
	if col < 0 {
		return nil, &fault.Input{File: t.Name, Column: f.source.Text,
			Problem: "there is no such column",
			Fix:     "check --text; kindred data info lists the columns"}
	}
	return rules.MatchText(ctx, t.Rows, func(row int) string { return t.Cell(row, col) },
		f.source.Threads)
}

// columnNames returns the names of all columns of a table.
func columnNames(t *dataset.Table) []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// judged compares links with the true classes; nil when there are none. Links to rows without a
// class are left out.
func judged(t *dataset.Table, links []link.Link) (*eval.LinkReport, error) {
	codes, _, ok := t.Labels()
	if !ok {
		return nil, nil
	}
	classes := make([]int, len(codes))
	for i, c := range codes {
		classes[i] = int(c)
	}
	var known []link.Link
	for _, l := range links {
		if classes[l.A] >= 0 && classes[l.B] >= 0 {
			known = append(known, l)
		}
	}
	found, err := eval.CheckLinks(classes, known)
	return &found, err
}

func (f *linksFlags) write(a *app, links []link.Link, t *dataset.Table) error {
	switch {
	case f.out != "":
		if err := link.WriteFile(f.out, links, t.ID); err != nil {
			return err
		}
		a.notef("%s in %s", words.Count(len(links), "link"), f.out)
		return nil
	case f.json:
		return nil
	}
	return link.Write(a.out, links, t.ID)
}

// summarizeLinks writes to stderr what the rules made.
func (a *app) summarizeLinks(r *linksReport) {
	each := ""
	if r.words {
		each = ", at least " + words.Count(r.Least, "word") + " of a group each"
	}
	a.notef("%s: %s%s", r.Data, words.Count(r.N, "row"), each)
	a.list("  ", r.Notes)
	for _, g := range r.Groups {
		a.notef("  %s: %s", g.Name, words.Count(g.Objects, "row"))
	}
	if r.Torn > 0 {
		a.notef("  %s of %d that match a group left out, for matching two topics",
			words.Count(r.Torn, "row"), r.Matched)
	}
	a.notef("the rules make %s and %s", words.Count(r.Must, "must-link"),
		words.Count(r.Cannot, "cannot-link"))
	if all := r.Must + r.Cannot; int64(r.Written) < all {
		a.notef("%d of them are written, drawn at random; --most allows more or fewer", r.Written)
	}
	if w := r.Wrong; w != nil {
		a.notef("against %s: %s of %d wrong (%.1f %%): %d of %d must-links, %d of %d cannot-links",
			r.label, words.Count(w.Violated(), "link"), w.Must+w.Cannot, 100*w.Share,
			w.MustViolated, w.Must, w.CannotViolated, w.Cannot)
	}
}
