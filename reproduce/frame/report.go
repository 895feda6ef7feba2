package frame

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/plot"
)

// Report is an experiment done again.
type Report struct {
	Experiment Experiment
	Trials     int
	Seed       uint64
	Parts      []string // what was asked for; nil: all
	Sets       []string
	Units      int // pieces of work
	Resumed    int // of those, taken from the folder of raw runs
	Tables     []Table
	Claims     []Claim
	Pictures   []Picture
	Missing    []Need   // data sets that were not there
	Notes      []string // what else there is to know, a sentence each without a full stop
	Runs       *Runs
}

// Table sets a table of a paper beside ours.
type Table struct {
	Name   string   // "table1": also the name of its file
	Title  string   // without a full stop
	Keys   []string // what the first columns are
	Groups []string // what the cells of a row are
	Digits int      // decimals
	Signed bool     // figures are differences
	Spread bool     // show the standard deviation, in parentheses, not the 95 % interval
	Plain  bool     // without verdicts: the figures need not agree, as seconds on another machine
	// figures of the paper that another table has already, by another reading: not counted among
	// those of all tables
	Again bool
	Rows  []Row
	Long  bool     // folded away where pages can fold
	Notes []string // below the table
}

// Add adds a row with a cell for each group.
func (t *Table) Add(keys []string, cell func(group string) Cell) {
	row := Row{Keys: keys}
	for _, group := range t.Groups {
		row.Cells = append(row.Cells, cell(group))
	}
	t.Rows = append(t.Rows, row)
}

// AddSome adds a row as Add does, unless none of its cells has a figure of ours.
func (t *Table) AddSome(keys []string, cell func(group string) Cell) {
	t.Add(keys, cell)
	last := len(t.Rows) - 1
	if !slices.ContainsFunc(t.Rows[last].Cells, func(c Cell) bool { return c.Mean.There() }) {
		t.Rows = t.Rows[:last]
	}
}

// AddCells adds a row.
func (t *Table) AddCells(keys []string, cells ...Cell) {
	t.Rows = append(t.Rows, Row{Keys: keys, Cells: cells})
}

// Row is a row of a table.
type Row struct {
	Keys  []string
	Cells []Cell // one a group
	Sum   bool   // it sums other rows up, so verdicts do not count it again
}

// Picture is a figure of a paper made again.
type Picture struct {
	Name   string   // "figure3": also the name of its file
	Title  string   // without a full stop
	Notes  []string // below the picture
	Figure *plot.Figure
}

// Claim is a sentence of a paper, or of ours, that counts, and what it comes to with our figures.
type Claim struct {
	Text  string `json:"says"`                 // what is counted
	Paper string `json:"paper,omitempty"`      // "" in an experiment of ours
	Mean  string `json:"ours"`                 // with the mean over starts
	Best  string `json:"best_start,omitempty"` // with the best start; "" where there is one only
}

// grid returns the table as texts, the heading first.
func (t Table) grid() [][]string {
	paper := make([]bool, len(t.Groups)) // groups with a figure of the paper
	best := make([]bool, len(t.Groups))
	judged := make([]bool, len(t.Groups)) // groups with a verdict
	judge := t.judge()
	for _, row := range t.Rows {
		for g, c := range row.Cells {
			paper[g] = paper[g] || c.Paper.There()
			best[g] = best[g] || c.Best.There()
			judged[g] = judged[g] || judge(g, c) != NoVerdict
		}
	}
	head := slices.Clone(t.Keys)
	for g, name := range t.Groups {
		if paper[g] {
			head = append(head, name+": paper")
			name = "ours"
		}
		head = append(head, name)
		if best[g] {
			head = append(head, "best start")
		}
		if judged[g] {
			head = append(head, "verdict")
		}
	}
	grid := [][]string{head}
	for _, row := range t.Rows {
		line := slices.Clone(row.Keys)
		for g, c := range row.Cells {
			if paper[g] {
				line = append(line, t.Show(c.Paper))
			}
			line = append(line, t.Show(c.Mean))
			if best[g] {
				line = append(line, t.Show(c.Best))
			}
			if judged[g] {
				line = append(line, string(judge(g, c)))
			}
		}
		grid = append(grid, line)
	}
	return grid
}

// Show writes a figure: its value, and how sure or how spread it is when that is known.
func (t Table) Show(f Figure) string {
	if !f.There() {
		return "–"
	}
	text := t.number(f.Value)
	switch {
	case t.Spread && !math.IsNaN(f.Spread):
		text += " (" + strconv.FormatFloat(f.Spread, 'f', t.Digits, 64) + ")"
	case !t.Spread && f.N > 1:
		text += " ± " + strconv.FormatFloat(f.Interval(), 'f', t.Digits, 64)
	}
	return text
}

// number writes a value; a difference always has its sign, unless it is 0.
func (t Table) number(v float64) string {
	v = Round(v, t.Digits)
	if v == 0 {
		v = 0 // not −0
	}
	text := strconv.FormatFloat(v, 'f', t.Digits, 64)
	if t.Signed && v > 0 {
		text = "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// Verdicts counts the verdicts of a table, and returns how far ours are from the paper's figures on
// average; NaN without any.
func (t Table) Verdicts() (count map[Verdict]int, mean, best float64) {
	count = map[Verdict]int{}
	judge := t.judge()
	of := 0
	for _, row := range t.Rows {
		for g, c := range row.Cells {
			if v := judge(g, c); v != NoVerdict && !row.Sum {
				count[v]++
				of++
				mean += math.Abs(c.Paper.Value - c.Mean.Value)
				best += math.Abs(c.Paper.Value - c.Best.Value)
			}
		}
	}
	return count, mean / float64(of), best / float64(of)
}

// tally returns the verdicts of tables in words, after of; "" without any. Figures that are too few
// to tell are counted apart.
func tally(of string, tables ...Table) string {
	count := map[Verdict]int{}
	figures := 0
	for _, t := range tables {
		own, _, _ := t.Verdicts()
		for v, n := range own {
			count[v] += n
			figures += n
		}
	}
	if figures == 0 {
		return ""
	}
	var told, apart []string
	for _, v := range []struct {
		Verdict
		verb string
	}{
		{Agrees, "agree"}, {AgreesBest, "agree as the best of the starts"},
		{SameSide, "are on the same side"}, {Differs, "differ"},
	} {
		if n := count[v.Verdict]; n > 0 {
			told = append(told, fmt.Sprintf("%d %s", n, v.verb))
		}
	}
	if len(told) > 0 {
		apart = append(apart, strings.Join(told, ", "))
	}
	if n := count[TooFew]; n > 0 {
		apart = append(apart, fmt.Sprintf("%d too few to tell", n))
	}
	return fmt.Sprintf("%s %s: %s.", of, words.Count(figures, "figure"),
		strings.Join(apart, "; "))
}

// tally counts each figure of the paper once, in all tables.
func (r *Report) tally() string {
	return tally("Of all",
		slices.DeleteFunc(slices.Clone(r.Tables), func(t Table) bool { return t.Again })...)
}

// claims returns the claims as texts, the heading first. Where no claim is a paper's there is no
// column for it, as for best starts.
func (r *Report) claims() [][]string {
	grid := [][]string{{"", "paper", "ours", "best start"}}
	paper, best := false, false
	for _, c := range r.Claims {
		grid = append(grid, []string{c.Text, c.Paper, c.Mean, c.Best})
		paper, best = paper || c.Paper != "", best || c.Best != ""
	}
	if !paper {
		grid[0][2] = "found"
	}
	for i := range grid {
		if !best {
			grid[i] = grid[i][:3]
		}
		if !paper {
			grid[i] = slices.Delete(grid[i], 1, 2)
		}
	}
	return grid
}

// Empty reports whether none of the data sets was there, so that nothing was run.
func (r *Report) Empty() bool { return r.Runs == nil }

// Ran reports how much was run.
func (r *Report) Ran() string {
	text := fmt.Sprintf("%d of %s, seed %d", r.Trials,
		words.Count(r.Experiment.Trials, "repetition"), r.Seed)
	if len(r.Parts) > 0 {
		text += "; parts: " + strings.Join(r.Parts, ", ")
	}
	if len(r.Sets) > 0 {
		text += "; data sets: " + strings.Join(r.Sets, ", ")
	}
	return text
}

// Whole reports whether all was asked for, as often as the paper did it.
func (r *Report) Whole() bool {
	return r.Trials >= r.Experiment.Trials && len(r.Parts) == 0 && len(r.Sets) == 0
}

// farther returns a sentence where the remarks are of more than was run, and else "".
func (r *Report) farther() string {
	const all = "These remarks are of a run of all parts and data sets"
	switch few := r.Trials < min(r.Experiment.Reduced, r.Experiment.Trials); {
	case few:
		return fmt.Sprintf("%s, of at least %s.", all,
			words.Count(r.Experiment.Reduced, "repetition"))
	case len(r.Parts) > 0 || len(r.Sets) > 0:
		return all + "."
	}
	return ""
}

// origin returns lines on the paper and the data.
func (r *Report) origin(missing bool) []string {
	lines := []string{r.Experiment.Paper}
	for _, n := range r.Missing {
		if missing {
			lines = append(lines, "Not here, and left out: "+n.Description())
		}
	}
	for _, note := range r.Notes {
		lines = append(lines, note+".")
	}
	return lines
}
