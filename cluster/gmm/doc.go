// Package gmm fits Gaussian mixtures by expectation and maximisation (Dempster, Laird and Rubin
// 1977): each row belongs to every cluster with a probability, and clusters have shapes of their
// own.
//
// The result depends on the data, the configuration and the seed alone, not on the number of
// threads or the processor.
package gmm
