package evclus

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/method"
)

// detail is what an outcome keeps of a fit.
type detail struct{ *Result }

func (detail) Figures() any                   { return nil }
func (detail) Summary(*method.Outcome) string { return "" }
func (detail) Lines() []string                { return nil }

// The pictures of a fit are drawn where an outcome has it, and refused with a reason elsewhere.
func TestPictures(t *testing.T) {
	x := dataset.Matrix{Rows: 12, Cols: 1}
	for i := range 12 {
		x.F64 = append(x.F64, float64(i%3)*10+float64(i)/10)
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		cfg     Config
		shepard string // "": it is drawn
	}{
		{"exp", Config{}, ""},
		{"linear", Config{Transform: Linear}, ""},
		{"rank", Config{Transform: Rank}, "conflict stress"},
		{"Sammon", Config{Stress: Sammon, Optimizer: Gradient}, "conflict stress"},
	} {
		c.cfg.Clusters = 3
		r, err := Fit(t.Context(), src, c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		scene := &method.Scene{Problem: method.Problem{Data: x}, Name: "points",
			Outcome: &method.Outcome{Labels: r.Credal.Hard(belief.MaxPlausibility), Clusters: 3,
				Credal: r.Credal, Detail: detail{r}}}
		alone := *scene
		outcome := *scene.Outcome
		outcome.Detail = nil
		alone.Outcome = &outcome
		for _, p := range pictures() {
			want := ""
			if p.Name == "shepard" {
				want = c.shepard
			}
			err := p.Needs(scene)
			switch {
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s, %s: %v", c.name, p.Name, err)
			case want == "" && err != nil:
				t.Errorf("%s, %s: %v", c.name, p.Name, err)
			case want == "":
				fig, err := p.Draw(t.Context(), scene)
				if err != nil {
					t.Fatalf("%s, %s: %v", c.name, p.Name, err)
				}
				var svg bytes.Buffer
				if err := fig.WriteSVG(&svg); err != nil ||
					!strings.Contains(svg.String(), "points: 3 groups") {
					t.Errorf("%s, %s: the picture lacks its title, %v", c.name, p.Name, err)
				}
			}
			if err := p.Needs(&alone); err == nil ||
				!strings.Contains(err.Error(), "a partition alone lacks") {
				t.Errorf("%s, %s of a partition: %v", c.name, p.Name, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if c.shepard != "" {
			continue
		}
		if _, err := drawShepard(ctx, scene); err == nil {
			t.Errorf("%s: a diagram is drawn for nobody", c.name)
		}
	}
}
