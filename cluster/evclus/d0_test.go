package evclus

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/method"
)

// TestUsualD0 is the 0.9 quantile for few clusters, and that of D0.Auto for many, or where it is
// much smaller.
func TestUsualD0(t *testing.T) {
	d0 := func(blobsOf, clusters int, d D0) (float64, string) {
		r, err := Fit(t.Context(), blobs(60*blobsOf, blobsOf, 3), Config{Clusters: clusters, D0: d})
		if err != nil {
			t.Fatal(err)
		}
		return r.D0, r.Notes[0]
	}
	for _, c := range []struct {
		blobs, clusters int
		want            D0
		note            string
	}{
		{1, 2, D0{Quantile: 0.9}, "the 0.9 quantile of"},
		{12, 12, D0{Auto: true}, "under the 0.9 quantile, "},
		{8, 8, D0{Auto: true}, "under the 0.9 quantile, "}, // in a row, so that it is below half
	} {
		got, note := d0(c.blobs, c.clusters, D0{})
		if want, _ := d0(c.blobs, c.clusters, c.want); got != want ||
			!strings.Contains(note, c.note) {
			t.Errorf("%d clusters: d0 is %v, want %v; %q", c.clusters, got, want, note)
		}
	}
}

// TestAdviceIsNotWhatWasDone: where d0 is that of auto by default, another one is advised.
func TestAdviceIsNotWhatWasDone(t *testing.T) {
	for clusters, auto := range map[int]bool{2: false, 10: true} {
		r, err := Fit(t.Context(), blobs(120, 10, 1), Config{Clusters: clusters})
		if err != nil {
			t.Fatal(err)
		}
		one := &method.Outcome{Labels: slices.Repeat([]int{1}, 120), Clusters: clusters}
		got := (&settings{}).advice(one, r)
		if len(got) == 0 || strings.Contains(got[0], "--d0 auto") == auto {
			t.Errorf("%d clusters, notes %q: advised %q", clusters, r.Notes, got)
		}
	}
}
