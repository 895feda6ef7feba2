package frame

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/internal/atomicfile"
)

// WriteText writes the report for a person at a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for _, line := range r.said() {
		fmt.Fprintln(&b, line)
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s.\n", t.Title)
		columns(&b, t.grid(), len(t.Keys))
		for _, note := range t.below() {
			fmt.Fprintln(&b, note)
		}
	}
	if len(r.Claims) > 0 {
		fmt.Fprintln(&b, "\nIn short.")
		columns(&b, r.claims(), 1)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteMarkdown writes the report as Markdown.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	for _, line := range r.said() {
		fmt.Fprintf(&b, "%s\n\n", line)
	}
	for _, t := range r.Tables {
		t.markdown(&b)
		fmt.Fprintln(&b)
	}
	if len(r.Claims) > 0 {
		fmt.Fprint(&b, "**In short.**\n\n")
		pipes(&b, r.claims(), 1)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Save writes each table to a Markdown file of its name in a folder, and the whole report to report.md. Each file
// appears whole or not at all.
func (r *Report) Save(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, t := range r.Tables {
		err := atomicfile.Write(filepath.Join(folder, t.Name+".md"), func(w io.Writer) error {
			var b bytes.Buffer
			t.markdown(&b)
			_, err := w.Write(b.Bytes())
			return err
		})
		if err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(folder, "report.md"), r.WriteMarkdown)
}

func (t Table) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "**%s.**\n\n", t.Title)
	pipes(b, t.grid(), len(t.Keys))
	for _, note := range t.below() {
		fmt.Fprintf(b, "\n%s\n", note)
	}
}

// below gives what stands under a table.
func (t Table) below() []string {
	var lines []string
	if tally := t.tally(); tally != "" {
		lines = append(lines, tally)
	}
	return append(lines, t.Notes...)
}

// columns sets texts in columns; the first so many are aligned left, all others right.
func columns(b *bytes.Buffer, grid [][]string, left int) {
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

// pipes sets texts as a table of Markdown.
func pipes(b *bytes.Buffer, grid [][]string, left int) {
	for i, row := range grid {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
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
