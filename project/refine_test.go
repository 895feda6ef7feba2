package project_test

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/kindred-go/kindred/method"
)

// The map of neighbours is made beside all else, and takes over where it keeps neighbours better.
func TestRefine(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "p.kindred"), "wine")
	news, stop := d.Subscribe()
	defer stop()
	first, err := d.Map(t.Context())
	if err != nil || first.Layout != method.PCA || first.Quality.Neighbours != 0 {
		t.Fatalf("the first map is %s, %v, %v", first.Layout, first.Quality, err)
	}
	if l := d.State("").Layout; l != "" {
		t.Errorf("before anybody looks, the layout is %q", l)
	}
	d.Refine()
	d.Refine()
	for late := time.After(time.Minute); d.State("").Layout == ""; {
		select {
		case <-news:
		case <-late:
			t.Fatal("the map of neighbours never comes")
		}
	}
	near, err := d.NeighbourMap(t.Context())
	if err != nil || near.Layout != method.Neighbours || d.State("").Layout != string(near.Layout) {
		t.Fatalf("the map of neighbours is %s, %v", near.Layout, err)
	}
	for _, v := range near.Points {
		if !(math.Abs(float64(v)) <= 1.000001) {
			t.Errorf("a point lies at %v", v)
		}
	}
	again, err := d.Map(t.Context())
	if err != nil || again.Quality.Neighbours == 0 ||
		again.Quality.Trustworthiness >= near.Quality.Trustworthiness {
		t.Errorf("%v, then %v, %v", again.Quality, near.Quality, err)
	}
	// Pictures are drawn of the same map.
	s, err := d.Scene(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []method.Layout{"", method.PCA, method.MDS, method.Neighbours} {
		want := l
		if l == "" {
			want = method.PCA
		}
		if view, err := s.View(t.Context(), l); err != nil || view.Layout != string(want) {
			t.Errorf("the view by %q is by %q, %v", l, view.Layout, err)
		}
	}
}
