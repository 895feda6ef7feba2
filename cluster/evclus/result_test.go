package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
)

// crossed returns cannot-links within groups of blobs, which any good fit violates.
func crossed(n, groups int) (links []link.Link) {
	for i := 0; i+groups < n; i += 2 * groups {
		links = append(links, link.Link{A: i, B: i + groups, Kind: link.CannotLink})
	}
	return links
}

// TestBothRoutesCountViolatedLinks of the fit without them.
func TestBothRoutesCountViolatedLinks(t *testing.T) {
	links := crossed(60, 3)
	for _, by := range []Optimizer{IRQP, Gradient} {
		r, err := Fit(t.Context(), blobs(60, 3, 4),
			Config{Clusters: 3, Optimizer: by, Knowledge: fit.Knowledge{Links: links}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Violated != len(links) {
			t.Errorf("optimiser %d: %d of %d links violated", by, r.Violated, len(links))
		}
	}
}

// TestGradientsRefuseD0BeyondAll as row programmes do.
func TestGradientsRefuseD0BeyondAll(t *testing.T) {
	_, err := Fit(t.Context(), blobs(60, 3, 4),
		Config{Clusters: 3, Optimizer: Gradient, D0: D0{Value: 1e30}})
	if err == nil || !strings.Contains(err.Error(), "so far above") {
		t.Errorf("%v", err)
	}
}

// TestPairsThatWereThereAreNotAdded, nor is the frame of two clusters.
func TestPairsThatWereThereAreNotAdded(t *testing.T) {
	full, err := belief.Full(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{{Clusters: 3, Focal: full, Pairs: 2}, {Clusters: 2, Pairs: 1}} {
		r, err := Fit(t.Context(), blobs(60, 3, 4), cfg)
		if err != nil || len(r.Pairs) != 0 {
			t.Errorf("%d clusters: added %v (%v)", cfg.Clusters, r.Pairs, err)
		}
	}
}

// TestNegativeZerosAreZeros: a metric may round to −0, whose bits come after those of all other
// numbers.
func TestNegativeZerosAreZeros(t *testing.T) {
	d, plain := blobs(60, 3, 4), blobs(60, 3, 4)
	zero := float32(math.Copysign(0, -1))
	for i := range 8 {
		for j := range 8 {
			plain.D[i*60+j] = 0
			if i != j {
				d.D[i*60+j] = zero
			}
		}
	}
	cfg := Config{Clusters: 3, D0: D0{Quantile: 1}}
	want, err := Fit(t.Context(), plain, cfg)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Fit(t.Context(), d, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got.D0 != want.D0 || got.Stress != want.Stress {
		t.Errorf("d0 %v and stress %v, without signs %v and %v", got.D0, got.Stress, want.D0,
			want.Stress)
	}
}
