// Package store keeps a project file (NAME.kindred): what data it is about, how they are
// prepared, and every step of the people who answer in the order it was done; and what a
// history of steps amounts to ([History]).
//
// The file is one SQLite database (application id "kind"). Steps are on disk when the
// wait that [File.Submit] returns is over: the journal is a write-ahead log, synchronised fully at
// each commit, and callers that come while the disk is busy share the next commit. After a kill or
// a power cut the file holds all steps that were waited for, and perhaps some of those under way,
// each whole.
//
// The log, NAME.kindred-wal beside the file, is folded into the file once nothing was added for a
// twentieth of a second, when it reaches 4 MB, and by [File.Close]; then the file alone can be
// sent on. What a kill leaves in the log belongs to the project, and the next [Open] folds it in.
// [File.Copy] writes a whole copy at any moment.
//
// One process at a time has a project open; a second gets [ErrInUse].
package store
