// Package cobra clusters by asking whether two objects belong together (Constraint-Based Repeated
// Aggregation; Van Craenendonck, Dumančić and Blockeel, IJCAI 2017).
//
// The data are over-clustered by k-means into super-instances, each represented by its medoid.
// Pairs of medoids are then asked about in order of distance, closest first; must-links join
// clusters, and whatever the answers so far already imply is never asked.
//
// The questions of a [Run], which its [ask.Session] asks, follow from the data, the configuration,
// the answers and the rows left out alone. [Run.Result] is a valid clustering after any number of
// answers, without the rows left out; where one of them is the medoid of its super-instance, the
// member nearest the mean that may be asked about stands for it.
package cobra
