// Package dataset reads tables and makes numeric matrices of them.
//
// [Read] takes a file, [ReadStream] a stream, in any [Format]. The [Table] they return records what
// was understood: the columns with their types and roles, and in Notes what was chosen by default.
// [Table.Prepare] makes the [Matrix] to cluster and an [Encoding] that treats later rows alike.
package dataset
