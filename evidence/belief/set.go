// Package belief is the calculus of belief functions on a finite frame (Dempster 1967, Shafer
// 1976): focal sets, mass functions, and what follows from them.
package belief

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// MaxClusters is the largest size of a frame.
const MaxClusters = 63

// Set is a set of clusters: bit k is cluster k, counted from 0. The zero value is the empty set.
type Set uint64

// Singleton returns the set of cluster k alone.
func Singleton(k int) Set { return 1 << k }

// Omega returns the whole frame of c clusters.
func Omega(c int) Set { return 1<<c - 1 }

// Len counts the clusters of the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Has reports whether cluster k belongs to the set.
func (s Set) Has(k int) bool { return s>>k&1 == 1 }

// All iterates over the clusters of the set, ascending.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(bits.TrailingZeros64(uint64(s))) {
				return
			}
		}
	}
}

// Clusters lists the clusters of the set, numbered from 1.
func (s Set) Clusters() (numbers []int) {
	for k := range s.All() {
		numbers = append(numbers, k+1)
	}
	return numbers
}

// Meets reports whether two sets have a cluster in common.
func (s Set) Meets(t Set) bool { return s&t != 0 }

// Within reports whether every cluster of s is in t.
func (s Set) Within(t Set) bool { return s&^t == 0 }

// String names the set by its clusters, counted from 1: "{1+3}", and "{}" for the empty set.
func (s Set) String() string {
	var names []string
	for k := range s.All() {
		names = append(names, strconv.Itoa(k+1))
	}
	return "{" + strings.Join(names, "+") + "}"
}
