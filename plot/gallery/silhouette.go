package gallery

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func needsSilhouettes(s *method.Scene) error {
	if !s.Problem.Vectors() {
		return fault.Inputf("draw another picture",
			"silhouettes are of vectors under Euclidean distance, and these rows are compared "+
				"otherwise")
	}
	if _, numbers := partition.Compact(s.Outcome.Labels); len(numbers) < 2 {
		return fault.Inputf("draw the picture groups, or cluster with other parameters",
			"silhouettes need two clusters with rows, and there are %d", len(numbers))
	}
	return nil
}

// drawSilhouettes draws the silhouettes of each cluster side by side, the largest first (Rousseeuw
// 1987).
func drawSilhouettes(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	labels, numbers := partition.Compact(s.Outcome.Labels)
	scores, err := eval.Silhouette(ctx, s.Problem.Data, labels,
		eval.SilhouetteConfig{Threads: s.Problem.Threads})
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(numbers))
	for i, row := range scores.Rows {
		values[labels[row]-1] = append(values[labels[row]-1], scores.Values[i])
	}
	names := s.Names(s.Outcome.Clusters)
	var series []plot.Series
	at := 0.0
	for _, c := range scores.Clusters {
		own := values[c.Label-1]
		slices.SortFunc(own, func(a, b float64) int { return cmp.Compare(b, a) })
		own = append(own, own[len(own)-1]) // the last one has a width, too
		bars := plot.Series{Kind: plot.Steps, Y: own,
			Name: fmt.Sprintf("%s, mean %.2f", names[numbers[c.Label-1]-1], c.Mean)}
		for i, v := range own {
			bars.X = append(bars.X, at+float64(i))
			bars.Low, bars.High = append(bars.Low, min(0, v)), append(bars.High, max(0, v))
		}
		at += float64(c.Objects)
		series = append(series, bars)
	}
	series = append(series, plot.Series{Name: "mean of all", Dashed: true,
		X: []float64{0, at}, Y: []float64{scores.Mean, scores.Mean}})
	return plot.Chart(plot.ChartConfig{
		Title: s.Heading(len(numbers)), Subtitle: scores.String(),
		X: "row, by group and silhouette", Y: "silhouette", Series: series,
	})
}
