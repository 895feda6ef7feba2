package gallery

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func suitsChoice(c *method.Configured, _ string) string {
	if !strings.Contains(c.Value("clusters"), "..") {
		return "it is of a range of numbers of clusters, as in -k 2..8"
	}
	return ""
}

func needsChoice(s *method.Scene) error {
	if s.Outcome.Choice == nil {
		return fault.Inputf("draw it with kindred cluster -k 2..8 --plot FILE --picture choice",
			"the picture needs a fit of several numbers of clusters")
	}
	return nil
}

// drawChoice draws the criterion that the number of clusters was chosen by against the numbers.
func drawChoice(_ context.Context, s *method.Scene) (*plot.Figure, error) {
	c := s.Outcome.Choice
	curve := plot.Series{Name: c.By, Kind: plot.Line}
	chosen := plot.Series{Name: fmt.Sprintf("%d, chosen", c.Clusters), Kind: plot.Points}
	var ticks []string
	for i, t := range c.Tried {
		ticks = append(ticks, strconv.Itoa(t.Clusters))
		v, ok := t.Criteria[c.By]
		if !ok {
			continue
		}
		curve.X, curve.Y = append(curve.X, float64(i)), append(curve.Y, v)
		curve.Low, curve.High = append(curve.Low, v-t.Error), append(curve.High, v+t.Error)
		if t.Clusters == c.Clusters {
			chosen.X, chosen.Y = []float64{float64(i)}, []float64{v}
		}
	}
	return plot.Chart(plot.ChartConfig{Title: s.Heading(s.Outcome.Clusters), X: "number of clusters",
		Y: c.By, Ticks: ticks, Series: []plot.Series{curve, chosen}})
}
