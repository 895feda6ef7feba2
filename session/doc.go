// Package session keeps a project file (NAME.kindred): what data it is about, how they are
// prepared, and every answer in the order it was given.
//
// The file is one SQLite database (application id "kind"). An event is on disk before
// [Project.Append] returns: the journal is a write-ahead log, synchronised fully at each commit. After
// a kill or a power cut the file holds exactly the events that Append returned for, and perhaps the
// one under way. The log is folded into the file after each event, so that the file alone can be sent
// on; what a kill leaves in NAME.kindred-wal is at most the last event, which the next [Open] folds in.
//
// One process at a time has a project open; a second gets [ErrInUse].
package session
