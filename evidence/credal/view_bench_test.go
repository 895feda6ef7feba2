package credal_test

import (
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

func BenchmarkViews(b *testing.B) {
	const n, c = 1_000_000, 4
	focal, _ := belief.Simple(c)
	p := random(n, c, focal, 1)
	for name, view := range map[string]func(){
		"hard":           func() { p.Hard(belief.MaxPlausibility) },
		"pignistic":      func() { p.Pignistic() },
		"rough":          func() { p.Rough() },
		"nonspecificity": func() { p.Nonspecificity() },
		"check":          func() { p.Check() },
		"relabel":        func() { p.Relabel(p.BySize()) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				view()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

func BenchmarkCompareRand(b *testing.B) {
	focal, _ := belief.Simple(4)
	x, y := random(3000, 4, focal, 1), random(3000, 4, focal, 2)
	for b.Loop() {
		if _, err := credal.CompareRand(b.Context(), x, y, credal.RandConfig{}); err != nil {
			b.Fatal(err)
		}
	}
}
