// Package plot draws clusterings as pictures for a paper: SVG, and PNG from the same description.
//
// [Plane] brings a table into the plane: its own two columns, or its first two principal
// components. [Scatter] draws the points by cluster, with super-instances and answered questions
// where there are any.
//
// Of credal partitions, [Rough] draws lower and upper approximations in the plane, [FocalSet] the
// masses of one focal set there, and [Masses] all masses of each object. [Dendrogram] draws trees.
// [Shepard] holds conflicts against dissimilarities, [HeatMap] shows ordered dissimilarities, and
// [Trace] how a fit went.
//
// Configs state which of their fields are needed; every other zero value leaves something out or
// takes the default that it states. Slices are read, never kept or changed.
//
// [Chart] draws curves with intervals, points, boxes, steps and bars, alone or as panels with one
// legend; [Contour] the densities of classes, and [Strokes] lines of a pen. The same input makes
// the same bytes, whatever the number of threads.
package plot
