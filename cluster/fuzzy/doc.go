// Package fuzzy partitions vectors so that each row belongs to every cluster to a degree: fuzzy
// c-means (Bezdek 1981).
//
// The result depends on the data, the configuration and the seed alone, not on the number of
// threads or the processor.
package fuzzy
