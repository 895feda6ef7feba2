package mds

import "testing"

func BenchmarkAllOf1000(b *testing.B) {
	c := random(1000, 3, 1)
	for b.Loop() {
		fitted(b, c, Config{})
	}
}

func BenchmarkLandmarksOf10000(b *testing.B) {
	c := random(10000, 3, 1)
	for b.Loop() {
		fitted(b, c, Config{})
	}
}
