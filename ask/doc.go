// Package ask holds the sessions of methods that cluster by asking: the answers, the questions, and
// whoever answers them.
//
// A [Session] owns the answers of one clustering under way. Answers are facts about pairs of rows,
// whoever was asked for them and when, and the state of a session is a function of the data, the
// configuration, the answers in their order, and the rows left out. To undo, to edit and to resume
// are therefore the same: the state is what a replay of the answers leads to. A [Ledger] keeps them
// with what they entail; a [Chooser], the part that differs between methods, chooses the questions.
//
// A [Script] is a program that asks as if someone stood beside it; [Scripted] makes a Chooser's
// questions of it.
//
// [Drive] brings the questions of a session to an [Oracle]: a column of labels, a person at a
// [Terminal], or a function.
package ask
