// Package cobra clusters by asking whether two objects belong together (Constraint-Based Repeated
// Aggregation; Van Craenendonck, Dumančić and Blockeel, IJCAI 2017).
//
// The data are over-clustered by k-means into super-instances, each represented by its medoid.
// Pairs of medoids are then asked about in order of distance, closest first; must-links join
// clusters, and whatever the answers so far already imply is never asked.
//
// A [Run] is a state machine: [Run.Next] gives the question, [Run.Answer] takes same, different or
// unknown. Its state is a pure function of the data, the configuration, the answers and the rows
// left out, so it can be undone, edited and resumed by replaying answers, which are looked up by
// pair. A valid clustering can be had at any moment from [Run.Result].
//
// Several people are served from [Run.Queue], whose answers go in by [Run.Tell] in any order;
// [Run.Exclude] leaves out rows that are bad data.
package cobra
