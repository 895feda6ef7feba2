// Package cobras clusters by asking whether two objects belong together, coarse groups first:
// COBRAS (Constraint-Based Repeated Aggregation and Splitting; Van Craenendonck, Dumančić, Van
// Wolputte and Blockeel, IDA 2018), and its version for people who err (Soenen, Dumančić, Van
// Craenendonck and Blockeel, Tackling Noise in Active Semi-Supervised Clustering, 2020).
//
// All rows are one super-instance at first. Again and again the largest is split by k-means, into
// as many as answers about its halves suggest, and the new ones are merged with what there is as
// COBRA merges: pairs of representatives are asked about, the nearest first, and nothing that is
// known already. The number of super-instances need not be known; a coarse clustering is there
// after a few answers, and becomes finer with each split.
//
// The questions of a [Run], which its [ask.Session] asks, follow from the data, the configuration,
// the answers and the rows left out alone. It is played anew after every answer, while the splits,
// which cost the time, are kept. The result leaves excluded rows out; another member represents a
// super-instance whose medoid is one, and one without other members goes with the nearest.
//
// Where Config.ErrorRate is set, answers may be wrong: redundant questions close cycles of answers,
// and cycles that cannot be true are explained by the likeliest mistakes.
package cobras
