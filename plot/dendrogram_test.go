package plot_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/plot"
)

// comb is a tree in which each branch joins one more object.
func comb(n int) (branches []dendrogram.Merge) {
	for i := range n - 1 {
		b := dendrogram.Merge{A: i + 1, B: n + i - 1, Height: float64(i + 1)}
		if i == 0 {
			b.A, b.B = 0, 1
		}
		branches = append(branches, b)
	}
	return branches
}

func svgOf(t *testing.T, cfg plot.DendrogramConfig) string {
	t.Helper()
	before := slices.Clone(cfg.Branches)
	f, err := plot.Dendrogram(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, cfg.Branches) {
		t.Error("the branches were changed")
	}
	return b.String()
}

func TestASmallDendrogramNamesItsLeaves(t *testing.T) {
	svg := svgOf(t, plot.DendrogramConfig{
		Branches: comb(4), Groups: []int{1, 1, 2, 0},
		Names: []string{"ant", "<bee>", "cat", "dog"}, GroupNames: []string{"insects"},
		Page: plot.Page{Title: "Animals"},
	})
	for _, want := range []string{">ant<", "&lt;bee&gt;", ">cat<", ">dog<", ">insects<",
		">cluster 2<", ">Animals<", ">height<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in the picture", want)
		}
	}
	if strings.Contains(svg, "brackets") {
		t.Error("a whole tree mentions what is left out")
	}
}

func TestALargeDendrogramCountsWhatItLeavesOut(t *testing.T) {
	svg := svgOf(t, plot.DendrogramConfig{Branches: comb(1000), MostLeaves: 10})
	for _, want := range []string{">(991)<", ">1000<", ">992<", "the last 9 of 999 branches"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in the picture", want)
		}
	}
	if strings.Contains(svg, ">991<") {
		t.Error("object 991 is shown beside the triangle that holds it")
	}
}

func TestDendrogramsOfFewObjects(t *testing.T) {
	for n := 1; n <= 3; n++ {
		if svg := svgOf(t, plot.DendrogramConfig{Objects: n,
			Branches: comb(n)}); !strings.Contains(svg, ">1<") {
			t.Errorf("%d objects: the first is missing", n)
		}
	}
	level := []dendrogram.Merge{{A: 0, B: 1}, {A: 2, B: 3}}
	svgOf(t, plot.DendrogramConfig{Branches: level, Groups: []int{1, 1, 2}})
}

func TestDendrogramRefuses(t *testing.T) {
	two := []dendrogram.Merge{{A: 0, B: 1, Height: 1}, {A: 2, B: 3, Height: 2}}
	for name, cfg := range map[string]plot.DendrogramConfig{
		"too few branches":   {Objects: 4, Branches: two},
		"too many groups":    {Branches: two, Groups: []int{1, 1, 1, 1}},
		"a group below 0":    {Branches: two, Groups: []int{1, 1, -1}},
		"too few names":      {Branches: two, Names: []string{"a"}},
		"too many leaves":    {Branches: two, MostLeaves: 401},
		"a node twice":       {Branches: []dendrogram.Merge{{A: 0, B: 1}, {A: 1, B: 2}}},
		"a node of later":    {Branches: []dendrogram.Merge{{A: 0, B: 4}, {A: 1, B: 2}}},
		"a node with itself": {Branches: []dendrogram.Merge{{A: 0, B: 0}, {A: 1, B: 2}}},
		"no height": {Branches: []dendrogram.Merge{{A: 0, B: 1, Height: math.NaN()},
			{A: 2, B: 3}}},
		"a height below 0": {Branches: []dendrogram.Merge{{A: 0, B: 1, Height: -1}, {A: 2, B: 3}}},
		"a page too wide":  {Branches: two, Page: plot.Page{Width: 41}},
	} {
		var in *fault.Input
		if _, err := plot.Dendrogram(cfg); !errors.As(err, &in) || in.Problem == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
