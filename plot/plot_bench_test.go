package plot

import (
	"fmt"
	"io"
	"testing"
)

func BenchmarkPrincipalComponents(b *testing.B) {
	for _, shape := range [][2]int{{100000, 16}, {10000, 300}, {5000, 784}} {
		x := cloud(shape[0], shape[1], 1)
		b.Run(fmt.Sprintf("%dx%d", shape[0], shape[1]), func(b *testing.B) {
			b.SetBytes(int64(8 * len(x.F64)))
			for b.Loop() {
				if _, err := PrincipalComponents(b.Context(), x, 2, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFigure(b *testing.B) {
	for _, n := range []int{150, 20000} {
		cfg := full(n)
		b.Run(fmt.Sprintf("SVG-%d", n), func(b *testing.B) {
			for b.Loop() {
				fig, err := Scatter(cfg)
				if err == nil {
					err = fig.WriteSVG(io.Discard)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("PNG-%d", n), func(b *testing.B) {
			for b.Loop() {
				fig, err := Scatter(cfg)
				if err == nil {
					err = fig.WritePNG(io.Discard, 150)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRough100000(b *testing.B) {
	points, p := crowd(100_000)
	for b.Loop() {
		f, err := Rough(RoughConfig{Cloud: Cloud{Points: points}, Credal: p})
		if err != nil {
			b.Fatal(err)
		}
		if err := f.WriteSVG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeatMap5000(b *testing.B) {
	points, p := crowd(5000)
	order, groups := ByCertainty(p)
	for b.Loop() {
		if _, err := HeatMap(b.Context(),
			HeatMapConfig{Source: distances(points), Order: order, Groups: groups}); err != nil {
			b.Fatal(err)
		}
	}
}
