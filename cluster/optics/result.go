package optics

// Noise is the label of objects in no cluster.
const Noise = -1

// Result is an order of objects and the clusters cut out of it.
type Result struct {
	// Order has the objects in the order in which they were reached.
	Order []int
	// Reachability has the distance at which each object was reached, by object; +Inf where it was
	// not, as the first of each connected part.
	Reachability []float64
	// Core has the core distance of each object; +Inf where it is over MaxEps.
	Core []float64
	// Predecessor has the object from which each was reached; −1: none.
	Predecessor []int

	// Labels has the cluster of each object, from 0 along the order, or [Noise]. Of clusters by Xi
	// that lie within each other the smallest count.
	Labels   []int32
	Clusters int

	// Spans are all clusters by Xi, those within others before them: the first and the last place
	// of each in Order. nil for extraction by Eps.
	Spans [][2]int

	// Reach is the distance to a cluster within which a new object belongs to it: the greatest
	// reachability within any cluster.
	Reach float64
}

// CutAt returns the clusters that DBSCAN finds at a radius up to MaxEps, but for border objects: an
// object that was not reached within eps starts a cluster if it is a core object there, and is
// noise otherwise (Ankerst and others 1999, ExtractDBSCAN-Clustering).
func (r *Result) CutAt(eps float64) (labels []int32, clusters int) {
	labels = make([]int32, len(r.Order))
	for _, i := range r.Order {
		switch {
		case r.Reachability[i] <= eps:
			labels[i] = int32(clusters - 1)
		case r.Core[i] <= eps:
			labels[i] = int32(clusters)
			clusters++
		default:
			labels[i] = Noise
		}
	}
	return labels, clusters
}
