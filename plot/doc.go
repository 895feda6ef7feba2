// Package plot draws clusterings as pictures for a paper: SVG, and PNG from the same description.
//
// [Plane] brings a table into the plane: its own two columns, or its first two principal
// components. [Scatter] draws the points by cluster, with super-instances and answered questions where there
// are any. The same input gives the same bytes, whatever the number of threads.
package plot
