package input

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/shingle"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

// Texts are long, and compared by the words that they share, when more than half of those looked at
// have this many words; shorter ones, such as names, are compared letter by letter.
const (
	longText = 5
	maxLook  = 1000 // texts looked at, spread evenly
)

// isProse reports whether the texts of a column are long.
func isProse(t *dataset.Table, column int) bool {
	var counts []int
	step := max(1, t.Rows/maxLook)
	for i := 0; i < t.Rows; i += step {
		if cell := t.Cell(i, column); !dataset.IsMissing(cell) {
			counts = append(counts, countWords(cell, longText))
		}
	}
	if len(counts) == 0 {
		return false
	}
	slices.Sort(counts)
	return counts[(len(counts)-1)/2] >= longText
}

// countWords counts runs of letters and digits, and characters of scripts without blanks, up to
// most.
func countWords(text string, most int) int {
	n, within := 0, false
	for _, c := range text {
		switch {
		case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			n++
			within = false
		case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c):
			if !within {
				n++
			}
			within = true
		default:
			within = c == '\'' && within
		}
		if n >= most {
			break
		}
	}
	return n
}

// Vectors reports whether a method that takes the recipe's data gets texts as vectors: where the
// metric is one of vectors, where there is no metric and the method takes no dissimilarities, where
// an encoder was given, and where the texts are long, unless EVCLUS compares them.
func (r *Recipe) Vectors(m method.Method) bool {
	if r.Text == "" {
		return false
	}
	if r.Metric != "" {
		metric, err := dissim.ParseMetric(r.Metric)
		return err == nil && metric.OfVectors()
	}
	return !m.Dissimilarity || r.mixed() || r.encoderGiven() || r.long && !m.Takes("d0")
}

// Undecided reports whether the data must be looked at before the method is known.
func (r *Recipe) Undecided() bool {
	return r.Text != "" && r.Metric == "" && r.Embedding == "" && !r.settled &&
		(r.MethodName == "" || r.chosen)
}

// readTexts makes vectors of the texts of a column.
func (d *Data) readTexts(ctx context.Context, progress Progress) error {
	missing, err := d.source.missing()
	if err != nil {
		return err
	}
	o, kept, err := method.ObjectsOf(d.Table,
		method.Comparison{Metric: dissim.Levenshtein, Column: d.source.Text, Missing: missing}, nil)
	if err != nil {
		return err
	}
	d.texts, d.kept = o.Texts, kept
	d.noteLeft()
	if d.source.Embedding != "" {
		return d.adoptEmbedding(ctx, nil, progress)
	}
	x, err := d.encodeTexts(ctx, progress)
	if err != nil {
		return err
	}
	if n, a, b, err := nearlyEqual(ctx, d.texts, d.source.Threads); err != nil {
		return err
	} else if n > 0 {
		d.notes = append(d.notes, fmt.Sprintf(
			"nearly the same as an earlier text: %s, as %s and %s, which are kept",
			words.Count(n, "text"), words.Short(d.ID(b)), words.Short(d.ID(a))))
	}
	if d.source.mixed() {
		return d.mix(ctx, x)
	}
	return d.adopt(ctx, x)
}

// maxNear is the number of texts up to which those are looked for that are nearly the same.
const maxNear = 50_000

// nearlyEqual counts the texts that are nearly the same as an earlier one, of the first 50 000, and
// returns the first of them, b, with that, a.
func nearlyEqual(ctx context.Context, texts []string, threads int) (n, a, b int, err error) {
	earlier, err := shingle.Earlier(ctx, texts[:min(len(texts), maxNear)], threads)
	for i, j := range earlier {
		if j < 0 {
			continue
		}
		if n++; n == 1 {
			a, b = int(j), i
		}
	}
	return n, a, b, err
}

// textRows makes the rows that a model of texts takes of the texts of a table, one each. Rows
// without a text lack all values if missing is to drop them, and are refused otherwise. The table
// must have been read with all cells kept.
func (s *Source) textRows(ctx context.Context, place Place, t *dataset.Table, texts *method.Texts,
	missing dataset.Missing, progress Progress) (*dataset.Table, error) {
	if t.Column(texts.Column) < 0 {
		return nil, &fault.Input{File: t.Name, Column: texts.Column,
			Problem: "there is no such column, and the model was made from texts of that name",
			Fix:     "rename the column of texts to " + words.Short(texts.Column)}
	}
	o, kept, err := method.ObjectsOf(t, method.Comparison{Metric: dissim.Levenshtein,
		Column: texts.Column, Missing: missing}, nil)
	if err != nil {
		return nil, err
	}
	var x dataset.Matrix
	if texts.Words != nil {
		x, err = texts.Words.Transform(ctx, o.Texts)
	} else {
		x, err = s.encodeAs(ctx, place, *texts.Encoder, o.Texts, progress)
	}
	if err != nil {
		return nil, err
	}
	if len(texts.Beside) > 0 {
		return t.WithVectors(ctx, texts.Column, x, kept)
	}
	if kept != nil {
		x = spread(x, kept, t.Rows)
	}
	return dataset.FromMatrix(ctx, t.Name, x)
}

// spread returns a matrix of n rows, of which those that rise in kept are those of x, and the others
// lack all values.
func spread(x dataset.Matrix, kept []int32, n int) dataset.Matrix {
	all := dataset.Matrix{Rows: n, Cols: x.Cols}
	lacking := float32(math.NaN())
	all.F32 = slices.Repeat([]float32{lacking}, n*x.Cols)
	for i, row := range kept {
		copy(all.F32[int(row)*x.Cols:], x.F32[i*x.Cols:][:x.Cols])
	}
	return all
}

// Keywords returns, for each label above 0, at most so many words and pairs of words that set its
// texts apart, see [keywords.Index.Groups]; nil where rows are no texts. labels has one entry a
// row. The first call reads the texts.
func (d *Data) Keywords(ctx context.Context, labels []int, most int, progress Progress) (
	map[int][]keywords.Keyword, error) {
	texts := d.texts
	if texts == nil {
		texts = d.Objects.Texts
	}
	if texts == nil {
		return nil, nil
	}
	index, err := d.terms.get(func() (*keywords.Index, error) {
		cfg := keywords.Config{Threads: d.source.Threads}
		if progress != nil {
			cfg.Progress = func(share float64) { progress("finding keywords", share) }
		}
		return keywords.New(ctx, texts, cfg)
	})
	if err != nil {
		return nil, err
	}
	return index.Groups(labels, most)
}

// VectorOf returns where a text lies among the rows of Ready; nil where these are no vectors of
// texts, or nothing of the text is known.
func (d *Data) VectorOf(ctx context.Context, text string) ([]float64, error) {
	if d.scaledBy != dataset.ScaleNone || !d.Encoded() {
		return nil, nil
	}
	x, err := d.vectorsOf(ctx, text)
	if err != nil || x.Cols != d.Ready.X.Cols {
		return nil, err
	}
	row := x.AppendRow(nil, 0)
	if !slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
		return nil, nil
	}
	return row, nil
}

// vectorsOf returns the vector of a text, as those of the rows were made.
func (d *Data) vectorsOf(ctx context.Context, text string) (dataset.Matrix, error) {
	if d.Words != nil {
		return d.Words.Transform(ctx, []string{text})
	}
	return d.source.encodeAs(ctx, d.place, *d.Encoder, []string{text}, nil)
}

// lazy makes a thing when it is first needed, and again where that failed.
type lazy[T any] struct {
	mu   sync.Mutex
	made *T
}

func (l *lazy[T]) get(make func() (*T, error)) (*T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made == nil {
		made, err := make()
		if err != nil {
			return nil, err
		}
		l.made = made
	}
	return l.made, nil
}
