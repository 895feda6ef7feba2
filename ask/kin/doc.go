// Package kin clusters by asking whether two objects belong together, and makes the most of what is
// known between answers. The method is ours. It stands on the harmonic functions of Zhu, Ghahramani
// and Lafferty (2003) and their choice of questions by expected risk (Zhu, Lafferty and Ghahramani
// 2003), put for answers about pairs and for groups that nobody has counted.
//
// Rows are cut into many small super-instances by k-means, each with a row that stands for it. They
// are the nodes of a graph: near ones are joined, by weights that fall with the distance in the
// scale of the place. A random walk on the graph ends at the first node whose group is known, or
// dies on the way. How often it ends in each group is the mass of its node on that group, and how
// often it dies the mass on all of them, ignorance: a credal partition. A row has the masses of the
// nodes around it.
//
// How many groups there are is estimated from halves of the rows, and there are more nodes where
// many are expected. Before the first answer groups are tentative: clusters of the nodes by Ward's
// method, more than are expected. Groups are supposed to be one by a logistic model, which answers
// about two groups teach. Where many answers in a row are "different", groups are added. The next
// question is the one that is expected to put most rows right: whether two groups are one, or which
// group a node belongs to, its most plausible group first. Where contradictions are kept, how many
// answers are wrong is inferred from those that are not as the groups have them.
//
// Features that separate the groups count for more in the distance as soon as the answered nodes
// foretell each other better so. Links and answers that nobody was asked for, between rows that
// stand for no super-instance, are hints: they change masses by Bayes' rule, and hold for their own
// rows.
//
// The questions of a [Run], which its [ask.Session] asks, follow from the data, the configuration,
// the answers in their order and the rows left out alone. The result leaves excluded rows out;
// another member represents a super-instance whose medoid is one.
package kin
