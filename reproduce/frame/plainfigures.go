package frame

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/internal/safe"
)

// figureColumns are the columns of plain figures after those of a table's keys: the figure of the
// paper with its standard deviation, ours with the half width of its 95 % interval, its standard
// deviation and the repetitions, and the same of the best start.
var figureColumns = []string{"column", "paper", "paper_sd", "ours", "interval", "sd", "n",
	"best_start", "best_start_interval", "verdict"}

// writeCSV writes the figures of the table plainly, a line for each: what the keys of its row are
// (those above it where it has none of its own), its column, and numbers to ten digits; a number
// that is not there is empty.
func (t Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := slices.Clone(t.Keys)
	for i, key := range head {
		if key == "" {
			head[i] = "key" + strconv.Itoa(i+1)
		}
	}
	if len(t.Groups) > 0 {
		head = append(head, figureColumns...)
	}
	out.Write(guarded(head)) // its error is out.Error
	judge := t.judge()
	above := make([]string, len(t.Keys))
	for _, row := range t.Rows {
		keys := slices.Clone(row.Keys)
		for i := 0; i < len(keys) && keys[i] == ""; i++ {
			keys[i] = above[i]
		}
		above = keys
		if len(row.Cells) == 0 {
			out.Write(guarded(keys))
		}
		for g, c := range row.Cells {
			out.Write(slices.Concat(guarded(keys), []string{
				safe.Guard(t.Groups[g]), plain(c.Paper.Value, c.Paper),
				plain(c.Paper.Spread, c.Paper),
				plain(c.Mean.Value, c.Mean), plain(c.Mean.Interval(), c.Mean),
				plain(c.Mean.Spread, c.Mean), strconv.Itoa(c.Mean.N),
				plain(c.Best.Value, c.Best), plain(c.Best.Interval(), c.Best), string(judge(g, c)),
			}))
		}
	}
	out.Flush()
	return out.Error()
}

func guarded(cells []string) []string {
	var all []string
	for _, text := range cells {
		all = append(all, safe.Guard(text))
	}
	return all
}

// plain writes a number of a figure; nothing where there is none.
func plain(v float64, of Figure) string {
	if math.IsNaN(v) || !of.There() {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 10, 64)
}
