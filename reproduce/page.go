package reproduce

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// lead is what the page begins with.
const lead = `# Results

The experiments of the papers that kindred is built from, and its own, made again by
` + "`kindred reproduce`" + `. Where a paper prints a figure it stands beside ours, which is a mean
over repetitions with its 95 % interval, and a verdict:

- *agrees*: the two are apart by no more than the 95 % interval of their difference and what
  rounding in print can do;
- *agrees as best*: the mean over all starting points is not that near, but the mean of the best
  starts is;
- *same side*: of differences, neither is, but the winner is the same;
- *too few to tell*: they are that near, but the interval is wider than the effect: than the
  printed difference, or, of figures that are no differences, than the range of those printed in the
  column. A figure without the effect would be as near. Totals count these apart;
- *differs*: none of these.

One repetition judges nothing, and seconds on another machine are shown without a verdict. Long
tables are folded.
`

// Page is one page of Markdown about all that was run.
type Page struct {
	Reduced bool // the runs were reduced ones
	Reports []*frame.Report
}

// Save writes the page to a file, and its pictures to a folder beside it that is named after it:
// docs/results.md shows docs/results/NAME-figure3.svg. Links are relative. The page appears whole
// or not at all, after its pictures.
func (p Page) Save(path string) error {
	folder := strings.TrimSuffix(path, filepath.Ext(path))
	if folder == path {
		folder += "-pictures"
	}
	if err := atomicfile.MakeFolder(filepath.Dir(path), true); err != nil {
		return err
	}
	for _, r := range p.Reports {
		if err := savePictures(folder, r); err != nil {
			return err
		}
	}
	return atomicfile.WriteShared(path,
		func(w io.Writer) error { return p.write(w, url.PathEscape(filepath.Base(folder))+"/") })
}

// savePictures writes the pictures of an experiment to the folder of a page, and removes those that
// it had there before and has no more.
func savePictures(folder string, r *frame.Report) error {
	kept := map[string]bool{}
	for _, picture := range r.Pictures {
		if err := atomicfile.MakeFolder(folder, true); err != nil {
			return err
		}
		name := r.Experiment.Name + "-" + picture.File()
		if err := atomicfile.WriteShared(filepath.Join(folder, name),
			picture.Figure.WriteSVG); err != nil {
			return err
		}
		kept[name] = true
	}
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if name := f.Name(); strings.HasPrefix(name, r.Experiment.Name+"-") &&
			filepath.Ext(name) == ".svg" && !kept[name] {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes the page, whose pictures have paths that begin so.
func (p Page) write(w io.Writer, pictures string) error {
	var b bytes.Buffer
	b.WriteString(lead)
	how := "The runs of this page were made in full:"
	switch cut := slices.ContainsFunc(p.Reports,
		func(r *frame.Report) bool { return !r.Whole() }); {
	case p.Reduced:
		how = "The runs of this page were reduced ones, without what takes long. Over few " +
			"repetitions intervals are wide, so that figures agree which " +
			"differ over more repetitions:"
	case cut:
		how = "The runs of this page are not all that there is to run:"
	}
	fmt.Fprintf(&b, "\n%s\n\n", how)
	for _, r := range p.Reports {
		fmt.Fprintf(&b, "- [%s](#%s): %s\n", r.Experiment.Name, anchor(r.Experiment.Title), r.Ran())
	}
	b.WriteString(p.hours())
	if missing := Missing(p.Reports); len(missing) > 0 {
		fmt.Fprint(&b, "\nData sets that were not here, and are left out:\n\n")
		for _, n := range missing {
			fmt.Fprintf(&b, "- %s\n", n.Description())
		}
	}
	for _, r := range p.Reports {
		b.WriteByte('\n')
		if err := r.WriteSection(&b,
			frame.Section{Level: 2, Pictures: pictures + r.Experiment.Name + "-"}); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// hours returns a paragraph on how many hours the experiments take, as far as that is known.
func (p Page) hours() string {
	kind := "in full"
	if p.Reduced {
		kind = "at reduced effort"
	}
	var each []string
	sum := 0.0
	for _, r := range p.Reports {
		if h := r.Experiment.Hours.Of(p.Reduced); h > 0 {
			each = append(each, fmt.Sprintf("%s %g", r.Experiment.Name, h))
			sum += h
		}
	}
	if len(each) == 0 {
		return ""
	}
	return fmt.Sprintf("\nAbout %s of one core, %s: %s.\n", hours(sum), kind,
		strings.Join(each, ", "))
}

// hours writes a number of hours.
func hours(n float64) string {
	text := fmt.Sprintf("%.2g", n)
	if text == "1" {
		return "1 hour"
	}
	return text + " hours"
}

// anchor is what a heading is linked by where Markdown is shown: its letters and figures, small,
// with - for blanks.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
