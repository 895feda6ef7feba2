package all_test

import (
	"testing"

	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// BenchmarkDoubts is the certainty of 10⁶×16 rows by 50 representatives, and of 10⁵ masses, on one
// thread.
func BenchmarkDoubts(b *testing.B) {
	b.Run("distances", func(b *testing.B) {
		x, _, err := generate.Make(b.Context(), "blobs",
			generate.Config{Rows: 1_000_000, Dimensions: 16, Clusters: 10, Noise: 2})
		if err != nil {
			b.Fatal(err)
		}
		p := method.Problem{Data: x}
		m, _ := all.Find("cobra")
		c, err := m.With(values{"super-instances": "50", "max-iterations": "3"})
		if err != nil {
			b.Fatal(err)
		}
		s, err := c.Begin(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		o, err := s.Outcome(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := method.Doubts(b.Context(), p, o, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("masses", func(b *testing.B) {
		x, _, err := generate.Make(b.Context(), "t-clusters", generate.Config{Rows: 100_000})
		if err != nil {
			b.Fatal(err)
		}
		p := method.Problem{Data: x}
		m, _ := all.Find("kevclus")
		o, err := plain(b.Context(), m, p, values{"clusters": "4", "max-iterations": "3"})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := method.Doubts(b.Context(), p, o, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}
