package plot_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/png"
	"math"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/plot"
)

// pair is a credal partition of four objects: two sure ones, one between the clusters, and an
// outlier.
var pair = &credal.Partition{
	Clusters: 2,
	Focal:    []belief.Set{0, 1, 2, 3},
	Mass: []float64{
		0, 0, 0.9, 0.1,
		0.1, 0.8, 0, 0.1,
		0, 0.2, 0.2, 0.6,
		0.9, 0, 0, 0.1,
	},
}

// places are where the four objects lie.
var places = dataset.Matrix{Rows: 4, Cols: 2, F64: []float64{4, 0, 0, 0, 2, 0, 9, 9}}

// contains reports whether a figure has a text.
func contains(f *plot.Figure, err error, text string) bool {
	var b bytes.Buffer
	return err == nil && f.WriteSVG(&b) == nil && strings.Contains(b.String(), ">"+text+"</text>")
}

func ExampleByCertainty() {
	order, groups := plot.ByCertainty(pair)
	fmt.Println(order, groups)
	// Output: [1 2 0 3] [2 1 1 0]
}

func ExampleMasses() {
	f, err := plot.Masses(plot.MassesConfig{Credal: pair, ClusterNames: []string{"ants", "bees"}})
	fmt.Println(contains(f, err, "bees"), contains(f, err, "empty set"))
	// Output: true true
}

func ExampleFocalSet() {
	f, err := plot.FocalSet(plot.FocalSetConfig{Cloud: plot.Cloud{Points: places}, Credal: pair,
		Set: belief.Omega(2)})
	fmt.Println(contains(f, err, "mass of Ω (any cluster)"))
	// Output: true
}

func ExampleShepard() {
	f, err := plot.Shepard(plot.ShepardConfig{Delta: []float64{0.1, 0.5, 1},
		Kappa: []float64{0.1, 0.4, 0.9}})
	fmt.Println(contains(f, err, "3 pairs · root mean square of κ − δ 0.0816"))
	// Output: true
}

func ExampleTrace() {
	f, err := plot.Trace(plot.TraceConfig{Starts: [][]float64{{0.9, 0.3, 0.2}, {0.8, 0.25, 0.1}},
		Winner: 1})
	fmt.Println(contains(f, err, "start 2 of 2 won with 0.1"))
	// Output: true
}

func ExampleChart() {
	f, err := plot.Chart(plot.ChartConfig{
		Title: "Adjusted Rand index after so many answers", X: "answers", Y: "ARI",
		Series: []plot.Series{
			{Name: "COBRA", X: []float64{0, 25, 50}, Y: []float64{0.2, 0.5, 0.7},
				Low: []float64{0.1, 0.4, 0.6}, High: []float64{0.3, 0.6, 0.8}},
			{Name: "COBRAS", X: []float64{0, 25, 50}, Y: []float64{0.3, 0.6, 0.8}},
		},
	})
	fmt.Println(contains(f, err, "COBRA"), contains(f, err, "ARI"))
	// Output: true true
}

// Boxes over names, in two panels that share a legend.
func ExampleChart_panels() {
	f, err := plot.Chart(plot.ChartConfig{
		Y: "seconds", Ticks: []string{"gradient", "IRQP"},
		Panels: []plot.ChartConfig{
			{Title: "protein", Series: []plot.Series{{Kind: plot.Boxes,
				Values: [][]float64{{3, 4, 5, 9}, {1, 1, 2}}}}},
			{Title: "simulated",
				Series: []plot.Series{{Kind: plot.Boxes,
					Values: [][]float64{{13, 14, 15}, {2, 3, 5}}}}},
		},
	})
	fmt.Println(contains(f, err, "protein"), contains(f, err, "gradient"))
	// Output: true true
}

func ExampleContour() {
	f, err := plot.Contour(plot.ContourConfig{Points: places, Classes: []int{0, 0, 0, -1},
		ClassNames: []string{"ants"}})
	fmt.Println(contains(f, err, "ants"))
	// Output: true
}

func ExampleStrokes() {
	f, err := plot.Strokes(
		plot.StrokesConfig{Panels: []plot.Stroke{{Caption: "zigzag", Points: places}}})
	fmt.Println(contains(f, err, "zigzag"))
	// Output: true
}

// euclid returns the distances of points.
type euclid struct{}

func (euclid) Len() int { return places.Rows }

func (euclid) Row(dst []float32, i int, js []int32) {
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		dst[t] = float32(math.Hypot(places.At(i, 0)-places.At(j, 0),
			places.At(i, 1)-places.At(j, 1)))
	}
}

func ExampleHeatMap() {
	order, groups := plot.ByCertainty(pair)
	f, err := plot.HeatMap(context.Background(),
		plot.HeatMapConfig{Source: euclid{}, Order: order, Groups: groups})
	fmt.Println(contains(f, err, "cluster 1"), contains(f, err, "outliers"))
	// Output: true true
}

func ExamplePrincipalComponents() {
	x := dataset.Matrix{Rows: 3, Cols: 3, F64: []float64{1, 2, 0, 2, 4, 0, 3, 6, 0}}
	p, err := plot.PrincipalComponents(context.Background(), x, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %s\n", p.Components[0], p.Label(0))
	flat, err := p.Apply(context.Background(), x, 0)
	fmt.Printf("%.3f %v\n", flat.F64, err)
	// Output:
	// [0.447 0.894 0.000] PC 1 (100 % of variance)
	// [-2.236 0.000 2.236] <nil>
}

func ExampleFigure_WritePNG() {
	f, err := plot.Trace(plot.TraceConfig{Starts: [][]float64{{0.9, 0.3, 0.2}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	fmt.Println(f.WritePNG(&b, 96))
	_, format, err := image.DecodeConfig(&b)
	fmt.Println(format, err)
	// Output:
	// <nil>
	// png <nil>
}
