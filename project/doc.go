// Package project runs a project that is being worked on: it chooses questions for the people who
// answer, takes their answers, keeps each on disk before it returns, and has the groups that follow
// ready to be looked at.
//
// A [Project] is one open project: its file (package store), its data (package input) and the
// method that asks (package method). Any number of goroutines may use it. Fits run beside the
// answers and never hold one up: while one runs, questions come from the fit before it. What the
// groups are is a function of the data, the settings and the answers in effect alone.
//
// Rows are numbered from 0 in the order of the prepared data; ids are those of the data.
package project
