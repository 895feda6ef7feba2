package frame

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/plot"
)

// small is a table with everything that writers must take care of.
func small() Table {
	return Table{
		Name: "table1", Title: "Table 1. Gain in % of R&D_x", Keys: []string{"data set", "k"},
		Groups: []string{"C-RPCL", "α ≤ 5"}, Digits: 2, Signed: true,
		Rows: []Row{
			{Keys: []string{"news_w100", "3"}, Cells: []Cell{
				{Paper: Printed(-.125), Mean: Mean([]float64{-.25, -.125}),
					Best: Mean([]float64{0, .5})},
				{Mean: Mean([]float64{.5})},
			}},
			{Keys: []string{"", "a|b"},
				Cells: []Cell{{Paper: Reported(1, .25, 10), Mean: Mean([]float64{8, 8.5})},
					{Mean: None}}},
			{Keys: []string{"[sum]*", "10 %"},
				Cells: []Cell{{Paper: Printed(2), Mean: Mean([]float64{3, 3})}, {}}, Sum: true},
		},
		Notes: []string{"Means ± 95 % intervals, x < y."},
	}
}

func written(t *testing.T, write func(w io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTablesAsLaTeX(t *testing.T) {
	want := `% Table 1. Gain in % of R&D_x. Needs \usepackage{booktabs}.
\begin{tabular}{llrrrrr}
\toprule
data set & k & C-RPCL: paper & ours & best start & verdict & $\alpha$ $\le$ 5 \\
\midrule
news\_w100 & 3 & $-$0.13 & $-$0.19 $\pm$ 0.79 & +0.25 $\pm$ 3.18 & too few to tell & +0.50 \\
 & a$|$b & +1.00 $\pm$ 0.18 & +8.25 $\pm$ 3.18 & -- & same side & -- \\
{[}sum{]}{*} & 10 \% & +2.00 & +3.00 $\pm$ 0.00 & -- & same side & -- \\
\bottomrule
\end{tabular}
% Of 2 figures: 1 are on the same side; 1 too few to tell.
% Means ± 95 % intervals, x < y.
`
	if diff := cmp.Diff(want, written(t, small().writeLaTeX)); diff != "" {
		t.Error(diff)
	}
}

// TestLaTeXEscapes: no character that LaTeX takes for a command is left bare.
func TestLaTeXEscapes(t *testing.T) {
	for text, want := range map[string]string{
		`a_b % c & d`:       `a\_b \% c \& d`,
		`\x{y}$z#~^`:        `\textbackslash{}x\{y\}\$z\#\textasciitilde{}\textasciicircum{}`,
		`0.5 ± 0.1, −2 × 3`: `0.5 $\pm$ 0.1, $-$2 $\times$ 3`,
		`“n ≥ 10” – d′`:     "``n $\\ge$ 10'' -- d$'$",
	} {
		if got := latexed(text); got != want {
			t.Errorf("%s became %s, not %s", text, got, want)
		}
	}
}

func TestTablesAsMarkdown(t *testing.T) {
	want := `**Table 1. Gain in % of R&D_x.**

| data set | k | C-RPCL: paper | ours | best start | verdict | α ≤ 5 |
|---|---|--:|--:|--:|--:|--:|
| news_w100 | 3 | −0.13 | −0.19 ± 0.79 | +0.25 ± 3.18 | too few to tell | +0.50 |
|  | a\|b | +1.00 ± 0.18 | +8.25 ± 3.18 | – | same side | – |
| [sum]* | 10 % | +2.00 | +3.00 ± 0.00 | – | same side | – |

Of 2 figures: 1 are on the same side; 1 too few to tell.

Means ± 95 % intervals, x < y.
`
	if diff := cmp.Diff(want, written(t, small().writeMarkdown)); diff != "" {
		t.Error(diff)
	}
}

// TestPlainFigures: numbers that programs read, each line complete by itself. The intervals are
// 12.7062 times s/√2.
func TestPlainFigures(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(written(t, small().writeCSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"data set", "k", "column", "paper", "paper_sd", "ours", "interval", "sd", "n",
			"best_start", "best_start_interval", "verdict"},
		{"news_w100", "3", "C-RPCL", "-0.125", "", "-0.1875", "0.794137796", "0.08838834765", "2",
			"0.25", "3.176551184", "too few to tell"},
		{"news_w100", "3", "α ≤ 5", "", "", "0.5", "", "", "1", "", "", ""},
		{"news_w100", "a|b", "C-RPCL", "1", "0.25", "8.25", "3.176551184", "0.3535533906", "2", "",
			"", "same side"},
		{"news_w100", "a|b", "α ≤ 5", "", "", "", "", "", "0", "", "", ""},
		{"[sum]*", "10 %", "C-RPCL", "2", "", "3", "0", "0", "2", "", "", "same side"},
		{"[sum]*", "10 %", "α ≤ 5", "", "", "", "", "", "0", "", "", ""},
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Error(diff)
	}
	formula := Table{Keys: []string{"k"}, Groups: []string{"=cmd()"},
		Rows: []Row{{Keys: []string{"@x"}, Cells: []Cell{{Mean: Printed(-1)}}}}}
	if got := written(t, formula.writeCSV); !strings.Contains(got, "\n'@x,'=cmd(),,,-1,") {
		t.Errorf("a spreadsheet would run %s", got)
	}
}

// TestATableOfTextsAlone has neither figures nor columns for them.
func TestATableOfTextsAlone(t *testing.T) {
	table := Table{Keys: []string{"", "what"},
		Rows: []Row{{Keys: []string{"a", "b"}}, {Keys: []string{"", "c"}}}}
	if got := written(t, table.writeCSV); got != "key1,what\na,b\na,c\n" {
		t.Errorf("%q", got)
	}
	if got := written(t, table.writeLaTeX); !strings.Contains(got, "{ll}") {
		t.Error(got)
	}
}

// Claims that are no paper's have no column for one, nor is there one for best starts where none is
// known.
func TestColumnsOfClaims(t *testing.T) {
	for _, c := range []struct {
		claim Claim
		want  [][]string
	}{
		{Claim{Text: "x", Paper: "1", Mean: "2", Best: "3"},
			[][]string{{"", "paper", "ours", "best start"}, {"x", "1", "2", "3"}}},
		{Claim{Text: "x", Paper: "1", Mean: "2"},
			[][]string{{"", "paper", "ours"}, {"x", "1", "2"}}},
		{Claim{Text: "x", Mean: "2"}, [][]string{{"", "found"}, {"x", "2"}}},
		{Claim{Text: "x", Mean: "2", Best: "3"},
			[][]string{{"", "found", "best start"}, {"x", "2", "3"}}},
	} {
		if got := (&Report{Claims: []Claim{c.claim}}).claims(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

func TestReportsAsJSON(t *testing.T) {
	r := &Report{Experiment: Experiment{Name: "made", Trials: 3}, Trials: 2,
		Tables: []Table{small()}, Runs: &Runs{},
		Claims: []Claim{{Text: "x < y", Paper: "1", Mean: "2"}}}
	var got struct {
		Experiment string
		Claims     []struct{ Says, Ours string }
		Tables     []struct {
			Rows []struct {
				Cells []struct {
					Paper, Ours *struct {
						Value, SD, Interval *float64
						N                   int
					}
					Verdict string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, r.WriteJSON)), &got); err != nil {
		t.Fatal(err)
	}
	cells := got.Tables[0].Rows[0].Cells
	if c := cells[0]; got.Experiment != "made" || got.Claims[0].Ours != "2" ||
		*c.Paper.Value != -.125 || c.Paper.SD != nil || *c.Ours.Value != -.1875 || c.Ours.N != 2 ||
		c.Verdict != string(TooFew) {
		t.Errorf("%+v", got)
	}
	if c := cells[1]; c.Paper != nil || c.Ours.Interval != nil {
		t.Errorf("%+v", c)
	}
}

// pictured is a report with a picture and a long table.
func pictured(t *testing.T) *Report {
	t.Helper()
	figure, err := plot.Chart(plot.ChartConfig{Title: "Curve",
		Series: []plot.Series{{Name: "a", X: []float64{0, 1}, Y: []float64{0, math.Pi}}}})
	if err != nil {
		t.Fatal(err)
	}
	long := small()
	long.Name, long.Title, long.Long = "table2", "Table 2. a < b", true
	return &Report{
		Experiment: Experiment{Name: "made", Title: "Made up", Paper: "Nobody, Nothing, 2000",
			Trials: 3, Remarks: "It *holds*.\n"},
		Trials: 2, Seed: 7, Tables: []Table{small(), long}, Runs: &Runs{},
		Claims: []Claim{{Text: "things", Paper: "3", Mean: "2"}},
		Pictures: []Picture{{Name: "figure3", Title: "Figure 3 [left]", Notes: []string{"A note."},
			Figure: figure}},
		Missing: []Need{{Title: "Gone", File: "gone.csv", From: "the moon"}},
		Notes:   []string{"Wine is a sample"},
	}
}

func TestReportsAreSavedWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made")
	r := pictured(t)
	if err := r.Save(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"table1.md", "table1.tex", "table1.csv", "table2.md",
		"table2.tex", "table2.csv", "figure3.svg", "report.json", "report.md"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	report, err := os.ReadFile(filepath.Join(folder, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"# Made up\n\nNobody, Nothing, 2000. 2 of 3 repetitions, seed 7.\n\nNot here, and left " +
			"out: Gone (gone.csv): the moon\n\nWine is a sample.\n\nIt *holds*.\n",
		"**In short.**\n\n|  | paper | ours |\n|---|--:|--:|\n| things | 3 | 2 |\n\nOf all 4 " +
			"figures: 2 are on the same side; 2 too few to tell.\n",
		"![Figure 3 \\[left\\]](figure3.svg)\n\n**Figure 3 [left].**\n\nA note.\n",
		written(t, r.Tables[0].writeMarkdown),
		"<details><summary>Table 2. a &lt; b</summary>\n",
	}, "\n")
	if !strings.HasPrefix(string(report), want) ||
		!strings.HasSuffix(string(report), "\n</details>\n") {
		t.Errorf("not as meant: %s", cmp.Diff(want, string(report)))
	}
}

// TestFiguresOfThePaperCountOnce: not again in a table of another reading, which still counts its
// own.
func TestFiguresOfThePaperCountOnce(t *testing.T) {
	r := pictured(t)
	r.Tables[1].Again = true
	report := written(t, r.WriteMarkdown)
	if !strings.Contains(report,
		"\nOf all 2 figures: 1 are on the same side; 1 too few to tell.\n") ||
		strings.Count(report, "\nOf 2 figures: ") != 2 {
		t.Errorf("%s", report)
	}
}

// TestVerdictsThatAreNoneHaveNoColumn, as of single repetitions.
func TestVerdictsThatAreNoneHaveNoColumn(t *testing.T) {
	table := small()
	table.Rows = []Row{{Keys: []string{"a", "b"},
		Cells: []Cell{{Paper: Printed(1), Mean: Mean([]float64{2})}, {}}}}
	want := "| data set | k | C-RPCL: paper | ours | α ≤ 5 |\n|---|---|--:|--:|--:|\n| a | b | " +
		"+1.00 | +2.00 | – |\n"
	if got := written(t, table.writeMarkdown); !strings.Contains(got, want) {
		t.Errorf("%s", got)
	}
}

// TestRemarksOfMoreThanWasRun: a report has a sentence on it.
func TestRemarksOfMoreThanWasRun(t *testing.T) {
	for _, c := range []struct {
		trials, reduced int
		parts, sets     []string
		says            string
	}{
		{3, 2, nil, nil, "3 of 3 repetitions, seed 7.\n"},
		{2, 2, []string{"a", "b"}, nil,
			"2 of 3 repetitions, seed 7; parts: a, b.\n...*These remarks are of a run of all " +
				"parts and data sets.*\n\nIt *holds*."},
		{2, 2, []string{"a"}, []string{"iris"}, "2 of 3 repetitions, seed 7; parts: a; data " +
			"sets: iris.\n...*These remarks are of a run of all parts and data sets.*\n\nIt " +
			"*holds*."},
		{1, 2, nil, nil, "1 of 3 repetitions, seed 7.\n...*These remarks are of a run of all " +
			"parts and data sets, of at least 2 repetitions.*\n\nIt *holds*."},
	} {
		r := pictured(t)
		r.Trials, r.Experiment.Reduced, r.Parts, r.Sets = c.trials, c.reduced, c.parts, c.sets
		report := written(t, r.WriteMarkdown)
		ran, remarks, cut := strings.Cut(c.says, "...")
		if !strings.Contains(report, ran) || !strings.Contains(report, remarks) ||
			cut != strings.Contains(report, "These remarks") {
			t.Errorf("%q is not in\n%s", c.says, report)
		}
		if whole := c.trials == 3; r.Whole() != whole {
			t.Errorf("%+v: whole %v", c, r.Whole())
		}
	}
}
