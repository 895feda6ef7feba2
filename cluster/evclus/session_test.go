package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"slices"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// TestResultsOfARunAreTheirOwn: what is done to one, or answered after it, does not change the
// other, and an answer taken back leaves no trace of links.
func TestResultsOfARunAreTheirOwn(t *testing.T) {
	r, err := NewRun(t.Context(), blobs(60, 3, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := r.Next()
	first, err := r.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clear(first.Credal.Mass)
	if err := r.Answer(link.CannotLink); err != nil {
		t.Fatal(err)
	}
	linked, err := r.Result(t.Context())
	if err != nil || linked.Used == Choose || linked.Links != 1 {
		t.Errorf("under one link: %d links, used %d (%v)", linked.Links, linked.Used, err)
	}
	r.Undo()
	if got, _ := r.Next(); got != want {
		t.Errorf("asks %+v, before a result was changed %+v", got, want)
	}
	plain, err := r.Result(t.Context())
	if err != nil || plain.Used != Choose || plain.Links != 0 || plain.Violated != 0 {
		t.Errorf("without links: %d links, used %d, %d violated (%v)", plain.Links, plain.Used,
			plain.Violated, err)
	}
}

// TestAPairUnknownTwiceIsOneDoubt.
func TestAPairUnknownTwiceIsOneDoubt(t *testing.T) {
	free, err := NewRun(t.Context(), blobs(60, 3, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	q, _ := free.Next()
	unknown := link.Link{A: q.B, B: q.A}
	r, err := NewRun(t.Context(), blobs(60, 3, 4),
		Config{Clusters: 3, Knowledge: fit.Knowledge{Links: []link.Link{unknown, unknown}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Next(); got.A != q.A || got.B == q.B {
		t.Errorf("asks about %d and %d after a pair of %d was unknown", got.A, got.B, q.A)
	}
}

// TestEachAnswerGivenOnceMoreCounts towards the end, whether or not the next question was looked at
// between.
func TestEachAnswerGivenOnceMoreCounts(t *testing.T) {
	r, err := NewRun(t.Context(), blobs(60, 3, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	for range SettledAfter {
		if err := r.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
	}
	if !r.Settled() {
		t.Fatal("answers that say nothing leave it unsettled")
	}
	for range SettledAfter {
		r.Undo()
	}
	for range SettledAfter {
		r.Redo()
	}
	if !r.Settled() {
		t.Error("unsettled after the same answers")
	}
}

// TestARunOverwritesNothing: the dissimilarities of references are those of the matrix.
func TestARunOverwritesNothing(t *testing.T) {
	src := blobs(60, 3, 4)
	r, err := NewRun(t.Context(), src, Config{Clusters: 3, Consume: true})
	if err != nil {
		t.Fatal(err)
	}
	if g := r.Queue(1)[0].Group; !slices.Equal(src.D, blobs(60, 3, 4).D) ||
		g.References[2].Dissimilarity <= 1 {
		t.Errorf("references of %+v", g)
	}
}
