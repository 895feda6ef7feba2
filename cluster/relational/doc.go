// Package relational finds fuzzy clusters of objects that are known by their dissimilarities alone.
//
// [FitSource] is relational fuzzy c-means, the dual of fuzzy c-means (Hathaway, Davenport and
// Bezdek, "Relational duals of the c-means clustering algorithms", Pattern Recognition 22, 1989),
// with the β-spread of dissimilarities that no points in a space have (NERF: Hathaway and Bezdek,
// "NERF c-means: non-Euclidean relational fuzzy clustering", Pattern Recognition 27, 1994).
// [FitSSCARD] does so under must-links and cannot-links, and from several sorts of dissimilarities
// at once.
//
// A relation is R = [δ²] of dissimilarities δ, so that Euclidean distances lead to what fuzzy
// c-means finds from the points. All pairs are held as float32: 4·n² bytes a relation, 400 MB for
// 10 000 objects.
package relational
