// Package bayes is naive Bayes that also learns from rows whose class is not known, by expectation
// and maximisation (Nigam, McCallum, Thrun and Mitchell, Machine Learning 39, 2000; equations 7 to
// 9 of Yang et al., Neurocomputing 257, 2017, section 2.5): rows with known classes keep them, the
// others belong to every class by its posterior probability. Without known classes it is a mixture
// of clusters.
//
// The result depends on the data, the configuration and the seed alone, not on the number of
// threads or the processor.
package bayes
