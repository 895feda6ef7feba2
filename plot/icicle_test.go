package plot_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/plot"
)

func TestIcicleShowsWhatWasChosen(t *testing.T) {
	tree := &dendrogram.Condensed{
		Clusters: []dendrogram.Part{{Parent: -1, Size: 5}, {Birth: 2, Size: 2, Label: 2},
			{Birth: 2, Size: 2, Label: 1}},
		Cluster: []int32{2, 0, 1, 1, 2}, Lambda: []float64{4, .5, 3, 3, 400},
	}
	f, err := plot.Icicle(plot.IcicleConfig{Tree: tree, GroupNames: []string{"left <&>"},
		Page: plot.Page{Title: "Five"}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">left &lt;&amp;&gt;<", ">cluster 2<", ">Five<", ">objects<",
		"λ = 1/distance", ">(2)<", "drawn up to λ = 4"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the picture", want)
		}
	}
}

// Where all objects fall off late, what is before is not most of the picture.
func TestIcicleBeginsWhereSomethingHappens(t *testing.T) {
	tree := &dendrogram.Condensed{
		Clusters: []dendrogram.Part{{Parent: -1, Size: 5}, {Birth: 20, Size: 2, Label: 2},
			{Birth: 20, Size: 2, Label: 1}},
		Cluster: []int32{2, 0, 1, 1, 2}, Lambda: []float64{24, 19, 22, 23, 25},
	}
	f, err := plot.Icicle(plot.IcicleConfig{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "drawn from λ = 18") || strings.Contains(s, ">10<") {
		t.Errorf("the picture begins far from its parts:\n%s", s)
	}
}

func TestIcicleRefusesWhatIsNoTree(t *testing.T) {
	one := []dendrogram.Part{{Parent: -1, Size: 1}}
	for name, tree := range map[string]*dendrogram.Condensed{
		"none": nil, "empty": {},
		"no part":    {Clusters: one, Cluster: []int32{1}, Lambda: []float64{1}},
		"no density": {Clusters: one, Cluster: []int32{0}},
		"infinite":   {Clusters: one, Cluster: []int32{0}, Lambda: []float64{math.Inf(1)}},
		"out of order": {Clusters: append(one, dendrogram.Part{Parent: 1}), Cluster: []int32{0},
			Lambda: []float64{1}},
	} {
		if _, err := plot.Icicle(plot.IcicleConfig{Tree: tree}); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// All objects are equal, or there is one.
	if _, err := plot.Icicle(plot.IcicleConfig{Tree: &dendrogram.Condensed{Clusters: one,
		Cluster: []int32{0}, Lambda: []float64{0}}}); err != nil {
		t.Error(err)
	}
}
