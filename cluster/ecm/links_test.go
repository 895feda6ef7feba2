package ecm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// bars are two long bars side by side.
func bars() (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(2, 2))
	m := dataset.Matrix{Rows: 120, Cols: 2}
	var labels []int
	for i := range m.Rows {
		m.F64 = append(m.F64, 6*rng.Float64(), float64(i%2)+0.2*rng.Float64())
		labels = append(labels, i%2+1)
	}
	return m, labels
}

// Two bars are not what the Euclidean distance finds. A few links show what is meant, and metrics
// carry it over to all rows.
func TestLinksAndMetricsFindBars(t *testing.T) {
	data, labels := bars()
	plain, err := Fit(t.Context(), data, Config{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	if ari := index(t, plain, labels); ari > 0.5 {
		t.Fatalf("the bars are found without help: %.3f", ari)
	}
	links := truths(rand.New(rand.NewPCG(3, 3)), labels, 60)
	for _, metric := range []fit.Metric{fit.Diagonal, fit.Full} {
		r, err := Fit(t.Context(), data,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: links}, Metric: metric,
				Limits: fit.Limits{Starts: 3}})
		if err != nil {
			t.Fatal(err)
		}
		if ari := index(t, r, labels); ari < 0.75 || r.Links != len(links) {
			t.Errorf("%v: adjusted Rand index %.3f under %d links", metric, ari, r.Links)
		}
		if broken := link.Violated(r.Credal.Hard(belief.MaxPlausibility), links); len(broken) > 0 {
			t.Errorf("%v: %d links are broken", metric, len(broken))
		}
	}
}

// On wine a few links do not make matters worse, and many are a help; all of them are met.
func TestAFewLinksDoNoHarm(t *testing.T) {
	data, labels := table(t, "wine.csv", true)
	scale(data)
	plain, err := Fit(t.Context(), data, Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	before := index(t, plain, labels)
	for count, least := range map[int]float64{5: before, 10: before - 0.02, 20: before,
		50: before + 0.05} {
		mean := 0.0
		for seed := range uint64(4) {
			links := truths(rand.New(rand.NewPCG(seed, uint64(count))), labels, count)
			done := 0.0
			r, err := Fit(t.Context(), data, Config{
				Clusters: 3, Knowledge: fit.Knowledge{Links: links},
				Options: fit.Options{Progress: func(p fit.Progress) {
					if p.Share < done || p.Share > 1 {
						t.Errorf("the share done is %g after %g", p.Share, done)
					}
					done = p.Share
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			mean += index(t, r, labels) / 4
			if broken := link.Violated(r.Credal.Hard(belief.MaxPlausibility),
				links); len(broken) > 0 {
				t.Errorf("%d of %d links are broken", len(broken), count)
			}
		}
		if mean < least {
			t.Errorf("%d links: an adjusted Rand index of %.3f in the mean, and without links of "+
				"%.3f", count, mean, before)
		}
	}
}

// scale returns each column mean 0 and variance 1.
func scale(m dataset.Matrix) {
	for j := range m.Cols {
		mean, square := 0.0, 0.0
		for i := range m.Rows {
			mean += m.At(i, j) / float64(m.Rows)
		}
		for i := range m.Rows {
			square += (m.At(i, j) - mean) * (m.At(i, j) - mean) / float64(m.Rows)
		}
		for i := range m.Rows {
			m.F64[i*m.Cols+j] = (m.At(i, j) - mean) / math.Sqrt(square)
		}
	}
}

// truths draws pairs, and links them as labels say.
func truths(rng *rand.Rand, labels []int, count int) (links []link.Link) {
	for len(links) < count {
		a, b := rng.IntN(len(labels)), rng.IntN(len(labels))
		kind := link.CannotLink
		if labels[a] == labels[b] {
			kind = link.MustLink
		}
		if a != b {
			links = append(links, link.Link{A: a, B: b, Kind: kind})
		}
	}
	return links
}
