// Package kmeans is k-means for tables that lie in many files and never in memory as a whole:
// package kmeans in rounds that each read every row once.
//
// A first round draws a weighted sample, from which k-means‖ draws the starting centres; each
// further round is one iteration of Lloyd 1982; a last one labels the rows, counts the clusters,
// sums up the inertia and finds the medoids. The kernels are those of package kmeans, so that from
// the same start the labels, the iterations and what happens to empty clusters are those of
// kmeans.Fit, and the centres agree to about ten digits and more. What splits come to is added in
// order of split with what rounding would lose: the centres are the same to the byte whatever the
// number of workers, and hardly depend on how the table is cut.
package kmeans
