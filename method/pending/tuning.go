//go:build ignore

package method

// Tuning are the parameters of single methods. A zero value is the method's default.
type Tuning struct {
	// radius of a neighbourhood of the density methods, in the data's units; 0: chosen from the
	// data
	Eps         float64
	MinPoints   int  // rows that make a neighbourhood dense, the row itself among them
	NewClusters bool // mdbscan: rows that no known class claims are clustered, too

	// nearest neighbours that each row is linked to in a graph, or asked in eknnclus
	Neighbours int
	Bandwidth  float64 // σ of Gaussian similarities, in the data's units; 0: chosen from the data
	Dimensions int     // eigenvectors that rows are laid out by
	Graph      string  // how neighbours are found: exact or approximate; "": by the number of rows

	// exponent of memberships, above 1: m of fuzzy c-means, β of the evidential c-means
	Fuzziness     float64
	SetPenalty    float64 // α, by which the evidential c-means shun large focal sets
	NoiseDistance float64 // δ, the distance of the empty set in the evidential c-means

	LinkWeight float64 // weight of a violated link
	Metric     string  // that clusters learn: euclidean, diagonal or full; "": the method's own
	Shared     bool    // one learnt metric for all clusters

	// of agglomerative clustering: single, complete, average, weighted, ward, centroid or median
	Linkage string
	Cut     float64 // height at which the tree is cut where the number of clusters is not given

	Likelihood       string  // of naive Bayes: gaussian or multinomial
	Smoothing        float64 // added to each count, or to variances as a share of those of the data
	UnlabelledWeight float64 // of a row whose class is not known, beside 1 of one whose is; 0: 1

	Quantile  float64 // of the dissimilarities to neighbours, by which eknnclus scales them
	ErrorRate float64 // share of wrong answers that noise-robust methods reckon with
}
