package gallery

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot"
)

const rows = 9

// full returns a scene that has what every picture of any result needs.
func full(t *testing.T) *method.Scene {
	t.Helper()
	x := dataset.Matrix{Rows: rows, Cols: 3}
	labels := make([]int, rows)
	tree := &dendrogram.Tree{N: rows, Linkage: "ward"}
	for i := range rows {
		labels[i] = 1 + i%2
		x.F64 = append(x.F64, float64(10*(i%2)), float64(i), float64(i*i))
		switch {
		case i == 1:
			tree.Merges = append(tree.Merges, dendrogram.Merge{A: 0, B: 1, Height: 1, Size: 2})
		case i > 1:
			tree.Merges = append(tree.Merges,
				dendrogram.Merge{A: i, B: rows + i - 2, Height: float64(i), Size: i + 1})
		}
	}
	p, err := credal.FromHard(labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	return &method.Scene{
		Problem: method.Problem{Data: x}, Name: "folder/points.csv",
		Links: []link.Link{{A: 0, B: 2, Kind: link.MustLink}},
		Outcome: &method.Outcome{Labels: labels, Clusters: 2, Credal: p, Tree: tree,
			Medoids: []int{0, 1}, Of: []int32{0, 1, 0, 1, 0, 1, 0, 1, 0},
			Choice: &method.Choice{By: "gap", Clusters: 2, Tried: []method.Trial{
				{Clusters: 1, Criteria: map[string]float64{"silhouette": 0}},
				{Clusters: 2, Criteria: map[string]float64{"gap": .5}, Error: .1},
				{Clusters: 3, Criteria: map[string]float64{"gap": .55}, Error: .1}}}},
	}
}

// bare returns a scene of one cluster of objects known by their dissimilarities alone.
func bare(t *testing.T) *method.Scene {
	t.Helper()
	s := full(t)
	src, _, err := s.Problem.Compared()
	if err != nil {
		t.Fatal(err)
	}
	s.Problem = method.Problem{Dissim: src}
	s.Outcome = &method.Outcome{Labels: slices.Repeat([]int{1}, rows), Clusters: 1}
	return s
}

func choiceOf(s *method.Scene, p method.Picture) string {
	if p.Any == nil {
		return p.Name
	}
	return p.Name + ":" + p.Any(s)
}

func drawn(t *testing.T, fig *plot.Figure) []byte {
	t.Helper()
	var svg bytes.Buffer
	if err := fig.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	return svg.Bytes()
}

// Every picture is drawn of a scene that has what it needs, the same on any number of threads, with
// the title of the scene.
func TestEveryPictureIsDrawn(t *testing.T) {
	for _, p := range ofAny() {
		var first []byte
		for _, threads := range []int{1, 3} {
			s := full(t)
			s.Problem.Threads = threads
			fig, err := Draw(t.Context(), s, choiceOf(s, p))
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			svg := drawn(t, fig)
			if !bytes.Contains(svg, []byte("points.csv: 2 groups")) {
				t.Errorf("%s lacks its title", p.Name)
			}
			if first != nil && !bytes.Equal(first, svg) {
				t.Errorf("%s differs with %d threads", p.Name, threads)
			}
			first = svg
		}
	}
}

// A scene that lacks what a picture needs is refused with a sentence and what to do; pictures that
// need nothing are drawn of any.
func TestPicturesSayWhatIsLacking(t *testing.T) {
	for choice, why := range map[string]string{
		"groups": "", "rough": "", "masses": "has none", "focal:empty": "has none",
		"heatmap": "has none", "dendrogram": "there is none",
	} {
		_, err := Draw(t.Context(), bare(t), choice)
		var input *fault.Input
		switch {
		case why == "" && err != nil:
			t.Errorf("%s: %v", choice, err)
		case why == "":
		case !errors.As(err, &input) || !strings.Contains(input.Problem, why) || input.Fix == "":
			t.Errorf("%s: %v", choice, err)
		}
	}
	many := bare(t)
	many.Outcome.Clusters = belief.MaxClusters + 1
	if _, err := Draw(t.Context(), many, "rough"); err == nil ||
		!strings.Contains(err.Error(), "at most") {
		t.Errorf("rough of many clusters: %v", err)
	}
	if got := Default(many); got != "groups" {
		t.Errorf("the default of many clusters is %s", got)
	}
}

// What a picture declares it needs is all that it needs: offers that lack nothing are drawn.
func TestOffersCanBeDrawn(t *testing.T) {
	for _, s := range []*method.Scene{full(t), bare(t)} {
		defaults := 0
		for _, o := range Offers(s) {
			if o.Default {
				defaults++
				if o.Lacks != nil {
					t.Errorf("the default %s lacks something: %v", o.Name, o.Lacks)
				}
			}
			if o.Lacks != nil {
				continue
			}
			if _, err := Draw(t.Context(), s, choiceOf(s, o.Picture)); err != nil {
				t.Errorf("%s: %v", o.Name, err)
			}
		}
		if defaults != 1 {
			t.Errorf("there are %d defaults", defaults)
		}
	}
}

// Objects without vectors are placed by their dissimilarities, unless a view is given.
func TestPlace(t *testing.T) {
	s := bare(t)
	placed, err := Place(t.Context(), s)
	if err != nil || !placed.EqualScale || !strings.Contains(placed.Note, "stress-1") {
		t.Errorf("%+v, %v", placed, err)
	}
	fig, err := Draw(t.Context(), s, "groups")
	if err != nil || !bytes.Contains(drawn(t, fig), []byte("multidimensional scaling")) {
		t.Errorf("the note on the scaling is not in the picture: %v", err)
	}
	s.View = func(context.Context, method.Layout) (plot.View, error) {
		return plot.View{Points: placed.Points, XLabel: "here"}, nil
	}
	if got, err := Place(t.Context(), s); err != nil || got.XLabel != "here" {
		t.Errorf("%+v, %v", got, err)
	}
	s = full(t)
	s.Units = dataset.Matrix{Rows: rows, Cols: 1, F64: make([]float64, rows)}
	s.Columns = []string{"width"}
	if got, err := Place(t.Context(), s); err != nil || got.XLabel != "width" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Choices that name no picture are settings that are invalid, as are those that a method does not
// have, as far as it is known before a fit.
func TestCheck(t *testing.T) {
	configured := func(m method.Method, values map[string]string) *method.Configured {
		t.Helper()
		m.Configure = func(set *param.Set) method.Steps {
			var clusters int
			method.Clusters(set, &clusters)
			return method.Steps{Focal: func() []belief.Set {
				sets, _ := belief.Simple(clusters)
				return sets
			}}
		}
		c, err := m.With(values)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	three := map[string]string{"clusters": "3"}
	masses := configured(method.Method{Name: "soft", Masses: true}, three)
	unknown := configured(method.Method{Name: "soft", Masses: true}, nil)
	plain := configured(method.Method{Name: "plain"}, three)
	tree := configured(method.Method{Name: "joins", Tree: true}, nil)
	for _, c := range []struct {
		of           *method.Configured
		choice, want string
	}{
		{plain, "", ""},
		{plain, "rough", ""},
		{plain, "pie", `--picture is "pie": give groups, rough, masses, focal:SET,`},
		{plain, "rough:1", "rough takes nothing after it"},
		{plain, "masses", "--picture masses: it is of masses, and plain has none"},
		{plain, "heatmap", "it is of masses, and plain has none"},
		{plain, "dendrogram", "it is of a tree, and plain makes none"},
		{tree, "dendrogram", ""},
		{masses, "masses", ""},
		{masses, "focal", "name it, as in focal:1+2, focal:all or focal:empty"},
		{masses, "focal:", "name it, as in"},
		{masses, "focal:77", "--picture focal:77: there is no cluster 77"},
		{masses, "focal:1+2", "{1+2} is not among the focal sets: give one of empty, 1, 2, 3, all"},
		{masses, "focal:1", ""},
		{masses, "focal:all", ""},
		{unknown, "focal:1+2", ""},
	} {
		err := Check(c.of, c.choice)
		var setting fault.Setting
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, %s: %v", c.of.Name, c.choice, err)
		case c.want != "" && (!errors.As(err, &setting) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s, %s: %v, not %q", c.of.Name, c.choice, err, c.want)
		}
	}
	if _, err := Draw(t.Context(), full(t), "focal:3"); err == nil ||
		!strings.Contains(err.Error(), "--picture focal:3: there is no cluster 3") {
		t.Errorf("a set of no cluster is drawn: %v", err)
	}
}

// Names of pictures are unique, and each has a title.
func TestList(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.Name] || p.Title == "" || p.Draw == nil ||
			(p.Argument == "") != (p.Example == "") {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
		if !strings.Contains(Names(), p.Name) {
			t.Errorf("%s is not in %q", p.Name, Names())
		}
	}
}

// Super-instances have hulls up to a number of rows; groups so far state the number of answers.
func TestGroups(t *testing.T) {
	s := full(t)
	s.Outcome.Unfinished, s.Outcome.Queries = true, 5
	s.ClusterNames = []string{"wild <cats>"}
	fig, err := Draw(t.Context(), s, "groups")
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(t, fig)
	for _, want := range []string{"points.csv: 2 groups so far, 5 answers", "wild &lt;cats&gt;",
		"group 2"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	if s := superInstances(s.Outcome); len(s) != 2 || len(s[0].Members) != 5 {
		t.Errorf("%+v", s)
	}
	s.Title = "mine"
	fig, err = Draw(t.Context(), s, "")
	if err != nil || !bytes.Contains(drawn(t, fig), []byte(">mine<")) {
		t.Errorf("the title is not that given: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Draw(ctx, s, "heatmap"); !errors.Is(err, context.Canceled) {
		t.Errorf("a picture that nobody waits for: %v", err)
	}
}

// Each layout is chosen by its name, and how well it keeps neighbours is known where it is asked
// for, and in the caption of neighbours.
func TestLayouts(t *testing.T) {
	for _, l := range []method.Layout{"", method.PCA, method.MDS, method.Neighbours} {
		s := full(t)
		s.Layout = l
		placed, err := Place(t.Context(), s)
		want := l
		if l == "" {
			want = method.PCA
		}
		if err != nil || placed.Layout != string(want) ||
			(placed.Quality.All > 0) != (l == method.Neighbours) ||
			strings.Contains(placed.Note, "trustworthiness") != (l == method.Neighbours) {
			t.Errorf("%q: %+v, %v", l, placed, err)
		}
		cloud, _, err := plane(t.Context(), s, nil, "")
		if err != nil || cloud.NoTicks != (l == method.Neighbours) {
			t.Errorf("%q: axes without ticks are %v, %v", l, cloud.NoTicks, err)
		}
		var got plot.View
		s.Placed = func(v plot.View) { got = v }
		if _, err := Draw(t.Context(), s, "groups"); err != nil || got.Quality.All != rows {
			t.Errorf("%q: drawn by %+v, %v", l, got, err)
		}
	}
	s := full(t)
	s.Layout = "round"
	var setting fault.Setting
	if _, err := Draw(t.Context(), s, "groups"); !errors.As(err, &setting) {
		t.Errorf("%v", err)
	}
	s = bare(t)
	s.Layout = method.PCA
	if _, err := Draw(t.Context(), s, "groups"); !errors.As(err, &setting) {
		t.Errorf("%v", err)
	}
}
