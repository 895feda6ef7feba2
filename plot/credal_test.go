package plot

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// masses makes a credal partition of three clusters from rows over {}, {1}, {2}, {3}, {1+2} and the
// frame.
func masses(rows ...[]float64) *credal.Partition {
	return &credal.Partition{Clusters: 3, Focal: []belief.Set{0, 1, 2, 4, 3, 7},
		Mass: slices.Concat(rows...)}
}

var (
	first   = []float64{0, 0.9, 0, 0, 0, 0.1}
	second  = []float64{0.1, 0, 0.8, 0, 0.1, 0}
	third   = []float64{0, 0, 0, 1, 0, 0}
	between = []float64{0, 0.1, 0.1, 0, 0.8, 0}
	unknown = []float64{0, 0, 0, 0, 0, 1}
	nowhere = []float64{1, 0, 0, 0, 0, 0}
)

// seven has two sure objects of the first cluster, one of each other, and one of every doubtful
// sort.
func seven() (dataset.Matrix, *credal.Partition) {
	points := matrix([]float64{0, 0}, []float64{1, 0}, []float64{9, 9}, []float64{0, 8},
		[]float64{4, 4}, []float64{5, 5}, []float64{20, 20})
	return points, masses(first, first, second, third, between, unknown, nowhere)
}

// crowd has n objects around three centres, with masses that fit.
func crowd(n int) (dataset.Matrix, *credal.Partition) {
	rng := rand.New(rand.NewPCG(1, 2))
	points, rows := dataset.Matrix{Rows: n, Cols: 2}, make([][]float64, n)
	for i := range n {
		points.F64 = append(points.F64, float64(i%3*4)+rng.NormFloat64(),
			float64(i%2*4)+rng.NormFloat64())
		row, sum := make([]float64, 6), 0.0
		for k := range row {
			row[k] = rng.Float64()
			if k == i%3+1 {
				row[k] *= 9
			}
			sum += row[k]
		}
		for k := range row {
			row[k] /= sum
		}
		rows[i] = row
	}
	return points, masses(rows...)
}

// reported returns the texts of a figure, parted by bars, after writing it as SVG and as PNG.
func reported(t *testing.T, f *Figure, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	_, texts := parse(t, f)
	var b bytes.Buffer
	if err := f.WritePNG(&b, 30); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Join(texts, "|")
}

func expect(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("the figure does not say %q: %s", want, text)
		}
	}
}

// all makes every picture of a credal partition, with the name in each of its texts.
func all(t *testing.T, points dataset.Matrix, p *credal.Partition,
	name string) map[string]func() (*Figure, error) {
	names := []string{name, name, name}
	classes := make([]int, p.Len())
	trace := [][]float64{{3, 2, 1}, {4, 1.5}}
	delta := make([]float64, p.Len())
	return map[string]func() (*Figure, error){
		"rough": func() (*Figure, error) {
			return Rough(RoughConfig{Cloud: Cloud{Points: points, ClusterNames: names,
				EqualScale: true}, Credal: p, Page: Page{Title: name, Subtitle: name, XLabel: name,
				YLabel: name}})
		},
		"rough with classes": func() (*Figure, error) {
			return Rough(RoughConfig{Cloud: Cloud{Points: points, ClusterNames: names,
				Classes: classes, ClassNames: names}, Credal: p})
		},
		"masses": func() (*Figure, error) {
			return Masses(MassesConfig{Credal: p, ClusterNames: names, Page: Page{Title: name,
				Subtitle: name, XLabel: name}})
		},
		"focal set": func() (*Figure, error) {
			return FocalSet(FocalSetConfig{Cloud: Cloud{Points: points, Classes: classes,
				ClassNames: names}, Credal: p, Set: p.Focal[len(p.Focal)-1],
				Page: Page{Title: name, XLabel: name, YLabel: name}})
		},
		"shepard": func() (*Figure, error) {
			return Shepard(ShepardConfig{Delta: delta, Kappa: delta, Page: Page{Title: name,
				Subtitle: name, XLabel: name, YLabel: name}})
		},
		"heat map": func() (*Figure, error) {
			order, groups := ByCertainty(p)
			return HeatMap(t.Context(),
				HeatMapConfig{Source: distances(points), Order: order, Groups: groups,
					GroupNames: names, Scale: name, Page: Page{Title: name, Subtitle: name}})
		},
		"trace": func() (*Figure, error) {
			return Trace(TraceConfig{Starts: trace, Winner: 1, Page: Page{Title: name,
				Subtitle: name, YLabel: name}})
		},
	}
}

func TestHostileNamesInCredalPictures(t *testing.T) {
	points, p := crowd(62)
	for _, name := range hostile {
		for kind, draw := range all(t, points, p, name) {
			f, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			_, texts := parse(t, f) // has no element but our own
			for _, text := range texts {
				if utf8.RuneCountInString(text) > 160 {
					t.Errorf("%s: %q was drawn with %d characters", kind, name,
						utf8.RuneCountInString(text))
				}
			}
		}
	}
}

// The same input makes the same bytes.
func TestCredalPicturesAreDeterministic(t *testing.T) {
	points, p := crowd(400)
	for kind, draw := range all(t, points, p, "a") {
		var before string
		for range 2 {
			f, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			text, _ := parse(t, f)
			if before != "" && text != before {
				t.Errorf("%s was drawn in two ways", kind)
			}
			before = text
		}
	}
}

// One object, many objects in one place, huge and tiny coordinates: every picture is well-formed,
// without NaN.
func TestOddCredalData(t *testing.T) {
	at := func(n int, xy ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: n, Cols: 2, F64: slices.Repeat(xy, n)}
	}
	for name, points := range map[string]dataset.Matrix{
		"one": at(1, 3, 4), "at zero": at(3, 0, 0), "many in one place": at(70, 1, 1),
		"huge":      {Rows: 2, Cols: 2, F64: []float64{-1e300, 1, 1e300, 2}},
		"tiny":      {Rows: 2, Cols: 2, F64: []float64{5e-324, 0, 0, 1e-300}},
		"on a line": {Rows: 3, Cols: 2, F64: []float64{0, 0, 1, 1, 2, 2}},
	} {
		for at, row := range [][]float64{first, nowhere, unknown} {
			for kind, draw := range all(t, points,
				masses(slices.Repeat([][]float64{row}, points.Rows)...), "x") {
				switch {
				case kind == "heat map" && name == "huge":
					// its distances are beyond single precision
					continue
				case at > 0 && !strings.HasPrefix(kind, "rough") && kind != "masses":
					// the same again
					continue
				}
				f, err := draw()
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				if parse(t, f); at == 0 && kind == "rough" {
					reported(t, f, err)
				}
			}
		}
	}
}

// 63 clusters: legends and names stay within the page.
func TestManyClusters(t *testing.T) {
	focal, err := belief.Simple(belief.MaxClusters)
	if err != nil {
		t.Fatal(err)
	}
	p := &credal.Partition{Clusters: belief.MaxClusters, Focal: focal}
	points := dataset.Matrix{Rows: 630, Cols: 2}
	for i := range points.Rows {
		row := make([]float64, len(focal))
		row[1+i%belief.MaxClusters] = 1
		p.Mass = append(p.Mass, row...)
		points.F64 = append(points.F64, float64(i%belief.MaxClusters), float64(i))
	}
	for kind, draw := range all(t, points, p, "") {
		f, err := draw()
		text := reported(t, f, err)
		if strings.HasPrefix(kind, "rough") && !strings.Contains(text, "more") {
			t.Errorf("%s: the legend of 63 clusters is not cut: %s", kind, text)
		}
	}
	// Where the legend leaves names out, the picture has them.
	f, err := Rough(RoughConfig{Cloud: Cloud{Points: points,
		ClusterNames: []string{62: "the last of many"}}, Credal: p})
	expect(t, reported(t, f, err), "… and 45 more", "|62|the")
	f, err = FocalSet(FocalSetConfig{Cloud: Cloud{Points: points}, Credal: p, Set: 1})
	expect(t, reported(t, f, err), "… and", "|62|", "|63")
}

// The masses of 31 clusters are distinguished, though hues return, and each band has its name,
// upright where it is narrow.
func TestMassesOfManyClusters(t *testing.T) {
	focal, err := belief.Simple(31)
	if err != nil {
		t.Fatal(err)
	}
	p := &credal.Partition{Clusters: 31, Focal: focal}
	for i := range 620 {
		row := make([]float64, len(focal))
		row[1+i/20] = 1
		p.Mass = append(p.Mass, row...)
	}
	f, err := Masses(MassesConfig{Credal: p})
	text := reported(t, f, err)
	expect(t, text, "cluster 1|cluster 2", "more|cluster 1|cluster 2|cluster 3",
		"|cluster 30|cluster 31")
	if strings.Contains(text, "others") {
		t.Errorf("clusters are lumped together: %s", text)
	}
	s := &massScene{cfg: MassesConfig{Credal: p}}
	s.choose()
	looks := map[string]bool{}
	for k := range s.sets {
		looks[fmt.Sprint(s.fills(k))] = true
	}
	if len(looks) != 31 {
		t.Errorf("31 clusters have %d fills", len(looks))
	}
}

func TestByCertainty(t *testing.T) {
	order, groups := ByCertainty(masses(nowhere, third, between, second, first,
		[]float64{0, 1, 0, 0, 0, 0}, nowhere))
	if want := []int{5, 4, 2, 3, 1, 0, 6}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	if want := []int{0, 3, 1, 2, 1, 1, 0}; !slices.Equal(groups, want) {
		t.Errorf("groups %v, want %v", groups, want)
	}
}

// What every picture of objects in the plane refuses.
func TestCredalPicturesRefuse(t *testing.T) {
	points, p := seven()
	with := func(change func(p *credal.Partition)) *credal.Partition {
		q := *p
		q.Mass, q.Focal = slices.Clone(p.Mass), slices.Clone(p.Focal)
		change(&q)
		return &q
	}
	odd := points.Subset([]int{0, 1, 2, 3, 4, 5, 6})
	odd.F64[3] = math.NaN()
	for problem, cfg := range map[string]RoughConfig{
		"no masses": {Cloud: Cloud{Points: points}},
		"there are no masses": {Cloud: Cloud{Points: points},
			Credal: &credal.Partition{Clusters: 3}},
		"cannot be those of": {Cloud: Cloud{Points: points},
			Credal: with(func(p *credal.Partition) { p.Mass = p.Mass[1:] })},
		"has 64 clusters": {Cloud: Cloud{Points: points},
			Credal: with(func(p *credal.Partition) { p.Clusters = 64 })},
		"beyond the 2 there": {Cloud: Cloud{Points: points},
			Credal: with(func(p *credal.Partition) { p.Clusters = 2 })},
		"row 2: the mass of {}": {Cloud: Cloud{Points: points},
			Credal: with(func(p *credal.Partition) { p.Mass[6] = math.NaN() })},
		"row 1: the mass of {1": {Cloud: Cloud{Points: points},
			Credal: with(func(p *credal.Partition) { p.Mass[1] = -0.1 })},
		"6 points but 7 mass": {Cloud: Cloud{Points: points.Subset([]int{0, 1, 2, 3, 4, 5})},
			Credal: p},
		"3 coordinates": {Cloud: Cloud{Points: dataset.Matrix{Rows: 7, Cols: 3,
			F64: make([]float64, 21)}}, Credal: p},
		"row 2, column y: NaN": {Cloud: Cloud{Points: odd}, Credal: p},
		"7 points but 1 class": {Cloud: Cloud{Points: points, Classes: []int{0}}, Credal: p},
		"no class 3 among 1": {Cloud: Cloud{Points: points, Classes: []int{0, 0, 3, 0, 0, 0, 0},
			ClassNames: []string{"a"}}, Credal: p},
		"rows 1 and 8 of 7": {Cloud: Cloud{Points: points, Links: []link.Link{{A: 0, B: 7}}},
			Credal: p},
		"at most -1 points": {Cloud: Cloud{Points: points, MaxPoints: -1}, Credal: p},
		"50 inches":         {Cloud: Cloud{Points: points}, Credal: p, Page: Page{Width: 50}},
	} {
		if _, err := Rough(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
		focal := FocalSetConfig{Cloud: Cloud{Points: cfg.Points, Classes: cfg.Classes,
			ClassNames: cfg.ClassNames, Links: cfg.Links, MaxPoints: cfg.MaxPoints},
			Credal: cfg.Credal, Page: Page{Width: cfg.Width}}
		if _, err := FocalSet(focal); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), problem) {
			t.Errorf("focal set: %v; want an input fault with %q", err, problem)
		}
	}
}

func ExampleRough() {
	fig, err := Rough(RoughConfig{
		Cloud: Cloud{Points: matrix([]float64{0, 0}, []float64{1, 0}, []float64{5, 4},
			[]float64{9, 9})},
		Credal: masses(first, first, second, nowhere),
		Page:   Page{Subtitle: "two sure objects, one in a cluster of its own, and an outlier"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := fig.WriteSVG(&b); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(b.String(), ">outlier</text>"))
	// Output: true
}
