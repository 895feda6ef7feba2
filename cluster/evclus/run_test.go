package evclus_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
)

// sampleIris returns the rows of iris, scaled, and their classes.
func sampleIris(t testing.TB) (dissim.Source, []int32) {
	t.Helper()
	return vectors(t, "iris.csv", dataset.ScaleZScore)
}

func vectors(t testing.TB, name string, scale dataset.Scale) (dissim.Source, []int32) {
	t.Helper()
	x, classes := load(t, name, dataset.ReadOptions{Label: "class"}, scale)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	return src, classes
}

func rand(t *testing.T, r *evclus.Run, classes []int32) float64 {
	t.Helper()
	res, err := r.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int, len(classes))
	for i, c := range classes {
		truth[i] = int(c)
	}
	s, err := eval.Compare(res.Credal.ArgMax(belief.MaxPlausibility), truth)
	if err != nil {
		t.Fatal(err)
	}
	return s.Rand
}

// TestAnswersHelp: forty answers about the objects between groups bring the partition nearer the
// classes.
func TestAnswersHelp(t *testing.T) {
	src, classes := sampleIris(t)
	r, err := evclus.NewRun(t.Context(), src,
		evclus.Config{Clusters: 3, D0: evclus.D0{Quantile: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	before := rand(t, r, classes)
	if err := ask.Drive(t.Context(), r.Session, ask.Labels(classes), 40, nil); err != nil {
		t.Fatal(err)
	}
	after := rand(t, r, classes)
	if after < before+0.05 || len(r.Answers()) != 40 {
		t.Errorf("Rand index %.3f before, %.3f after %d answers", before, after, len(r.Answers()))
	}
}

// TestTheNextQuestionDependsOnTheAnswersAlone: after undo and redo, after an edit taken back, and
// in a run restored from the answers in another order, the same question comes.
func TestTheNextQuestionDependsOnTheAnswersAlone(t *testing.T) {
	src, classes := sampleIris(t)
	cfg := evclus.Config{Clusters: 3, D0: evclus.D0{Quantile: 0.5}}
	r, err := evclus.NewRun(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.Drive(t.Context(), r.Session, ask.Labels(classes), 6, nil); err != nil {
		t.Fatal(err)
	}
	want, ok := r.Next()
	if !ok || want.Number != 7 || want.Why == "" {
		t.Fatalf("%+v, %v", want, ok)
	}
	for range 3 {
		r.Undo()
	}
	for range 3 {
		if _, ok := r.Redo(); !ok {
			t.Fatal("nothing to redo")
		}
	}
	if got, _ := r.Next(); got != want {
		t.Errorf("after undo and redo %+v, before %+v", got, want)
	}

	l := r.Answers()[2]
	if err := r.Edit(l.B, l.A, link.Unknown); err != nil {
		t.Fatal(err)
	}
	if err := r.Edit(l.A, l.B, l.Kind); err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Next(); got != want {
		t.Errorf("after an edit and back %+v, before %+v", got, want)
	}

	other, err := evclus.NewRun(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	answers := r.Answers()
	slices.Reverse(answers)
	if err := other.Restore(answers, nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := other.Next(); got.A != want.A || got.B != want.B {
		t.Errorf("restored %+v, before %+v", got, want)
	}
}

// TestQuestionsFollowAlgorithm3: the object is the least certain one, its references are of one
// cluster each and never itself, and no pair is asked twice or follows from others.
func TestQuestionsFollowAlgorithm3(t *testing.T) {
	src, classes := sampleIris(t)
	r, err := evclus.NewRun(t.Context(), src, evclus.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	known, about := link.NewSet(src.Len()), map[int]bool{}
	for range 25 {
		q, ok := r.Next()
		if !ok {
			break
		}
		g := r.Queue(1)[0].Group
		if q.A != g.Object || q.B != g.References[g.Ask].Object {
			t.Fatalf("%+v is asked of %+v", q, g)
		}
		for i, ref := range g.References {
			if about[ref.Object] {
				t.Errorf("object %d was asked about, and stands for cluster %d", ref.Object,
					ref.Cluster+1)
			}
			if ref.Object == g.Object ||
				i > 0 && ref.Dissimilarity < g.References[i-1].Dissimilarity {
				t.Errorf("references %+v of %d", g.References, g.Object)
			}
		}
		if known.Relation(q.A, q.B) != link.Unknown {
			t.Errorf("%d and %d are known to be %v", q.A, q.B, known.Relation(q.A, q.B))
		}
		kind := link.CannotLink
		if classes[q.A] == classes[q.B] {
			kind = link.MustLink
		}
		if err := known.Add(link.Link{A: q.A, B: q.B, Kind: kind}); err != nil {
			t.Fatal(err)
		}
		if err := r.Answer(kind); err != nil {
			t.Fatal(err)
		}
		about[q.A] = true
	}
}

// TestUnknownAnswersSetAnObjectAside: after two of them it is not asked about again.
func TestUnknownAnswersSetAnObjectAside(t *testing.T) {
	src, _ := sampleIris(t)
	r, err := evclus.NewRun(t.Context(), src, evclus.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	times := map[int]int{}
	for range 12 {
		q, ok := r.Next()
		if !ok {
			break
		}
		if times[q.A]++; times[q.A] > 2 {
			t.Fatalf("object %d is asked about again", q.A)
		}
		if err := r.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
	}
	if !r.Settled() {
		t.Error("a dozen answers that say nothing leave it unsettled")
	}
	if likely, _ := r.Remaining(); likely != 0 {
		t.Errorf("settled, and %d answers are likely", likely)
	}
}

func TestACancelledRunSaysSo(t *testing.T) {
	src, _ := sampleIris(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := evclus.NewRun(ctx, src, evclus.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Answer(link.MustLink); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, ok := r.Next(); ok || !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("asks on after the end of its context: %v", r.Err())
	}
}
