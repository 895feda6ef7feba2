package link_test

import (
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// consistentLinks draws links among n objects of the given number of classes, object i being of
// class i modulo it.
func consistentLinks(n, classes, count int) []link.Link {
	rng := rand.New(rand.NewPCG(1, 2))
	links := make([]link.Link, count)
	for i := range links {
		a := rng.IntN(n)
		b := (a + 1 + rng.IntN(n-1)) % n
		links[i] = cannot(a, b)
		if a%classes == b%classes {
			links[i].Kind = link.MustLink
		}
	}
	return links
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name              string
		n, classes, links int
	}{
		{"two_classes", 1e6, 2, 1e6},
		{"ten_classes", 1e6, 10, 1e6},
		{"thousand_classes", 1e5, 1000, 1e6},
		{"few_objects", 1e4, 10, 1e6},
	} {
		links := consistentLinks(c.n, c.classes, c.links)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := link.Build(c.n, links, link.Refuse); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.links), "ns/link")
		})
	}
}

// BenchmarkStars is the worst order for a closure that moves rivals the wrong way: a hub gathers a
// hundred thousand cannot-links and is then merged along a chain.
func BenchmarkStars(b *testing.B) {
	const n = 400_000
	var links []link.Link
	for i := 1; i < n/2; i++ {
		links = append(links, cannot(0, i))
	}
	for i := n / 2; i < n-1; i++ {
		links = append(links, must(i, i+1))
	}
	links = append(links, must(0, n-1))
	for i := 1; i < n/2-1; i++ {
		links = append(links, must(i, i+1))
	}
	for b.Loop() {
		if _, _, err := link.Build(n, links, link.Refuse); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(links)), "ns/link")
}

func BenchmarkRelation(b *testing.B) {
	const n = 1e6
	s, _, err := link.Build(n, consistentLinks(n, 10, 1e6), link.Refuse)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for b.Loop() {
		s.Relation(rng.IntN(n), rng.IntN(n))
	}
}

// BenchmarkBuildNoisy has one answer in fifty wrong, which makes most of the later links
// contradictions.
func BenchmarkBuildNoisy(b *testing.B) {
	const n, count = 1e6, 1e6
	links := consistentLinks(n, 10, count)
	for i := 0; i < count; i += 50 {
		links[i].Kind = link.MustLink + link.CannotLink - links[i].Kind
	}
	for b.Loop() {
		if _, _, err := link.Build(n, links, link.Keep); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(b.N)*count), "ns/link")
}
