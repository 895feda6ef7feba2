// Package hierarchy joins objects into a tree, from single objects up to all of them, and cuts the
// tree into clusters.
//
// [Fit] joins the rows of a matrix under Euclidean distance, [FitSource] objects that are known by
// their dissimilarities, by one of seven linkages. [FitCCL] does so under must-links and
// cannot-links.
//
// Ward's linkage of vectors joins all pairs of clusters that are nearest to each other, round after
// round: it is reducible, so that joining such a pair brings neither nearer to a third. Each
// cluster has a list of its nearest and a bound below which no other is; only where these do not
// settle what is nearest are clusters compared with all others, block by block.
//
// Complete, average and weighted linkage, and Ward's of dissimilarities, follow chains of nearest
// neighbours (Murtagh 1983; Müllner 2011, "Modern hierarchical, agglomerative clustering
// algorithms", figure 3), which takes n² steps; they, too, join all pairs of a round at once as
// long as there are many. Single linkage is read off a minimum spanning tree: of vectors by Borůvka's
// algorithm, of other objects by Prim's. Centroid and median linkage are not reducible and always
// join the nearest pair (Müllner 2011, figure 4).
//
// Vectors under single, Ward's, centroid and median linkage take memory in proportion to their
// number, as a cluster is its centre and size; so does single linkage of other objects.
// Everything else holds the dissimilarities of all pairs as float32, 2·n² bytes, which the formula
// of Lance and Williams (1967) brings up to date: 200 MB for 10 000 objects, 800 MB for 20 000.
// Heights of vectors are then found again in float64, from the members of the clusters.
//
// The order of objects decides nothing, but for single linkage of dissimilarities: vectors are
// taken in the order of their values, and other objects in that of what their dissimilarities to
// all others come to. Only objects that are alike in these may change places. Single linkage
// of dissimilarities, which reads each of them once and holds none, has the same heights
// whatever the order; where several are equal, that of the objects settles which come first, and so
// what a cut into a number of clusters between them parts. A cut at a height does not depend on it.
package hierarchy
