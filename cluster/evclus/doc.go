// Package evclus makes credal partitions from dissimilarities: EVCLUS and k-EVCLUS (kevclus-2016),
// and CEVCLUS with must-links and cannot-links (cevclus-2013).
package evclus
