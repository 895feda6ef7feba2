// Package kmeans partitions vectors around k centres so that the sum of squared distances to the
// nearest centre is small.
//
// [Fit] runs Lloyd's iteration (Lloyd 1982) from a start by greedy k-means++ (Arthur and
// Vassilvitskii 2007) or k-means‖ (Bahmani et al. 2012). [Result.Predict] puts new rows with the
// centres found; [Medoids] finds the row that stands for each cluster.
//
// The result depends on the data, the configuration and the seed, and on nothing else: not on the
// number of threads, the processor, nor the choice of algorithm, all of which return the same bits.
// The exception is [Result.Distances], the cost, which depends on the algorithm and the processor.
//
// Distances are computed in the type of the data. Sums, centres and inertia are float64. The
// nearest centre is the one with the lowest ½‖c‖² − x·c, taken about a point amid the centres, so
// two centres whose squared distances from a row differ by less than about d·ε times the squared
// spread of the data (ε: 10⁻¹⁶ for float64, 6·10⁻⁸ for float32) may change places.
package kmeans
