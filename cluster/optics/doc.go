// Package optics orders objects by the density around them (OPTICS: Ankerst, Breunig, Kriegel and
// Sander, SIGMOD 1999).
//
// In the order, each object follows the one from which it is reached most easily. The reachability
// of the objects along the order is a plot of the density: clusters are valleys, and valleys within
// valleys are clusters within clusters. [Fit] makes the order and cuts clusters out of it, by the
// steepness of the valleys (ξ) or at one radius, which is DBSCAN at that radius.
package optics
