// Package spectral clusters the nodes of a nearest-neighbour graph by the lowest eigenvectors of
// its Laplacian, with and without links.
//
// [VectorGraph] and [ObjectGraph] build the graph, from vectors or from any dissimilarities. [Fit]
// is spectral clustering (Ng, Jordan and Weiss 2001), [FitCCSR] constrained clustering by spectral
// regularisation (Li, Liu and Tang 2009), and [FitCOSC] constrained 1-spectral clustering
// (Rangapuram and Hein 2012).
//
// Results depend on the graph, the configuration and the seed, and not on the number of threads.
package spectral
