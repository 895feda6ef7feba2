// Package density finds clusters as regions where objects lie close together, with noise between
// them.
//
//   - [FitDBSCAN]: Ester, Kriegel, Sander and Xu, KDD 1996.
//   - [FitSSDBSCAN]: Lelis and Sander, ICDM 2009: some objects have labels, from which clusters
//     grow until they meet others.
//   - [FitCDBSCAN]: Ruiz, Spiliopoulou and Menasalvas, RSFDGrC 2007: must-links and cannot-links.
//   - [FitMultiDensity]: in the manner of Yang and others, Neurocomputing 257 (2017): a radius and
//     a density for each class that some labels show.
//
// Terms are those of the first paper. The neighbourhood of an object are the objects within Eps of
// it, itself among them; an object with at least MinPoints of them is a core object; core objects
// within Eps of each other are of one cluster; an object that is no core object but within Eps of
// one is a border object; the rest is noise. The core distance of an object is that to the
// MinPoints-th nearest, itself being the first, and the reachability of two is the largest of both
// core distances and their distance.
//
// Vectors are held in a k-d tree, as a copy in float64. Of objects that are known by
// dissimilarities all pairs are looked at, twice or three times. Nothing holds n×n numbers. Trees
// serve best with few columns, or clusters far apart: with many columns and no such clusters all
// pairs are looked at, too, so that a hundred thousand rows take minutes.
//
// What is decided between equals is decided by values, as the tree orders rows by them. So the
// order of rows does not matter, nor does the number of threads. Only where all there is are
// dissimilarities, the first row wins.
package density
