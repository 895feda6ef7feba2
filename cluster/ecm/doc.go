// Package ecm finds credal partitions around prototypes: the evidential c-means and its kin. Each
// cluster has a prototype, and so has each focal set of clusters; an object shares its mass out by
// how near they are, and what is far from all goes to the empty set.
//
//   - [Fit]: ECM on vectors (Masson and Denœux, Pattern Recognition 41, 2008), under must-links and
//     cannot-links CECM (Antoine, Quost, Masson and Denœux, Computational Statistics & Data
//     Analysis 56, 2012), with metrics that clusters learn (the same paper) by choice;
//   - [FitCredal]: CCM on vectors (Liu, Pan, Dezert and Mercier, Knowledge-Based Systems 74, 2015);
//   - [FitRelational]: RECM on dissimilarities (Masson and Denœux, Pattern Recognition Letters 30,
//     2009);
//   - [FitMedian]: MECM on dissimilarities, with objects as prototypes (Zhou, Martin, Pan and Liu,
//     Knowledge-Based Systems 74, 2015).
//
// All lower an objective by turns, masses and prototypes, and it never rises; RECM alone may begin
// anew where dissimilarities are no distances. The result depends on data, configuration and seed,
// and not on the number of threads.
package ecm
