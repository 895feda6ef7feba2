// Package kin clusters by asking whether two objects belong together, and makes the most of what is
// known between answers. The method is ours. It stands on the harmonic functions of Zhu, Ghahramani
// and Lafferty (2003) and their choice of questions by expected risk (Zhu, Lafferty and Ghahramani
// 2003), put for answers about pairs and for groups that nobody has counted.
//
// Rows are cut into many small super-instances by k-means, each with a row that stands for it. They
// are the nodes of a graph: near ones are joined, by weights that fall with the distance in the
// scale of the place. A random walk on the graph ends at the first node whose group is known, or
// dies on the way. How often it ends in each group is the mass of its node on that group, and how
// often it dies the mass on all of them, ignorance: a credal partition.
//
// Before the first answer the groups are tentative ones, found far apart on the graph; where many
// answers in a row are "different", as there are more groups than these, others are added. The next
// question is the one that is expected to put most rows right: whether two groups are one, or which
// group a node belongs to, its most plausible group first. Features that separate the groups
// count for more in the distance as soon as the answered nodes foretell each other better so. Links
// and answers that nobody was asked for, between rows that stand for no super-instance, are hints:
// they change masses by Bayes' rule, and hold for their own rows.
//
// The questions of a [Run], which its [ask.Session] asks, follow from the data, the configuration,
// the answers in their order and the rows left out alone. The result leaves excluded rows out;
// another member represents a super-instance whose medoid is one.
package kin
