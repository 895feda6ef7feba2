package evclus_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
)

// values are those of parameters, as text.
type values = map[string]string

// configured returns a method of this package with values of its parameters.
func configured(t *testing.T, name string, v values) *method.Configured {
	t.Helper()
	all := evclus.Methods()
	m := all[slices.IndexFunc(all, func(m method.Method) bool { return m.Name == name })]
	c, err := m.With(v)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// outcome fits a method of this package.
func outcome(t *testing.T, name string, p method.Problem, v values) (*method.Outcome,
	*evclus.Detail) {
	t.Helper()
	out, err := configured(t, name, v).Fit(t.Context(), p)
	return checked(t, out, err)
}

// answered runs a method of this package under the answers of the classes.
func answered(t *testing.T, name string, p method.Problem, v values,
	budget int) (*method.Outcome, *evclus.Detail) {
	t.Helper()
	out, err := configured(t, name, v).Answered(t.Context(), p, ask.Labels(p.Classes), budget)
	return checked(t, out, err)
}

func checked(t *testing.T, out *method.Outcome, err error) (*method.Outcome, *evclus.Detail) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return out, out.Detail.(*evclus.Detail)
}

func begun(t *testing.T, name string, p method.Problem, v values) *method.Session {
	t.Helper()
	session, err := configured(t, name, v).Begin(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// line returns rows on a line, in groups around 0, 10, 20, …; the first group has the fewest rows.
func line(sizes ...int) dataset.Matrix {
	x := dataset.Matrix{Cols: 1}
	for g, n := range sizes {
		for i := range n {
			x.F64 = append(x.F64, float64(10*g)+float64(i)/float64(n))
		}
	}
	x.Rows = len(x.F64)
	return x
}

// overlapping returns rows on a line in two groups that meet, and their classes.
func overlapping() method.Problem {
	p := method.Problem{Data: dataset.Matrix{Rows: 40, Cols: 1}}
	for i := range p.Data.Rows {
		p.Data.F64 = append(p.Data.F64, float64(i*i%23)+float64(i%7)/10+10*float64(i/20))
		p.Classes = append(p.Classes, int32(i/20))
	}
	return p
}

// TestTheScanFindsTheNumberOfGroups, and numbers the largest first.
func TestTheScanFindsTheNumberOfGroups(t *testing.T) {
	out, detail := outcome(t, "evclus", method.Problem{Data: line(8, 10, 12)},
		values{"clusters": "2..5", "d0": "5"})
	scan := detail.Scan
	if out.Clusters != 3 || len(scan) != 4 || out.Credal.Clusters != 3 {
		t.Fatalf("%d clusters, scan %v", out.Clusters, scan)
	}
	if out.Labels[0] != 3 || out.Labels[8] != 2 || out.Labels[18] != 1 {
		t.Errorf("labels %v", out.Labels)
	}
	for i, s := range scan {
		if s.Clusters != i+2 || i < 1 && s.Nonspecificity < scan[1].Nonspecificity ||
			i > 1 && s.Empty == 0 {
			t.Errorf("scan %v", scan)
		}
	}
	if !slices.ContainsFunc(out.Notes, func(n string) bool {
		return strings.Contains(n,
			"of 2 to 5 clusters, 3 have the lowest nonspecificity among those of which none is "+
				"empty")
	}) {
		t.Errorf("notes %q", out.Notes)
	}
}

// TestACancelledFitReturnsWhatItHas: the best partition so far, with the error.
func TestACancelledFitReturnsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := method.Problem{Data: line(20, 25, 30), Progress: func(p fit.Progress) {
		if p.Share > 0.4 {
			cancel()
		}
	}}
	out, err := configured(t, "evclus", values{"clusters": "3", "tolerance": "1e-12"}).Fit(ctx, p)
	if !errors.Is(err, context.Canceled) || out == nil || len(out.Labels) != 75 ||
		out.Detail.(*evclus.Detail).Stopped == fit.Converged {
		t.Errorf("%+v %v", out, err)
	}
}

// TestModelsOfEveryKindOfObject place the objects they were made from as the fit did, whatever
// these are.
func TestModelsOfEveryKindOfObject(t *testing.T) {
	text := "id,word,curve,x,colour\n"
	for i, word := range []string{"lion", "lions", "lino", "line", "telegraph", "telegraphs",
		"telegram", "telegraphy"} {
		curve := [...]string{"1 1 2 1", "9 8 9 9 9"}[i/4]
		text += string(rune('a'+i)) + "," + word + "," + curve + " " + string(rune('0'+i%4)) + "," +
			string(rune('0'+i)) + "," + [...]string{"red", "blue"}[i/4] + "\n"
	}
	table, err := dataset.ReadStream(t.Context(), strings.NewReader(text), "t.csv",
		dataset.ReadOptions{Features: []string{"x", "colour"}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []method.Comparison{
		{Metric: dissim.Levenshtein, Column: "word"},
		{Metric: dissim.DTW, Column: "curve", Band: 2},
		{Metric: dissim.CyclicEdit, Column: "curve", EditCost: 20},
		{Metric: dissim.Gower},
	} {
		objects, _, err := method.ObjectsOf(table, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := outcome(t, "evclus", method.Problem{Objects: objects}, values{"clusters": "2"})
		hard := out.Credal.ArgMax(belief.MaxPlausibility)
		if hard[0] == hard[7] {
			t.Errorf("%s: labels %v", c.Metric, hard)
		}
		out.Model.Method = "evclus"
		path := filepath.Join(t.TempDir(), "m")
		if err := model.Save(out.Model, path); err != nil {
			t.Fatal(err)
		}
		read, err := model.Load(path)
		if err != nil {
			t.Fatalf("%s: %v", c.Metric, err)
		}
		p, rows, err := model.Placement(t.Context(), read, table, 2)
		if err != nil || rows != nil || !slices.Equal(p.ArgMax(belief.MaxPlausibility), hard) {
			t.Errorf("%s: %v placed as %v (%v)", c.Metric, hard, p, err)
		}
		if _, err := model.PlacementOf(t.Context(), read,
			dataset.Matrix{Rows: 1, Cols: 3, F64: []float64{1, 2, 3}}, 1); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "3 columns") {
			t.Errorf("%s: a matrix of the wrong width: %v", c.Metric, err)
		}
	}
}

// TestAModelOfAMatrix places new objects by their dissimilarities to all old ones, or to the
// landmarks.
func TestAModelOfAMatrix(t *testing.T) {
	src, err := dissim.Vectors(line(6, 7), dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	dense, err := dissim.NewDense(t.Context(), src, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := outcome(t, "evclus", method.Problem{Dissim: dense},
		values{"clusters": "2", "model-rows": "5"})
	l := out.Model.Landmarks
	if l.By.Len() != 5 || l.Fitted != 13 {
		t.Fatalf("%d landmarks of %d", l.By.Len(), l.Fitted)
	}
	all := dataset.Matrix{Rows: 13, Cols: 13, F32: dense.D}
	some := dataset.Matrix{Rows: 13, Cols: 5}
	for i := range 13 {
		for _, w := range l.Which {
			some.F64 = append(some.F64, all.At(i, int(w)))
		}
	}
	p, err := model.PlacementOf(t.Context(), out.Model, all, 1)
	if err != nil {
		t.Fatal(err)
	}
	q, err := model.PlacementOf(t.Context(), out.Model, some, 1)
	if err != nil || !slices.Equal(p.Mass, q.Mass) {
		t.Errorf("the landmarks alone give other masses (%v)", err)
	}
	if got := p.ArgMax(belief.MaxPlausibility); got[0] != 2 || got[12] != 1 {
		t.Errorf("placed as %v", got)
	}
	all.F32 = slices.Clone(all.F32)
	all.F32[13+2] = -1
	if _, err := model.PlacementOf(t.Context(), out.Model, all, 1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 2: the dissimilarity to object 3 is -1") {
		t.Errorf("%v", err)
	}
	table, err := dataset.ReadStream(t.Context(), strings.NewReader("x\n1\n2\n"), "rows.csv",
		dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := model.Placement(t.Context(), out.Model, table, 1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "--dissimilarity") {
		t.Errorf("%v", err)
	}
}

// TestLandmarksStandForTheRest: a fit of some rows places the others.
func TestLandmarksStandForTheRest(t *testing.T) {
	out, _ := outcome(t, "kevclus", method.Problem{Data: line(60, 80, 100)},
		values{"clusters": "3", "landmarks": "40", "d0": "5"})
	if out.Labels[0] != 3 || out.Labels[100] != 2 || out.Labels[239] != 1 ||
		out.Model.Landmarks.Fitted != 240 {
		t.Errorf("labels %v", out.Labels)
	}
}

// TestASettledSessionIsSettledAgain, and the labels stop answering.
func TestASettledSessionIsSettledAgain(t *testing.T) {
	p := method.Problem{Data: line(30, 40)}
	for _, v := range p.Data.F64 {
		p.Classes = append(p.Classes, int32(v/10))
	}
	v := values{"clusters": "2", "d0": "5"}
	out, _ := answered(t, "evclus", p, v, 0)
	if out.Queries < 5 || out.Queries > 20 ||
		!slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.Contains(n, "unlikely to change the groups") }) {
		t.Fatalf("%d answers, notes %q", out.Queries, out.Notes)
	}
	session := begun(t, "evclus", p, v)
	if err := session.Restore(out.Asked, nil); err != nil {
		t.Fatal(err)
	}
	if !session.Settled() || len(session.Answers()) != out.Queries {
		t.Errorf("unsettled after %d of %d answers", len(session.Answers()), out.Queries)
	}
	if more, _ := answered(t, "evclus", p, v, out.Queries+3); more.Queries != out.Queries+3 {
		t.Errorf("%d answers, want %d", more.Queries, out.Queries+3)
	}
}

// TestAnswersAreLinks: a fit under the answers of a session as links, which enter as they did
// there, finds its groups.
func TestAnswersAreLinks(t *testing.T) {
	p := overlapping()
	v := values{"clusters": "2"}
	asked, byAnswers := answered(t, "kevclus", p, v, 12)
	p.Classes, p.Links = nil, asked.Asked
	v["constraints"] = byAnswers.Constraints
	linked, byLinks := outcome(t, "kevclus", p, v)
	if asked.Queries != 12 || !slices.Equal(asked.Labels, linked.Labels) ||
		byAnswers.Constraints == "" || byAnswers.Constraints != byLinks.Constraints {
		t.Errorf("%d answers by %q: %v, as links by %q: %v", asked.Queries, byAnswers.Constraints,
			asked.Labels, byLinks.Constraints, linked.Labels)
	}
	if asked.Iterations == 0 || asked.Unit != "sweep" {
		t.Errorf("%d %s", asked.Iterations, asked.Unit)
	}
}

// TestContradictionsThatAreKeptOutliveARestart: a session that keeps them comes back with all of
// its answers.
func TestContradictionsThatAreKeptOutliveARestart(t *testing.T) {
	p := method.Problem{Data: overlapping().Data}
	session := begun(t, "evclus", p, values{"clusters": "2", "contradictions": "keep"})
	answers := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}
	if err := session.Restore(answers, nil); err != nil ||
		!slices.Equal(session.Answers(), answers) {
		t.Errorf("%v (%v)", session.Answers(), err)
	}
	strict := begun(t, "evclus", p, values{"clusters": "2"})
	var clash *link.Contradiction
	if err := strict.Restore(answers, nil); !errors.As(err, &clash) {
		t.Errorf("a contradiction: %v", err)
	}
}

// TestASessionThatIsStopped returns the error of its context, and keeps its answers.
func TestASessionThatIsStopped(t *testing.T) {
	p := overlapping()
	ctx, cancel := context.WithCancel(t.Context())
	session, err := configured(t, "evclus", values{"clusters": "2"}).Begin(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	ends := ask.Func(func(ctx context.Context, q link.Question) (ask.Reply, error) {
		if q.Number == 3 {
			cancel()
		}
		return ask.Labels(p.Classes).Ask(ctx, q)
	})
	err = ask.Drive(context.WithoutCancel(ctx), session.Session, ends, 0, nil)
	if !errors.Is(err, context.Canceled) || len(session.Answers()) != 3 {
		t.Errorf("%v after %d answers", err, len(session.Answers()))
	}
	if _, err := session.Outcome(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("an outcome: %v", err)
	}
}

func TestSessionsThatCannotBegin(t *testing.T) {
	p := method.Problem{Data: overlapping().Data}
	for words, v := range map[string]values{
		"needs the number of clusters": {},
		"one number of clusters":       {"clusters": "2..4"},
		"--landmarks leaves rows out":  {"clusters": "2", "landmarks": "10"},
		"--optimizer gradient":         {"clusters": "2", "optimizer": "gradient"},
		"--stress sammon":              {"clusters": "2", "stress": "sammon"},
	} {
		_, err := configured(t, "evclus", v).Begin(t.Context(), p)
		var setting fault.Setting
		if err == nil || !fault.IsInput(err) && !errors.As(err, &setting) ||
			!strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// TestCEVCLUSAsksAboutOneNumberOfClusters: by a strategy, too, questions need one.
func TestCEVCLUSAsksAboutOneNumberOfClusters(t *testing.T) {
	p := method.Problem{Data: overlapping().Data}
	c := configured(t, "cevclus", values{"clusters": "2..4"})
	_, err := c.Begin(t.Context(), p)
	for _, err := range []error{err, c.Askable()} {
		if err == nil || !strings.Contains(err.Error(), "--clusters is 2..4: questions are about") {
			t.Errorf("questions about 2 to 4 clusters: %v", err)
		}
	}
	one := configured(t, "cevclus", values{"clusters": "2"})
	if err := one.Askable(); err != nil {
		t.Errorf("questions about 2 clusters: %v", err)
	}
}

// TestSammonTakesNoD0: a d0 that is given changes no mass, and a note reports it; the conflict
// stress takes it.
func TestSammonTakesNoD0(t *testing.T) {
	p := method.Problem{Data: overlapping().Data}
	masses := func(v values) (mass []float64, noted bool) {
		v["clusters"], v["max-iterations"] = "2", "20"
		out, err := configured(t, "cevclus", v).Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return out.Credal.Mass, slices.ContainsFunc(out.Notes,
			func(note string) bool { return strings.Contains(note, "have no effect") })
	}
	plain, noted := masses(values{})
	if noted {
		t.Error("a note on a d0 that was not given")
	}
	for _, d0 := range []string{"quantile:0.9", "quantile:0.2", "auto", "0.3"} {
		if got, noted := masses(values{"d0": d0}); !noted || !slices.Equal(got, plain) {
			t.Errorf("d0 %s: noted %t", d0, noted)
		}
	}
	low, noted := masses(values{"stress": "conflict", "d0": "quantile:0.2"})
	if high, _ := masses(values{"stress": "conflict", "d0": "quantile:0.9"}); noted ||
		slices.Equal(low, high) {
		t.Errorf("the conflict stress: noted %t", noted)
	}
}
