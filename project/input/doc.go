// Package input reads DATA as a person names them, a table, texts, series, pictures or a matrix of
// dissimilarities, and prepares them for a method, by settings that a project file keeps.
package input
