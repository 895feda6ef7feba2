package evclus

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

// pictures are those of a fit, which the detail of an outcome holds as an embedded [*Result].
func pictures() []method.Picture {
	return []method.Picture{
		{
			Name:  "shepard",
			Title: "how well conflicts follow dissimilarities (a Shepard diagram)",
			Suits: func(c *method.Configured, _ string) string {
				if c.Value("stress") == "sammon" || c.Value("transform") == "rank" {
					return "it is of the conflict stress with --transform exp or linear"
				}
				return ""
			},
			Needs: needsScale,
			Draw:  drawShepard,
		},
		{
			Name:  "trace",
			Title: "the objective over the sweeps of the best start",
			Needs: func(s *method.Scene) error {
				r := fitOf(s)
				if r == nil {
					return noFit("its objective", "trace")
				}
				if len(r.Trace) == 0 {
					return fault.Inputf("draw another picture",
						"the fit made no sweep, so it has no trace")
				}
				return nil
			},
			Draw: func(_ context.Context, s *method.Scene) (*plot.Figure, error) {
				r := fitOf(s)
				return plot.Trace(plot.TraceConfig{Starts: [][]float64{r.Trace},
					Page: plot.Page{Title: s.Heading(r.Credal.Clusters), YLabel: "objective"}})
			},
		},
	}
}

// fitOf returns the fit behind a scene; nil where there is none, as of a partition from a file.
func fitOf(s *method.Scene) *Result {
	if d, ok := s.Outcome.Detail.(interface{ result() *Result }); ok {
		return d.result()
	}
	return nil
}

// result finds the result in a detail that embeds it.
func (r *Result) result() *Result { return r }

// noFit is the error where a partition alone lacks what a picture shows.
func noFit(what, picture string) error {
	return fault.Inputf("draw it with kindred cluster --method evclus --plot FILE --picture "+
		picture,
		"the picture needs a fit by EVCLUS and %s, which a partition alone lacks", what)
}

func needsScale(s *method.Scene) error {
	r := fitOf(s)
	switch {
	case r == nil:
		return noFit("its d0", "shepard")
	case r.A != 0 || r.scale == nil || r.scale.transform == Rank:
		return fault.Inputf("draw another picture",
			"a Shepard diagram is of the conflict stress with transform exp or linear")
	}
	return nil
}

// shepardPairs is how many pairs a Shepard diagram has: all, or as many drawn at random.
const shepardPairs = 50_000

// drawShepard compares the conflicts that dissimilarities call for with those that the masses have.
func drawShepard(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	src, _, err := s.Problem.Compared()
	if err != nil {
		return nil, err
	}
	r := fitOf(s)
	n := r.Credal.Len()
	var delta, kappa []float64
	var d [1]float32
	add := func(i, j int) {
		src.Row(d[:], i, []int32{int32(j)})
		v := float64(d[0])
		if r.scale.transform == Linear {
			v = min(1, v/r.D0)
		} else {
			v = -math.Expm1(-r.Gamma * v * v)
		}
		delta = append(delta, v)
		kappa = append(kappa, min(1, max(0, 1-r.Credal.Relation(i, j).PlSame())))
	}
	if n*(n-1)/2 <= shepardPairs {
		for i := range n {
			for j := range i {
				add(i, j)
			}
		}
	} else {
		draw := rand.New(rand.NewPCG(0, 0x73686570))
		for range shepardPairs {
			i, j := draw.IntN(n), draw.IntN(n-1)
			if j >= i {
				j++
			}
			add(i, j)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return plot.Shepard(plot.ShepardConfig{Delta: delta, Kappa: kappa,
		Page: plot.Page{Title: s.Heading(r.Credal.Clusters)}})
}
