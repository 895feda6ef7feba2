package worth

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/static"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/layout"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// textPart is the part that compares vectors of texts.
const textPart = "texts"

// textSets are the sets whose texts are known, in the column text of the file with the classes.
var textSets = []string{"banking77", "clinc150"}

// encoder makes vectors of the texts of a set, a row each.
type encoder struct {
	name   string
	encode func(ctx context.Context, s *frame.Set) (dataset.Matrix, error)
}

// encoders are those that are compared, the simplest first.
var encoders = []encoder{
	{encode.LSA, func(ctx context.Context, s *frame.Set) (dataset.Matrix, error) {
		_, x, err := lsa.Fit(ctx, s.Texts, lsa.Config{Threads: 1})
		return x, err
	}},
	{encode.Builtin, func(ctx context.Context, s *frame.Set) (dataset.Matrix, error) {
		_, x, err := static.Fit(ctx, s.Texts, 0, encode.Options{Threads: 1})
		return x, err
	}},
	{"MiniLM", func(_ context.Context, s *frame.Set) (dataset.Matrix, error) { return s.X, nil }},
}

// reader finds groups of texts by their vectors.
type reader struct {
	name   string
	fit    silent // where nobody answers; its method is "" where somebody does
	mapped bool   // by a map of the nearest neighbours
	whole  bool   // rows in no cluster go to the one with the nearest mean
}

// topics is HDBSCAN* with the parameters that BERTopic has: clusters of at least ten texts, and
// neighbourhoods of ten others.
var topics = silent{method: "hdbscan",
	values: map[string]string{"min-cluster-size": "10", "min-points": "11"}}

// readers are the methods that are compared on each encoder's vectors.
var readers = []reader{
	{name: preferred},
	{name: "k-means, k given", fit: silent{method: "kmeans", knowsClusters: true, drawn: true}},
	{name: "HDBSCAN*", fit: topics},
	{name: "map, HDBSCAN*", fit: topics, mapped: true},
	{name: "map, HDBSCAN*, all placed", fit: topics, mapped: true, whole: true},
}

// on names a method on an encoder's vectors.
func (e encoder) on(method string) string { return e.name + ": " + method }

// textUnits are the sessions and fits that compare vectors of texts. A map is drawn by the seed.
func textUnits(p frame.Plan) (out []frame.Unit) {
	for _, s := range p.Using(textPart) {
		for _, e := range encoders {
			for _, by := range readers {
				draws := p.Trials
				if by.fit.method != "" && !by.fit.drawn && !by.mapped {
					draws = 0 // once
				}
				name := e.on(by.name)
				out = append(out, frame.Unit{
					Key:   frame.Key{Part: textPart, Set: s.Name, Setting: name, Draw: 1},
					Draws: draws, Methods: []string{name},
					Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
						v, err := by.read(ctx, s, e, p.Seed, key.Draw)
						if err != nil {
							return nil, fmt.Errorf("%s on the vectors %s of %s: %w", by.name, e.name,
								s.Name, err)
						}
						return []frame.Values{v}, nil
					}})
			}
		}
	}
	return out
}

// read returns what a method finds in an encoder's vectors of a set, and after how many answers.
// All texts are compared, equal ones too, so that those of all encoders are the same.
func (by reader) read(ctx context.Context, s *frame.Set, e encoder, seed uint64,
	draw int) (frame.Values, error) {
	x, err := e.encode(ctx, s)
	if err != nil {
		return nil, err
	}
	t := task{name: s.Name, title: s.Title, x: x, truth: s.Truth, clusters: classesOf(s.Truth)}
	if by.fit.method == "" {
		c, err := asker{Name: by.name, Method: by.name}.ask(ctx, t, conditions[0], seed, draw)
		if err != nil {
			return nil, err
		}
		return c.values(), nil
	}
	chosen := frame.Derive(seed, "method", t.name, draw, 1)
	if by.mapped {
		if t.x, err = mapOf(ctx, x, chosen); err != nil {
			return nil, err
		}
	}
	out, err := by.fit.outcome(ctx, t, chosen)
	if err != nil {
		return nil, err
	}
	if by.whole {
		out.Labels = placed(x, out.Labels, out.Clusters)
	}
	return judge(out, t)
}

// mapOf returns the map of vectors by their nearest neighbours, of two columns.
func mapOf(ctx context.Context, x dataset.Matrix, seed uint64) (dataset.Matrix, error) {
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		return dataset.Matrix{}, err
	}
	m, err := layout.Fit(ctx, src, layout.Config{Seed: seed, Threads: 1})
	if err != nil {
		return dataset.Matrix{}, err
	}
	return m.Points, nil
}

// placed puts each row that is in no cluster into the one with the nearest mean, if there is any.
func placed(x dataset.Matrix, labels []int, clusters int) []int {
	if clusters == 0 {
		return labels
	}
	means, sizes := make([]float64, clusters*x.Cols), make([]float64, clusters)
	var row []float64
	for i, label := range labels {
		if label == 0 {
			continue
		}
		sizes[label-1]++
		mean := means[(label-1)*x.Cols:][:x.Cols]
		row = x.AppendRow(row[:0], i)
		for j, v := range row {
			mean[j] += v
		}
	}
	for i := range means {
		means[i] /= sizes[i/x.Cols]
	}
	out := slices.Clone(labels)
	for i, label := range labels {
		if label != 0 {
			continue
		}
		row = x.AppendRow(row[:0], i)
		nearest := math.Inf(1)
		for c := range clusters {
			if d := linalg.SquaredDistance(row, means[c*x.Cols:][:x.Cols]); d < nearest {
				nearest, out[i] = d, c+1
			}
		}
	}
	return out
}

// texts is the table of what each method finds in the vectors of each encoder.
func (r *record) texts() frame.Table {
	t := frame.Table{
		Name:  "texts",
		Title: "Texts: vectors of three encoders at equal answers, and groups without any",
		Keys:  []string{"set", "vectors", "method", "groups at first and in the end"}, Digits: 2,
		Plain: true,
		Notes: []string{"Adjusted Rand index over all texts; nobody answers the methods other " +
			"than " + preferred + ". “map” is the map of nearest neighbours, of two columns, as " +
			"in BERTopic, which has five. Texts that HDBSCAN* leaves in no cluster count as one " +
			"more, and, “all placed”, go to the cluster with the nearest mean."},
	}
	for _, at := range textAnswers {
		t.Groups = append(t.Groups, fmt.Sprintf("after %d", at))
	}
	for _, s := range r.Using(textPart) {
		for _, e := range encoders {
			for _, by := range readers {
				name := e.on(by.name)
				var cells []frame.Cell
				for _, at := range textAnswers {
					cells = append(cells, frame.Cell{Mean: r.of(textPart, s.Name, name, ari(at))})
				}
				if !cells[0].Mean.There() {
					continue
				}
				found := r.found(textPart, s.Name, name, 0)
				if all := r.found(textPart, s.Name, name, 0, lastMany); all != "" {
					found = all
				}
				t.AddCells([]string{s.Title, e.name, by.name, found}, cells...)
			}
		}
	}
	return t
}

// textAnswers are the numbers of answers at which encoders are compared.
var textAnswers = []int{0, 50, 100, 300}

// textCurves draws the curve of each encoder, and what was found without answers in the vectors of
// the last.
func (r *record) textCurves() {
	one := 1.0
	chart := plot.ChartConfig{X: "answers", Y: "adjusted Rand index", Width: 9, Height: 4,
		YMin: new(float64), YMax: &one}
	for _, s := range r.Using(textPart) {
		panel := plot.ChartConfig{Title: s.Title}
		for _, e := range encoders {
			line := plot.Series{Name: e.name}
			for _, at := range upTo(lastMany) {
				if v := r.of(textPart, s.Name, e.on(preferred), ari(at)); v.There() {
					line.X, line.Y = append(line.X, float64(at)), append(line.Y, v.Value)
				}
			}
			if len(line.X) > 0 {
				panel.Series = append(panel.Series, line)
			}
		}
		for _, by := range []string{"k-means, k given", "map, HDBSCAN*, all placed"} {
			name := encoders[len(encoders)-1].on(by)
			if v := r.of(textPart, s.Name, name, ari(0)); v.There() {
				panel.Series = append(panel.Series, plot.Series{Name: name, Dashed: true,
					X: []float64{0, lastMany}, Y: []float64{v.Value, v.Value}})
			}
		}
		if len(panel.Series) > 0 {
			chart.Panels = append(chart.Panels, panel)
		}
	}
	if len(chart.Panels) > 0 {
		chart.Across = len(chart.Panels)
		r.Chart("texts", "Texts: "+preferred+" on vectors of three encoders, and methods that "+
			"nobody answers", chart)
	}
}
