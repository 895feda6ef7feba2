package frame

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/kindred-go/kindred/internal/atomicfile"
)

// File is the name of the picture's file.
func (p Picture) File() string { return p.Name + ".svg" }

// Save writes the report to a folder: each table to Markdown (.md), LaTeX (.tex) and plain figures
// (.csv), each picture to SVG, and all of it to report.md and report.json. Each file appears whole
// or not at all.
func (r *Report) Save(folder string) error {
	if err := atomicfile.MakeFolder(folder, true); err != nil {
		return err
	}
	put := func(name string, fill func(w io.Writer) error) error {
		return atomicfile.WriteShared(filepath.Join(folder, name), fill)
	}
	for _, t := range r.Tables {
		for name, fill := range map[string]func(w io.Writer) error{t.Name + ".md": t.writeMarkdown,
			t.Name + ".tex": t.writeLaTeX, t.Name + ".csv": t.writeCSV} {
			if err := put(name, fill); err != nil {
				return err
			}
		}
	}
	for _, p := range r.Pictures {
		if err := put(p.File(), p.Figure.WriteSVG); err != nil {
			return err
		}
	}
	if err := put("report.json", r.WriteJSON); err != nil {
		return err
	}
	return put("report.md", r.WriteMarkdown)
}

// writeMarkdown writes the table as Markdown.
func (t Table) writeMarkdown(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("**" + t.Title + ".**\n\n")
	t.markdown(&b)
	_, err := w.Write(b.Bytes())
	return err
}
