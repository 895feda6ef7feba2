// Package broker lets streams of rows come from, and labels go to, NATS JetStream: an external
// cluster by its address, or a server of our own ([Serve]) inside the process.
//
// A message holds a block of rows: lines of CSV without a header, JSON lines, or an NPY matrix of
// 32- or 64-bit floats. Its headers may state more:
//
//	Content-Type      text/csv, application/x-ndjson or application/x-npy; without it the first
//	                  bytes decide
//	Kindred-Columns   names of the columns, as a line of CSV
//
// A [Source] keeps its own position in the broker's log: the sequence number of the last message
// that was taken whole, which is saved with what was learnt from it. Nothing is acknowledged to the
// broker. A [Sink] publishes the labels of each block as one message (or more, where they are too
// long for one), with headers
//
//	Nats-Msg-Id        run, sequence number and last row, so that a broker refuses what it has
//	Kindred-Run        who published: labels of other runs are left alone
//	Kindred-Sequence   the message of rows that these are the labels of
//	Kindred-Row        number of the last row in it
//
// and a resumed run asks for the last message there is, so that labels are neither lost nor doubled
// whenever it was killed. While the broker is away both wait, trying again after 50 ms, then twice
// as long each time, up to 5 s.
package broker
