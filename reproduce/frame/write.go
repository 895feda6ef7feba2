package frame

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/internal/words"
)

// WriteText writes the report for a person at a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s (%s)\n", r.Experiment.Title, r.Ran())
	for _, line := range r.origin(true) {
		fmt.Fprintln(&b, line)
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s.\n", t.Title)
		side(&b, t.grid(), len(t.Keys))
		for _, note := range t.below() {
			fmt.Fprintln(&b, note)
		}
	}
	if len(r.Claims) > 0 {
		fmt.Fprintln(&b, "\nIn short.")
		side(&b, r.claims(), 1)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteShort writes what the report comes to, without its tables.
func (r *Report) WriteShort(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s (%s)\n", r.Experiment.Title, r.Ran())
	if r.Empty() {
		fmt.Fprintln(&b, "None of its data sets is here.")
	} else {
		line := fmt.Sprintf("%s and %s. %s", words.Count(len(r.Tables), "table"),
			words.Count(len(r.Pictures), "picture"), r.tally())
		fmt.Fprintln(&b, strings.TrimSpace(line))
	}
	if len(r.Claims) > 0 {
		side(&b, r.claims(), 1)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteMarkdown writes the report as Markdown, with its pictures beside it.
func (r *Report) WriteMarkdown(w io.Writer) error {
	return r.WriteSection(w, Section{Level: 1, Missing: true})
}

// Section describes a report as a section of a page.
type Section struct {
	Level    int    // of its heading, from 1
	Pictures string // what the paths of its pictures begin with, up to their names
	Missing  bool   // name the data sets that were not there
}

// WriteSection writes the report as a section of a page of Markdown: what was run, the remarks, the
// claims, pictures and tables.
func (r *Report) WriteSection(w io.Writer, s Section) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", s.Level), r.Experiment.Title)
	for i, line := range r.origin(s.Missing) {
		if i == 0 {
			line = fmt.Sprintf("%s. %s.", strings.TrimSuffix(line, "."), r.Ran())
		}
		fmt.Fprintf(&b, "%s\n\n", line)
	}
	if r.Empty() {
		fmt.Fprint(&b, "None of its data sets was there, so nothing was run.\n\n")
	}
	if remarks := strings.TrimSpace(r.Experiment.Remarks); remarks != "" && !r.Empty() {
		if farther := r.farther(); farther != "" {
			fmt.Fprintf(&b, "*%s*\n\n", farther)
		}
		fmt.Fprintf(&b, "%s\n\n", remarks)
	}
	if len(r.Claims) > 0 {
		fmt.Fprint(&b, "**In short.**\n\n")
		pipes(&b, r.claims(), 1)
		fmt.Fprintln(&b)
	}
	if tally := r.tally(); tally != "" && len(r.Tables) > 1 {
		fmt.Fprintf(&b, "%s\n\n", tally)
	}
	for _, p := range r.Pictures {
		fmt.Fprintf(&b, "![%s](%s)\n\n**%s.**\n\n", bracketed.Replace(p.Title), s.Pictures+p.File(),
			p.Title)
		for _, note := range p.Notes {
			fmt.Fprintf(&b, "%s\n\n", note)
		}
	}
	for _, t := range r.Tables {
		if t.Long {
			fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", html.EscapeString(t.Title))
		} else {
			fmt.Fprintf(&b, "**%s.**\n\n", t.Title)
		}
		t.markdown(&b)
		if t.Long {
			fmt.Fprint(&b, "\n</details>\n")
		}
		fmt.Fprintln(&b)
	}
	_, err := w.Write(append(bytes.TrimRight(b.Bytes(), "\n"), '\n'))
	return err
}

// bracketed keeps brackets in the name of a picture from ending it.
var bracketed = strings.NewReplacer("[", "\\[", "]", "\\]")

// markdown writes a table and the lines below it.
func (t Table) markdown(b *bytes.Buffer) {
	pipes(b, t.grid(), len(t.Keys))
	for _, note := range t.below() {
		fmt.Fprintf(b, "\n%s\n", note)
	}
}

// below returns the lines below a table.
func (t Table) below() []string {
	var lines []string
	if tally := tally("Of", t); tally != "" {
		lines = append(lines, tally)
	}
	return append(lines, t.Notes...)
}

// side sets texts side by side in columns; the first so many are aligned left, all others right.
func side(b *bytes.Buffer, grid [][]string, left int) {
	var wide []int
	for c := range grid[0] {
		widest := 0
		for _, row := range grid {
			widest = max(widest, runewidth.StringWidth(row[c]))
		}
		wide = append(wide, widest)
	}
	for _, row := range grid {
		var line strings.Builder
		for c, text := range row {
			if c > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", wide[c]-runewidth.StringWidth(text))
			if c < left {
				line.WriteString(text + pad)
			} else {
				line.WriteString(pad + text)
			}
		}
		fmt.Fprintln(b, strings.TrimRight(line.String(), " "))
	}
}

// piped keeps a text within its cell of a table of Markdown.
var piped = strings.NewReplacer("|", "\\|", "\n", " ")

// pipes sets texts as a table of Markdown.
func pipes(b *bytes.Buffer, grid [][]string, left int) {
	for i, row := range grid {
		for _, text := range row {
			fmt.Fprintf(b, "| %s ", piped.Replace(text))
		}
		b.WriteString("|\n")
		if i > 0 {
			continue
		}
		for c := range row {
			if c < left {
				b.WriteString("|---")
			} else {
				b.WriteString("|--:")
			}
		}
		b.WriteString("|\n")
	}
}
