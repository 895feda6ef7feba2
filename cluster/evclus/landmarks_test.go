package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// TestLandmarksOfTheSammonStress are refused before anything is fitted.
func TestLandmarksOfTheSammonStress(t *testing.T) {
	src := &costly{n: 400}
	_, err := FitLandmarks(t.Context(), src, 100,
		Config{Clusters: 3, Stress: Sammon, Optimizer: Gradient})
	if err == nil || !strings.Contains(err.Error(), "Sammon") || src.asked.Load() > 0 {
		t.Errorf("%v, after %d dissimilarities", err, src.asked.Load())
	}
}

// TestLandmarksStartWhereTold, from their rows of a partition of all objects.
func TestLandmarksStartWhereTold(t *testing.T) {
	labels := make([]int, 400)
	for i := range labels {
		labels[i] = 1 + i%3
	}
	initial, err := credal.FromHard(labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := FitLandmarks(t.Context(), blobs(400, 3, 4), 100,
		Config{Clusters: 3, Focal: initial.Focal, Start: Given, Initial: initial})
	if err != nil || r.Credal.Len() != 400 {
		t.Errorf("%v", err)
	}
}

// TestUnknownLinksAreNoneLeftOut of a fit of landmarks, and draw none.
func TestUnknownLinksAreNoneLeftOut(t *testing.T) {
	var unknown []link.Link
	for i := range 100 {
		unknown = append(unknown, link.Link{A: i, B: i + 100})
	}
	plain, err := FitLandmarks(t.Context(), blobs(400, 3, 4), 50, Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	r, err := FitLandmarks(t.Context(), blobs(400, 3, 4), 50,
		Config{Clusters: 3, Knowledge: fit.Knowledge{Links: unknown}})
	if err != nil || !slices.Equal(r.Credal.Mass, plain.Credal.Mass) ||
		!slices.Equal(r.Notes, plain.Notes) {
		t.Errorf("another fit under links that say nothing: %q (%v)", r.Notes, err)
	}
}

// TestCancelledLandmarksGiveNothing, and do not say that they do.
func TestCancelledLandmarksGiveNothing(t *testing.T) {
	for checks := int64(0); ; checks += 40 {
		ctx := &fuse{Context: context.Background()}
		ctx.left.Store(checks)
		r, err := FitLandmarks(ctx, blobs(400, 3, 4), 100, Config{Clusters: 3})
		if err == nil {
			return
		}
		if r != nil || !errors.Is(err, context.Canceled) ||
			!strings.Contains(err.Error(), "before all objects were placed") {
			t.Fatalf("cancelled at check %d: %v, %v", checks, r, err)
		}
	}
}
