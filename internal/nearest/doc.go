// Package nearest finds nearest neighbours: exactly, by all pairs or in a k-d tree, and
// approximately, in cells of rows near each other. Results do not depend on the number of threads.
package nearest
