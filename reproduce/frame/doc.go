// Package frame runs the experiments of the papers again, and sets our figures beside theirs.
//
// An [Experiment] is a paper's protocol: the data sets it needs, the fits it makes, each a [Run]
// with what was measured, and the [Table]s that come of them. What the papers print are facts, kept
// beside the protocol; nothing of ours is. A table has beside each figure of the paper ours, its
// interval, and whether the two agree.
//
// Fits run on all processors and may be cut short. Raw runs kept in a folder are taken from there
// the next time, when they are of the same experiment, seed and data. Raw runs are Parquet, a row a
// fit; tables are saved as Markdown, LaTeX and plain figures, pictures as SVG. Apart from seconds
// the report is the same on any number of threads.
package frame
