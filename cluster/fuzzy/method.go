package fuzzy

import (
	"context"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name:  "fcm",
		Title: "fuzzy c-means: each row belongs to every cluster to a degree",
		Source: "Bezdek, Pattern Recognition with Fuzzy Objective Function Algorithms (1981), " +
			"algorithm A11.1",
		NeedsClusters: true,
		Masses:        true,
		Degrees:       true,
		Draws:         true,
		Invariant:     method.ToFactor,
		Cosine:        true,
		Configure: func(set *param.Set) method.Steps {
			c := &Config{}
			method.Clusters(set, &c.Clusters)
			set.Float(&c.Fuzziness, param.Param{Name: "fuzziness", Basic: true, Default: "2",
				Min: 1, Above: true, Max: 100, Example: "2",
				Help: "exponent of the memberships, which become hard towards 1"})
			method.Starts(set, &c.Starts, param.Param{Default: "1"})
			method.MaxIterations(set, &c.MaxIterations, param.Param{Default: "300"})
			method.Tolerance(set, &c.Tolerance, param.Param{Default: "1e-6",
				Help: "a start ends once an iteration lowers the objective by a smaller share"})
			method.Seed(set, &c.Seed)
			return method.Steps{Fit: c.outcome}
		},
	}}
}

func (c *Config) outcome(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if c.Clusters == 0 {
		return nil, method.NeedsClusters("fuzzy c-means")
	}
	cfg := c.withDefaults()
	cfg.Options = p.Options(c.Seed)
	r, err := Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out, err := method.ByDegrees(r.Memberships, r.Labels, r.Centers,
		method.Degrees{Fuzziness: cfg.Fuzziness})
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective, "objective",
		r.Iterations, "iteration", r.Stopped.String()
	return out, nil
}
