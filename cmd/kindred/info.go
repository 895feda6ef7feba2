package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

func newDataInfo(a *app) *cobra.Command {
	r := input.New()
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DATA",
		Short: "Show what is understood of data: columns, types, roles, missing values, suspicions",
		Long: `info shows what DATA are taken for by the flags that choose and compare them elsewhere: a
table, or by --dissimilarity, --series, --text, --images, --embedding or --vectors a matrix, series,
texts, pictures or vectors. The flags of methods may stay in the line; they change nothing.`,
		Example: `  kindred data info customers.csv
  zcat events.csv.gz | kindred data info -
  kindred data info distances.csv --dissimilarity`,
		Args: cli.Arguments(1, 1,
			"one DATA: a file, - for stdin, a folder of pictures, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := watched(a, func(p input.Progress) (*input.Profile, error) {
				return r.Profile(cmd.Context(), a.place(), args[0], p)
			})
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, "  ", p)
			}
			return info(a.out, p)
		},
	}
	fs := cmd.Flags()
	r.Flags(fs)
	data := make(map[string]bool)
	var only input.Source
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	only.Flags(shown)
	only.CompareFlags(shown)
	shown.VisitAll(func(f *pflag.Flag) { data[f.Name] = true })
	fs.VisitAll(func(f *pflag.Flag) { f.Hidden = !data[f.Name] })
	fs.BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// info writes what is understood of DATA, and what becomes of them.
func info(out io.Writer, p *input.Profile) error {
	fmt.Fprintf(out, "%s: ", safe.Line(p.Name))
	switch {
	case p.Columns != nil:
		fmt.Fprintf(out, "%s, %s, read as %s\n", words.Count(p.Rows, "row"),
			words.Count(columnsOf(p), "column"), p.Format)
	case p.Kind == input.KindMatrix:
		fmt.Fprintf(out, "a matrix of the dissimilarities of %s\n", words.Count(p.Rows, "object"))
	default:
		fmt.Fprintf(out, "%s\n", words.Count(p.Rows, "picture"))
	}
	if err := facts(out, p); err != nil {
		return err
	}
	if err := columnTable(out, p); err != nil {
		return err
	}
	paragraph(out, "", p.Notes)
	var look []string
	for _, c := range p.Columns {
		for _, what := range c.Suspicions {
			look = append(look, "look at column "+words.Short(c.Name)+": "+what)
		}
	}
	for _, what := range p.Suspicions {
		look = append(look, "look: "+what)
	}
	paragraph(out, "", look)
	paragraph(out, "", p.Change)
	fmt.Fprintln(out)
	if p.Kept != nil {
		fmt.Fprintf(out, "With --missing keep its matrix has %s and %s.\n",
			words.Count(p.Kept.Rows, "row"), words.Count(p.Kept.Features, "feature"))
	}
	switch {
	case p.Problem != "":
		fmt.Fprintf(out, "It cannot be clustered as it is: %s\n", safe.Line(p.Problem))
	case p.Features > 0:
		fmt.Fprintf(out, "Its matrix has %d rows and %s; rows with equal features: %d. ",
			p.MatrixRows, words.Count(p.Features, "feature"), p.Duplicates)
	default:
		fmt.Fprintf(out, "%s will be compared. ", words.Count(p.MatrixRows, "object"))
	}
	_, err := fmt.Fprintf(out, "Fingerprint %.16s.\n", p.Fingerprint)
	return err
}

// paragraph writes lines after a blank one.
func paragraph(out io.Writer, before string, lines []string) {
	for i, line := range lines {
		if i == 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, before+safe.Line(line))
	}
}

// columnsOf counts the columns of the table that was read; the numbers of a vector count alone.
func columnsOf(p *input.Profile) (n int) {
	for _, c := range p.Columns {
		n += max(1, c.Width)
	}
	return n
}

// facts writes what is known of objects that are no rows of a table.
func facts(out io.Writer, p *input.Profile) error {
	if p.Facts == nil {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	drawn := p.Histogram == nil
	for _, f := range p.Facts {
		value := safe.Line(f.Value)
		if f.Name == p.Measured {
			value += " " + sparkline(p.Histogram)
			drawn = true
		}
		fmt.Fprintf(w, "%s\t%s\n", f.Name, value)
	}
	if !drawn {
		fmt.Fprintf(w, "%s\t%s %s %s\n", p.Measured, p.Low, sparkline(p.Histogram), p.High)
	}
	for i, text := range p.Examples {
		name := "examples"
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(w, "%s\t%s\n", name, safe.Line(text))
	}
	return w.Flush()
}

// columnTable writes a line for each column, and one for coordinates of vectors that follow one
// another and of which there is nothing to say.
func columnTable(out io.Writer, p *input.Profile) error {
	if p.Columns == nil {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\ncolumn\ttype\trole\tvalues\tmissing\t")
	for left := p.Columns; len(left) > 0; {
		c, name := &left[0], words.Short(left[0].Name)
		held, missing := values(c), "-"
		if c.Missing > 0 {
			missing = fmt.Sprintf("%d (first in row %d)", c.Missing, c.FirstMissing)
		}
		alike := 1
		if p.Vectors {
			alike = coordinates(left)
		}
		if alike > 1 {
			name += " to " + words.Short(left[alike-1].Name)
			held = span(left[:alike])
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", name, c.Type, c.Role, held, missing,
			safe.Line(c.Why))
		left = left[alike:]
	}
	return w.Flush()
}

// coordinates returns how many of some columns, from the first on, have numbers as the first has,
// all of them, and nothing that is suspicious; at least 1.
func coordinates(columns []input.ColumnProfile) int {
	first := &columns[0]
	for n := range columns {
		c := &columns[n]
		if c.Missing > 0 || len(c.Suspicions) > 0 || c.Histogram == nil || c.Type != first.Type ||
			c.Role != first.Role || c.Why != first.Why {
			return max(1, n)
		}
	}
	return len(columns)
}

// span returns the range of the numbers of some columns.
func span(columns []input.ColumnProfile) string {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range columns {
		if v, err := strconv.ParseFloat(columns[i].Low, 64); err == nil {
			low = min(low, v)
		}
		if v, err := strconv.ParseFloat(columns[i].High, 64); err == nil {
			high = max(high, v)
		}
	}
	return words.Round(low) + " to " + words.Round(high)
}

// values describes what a column holds, at a glance.
func values(c *input.ColumnProfile) string {
	const most, wide = 5, 45
	switch {
	case c.Width > 0:
		return fmt.Sprintf("lengths %s to %s %s", c.Low, c.High, sparkline(c.Histogram))
	case c.Histogram != nil:
		return fmt.Sprintf("%s to %s, mean %s %s", rounded(c.Low), rounded(c.High),
			rounded(c.Mean), sparkline(c.Histogram))
	case c.Low != "":
		return c.Low + " to " + c.High
	case len(c.Levels) == 0 && len(c.Examples) == 0:
		return ""
	case len(c.Levels) == 0:
		return "as " + words.Cut(safe.Line(c.Examples[0].Value), 30)
	}
	text, shown := words.Cut(safe.Line(c.Levels[0]), wide), 1
	for _, level := range c.Levels[1:min(most, len(c.Levels))] {
		longer := text + ", " + words.Cut(safe.Line(level), wide)
		if utf8.RuneCountInString(longer) > wide {
			break
		}
		text, shown = longer, shown+1
	}
	if c.Distinct > shown {
		text += fmt.Sprintf(", … (%d)", c.Distinct)
	}
	return text
}

// rounded shortens a number in text.
func rounded(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return words.Round(v)
}

// sparkline draws counts as bars of eight heights.
func sparkline(counts []int) string {
	if len(counts) == 0 {
		return ""
	}
	most := max(1, slices.Max(counts))
	bars := []rune(" ▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, n := range counts {
		b.WriteRune(bars[(8*n+most-1)/most])
	}
	return b.String()
}
