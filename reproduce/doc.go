// Package reproduce lists the experiments that kindred can run again: those of the papers it is
// built from, and its own.
//
// What an experiment is, and how it runs, is in package frame; each has a package of its own.
package reproduce
