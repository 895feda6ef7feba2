// Package nearest finds nearest neighbours: exactly, by all pairs or in a k-d tree, and
// approximately, in random trees and among neighbours of neighbours. Results do not depend on the
// number of threads.
package nearest
