// Package stream clusters rows while they come: a [Source] returns blocks of rows, a competitive
// learner labels and learns each row at once, and a [Sink] takes the labels. Links may come with
// the rows or beside them, before their rows or after.
//
// [Run] is the loop. Memory does not grow with the stream: sources wait while labels cannot be
// written, links to rows not yet seen are held up to a number, and rows leave the memory one after
// the other. What a run knows can be saved in a state file ([State]) together with the positions of
// source and sink, so that a run that was ended, or killed, goes on as if nothing had happened.
package stream
