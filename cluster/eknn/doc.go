// Package eknn clusters by the evidential nearest-neighbour rule: EK-NNclus (Denœux, Kanjanatarakul
// and Sriboonchitta, Knowledge-Based Systems 88, 2015). Objects go over to the cluster that their
// nearest neighbours vote for until none does, and the number of clusters is found on the way.
package eknn
