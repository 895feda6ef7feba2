// Package ledger keeps the answers of a session whose questions follow from the data and the
// answers alone.
//
// A [Ledger] holds links that were given before and answers in their order, and what they entail.
// Answers are facts about pairs of rows, whoever asked for them and when, so that undo, edit and
// resume are all the same: the state is what a replay of the answers gives.
//
// A [Script] is a program that asks as if someone stood beside it. A [Run] plays it from its
// beginning after every answer, up to the first pair that nobody has answered: no goroutine waits
// in between, and nothing but the answers is kept.
package ledger
