// Package kin clusters by asking whether two objects belong together, and makes the most of what is
// known between answers. The method is ours. It builds on the harmonic functions of Zhu, Ghahramani
// and Lafferty (2003) and their choice of questions by expected risk (Zhu, Lafferty and Ghahramani
// 2003), extended to answers about pairs and to an unknown number of groups.
//
// Rows are cut into many small super-instances by k-means, each with a row that represents it. They
// are the nodes of a graph: near ones are joined, by weights that fall with the distance relative
// to the local scale. A random walk on the graph ends at the first node whose group is known, or
// dies on the way. How often it ends in each group is the mass of its node on that group, and how
// often it dies the mass on all of them, ignorance: a credal partition. Walks that come to a node
// that links or answers put in its group go on in part, as they are evidence of the nodes around
// it, and not the truth. The masses of a row are those of the nodes around it, and most of the
// ignorance where answers are about its groups; where groups are many and one half of the rows
// foretells those of the other poorly, less is believed of nodes that no answer is about.
//
// Before the first answer the number of groups is estimated from clusterings of random halves of
// the rows, where none is given. Ward's method divides the nodes into two and a half times as many
// tentative groups, at least eight, so that a group can be of any shape, and into up to five times
// as many where groups are many. Which of them are one is a supposition: the likeliest pair is
// joined, and again, until no pair is likelier one group than two. How likely that is follows from
// the rows that the two groups share, the height at which Ward's method would join them, and their
// sizes; answers about pairs of groups shift it. Groups that answers separate are never joined.
// After many answers in a row that were "different", tentative groups are added. Of hundreds of
// groups only neighbours are compared, and what has not changed since the last question is not
// found again.
//
// The next question is the one that is expected to put most rows right, with most of the ignorance
// made mass: whether two groups are one, or which group a node belongs to, its most plausible group
// first. Features that separate the groups count for more in the distance as soon as the answered
// nodes predict each other better so; in many columns directions in which nodes of one group differ
// count for less. Where there are many groups rows are drawn to those whose centres are near. Links
// and answers that nobody was asked for, between rows that represent no super-instance, are hints:
// they change masses by Bayes' rule, and hold for their own rows, unless answers may be wrong.
//
// Where no error rate is given, it is inferred from the answers that contradict the groups. Up to a
// small rate, and while no answer contradicts others, links and answers hold for their own rows. An
// answer about two groups that others about the same two outvote does not. What answers came to
// about two groups is asked about again, by other rows, once that is worth more than other
// questions: large groups deserve more certainty than small ones.
//
// The questions of a [Run], which its [ask.Session] asks, follow from the data, the configuration,
// the answers in their order and the rows left out alone. The result leaves excluded rows out;
// another member represents a super-instance whose medoid is one.
package kin
